"""How commands that need packages begin: what this Python lacks, the one in .venv may have."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
REMEDY = (
    "scripts/setup.sh pages installs it into .venv"
    if (ROOT / "scripts" / "setup.sh").is_file()
    else f"install it ({sys.executable} -m pip install matplotlib jinja2), or load a module that "
    "has it; BENCH_PYTHON names another Python"
)
OLDEST = (3, 9)


def go_on_with(packages):
    """Starts the command again with the Python of .venv, where there is one, if this one lacks a
    package, or is too old."""
    python = VENV / "bin" / "python"
    complete = sys.version_info >= OLDEST and all(map(importlib.util.find_spec, packages))
    # One of another user may be out of reach.
    if not complete and os.access(python, os.X_OK) and Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(python, [str(python), *sys.argv])


def start(name, module, packages, arguments):
    """Goes on with the main function of a module; one line where something is missing."""
    go_on_with(packages)
    lacks = None
    if sys.version_info < OLDEST:
        lacks = "Python 3.9 or newer is needed, this one is {}.{}; BENCH_PYTHON names another"
        lacks = lacks.format(*sys.version_info)
    else:
        try:
            main = importlib.import_module(module).main
        except ModuleNotFoundError as missing:
            package = (missing.name or "").split(".")[0]
            package = {"markupsafe": "jinja2", "numpy": "matplotlib"}.get(package, package)
            if package not in ("jinja2", "matplotlib"):
                raise
            lacks = f"{package} is not installed: {REMEDY}"
    if lacks:
        print(f"{name}: {lacks}", file=sys.stderr)
        return 2
    return main(arguments)
