"""Tests of what is not installed are skipped, and say so; `scripts/setup.sh all` installs it."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

# By what a test imports: the package that this needs.
NEEDS = {"pictures": "matplotlib", "page": "jinja2"}
NEEDS |= {
    name: name
    for name in ("jsonschema", "nbclient", "numba", "numpy", "playwright", "xxhash", "yaml")
}


def lacking(path):
    """The first package that a test imports and that is not installed, or None."""
    imported = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [one.name for one in node.names] + [getattr(node, "module", None) or ""]
            imported.update(part for name in names for part in name.split("."))
    needed = sorted(NEEDS[name] for name in imported & NEEDS.keys())
    return next((name for name in needed if importlib.util.find_spec(name) is None), None)


class SkippedModule(pytest.Module):
    def collect(self):
        reason = f"{lacking(self.path)} is not installed (scripts/setup.sh all)"
        pytest.skip(reason, allow_module_level=True)


def pytest_pycollect_makemodule(module_path, parent):
    if lacking(module_path):
        return SkippedModule.from_parent(parent, path=module_path)
    return None


@pytest.fixture(scope="session")
def python_with():
    """Makes a Python with what a file of requirements names, kept in build/: tools need other
    versions than our own code."""

    def make(name, requirements):
        folder, wanted = Path(__file__).parent / "build" / name, requirements.read_text()
        complete, python = folder / "complete", folder / "bin" / "python"
        if not complete.is_file() or complete.read_text() != wanted:
            for command in (
                [sys.executable, "-m", "venv", "--clear", folder],
                [python, "-m", "pip", "install", "--quiet", "-r", requirements],
            ):
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    pytest.skip(f"the tools of {requirements.name} cannot be installed here")
            complete.write_text(wanted)
        return python

    return make
