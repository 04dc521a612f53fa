"""Target regions of OpenMP: measured on the stand-in, compiled for a GPU, skipped elsewhere."""
# CTest: release

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from conftest import BENCH, ROOT

BUILD = Path(os.environ.get("BENCH_BUILD", ROOT / "build"))
ON_STAND_IN = os.environ.get(
    "BENCH_ON_STAND_IN", str(ROOT / "build" / "kernels" / "bench_on_stand_in")
)
WORKLOADS = [
    "copy", "energy", "gaussian_pdf", "hypot", "histogram", "transpose", "sum_of_squares", "matmul"
]  # fmt: skip
QUICK = ["--size", "1000", "--samples", "9", "--max-time", "0.05", "--quiet"]


def answer(*arguments, program=BENCH, **more):
    done = subprocess.run(
        [program, *arguments],
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def for_gpu():
    """The program whose regions are compiled for a GPU."""
    program = BUILD / "kernels" / "bench_for_offload"
    if not program.is_file():
        pytest.skip("no compiler that makes regions for a GPU")
    return program


@pytest.fixture(scope="module")
def energy():
    run = ["energy/target", "energy/openmp/naive", "energy/cuda/wide", *QUICK, "--output", "-"]
    cases = answer(*run, program=ON_STAND_IN, BENCH_STAND_IN_DEVICES="1")["cases"]
    return {
        (f"{one['backend']}/{one['variant']}", one["scope"]): one
        for one in cases
        if one["workload"] == "energy"
    }


def test_one_moves_its_arrays_and_the_other_is_given_those_of_the_device(energy):
    scopes = [name for name in energy if name[0].startswith("target/")]
    assert sorted(scopes) == [
        ("target/map", "end_to_end"),
        ("target/resident", "end_to_end"),
        ("target/resident", "kernel"),
    ]
    for name in scopes:
        assert energy[name]["status"] == "measured", energy[name]
        assert energy[name]["verification"]["passed"]


def test_they_are_measured_next_to_those_of_the_processor(energy):
    assert energy["openmp/naive", "kernel"]["status"] == "measured"


def test_what_the_model_gives_up_is_said_of_the_ladder_on_the_same_device(energy):
    share = energy["target/resident", "kernel"]["model_share"]
    assert share["baseline"] == energy["cuda/wide", "kernel"]["name"]


def reasons(program):
    cases = answer("energy/target", *QUICK, "--output", "-", program=program)["cases"]
    return {one["reason"] for one in cases if one["backend"] == "target"}


def test_a_program_without_them_says_so():
    listed = answer("list", "--format", "json", "copy")["backends"]
    if {one["name"]: one["built"] for one in listed}["target"]:
        pytest.skip("this program has them")
    assert reasons(BENCH) == {"built without OpenMP offload"}


@pytest.mark.skipif(os.path.exists("/dev/nvidiactl"), reason="here they are measured")
def test_a_node_without_a_gpu_says_so(for_gpu):
    (why,) = reasons(for_gpu)
    assert why.startswith("no device: no NVIDIA driver")


def test_every_region_is_compiled_for_a_gpu(for_gpu):
    text = for_gpu.read_bytes().decode("latin-1")
    entry = r"\.entry _ZN7kernels\d+([a-z_]+)12_GLOBAL__N_1(?:3map|8resident)EPK([fd])"
    found = {match.groups() for match in re.finditer(entry, text)}
    assert found >= {(one, real) for one in WORKLOADS for real in "fd"}
