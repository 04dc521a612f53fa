"""How scripts that need packages begin: what this Python lacks, the one in .venv may have."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path

VENV = Path(__file__).resolve().parents[1] / ".venv"
REMEDY = "scripts/setup.sh pages installs it into .venv"


def go_on_with(*packages):
    """Starts the script again with the Python of .venv, where there is one, if this one lacks a
    package."""
    python = VENV / "bin" / "python"
    complete = all(importlib.util.find_spec(name) for name in packages)
    # One of another user may be out of reach.
    if not complete and os.access(python, os.X_OK) and Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(python, [str(python), *sys.argv])


def start(script, module, *packages):
    """Goes on with the main function of a module; one line where a package is not to be had."""
    go_on_with(*packages)
    try:
        main = importlib.import_module(module).main
    except ModuleNotFoundError as missing:
        package = (missing.name or "").split(".")[0]
        if package not in ("jinja2", "markupsafe", "matplotlib", "numpy"):
            raise
        print(f"{script}: {package} is not installed: {REMEDY}", file=sys.stderr)
        return 2
    return main(sys.argv[1:])
