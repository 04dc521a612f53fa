"""The program for AMD GPUs: hipcc compiles every ladder, and rows say why they were skipped."""
# CTest: release full

import json
import os
import pathlib
import re
import subprocess

import pytest

BUILD = pathlib.Path(os.environ.get("BENCH_BUILD", pathlib.Path(__file__).parents[2] / "build"))
WITHOUT_DRIVER = not os.path.exists("/dev/kfd")


@pytest.fixture(scope="module")
def program():
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    if "BENCH_HIPCC:FILEPATH=/" not in cache:
        pytest.skip("hipcc is not installed")
    build = ["cmake", "--build", BUILD, "--target", "bench_for_hip", "--parallel", "2"]
    subprocess.run(build, check=True, stdout=subprocess.PIPE, timeout=1500)
    return BUILD / "kernels" / "bench_for_hip"


def answer(program, *arguments, code=0):
    result = subprocess.run(
        [program, *arguments], check=False, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == code, result.stderr
    return json.loads(result.stdout)


def variants(program, backend, library=False):
    """The idea of each variant by workload and variant: of our own, or of library routines."""
    workloads = answer(program, "list", "--format", "json")["workloads"]
    return {
        (workload["name"], one["variant"]): one["idea"]
        for workload in workloads
        for one in workload["variants"]
        if one["backend"] == backend and one["library"] == library
    }


def test_has_every_variant_of_cuda_under_its_own_name(program):
    stand_in = os.environ["BENCH_ON_STAND_IN"]
    assert len(variants(stand_in, "cuda")) > 100
    assert variants(program, "hip").keys() == variants(stand_in, "cuda").keys()
    assert not variants(program, "cuda")


def test_has_the_library_routines_of_amd(program):
    found = variants(program, "hip", library=True)
    text = " ".join(found.values())
    assert "gemm of rocBLAS" in text
    assert "CUB" not in text
    assert "cuBLAS" not in text
    if "BENCH_ROCPRIM:PATH=/" in (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"):
        by_rocprim = {name for (name, _), idea in found.items() if "rocPRIM" in idea}
        sums = {"counter", "read", "row_norms", "sum_of_squares"}
        assert by_rocprim == {"histogram", "scan", "sort"} | sums


def test_all_ladders_are_compiled_for_the_gpu(program):
    ladders = sorted((BUILD / "units" / "ladders_on_amd").glob("ladders_*.o"))
    assert [path.name.split(".")[0] for path in ladders] == [
        f"ladders_{real}" for real in ("Half", "double", "float", "int16_t", "uint32_t")
    ]
    for path in ladders:
        assert b"hipv4-amdgcn-amd-amdhsa--gfx90a" in path.read_bytes(), path


@pytest.mark.skipif(not WITHOUT_DRIVER, reason="this node has an AMD driver")
def test_says_why_its_rows_are_skipped(program, tmp_path):
    cases = answer(
        *[program, "copy/hip", "counter/hip", "--no-baseline", "--size", "1000"],
        *["--samples", "9", "--output", "-"],
        code=4,  # nothing is measured
    )["cases"]
    assert {case["backend"] for case in cases} == {"hip"}
    assert {case["status"] for case in cases} == {"skipped"}
    assert {case["reason"] for case in cases} == {"no device: no AMD driver on this node"}


def test_offers_the_backend(program):
    told = subprocess.run([program, "run", "--help"], capture_output=True, text=True, check=True)
    backends = re.search("only these backends: ([^-]*)", told.stdout).group(1)
    assert {"serial", "openmp", "hip"} <= set(re.findall(r"\w+", backends))
    assert "cuda" not in backends
