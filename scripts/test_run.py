"""scripts/run.sh: what it says while it builds, and where it cannot."""

import os
import pathlib
import shutil
import subprocess
import time

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parent


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def checkout(open_folder):
    """A checkout in which nothing is built."""
    (open_folder / "scripts").mkdir()
    for name in ("run.sh", "build.sh", "lib.sh"):
        shutil.copy(SCRIPTS / name, open_folder / "scripts")
    program(open_folder / "scripts" / "setup.sh", "")
    (open_folder / "CMakePresets.json").write_text("{}")
    return open_folder


def start(checkout, *arguments, before=(), path=""):
    environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}"}
    environment.pop("CMAKE_GENERATOR", None)
    return subprocess.Popen(
        [*before, checkout / "scripts" / "run.sh", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_checkout_that_one_cannot_write_to(checkout, as_nobody):
    build = checkout / "build"
    build.mkdir(mode=0o555)
    out, said = (done := start(checkout, before=as_nobody)).communicate(timeout=60)
    assert (done.returncode, out) == (1, "")
    remedy = "copy the checkout to a folder of yours, and call its scripts"
    assert said == f"build: cannot write to {build}: {remedy}\n"
    build.chmod(0o755)
    program(build / "bench", 'echo "bench $*"')
    build.chmod(0o555)
    out, said = (done := start(checkout, "list", before=as_nobody)).communicate(timeout=60)
    assert (done.returncode, out) == (0, "bench list\n")
    assert said == f"build: cannot write to {build}; using the bench in it as it is\n"


def test_the_first_build_says_how_far_it_is_and_uses_the_ninja_that_was_just_installed(checkout):
    tools, seen = checkout / "tools", checkout / "seen"
    program(checkout / "measure", "echo measured")
    program(
        tools / "cmake",
        f"""case $1 in
  -S) mkdir -p {checkout}/build; echo "$CMAKE_GENERATOR" > {checkout}/generator ;;
  --build)
    echo '[59/236] Building CXX object'
    while ! [ -e {seen} ]; do sleep 0.1; done
    cp {checkout}/measure {checkout}/build/bench ;;
esac""",
    )
    program(checkout / "scripts" / "setup.sh", f"echo : > {tools}/ninja; chmod +x {tools}/ninja")
    run = start(checkout, path=tools)
    try:
        lines = [run.stderr.readline().rstrip() for _ in range(3)]
    finally:
        seen.touch()
    assert lines[:2] == ["build: configuring", "build: takes a few minutes, once"]
    assert lines[2].startswith(
        "build: building (build/logs/release-build.log): 59 of 236 steps, about "
    )
    assert lines[2].endswith(" left")
    out, _ = run.communicate(timeout=60)
    assert (run.returncode, out) == (0, "measured\n")
    assert (checkout / "generator").read_text() == "Ninja\n"


def test_what_is_up_to_date_is_run_without_a_word(checkout):
    tools = checkout / "tools"
    program(tools / "cmake", "")
    program(checkout / "build" / "bench", "echo measured")
    build = checkout / "build"
    (build / "build.ninja").touch()
    (build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={checkout}\n")
    (build / ".configured").touch()
    os.utime(build / ".configured", (time.time() + 60, time.time() + 60))
    assert start(checkout, path=tools).communicate(timeout=60) == ("measured\n", "")
