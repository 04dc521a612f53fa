"""How commands that need packages begin: what this Python lacks, the one in .venv may have."""

import importlib
import importlib.util
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PACKAGES = "matplotlib jinja2"


def _remedy():
    if (ROOT / "scripts" / "setup.sh").is_file():
        return "scripts/setup.sh pages installs it into .venv"
    if sys.prefix != sys.base_prefix:
        return f"{sys.executable} -m pip install {PACKAGES} installs it"
    # The Python of a system often belongs to its packages: pip refuses to change it.
    apt = "apt install python3-matplotlib python3-jinja2 as root, " if shutil.which("apt") else ""
    return (
        f"{apt or 'load a module that has it, '}or {sys.executable} -m venv ENV && "
        f"ENV/bin/python -m pip install {PACKAGES}, then BENCH_PYTHON=ENV/bin/python"
    )


REMEDY = _remedy()
OLDEST = (3, 9)
# The module of each command, and the packages that it needs.
COMMANDS = {
    "plot": ("pictures.command", ["matplotlib"]),
    "report": ("page.command", ["jinja2", "matplotlib"]),
    "lesson": ("page.lessons", ["jinja2"]),
    "points": ("class_.command", []),
}


def has(packages):
    """Whether this Python is new enough, and has them."""
    return sys.version_info >= OLDEST and all(map(importlib.util.find_spec, packages))


def go_on_with(packages):
    """Starts the command again with the Python of .venv, where there is one, if this one lacks a
    package, or is too old."""
    python = VENV / "bin" / "python"
    complete = has(packages)
    # One of another user may be out of reach.
    if not complete and os.access(python, os.X_OK) and Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(python, [str(python), *sys.argv])


def able(commands):
    """Prints which of these commands have their packages, in one line."""
    go_on_with(sorted({package for one in commands for package in COMMANDS[one][1]}))
    print(*[one for one in commands if has(COMMANDS[one][1])])
    return 0


def start(name, arguments):
    """Goes on with the main function of a command; one line where something is missing."""
    module, packages = COMMANDS[name]
    if any(one.startswith(("--feedback", "--board")) for one in arguments):
        packages = ["jinja2"]  # points need one for pages only
    go_on_with(packages)
    if sys.version_info < OLDEST:
        lacks = "Python 3.9 or newer is needed, this one is {}.{}; BENCH_PYTHON names another"
        lacks = lacks.format(*sys.version_info)
    else:
        try:
            return importlib.import_module(f"bench_hpc.{module}").main(arguments)
        except ModuleNotFoundError as missing:
            package = (missing.name or "").split(".")[0]
            package = {"markupsafe": "jinja2", "numpy": "matplotlib"}.get(package, package)
            if package not in ("jinja2", "matplotlib"):
                raise
            lacks = f"{package} is not installed: {REMEDY}"
    print(f"bench {name}: {lacks}", file=sys.stderr)
    return 2


def main():
    called = Path(sys.argv[0]).stem  # of a link
    words = [called, *sys.argv[1:]] if called in COMMANDS else sys.argv[1:]
    if words[:1] == ["--able"]:  # what bench may propose: those of these commands that work here
        return able(words[1:])
    if not words or words[0] not in COMMANDS:
        print("usage: python3 -m bench_hpc", "|".join(COMMANDS), "...", file=sys.stderr)
        return 2
    return start(words[0], words[1:])
