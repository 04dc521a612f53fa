"""What recorded result files name, the program of today has: workloads, variants, options."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent / "reference"
BENCH = os.environ.get("BENCH_BINARY", FOLDER.parents[1] / "build" / "bench")
BUILT_IN = {"serial", "openmp", "cuda"}

# To be recorded again, and then taken off this list: a test that passes against it fails.
OUTDATED = {
    "0.1.0/h200/1-gpu-counting-one_bin.json": "copy/cuda/several",
    "0.1.0/h200/1-gpu-counting-uniform.json": "copy/cuda/several",
    "0.1.0/h200/1-gpu-counting.json": "copy/cuda/several",
    "0.1.0/h200/1-gpu-transfers.json": "*/cuda/one_per_vector",
}

# Ladders end sooner today: copy and energy explain these.
REMOVED = {
    "gaussian_pdf/cuda/one_thread",
    "gaussian_pdf/cuda/uncoalesced",
    "gaussian_pdf/cuda/grid_stride",
    "hypot/cuda/uncoalesced",
    "zero_suppress/cuda/grid_stride",
}


def recorded():
    for path in sorted(FOLDER.glob("*/*/*.json")):
        name = path.relative_to(FOLDER).as_posix()
        outdated = pytest.mark.xfail(strict=True, reason=OUTDATED.get(name))
        yield pytest.param(path, marks=[outdated] if name in OUTDATED else [], id=name)


def test_a_run_is_in_the_folder_of_its_version():
    for path in FOLDER.glob("*/*/*.json"):
        build = json.loads(path.read_text(encoding="utf-8"))["context"]["build"]
        assert path.parents[1].name == build["version"], path


def accepted(*arguments):
    """The program knows these words; what it says of those that it does not know is one line."""
    command = [BENCH, *arguments]
    environment = {**os.environ, "BENCH_PYTHON": sys.executable}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr


def without(options, argv):
    """The arguments without these options and their values: files that are not here."""
    words = iter(argv)
    return [word for word in words if word not in options or next(words) is None]


@pytest.mark.parametrize("path", recorded())
def test_the_program_has_what_a_recorded_run_names(path):
    run = json.loads(path.read_text(encoding="utf-8"))
    names = {(case["workload"], case["backend"], case["variant"]) for case in run["cases"]}
    assert names
    own = sorted("/".join(name) for name in names if name[1] in BUILT_IN)
    own = [name for name in own if name not in REMOVED]
    if not os.environ.get("BENCH_NVCC"):  # which CUB needs
        own = [name for name in own if "/cuda/library" not in name]
    if own:
        accepted("list", *own)
    # What was not installed has one row, '*'.
    peers = sorted("/".join(name) for name in names if name[1] not in BUILT_IN and name[2] != "*")
    if peers and importlib.util.find_spec("numba"):
        accepted("--peers", *peers, "--size", "tiny", "--dry-run")
    program, *argv = run["context"]["run"]["argv"]
    assert pathlib.Path(program).name == "bench"
    accepted(*without({"--output", "--input"}, argv), "--dry-run")
