"""Scripts that need packages find them in .venv, and say how to get them where they are nowhere."""

import pathlib
import shutil
import subprocess
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parent


@pytest.fixture
def checkout(open_folder):
    """Scripts in a folder of their own, whose Python has none of their packages."""
    shutil.copytree(SCRIPTS / "bench_hpc", open_folder / "scripts" / "bench_hpc")
    for name in ("plot.py", "report.py"):
        (open_folder / "scripts" / name).symlink_to("bench_hpc/__main__.py")
    (open_folder / "scripts" / "setup.sh").touch()
    python = pathlib.Path(sys.executable).resolve()
    return open_folder, [str(python), "-S"]  # without site-packages


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
    for package in ("jinja2", "matplotlib"):
        pytest.importorskip(package, reason=f"{package} is not installed (scripts/setup.sh all)")
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


@pytest.mark.parametrize("script", ["plot.py", "report.py"])
def test_a_python_that_one_may_not_use_is_as_good_as_none(checkout, as_nobody, script):
    folder, _ = checkout
    python = shutil.which("python3", path="/usr/bin")  # where everybody may reach it
    if not python:
        pytest.skip("the system has no Python")
    (folder / ".venv").mkdir(mode=0o700)
    if not as_nobody:
        (folder / ".venv").chmod(0)
    run = subprocess.run(
        [*as_nobody, python, "-S", folder / "scripts" / script, "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    (folder / ".venv").chmod(0o700)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "scripts/setup.sh pages" in run.stderr


@pytest.mark.parametrize("apt", [True, False])
def test_the_remedy_of_an_installation_works_where_pip_is_refused(checkout, tmp_path, apt):
    folder, python = checkout
    (folder / "scripts" / "setup.sh").unlink()
    if apt:
        (tmp_path / "apt").write_text("#!/bin/sh\n")
        (tmp_path / "apt").chmod(0o755)
    run = subprocess.run(
        [*python, folder / "scripts" / "report.py", "--help"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert ("apt install python3-matplotlib python3-jinja2 as root" in run.stderr) == apt
    assert "-m venv ENV && ENV/bin/python -m pip install matplotlib jinja2" in run.stderr
    assert "BENCH_PYTHON=ENV/bin/python" in run.stderr


def able(folder, python):
    command = [*python, folder / "scripts" / "bench_hpc", "--able", "report", "points"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_the_commands_that_work_here_are_told(checkout):
    folder, python = checkout
    assert able(folder, python) == ["points"]
    for package in ("jinja2", "matplotlib"):
        pytest.importorskip(package, reason=f"{package} is not installed (scripts/setup.sh all)")
    assert able(folder, [sys.executable]) == ["report", "points"]
