"""Several sockets in one result file: two made-up ones, each with a core of this machine."""
# CTest: release

import csv
import io
import json
import os
import signal
import subprocess
import time

import pytest

from conftest import BENCH

TWO = {"HWLOC_SYNTHETIC": "Package:2 NUMANode:1 Core:1 PU:1"}
QUICK = ["--size", "1000", "--samples", "9", "--max-time", "0.01", "--quiet", "--output", "-"]
pytestmark = pytest.mark.skipif(
    not {0, 1} <= os.sched_getaffinity(0), reason="cpus 0 and 1 are not for this process"
)


@pytest.fixture(scope="module")
def on_two(tmp_path_factory):
    done = subprocess.run(
        [BENCH, "energy", "--sockets", "all", *QUICK],
        cwd=tmp_path_factory.mktemp("two"),
        env={**os.environ, **TWO},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def where(case):
    return case["parameters"].get("socket"), case["parameters"].get("together")


def test_each_in_turn_then_all_at_once(on_two):
    found = {}
    for case in on_two["cases"]:
        assert case["status"] == "measured"
        assert case["threads"] == 1, "it has the cores of its socket"
        rung = f"{case['workload']}/{case['backend']}/{case['variant']}"
        found.setdefault(where(case), set()).add(rung)
    assert set(found) == {("0", None), ("1", None), ("0", "2"), ("1", "2")}
    assert len({frozenset(rungs) for rungs in found.values()}) == 1
    assert not any("/cuda/" in rung for rung in found["0", None])
    names = [case["name"] for case in on_two["cases"]]
    assert len(set(names)) == len(names)
    context = on_two["context"]
    origins = [one["file"] for one in context["run"]["merged"]]
    assert origins == ["socket 0", "socket 1", "2 sockets", "2 sockets"]
    assert context["run"]["finished"]
    assert context["run"]["selection"]["all_sockets"]
    assert context["machine"]["allowed_cpus"] == len(os.sched_getaffinity(0)), "of the node"
    assert "ask for more (--cpus-per-task)" not in str(context), "each has its part"


def test_each_is_held_against_its_own_loops(on_two):
    rows = {row["name"]: row for row in on_two["speedups"]}
    fastest = {}  # a copy, or energy's own where that is faster

    def ladder(case):
        # A model is compared with the ladder of the processor.
        backend = "openmp" if case["backend"] == "stdpar" else case["backend"]
        return (*where(case), backend)

    for case in on_two["cases"]:
        key = ladder(case)
        fastest[key] = max(case["gb_per_s"], fastest.get(key, 0))
    energy = [case for case in on_two["cases"] if case["workload"] == "energy"]
    for case in energy:
        of = "".join(f",{key}={value}" for key, value in sorted(case["parameters"].items()))
        row = rows[case["name"]]
        assert row["over_serial"]["baseline"] == f"energy/serial/naive/f32/1000/kernel{of}"
        share = case["gb_per_s"] / fastest[ladder(case)]
        assert case["share_of_copy"] == pytest.approx(share)
        assert not row.get("other_run")


def cpus_of_children(process):
    """What each may run on."""
    found = set()
    children = f"/proc/{process}/task/{process}/children"
    with open(children, encoding="ascii") as file:
        numbers = file.read().split()
    for child in numbers:
        try:
            found.add(tuple(os.sched_getaffinity(int(child))))
        except ProcessLookupError:  # it has ended
            continue
    return found


def test_each_runs_on_the_cpus_of_its_socket_and_a_signal_ends_all(tmp_path):
    words = ["energy/serial", "--sockets", "all", "--min-time", "0.5", "--max-time", "1"]
    output = ["--size", "1000000", "--quiet", "--output", "all.json"]
    running = subprocess.Popen(
        [BENCH, *words, *output], cwd=tmp_path, env={**os.environ, **TWO}, stderr=subprocess.PIPE
    )
    seen, deadline = set(), time.monotonic() + 120
    together = {(0,), (1,)}
    while seen != together and time.monotonic() < deadline:
        seen = cpus_of_children(running.pid)
        time.sleep(0.02)
    assert seen == together
    running.send_signal(signal.SIGTERM)
    assert running.wait(60) == 128 + signal.SIGTERM
    document = json.loads((tmp_path / "all.json").read_text())
    assert document["context"]["run"]["ended_by"] == "SIGTERM"
    assert {"0", "1"} <= {where(case)[0] for case in document["cases"]}


def test_one_socket_is_an_ordinary_run(bench):
    words = ["copy", "--sockets", "all", *QUICK]
    one = {"HWLOC_SYNTHETIC": "Package:1 Core:2 PU:1"}
    assert bench(*words, **one).stderr == ""
    words.remove("--quiet")
    done = bench(*words, "--no-progress", **one)
    assert "the cpus of this process are not of several sockets" in done.stderr
    document = json.loads(done.stdout)
    assert {where(case) for case in document["cases"]} == {(None, None)}
    assert not document["context"]["run"]["selection"]["all_sockets"]


def test_a_socket_is_compared_with_that_of_other_nodes(bench, on_two, tmp_path):
    for node in ("a", "b", "c"):
        context = on_two["context"]
        context["run"]["node"] = context["machine"]["node"] = node
        (tmp_path / f"{node}.json").write_text(json.dumps(on_two))
    done = bench("compare", "a.json", "b.json", "c.json", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {row["node"] for row in rows} == {"a", "b", "c"}
    parts = [",socket=0", ",socket=0,together=2", ",socket=1", ",socket=1,together=2"]
    found = {row["parameters"] for row in rows if row["workload"] == "energy"}
    assert sorted(found) == parts


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--sockets", "2"], "--sockets 2: must be "),
        (["--sockets", "all", "--devices", "all"], "--devices"),
        (["--sockets", "all", "--executions", "3"], "--executions"),
    ],
)
def test_bad_input_is_one_line(bench, arguments, words):
    done = bench("copy", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
