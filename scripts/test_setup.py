"""scripts/setup.sh installs what a purpose needs, and nothing else."""

import os
import pathlib
import shutil
import subprocess

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parent
LARGE = ("chromium", "texlive", "clang", "slurm", "shellcheck")


@pytest.fixture
def checkout(tmp_path):
    """One whose apt-get and pip only note what they are asked for."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for name in ("setup.sh", "lib.sh", "limits.sh"):
        shutil.copy(SCRIPTS / name, scripts)
    for file in (*SCRIPTS.glob("requirements/*.txt"), *SCRIPTS.glob("*/*/requirements.txt")):
        folder = scripts / file.parent.relative_to(SCRIPTS)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder)
    for path, text in (
        ("tools/apt-get", f'echo "$*" >>{tmp_path}/asked'),
        ("tools/dpkg-query", ""),
        (".venv/bin/python", f'[ "$1" = -c ] || echo "$*" >>{tmp_path}/asked'),
        ("scripts/build.sh", f"echo build >>{tmp_path}/asked"),
    ):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
    return tmp_path


def asked(checkout, script, *arguments):
    """The exit status and what was asked for, a line each."""
    path = f"{checkout / 'tools'}:{os.environ['PATH']}"
    done = subprocess.run(
        [checkout / "scripts" / script, *arguments],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    log = checkout / "asked"
    return done.returncode, log.read_text().splitlines() if log.exists() else []


@pytest.mark.skipif(os.geteuid() != 0, reason="packages are installed by root only")
@pytest.mark.skipif(not shutil.which("dpkg"), reason="not a Debian-family system")
@pytest.mark.parametrize("purpose", ["run", "test", "lint", "peers", "all"])
def test_packages(checkout, purpose):
    status, lines = asked(checkout, "setup.sh", purpose)
    assert status == 0
    (packages,) = [line for line in lines if "--no-install-recommends" in line]
    assert ("g++" in packages) == (purpose != "peers")
    assert ("python3-venv" in packages) == (purpose != "run")
    large = [name for name in LARGE if f" {name}" in packages]
    if purpose == "all":  # Slurm only where there is none
        assert {*large, "slurm"} == set(LARGE)
    else:
        assert large == (["clang", "shellcheck"] if purpose == "lint" else [])


def test_python_packages_are_those_of_the_purpose(checkout):
    def files():
        status, lines = asked(checkout, "setup.sh", "test")
        assert status == 0
        return [word for line in lines if "pip install" in line for word in line.split()]

    assert any(word.endswith("requirements/test.txt") for word in files())
    assert not any(word.endswith(("all.txt", "lint.txt", "/requirements.txt")) for word in files())
    (checkout / "asked").unlink()
    assert not files(), "what is there is not installed again"


def test_an_unknown_purpose_is_refused(checkout):
    status, lines = asked(checkout, "setup.sh", "everything")
    assert (status, lines) == (1, [])


def test_to_print_goals_nothing_is_installed_or_built(checkout):
    status, lines = asked(checkout, "limits.sh", "--print", "results/reference/0.1.0/h200")
    assert status == 0
    assert len(lines) == 1
    assert lines[0].endswith("limits.py --print results/reference/0.1.0/h200")
