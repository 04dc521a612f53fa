"""Scripts that need packages find them in .venv, and say how to get them where they are nowhere."""

import pathlib
import shutil
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parent


@pytest.fixture
def checkout(tmp_path):
    """Scripts in a folder of their own, whose Python has none of their packages."""
    for name in ("plot.py", "report.py", "own_python.py", "program.py"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(SCRIPTS / name, tmp_path / "scripts")
    for name in ("pictures", "page"):
        shutil.copytree(SCRIPTS / name, tmp_path / "scripts" / name)
    python = pathlib.Path(sys.executable).resolve()
    return tmp_path, [str(python), "-S"]  # without site-packages


@pytest.mark.parametrize("script", ["plot.py", "report.py"])
def test_without_the_packages_the_line_says_what_to_do(checkout, script):
    folder, python = checkout
    run = subprocess.run(
        [*python, folder / "scripts" / script, "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "scripts/setup.sh pages" in run.stderr


@pytest.mark.parametrize("script", ["plot.py", "report.py"])
def test_the_python_of_the_checkout_goes_on(checkout, script):
    folder, python = checkout
    own = folder / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    own.chmod(0o755)
    run = subprocess.run(
        [*python, folder / "scripts" / script, "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "examples" in run.stdout.lower()
