"""A survey of a real Slurm finds the slow nodes. A quota holds one of them; its times and those of
another one are made up, since those of this machine are not steady enough for 10 %."""

import json
import os
import subprocess
import sys

import pytest
from cluster import CGROUPS, REAL
from test_nodes import QUICK, submit, table_of

from conftest import BENCH, ROOT, start_cluster

NODES = {f"cpu{number}": "" for number in range(6)}
HELD, SLOWER = "cpu1", "cpu4"
# A program that measures, in the cgroup on the node that is held, and then writes other times.
PROGRAM = """#!{python}
import json, os, pathlib, subprocess, sys
sys.path.append("{made_up}")
from made_up import retimed
node = os.environ.get("SLURMD_NODENAME")
factor = {factors}.get(node, 1)
if node == "{held}":
    pathlib.Path("{group}/cgroup.procs").write_text(str(os.getpid()))
results = pathlib.Path(os.environ.get("BENCH_RESULTS_DIR", "none"))
before = set(results.glob("*.json"))
done = subprocess.run(["{bench}", *sys.argv[1:]])
reference = json.loads(pathlib.Path("{reference}").read_text())
times = retimed(reference, lambda _: factor, steady=True)
for path in set(results.glob(f"*-{{node}}-*.json")) - before:
    document = json.loads(path.read_text())
    document.update(cases=times["cases"], speedups=times["speedups"])
    path.write_text(json.dumps(document))
sys.exit(done.returncode)
"""


@pytest.fixture
def held_group():
    """The time of 0.6 CPUs."""
    group = CGROUPS / "cpu" / f"bench_{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no cgroups (version 1) to be made here: {error}")
    (group / "cpu.cfs_quota_us").write_text("60000")
    yield group
    group.rmdir()


def test_two_slow_nodes_are_found_and_why_one_of_them_is(tmp_path, held_group):
    words = [*QUICK[2:], "--backend", "openmp", "--output", "reference.json"]
    subprocess.run([BENCH, *words, "--quiet"], cwd=tmp_path, check=True)
    program = tmp_path / "program"
    program.write_text(
        PROGRAM.format(
            python=sys.executable,
            made_up=ROOT / "harness" / "test",
            factors={HELD: 1.3, SLOWER: 1.1},
            held=HELD,
            group=held_group,
            bench=BENCH,
            reference=tmp_path / "reference.json",
        )
    )
    program.chmod(0o755)
    cluster = start_cluster(tmp_path / "slurm", REAL, NODES, 0)
    try:
        _, folder, nodes = submit(cluster, tmp_path, *QUICK, BENCH=str(program))
        assert nodes == "cpu[0-5]"
        text, facts = table_of(cluster, folder, 240)
    finally:
        cluster.stop()
    assert "6 nodes compared, 2 slow" in text
    survey = json.loads((folder / "table" / "nodes.json").read_text())
    slow = {one["node"]: one["where"][0]["ratio"]["value"] for one in survey["slow"]}
    assert slow == {HELD: pytest.approx(1.3), SLOWER: pytest.approx(1.1)}
    assert survey["lacking"] == [f"{HELD}: quota of cpu time 0.6 (others none)"]
    assert f"lacking: {HELD}: quota of cpu time 0.6 (others none)" in text
    assert facts["ExitCode"] == "3:0"
