"""Target regions of OpenMP: measured on the stand-in, compiled for a GPU, skipped elsewhere."""
# CTest: release

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from conftest import BENCH, ROOT

ON_STAND_IN = os.environ.get(
    "BENCH_ON_STAND_IN", str(ROOT / "build" / "kernels" / "bench_on_stand_in")
)
WORKLOADS = [
    "copy", "energy", "gaussian_pdf", "hypot", "histogram", "transpose", "sum_of_squares", "matmul"
]  # fmt: skip
QUICK = ["--size", "1000", "--samples", "9", "--max-time", "0.05", "--quiet"]
WITHOUT_DRIVER = not os.path.exists("/dev/nvidiactl")


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


def backend():
    return next(
        one
        for one in answer("list", "--format", "json", "copy")["backends"]
        if one["name"] == "target"
    )


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


def test_a_program_without_them_says_so():
    cases = answer("energy/target", *QUICK, "--output", "-")["cases"]
    reasons = {one["reason"] for one in cases if one["backend"] == "target"}
    if not backend()["built"]:
        assert reasons == {"built without OpenMP offload"}
    elif WITHOUT_DRIVER:
        assert len(reasons) == 1
        assert reasons.pop().startswith("no device: no NVIDIA driver")


@pytest.mark.skipif(not backend()["built"], reason="no compiler that makes regions for a GPU")
def test_every_region_is_compiled_for_a_gpu():
    text = Path(BENCH).read_bytes().decode("latin-1")
    entry = r"\.entry _ZN7kernels\d+([a-z_]+)12_GLOBAL__N_1(?:3map|8resident)EPK([fd])"
    found = {match.groups() for match in re.finditer(entry, text)}
    assert found >= {(one, real) for one in WORKLOADS for real in "fd"}
