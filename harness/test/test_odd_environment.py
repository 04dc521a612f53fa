# CTest: release
"""What a node's environment may have that keeps a compiler or a Python from its usual work."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from conftest import BENCH

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores" / "default.json"
RUN = ["copy/serial/naive", "--size", "tiny", "--samples", "1", "--max-time", "0.01"]


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_compiler_that_is_not_there_is_named_with_its_variable(bench, tmp_path):
    (tmp_path / "mine.cpp").write_text("void copy_f32();\n")
    done = bench("try", "mine.cpp", CXX="x86_64-conda-linux-gnu-c++ -O2")
    assert done.returncode == 2
    said = "cannot be compiled: x86_64-conda-linux-gnu-c++ (CXX): No such file or directory"
    assert said in done.stderr


def test_colours_of_a_compiler_are_left_out(bench, tmp_path):
    if not shutil.which("g++"):
        pytest.skip("g++ is not installed")
    (tmp_path / "mine.cpp").write_text("void copy_f32() { return 1 }\n")
    done = bench("try", "mine.cpp", CXX="g++ -fdiagnostics-color=always")
    assert "mine.cpp:1:" in done.stderr
    assert "[K" not in done.stderr
    assert "[01;31m" not in done.stderr


def test_files_of_the_compiler_are_in_a_folder_of_bench(bench, tmp_path):
    seen = tmp_path / "seen"
    compiler = program(tmp_path / "compiler", f'echo "$TMPDIR" >>{seen}; exit 1')
    (tmp_path / "mine.cpp").write_text("void copy_f32();\n")
    bench("try", "mine.cpp", CXX=compiler, TMPDIR=str(tmp_path))
    for folder in map(pathlib.Path, seen.read_text().split()):
        assert folder.parent == tmp_path
        assert folder.name.startswith("bench-run-")
        assert not folder.exists()


def is_there(process):
    """Whether it lives; what has ended may wait for a process that asks."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().split(") ")[1][0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("name", ["SIGPIPE", "SIGTERM"])
def test_what_a_compiler_has_started_ends_with_bench(tmp_path, name):
    seen = tmp_path / "seen"
    wait = f"sleep 600 & echo $! >{seen}.new; mv {seen}.new {seen}; wait"
    compiler = program(tmp_path / "compiler", wait)
    (tmp_path / "mine.cpp").write_text("void copy_f32();\n")
    run = subprocess.Popen(
        [BENCH, "try", "mine.cpp"],
        cwd=tmp_path,
        env={**os.environ, "CXX": compiler},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    while not seen.exists():
        assert run.poll() is None
        time.sleep(0.01)
    run.send_signal(signal.Signals[name])
    assert run.wait(timeout=300) in (-signal.Signals[name], 128 + signal.Signals[name])
    process = int(seen.read_text())
    for _ in range(1000):
        if not is_there(process):
            return
        time.sleep(0.01)
    pytest.fail("it goes on")


def test_a_home_of_another_python_is_named(bench, tmp_path):
    (tmp_path / "mine.py").write_text("import bench\n")
    said = "does not start with PYTHONHOME=/nowhere: unset it"
    environment = {"PYTHONHOME": "/nowhere", "BENCH_PYTHON": sys.executable}
    done = bench("try", "mine.py", **environment)
    assert done.returncode == 2
    assert said in done.stderr
    done = bench("plot", RECORDED, "-o", "pictures/", **environment)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr


def test_the_next_step_works_here(bench, tmp_path):
    done = bench(*RUN, BENCH_PYTHON=program(tmp_path / "python", "exit 1"))
    assert done.returncode == 0
    assert " table results/" in done.stdout.splitlines()[-1]
    done = bench(*RUN, BENCH_PYTHON=program(tmp_path / "python", "echo report"))
    assert " report results/" in done.stdout.splitlines()[-1]


def test_variables_that_distort_times_are_warnings(document, bench):
    said = "CUDA_LAUNCH_BLOCKING is set: each launch of a kernel waits for its end; unset it"
    harmless = {"MALLOC_PERTURB_": "0", "OMP_DYNAMIC": "False", "LD_PRELOAD": ""}
    warnings = document(*RUN, CUDA_LAUNCH_BLOCKING="1", **harmless)["context"]["run"]["warnings"]
    assert [one for one in warnings if "is set: " in one] == [said]
    assert said in " ".join(bench("doctor", CUDA_LAUNCH_BLOCKING="1").stdout.split())


def test_the_page_and_the_languages_have_all_variables():
    table = (ROOT / "harness" / "node" / "distortions.cpp").read_text()
    page = (ROOT / "docs" / "reference" / "environment.md").read_text()
    sentences = re.findall(r'"((\w+) is set: [^"]+)"', table)
    assert len(sentences) > 8
    for language in ("pt", "es", "fr"):
        file = ROOT / "harness" / "words" / "phrases" / f"{language}.json"
        fixed = json.loads(file.read_text())["fixed"]
        assert [sentence for sentence, _ in sentences if sentence not in fixed] == []
    assert [name for _, name in sentences if f"`{name}`" not in page] == []
