"""The scripts for a node with a GPU: what they say on one without."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = pathlib.Path(os.environ.get("BENCH_BINARY", ROOT / "build" / "bench"))


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The folder of a build with CUDA, on a node without a device."""
    command = [BENCH, "copy/cuda/wide", "--size", "1", "--output", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    context = json.loads(done.stdout)["context"]
    if context["build"]["cuda"] is None:
        pytest.skip("built without CUDA")
    if context["machine"]["gpu"]:
        pytest.skip("there is a GPU: run the scripts themselves")
    return BENCH.parent


def run(script, *arguments):
    return subprocess.run(
        [ROOT / "scripts" / script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_gpu_tests_are_skipped_with_their_reason(programs, tmp_path):
    done = run("gpu_tests.sh", programs, tmp_path)
    passed, failed, skipped = map(int, done.stdout.split()[::2])
    assert done.returncode == 0, done.stderr
    assert failed == 0
    assert skipped > 30 > passed  # few tests need no device
    assert "no device: " in done.stderr
    assert (tmp_path / "kernels_gpu_test.log").exists()


def test_a_round_without_a_gpu_ends_at_once_with_the_reason(programs, tmp_path):
    done = run("gpu_round.sh", tmp_path / "out", programs)
    assert done.returncode == 1
    assert "no GPU to use: no device: " in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("script", ["gpu_round.sh", "gpu_tests.sh", "pack.sh"])
def test_usage(script):
    done = run(script)
    assert done.returncode == 1
    assert f"usage: {script} " in done.stderr
