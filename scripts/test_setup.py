"""scripts/setup.sh installs what a purpose needs, and nothing else."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parent
# What apt-cache knows: the words of the lists of packages, in whatever way they are written.
KNOWN = sorted({*re.findall(r"[a-z][a-z0-9+-]+", (SCRIPTS / "setup.sh").read_text())})
LARGE = ("chromium", "texlive", "clang", "slurm", "shellcheck")


def tool(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/bash\n{text}\n")
    file.chmod(0o755)


@pytest.fixture
def checkout(tmp_path):
    """One whose apt-get and pip only note what they are asked for."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for name in ("setup.sh", "lib.sh"):
        shutil.copy(SCRIPTS / name, scripts)
    for file in (*SCRIPTS.glob("requirements/*.txt"), *SCRIPTS.glob("*/*/requirements.txt")):
        folder = scripts / file.parent.relative_to(SCRIPTS)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder)
    for path, text in (
        ("tools/apt-get", f'echo "$*" >>{tmp_path}/asked'),
        ("tools/dpkg-query", ""),
        ("tools/apt-cache", f"printf '%s\\n' {' '.join(KNOWN)}"),
        (".venv/bin/python", f'[ "$1" = -c ] || echo "$*" >>{tmp_path}/asked'),
        ("scripts/build.sh", f"echo build >>{tmp_path}/asked"),
    ):
        tool(tmp_path / path, text)
    return tmp_path


def called(checkout, script, *arguments, **environment):
    path = f"{checkout / 'tools'}:{os.environ['PATH']}"
    return subprocess.run(
        [checkout / "scripts" / script, *arguments],
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def asked(checkout, script, *arguments):
    """The exit status and what was asked for, a line each."""
    done = called(checkout, script, *arguments)
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


def test_an_unknown_package_does_not_keep_the_others_out(checkout):
    if os.geteuid() != 0 or not shutil.which("dpkg"):
        pytest.skip("packages are installed by root of a Debian-family system only")
    names = "ca-certificates git g++ make ninja-build cmake libfmt-dev libhwloc-dev"
    tool(checkout / "tools" / "apt-cache", "printf '%s\\n' " + names)
    done = called(checkout, "setup.sh", "run")
    assert done.returncode == 0, done.stderr
    assert (
        "setup: this system has no libbenchmark-dev nlohmann-json3-dev libcli11-dev libxxhash-dev; "
        "libraries that are missing are fetched when bench is built\n"
    ) in done.stderr
    assert (checkout / "asked").read_text().splitlines()[-1].endswith(f"recommends {names}")


OLD = "echo 'c++ (Debian 10.2.1-6) 10.2.1 20210110'; [ $1 = --version ]"


@pytest.mark.parametrize(
    ("compiler", "cmake", "said"),
    [
        (
            OLD,
            "echo cmake version 3.18.4",
            "GCC 11 or newer, or another C++20 compiler (c++ is c++ (Debian 10.2.1-6) 10.2.1 "
            "20210110); CMake 3.25 or newer (found 3.18.4); try 'apt install g++ cmake' as root of "
            "Debian 12, Ubuntu 24.04 or newer, or 'module load gcc cmake'",
        ),
        (
            "exit 127",
            "echo cmake version 3.25.1",
            "GCC 11 or newer, or another C++20 compiler (c++ is missing); try 'apt install g++' as "
            "root of Debian 12, Ubuntu 24.04 or newer, or 'module load gcc'",
        ),
        ("", "echo cmake version 4.1.0", ""),
    ],
)
def test_all_that_is_missing_is_one_line(checkout, compiler, cmake, said):
    tool(checkout / "tools" / "c++", compiler)
    tool(checkout / "tools" / "cmake", cmake)
    tool(checkout / "tools" / "apt-get", "exit 1")
    done = called(checkout, "setup.sh", "run", CXX="")
    assert done.returncode == bool(said)
    lines = [line for line in done.stderr.splitlines() if "missing: " in line]
    assert lines == ([f"setup: missing: {said}"] if said else [])


def jobs_with(checkout, **environment):
    tool(checkout / "scripts" / "jobs.sh", '. "$(dirname "$0")/lib.sh"; echo "$jobs"')
    return called(checkout, "jobs.sh", **environment)


def test_the_number_of_compilations_is_that_of_the_variable(checkout):
    assert jobs_with(checkout, BENCH_JOBS="3").stdout == "3\n"
    for wrong in ("0", "many", "-1", "/opt/bench/share/bench/jobs"):
        done = jobs_with(checkout, BENCH_JOBS=wrong)
        assert done.returncode == 1
        assert done.stderr.startswith(f"jobs: BENCH_JOBS={wrong}: is not a number of compilations")


@pytest.mark.parametrize(
    ("cpus", "free", "number"), [(8, 64_000_000, 8), (8, 3_900_000, 3), (2, 400_000, 1), (4, "", 4)]
)
def test_each_compilation_has_a_gigabyte(checkout, cpus, free, number):
    facts = checkout / "meminfo"
    if free:
        facts.write_text(f"MemTotal:       65000000 kB\nMemAvailable:   {free} kB\n")
    tool(
        checkout / "scripts" / "jobs.sh",
        f'. "$(dirname "$0")/lib.sh"; compilations {cpus} {facts}',
    )
    assert called(checkout, "jobs.sh").stdout == f"{number}\n"


def test_the_build_has_low_priority(checkout):
    tool(checkout / "tools" / "cmake", "nice")
    tool(checkout / "scripts" / "jobs.sh", '. "$(dirname "$0")/lib.sh"; build release')
    log = checkout / "build" / "logs" / "release-build.log"
    assert called(checkout, "jobs.sh").returncode == 0
    assert int(log.read_text()) >= 10
