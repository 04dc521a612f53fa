"""A variant: one way to compute a workload, and the one idea that it adds."""

import dataclasses
import importlib
import typing

NO_NUMPY = (
    "numpy is not installed: apt install python3-numpy, or BENCH_PYTHON names a Python that has it"
)


@dataclasses.dataclass(frozen=True)
class Variant:
    """`function` gets the inputs, the output and the workload's parameters. It writes the output,
    or returns an array of its own, whose allocation is then part of its time."""

    name: str
    idea: str
    function: typing.Callable
    alone: bool = True  # on one thread; otherwise on those that the job was given
    device: typing.Optional[str] = None  # "numba" or "cupy": on a GPU, through that package
    transfers: bool = False  # it gets the host's arrays all the same, and moves them itself
    own_numbers: bool = False  # it draws them with a generator of its own
    most_elements: int = 0  # too slow for more; 0: never
    obstacle: str = ""  # why it cannot run here
    before: typing.Optional[typing.Callable] = None  # as of bench.variant


def ladders(rows, **common):
    """Each workload's variants, from rows of (workload, name, idea, function, what else it has)."""
    found = {}
    for workload, name, idea, function, *more in rows:
        variant = Variant(name, idea, function, **{**common, **dict(*more)})
        found.setdefault(workload, []).append(variant)
    return found


class UnusableError(Exception):
    """Why a package that is installed cannot be measured."""


def load(module, package=None):
    """The module, which needs the package, and an empty text; or None, and why it cannot be
    used."""
    package = package or module.rstrip("_")
    try:
        return importlib.import_module(module), ""
    except UnusableError as why:
        return None, str(why)
    except ModuleNotFoundError as error:
        if error.name in (package, "numpy"):
            return None, NO_NUMPY if error.name == "numpy" else f"{package} is not installed"
        return None, f"{package} cannot be imported: {error}"
    except (ImportError, OSError) as error:  # a package that does not fit to the others
        return None, f"{package} cannot be imported: {(str(error).splitlines() or [''])[0]}"


def parts(arguments):
    """The inputs, the output and the parameters among what a variant's function is called with."""
    arrays = [one for one in arguments if getattr(one, "ndim", 0)]
    return arrays[:-1], arrays[-1], arguments[len(arrays) :]
