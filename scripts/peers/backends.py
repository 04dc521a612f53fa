"""The backends, and why one is not there."""

import importlib

from variant import Backend

# Name of the backend: the module with its ladders, the package that it needs, its written name.
BACKENDS = {
    "python": ("python_", None, "Python"),
    "numpy": ("numpy_", "numpy", "NumPy"),
    "numba": ("numba_", "numba", "Numba"),
    "cupy": ("cupy_", "cupy", "CuPy"),
}


def load(name):
    module, package, written = BACKENDS[name]
    try:
        return Backend(name, importlib.import_module(module).LADDERS)
    except ModuleNotFoundError as error:
        if error.name == package:
            return Backend(name, {}, f"{written} is not installed")
        return Backend(name, {}, f"{written} cannot be imported: {error}")
    except (ImportError, OSError) as error:  # a package that does not fit to the others
        first_line = (str(error).splitlines() or [""])[0]
        return Backend(name, {}, f"{written} cannot be imported: {first_line}")


def load_all():
    return [load(name) for name in BACKENDS]
