"""Several GPUs in one result file: whole runs on a CUDA that the CPU executes."""
# CTest: release full

import csv
import functools
import io
import json
import os
import signal
import subprocess
import time

import pytest

from conftest import BENCH, ROOT

ON_STAND_IN = os.environ.get(
    "BENCH_ON_STAND_IN", str(ROOT / "build" / "kernels" / "bench_on_stand_in")
)
QUICK = ["--size", "1000", "--samples", "9", "--max-time", "0.01", "--quiet"]


def run_in(folder, *arguments, devices=2, expected=0, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SLURM")}
    done = subprocess.run(
        [ON_STAND_IN, *arguments],
        cwd=folder,
        env={**environment, "BENCH_STAND_IN_DEVICES": str(devices), **more},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == expected, done.stderr
    return done


@pytest.fixture
def run(tmp_path):
    return functools.partial(run_in, tmp_path)


def measured(run, *arguments, devices=2):
    document = json.loads(run(*arguments, *QUICK, "--output", "-", devices=devices).stdout)
    assert document["context"]["run"]["finished"]
    return document


@pytest.fixture(scope="module")
def energy_on_two(tmp_path_factory):
    return measured(
        functools.partial(run_in, tmp_path_factory.mktemp("two")), "energy", "--devices", "all"
    )


def by_device(cases):
    """The variants on each device, alone and together."""
    found = {}
    for case in cases:
        where = (case["parameters"].get("device"), case["parameters"].get("together"))
        rung = f"{case['workload']}/{case['backend']}/{case['variant']}"
        found.setdefault(where, set()).add(rung)
    return found


def test_each_in_turn_then_all_at_once(energy_on_two):
    document = energy_on_two
    cases = document["cases"]
    assert {case["status"] for case in cases if case["backend"] == "cuda"} == {"measured"}
    found = by_device(cases)
    on_cpu = found.pop((None, None))
    assert not any("/cuda/" in rung for rung in on_cpu)
    assert set(found) == {("0", None), ("1", None), ("0", "2"), ("1", "2")}
    assert len({frozenset(rungs) for rungs in found.values()}) == 1
    assert len({case["name"] for case in cases}) == len(cases)
    gpus = document["context"]["machine"]["gpus"]
    assert [gpu["device_number"] for gpu in gpus] == [0, 1]
    origins = document["context"]["run"]["merged"]
    assert [one["file"] for one in origins] == ["device 0", "device 1", "2 devices", "2 devices"]
    assert "GPUs are visible" not in str(document["context"])


def test_tasks_that_would_measure_the_same_devices_at_once_are_refused(run):
    two_tasks = {
        "SLURM_JOB_ID": "7",
        "SLURM_NODEID": "0",
        "SLURM_STEP_TASKS_PER_NODE": "2",
        "SLURM_GPUS_ON_NODE": "2",
    }
    refused = run("energy", "--devices", "all", *QUICK, expected=2, **two_tasks)
    assert refused.stderr == (
        "bench: --devices all: 2 tasks on this node see the same 2 devices, and would measure them "
        "at the same time; start one task per node (--ntasks-per-node=1), or leave the option out, "
        "and each takes a device of its own\n"
    )
    assert not refused.stdout


def test_each_is_held_against_its_own_copy_and_the_one_serial_loop(energy_on_two):
    document = energy_on_two
    rows = {row["name"]: row for row in document["speedups"]}
    copies = {}
    for case in document["cases"]:
        if case["workload"] == "copy" and case["backend"] == "cuda" and case["scope"] == "kernel":
            where = tuple(sorted(case["parameters"].items()))
            copies[where] = max(case["gb_per_s"], copies.get(where, 0))
    assert len(copies) == 4
    for case in document["cases"]:
        if case["workload"] != "energy" or case["backend"] != "cuda" or case["scope"] != "kernel":
            continue
        copy = copies[tuple(sorted(case["parameters"].items()))]
        assert case["share_of_copy"] == pytest.approx(case["gb_per_s"] / copy)
        row = rows[case["name"]]
        assert row["over_serial"]["baseline"] == "energy/serial/naive/f32/1000/kernel"
        assert row.get("other_run", False) == (case["origin"] > 0)


def test_one_device_is_an_ordinary_run(run):
    found = by_device(measured(run, "copy/cuda", "--devices", "all", devices=1)["cases"])
    assert set(found) == {(None, None)}


def test_what_needs_no_device_is_an_ordinary_run(run):
    found = by_device(measured(run, "copy/serial", "--devices", "all")["cases"])
    assert set(found) == {(None, None)}


def test_without_a_device_the_rows_say_so(run):
    cases = measured(run, "copy/cuda", "--devices", "all", devices=0)["cases"]
    reasons = {case["reason"] for case in cases if case["backend"] == "cuda"}
    assert all(reason.startswith("no device") for reason in reasons), reasons


def test_each_device_is_a_row_of_the_comparison(energy_on_two, tmp_path):
    (tmp_path / "all.json").write_text(json.dumps(energy_on_two))
    done = subprocess.run(
        [BENCH, "compare", "all.json", "--nodes", "n1", "--format", "csv"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    nodes = {row["node"].split("/")[1] for row in rows}
    assert nodes == {"gpu0", "gpu1"}, done.stderr
    kernels = [row for row in rows if row["what"] == "best GPU kernel"]
    assert {row["parameters"] for row in kernels} == {"", ",together=2"}
    assert {row["node"].split("/")[1] for row in rows if "CPU" in row["what"]} == {"gpu0"}


def test_what_was_measured_before_a_signal_stays(tmp_path):
    running = subprocess.Popen(
        [ON_STAND_IN, "energy", "--devices", "all", "--size", "100000", "--min-time", "2",
         "--quiet", "--output", "all.json"],
        cwd=tmp_path, env={**os.environ, "BENCH_STAND_IN_DEVICES": "2"}, stderr=subprocess.PIPE,
    )  # fmt: skip
    file = tmp_path / "all.json"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if file.exists() and json.loads(file.read_text())["cases"]:
            break
        time.sleep(0.05)
    running.send_signal(signal.SIGTERM)
    assert running.wait(60) == 128 + signal.SIGTERM
    document = json.loads(file.read_text())
    assert document["context"]["run"]["ended_by"] == "SIGTERM"
    assert "0" in {case["parameters"].get("device") for case in document["cases"]}


def test_a_process_that_dies_takes_no_other_device_along(run):
    arguments = ["copy", "--devices", "all", *QUICK, "--output", "-"]
    done = run(*arguments, devices=3, expected=1, BENCH_STAND_IN_DEAD="device 1/1")
    document = json.loads(done.stdout)
    lost = "device 1: an execution left no result file"
    assert lost in done.stderr
    assert [w for w in document["context"]["run"]["warnings"] if lost in w]
    found = set(by_device(document["cases"]))
    assert found == {(None, None), ("0", None), ("2", None), *((d, "3") for d in "012")}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--devices", "some"], "--devices some: must be "),
        (["--devices", "all", "--device", "1"], "--device"),
        (["--devices", "all", "--executions", "3"], "--executions"),
        (["--devices", "all", "--peers"], "--peers"),
    ],
)
def test_bad_input_is_one_line(run, arguments, words):
    done = run("copy", *arguments, expected=2)
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_transfers_of_no_ladder_fail_nor_of_a_copy_beside_one(run):
    transfers = ["*/cuda*", "--no-baseline", "--scope", "end_to_end", "--size", "tiny"]
    done = run(*transfers, "--samples", "3", "--max-time", "0.01", "--output", "-", devices=1)
    cases = json.loads(done.stdout)["cases"]
    assert len(cases) > 200
    assert not [case["name"] for case in cases if case["status"] == "failed"]
