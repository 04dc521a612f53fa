"""The script of docs/admin/health-check.md on a real Slurm: it drains a slow node and no other."""
# CTest: checks the node

import json
import subprocess
import sys

import pytest
from cluster import REAL

from conftest import BENCH, ROOT, start_cluster

sys.path[:0] = [str(ROOT / "harness" / "test"), str(ROOT / "docs")]
import blocks  # noqa: E402
from made_up import retimed  # noqa: E402

MUCH = 1e4  # a factor beyond the noise of any machine


def script_of_the_page():
    page = blocks.of("docs/admin/health-check.md")
    return next(one.text for one in page if one.file == "health.sh")


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """Two nodes whose Slurm runs that script: as cpu1's reference has it, cpu1 is slow."""
    folder = tmp_path_factory.mktemp("checked")
    command = [BENCH, "check", "--keep", folder / "runs", "--force", "--budget", "10s"]
    assert subprocess.run(command, check=False, stdout=subprocess.PIPE).returncode == 4
    (run,) = (folder / "runs").iterdir()
    program = folder / "health.sh"
    first, *rest = script_of_the_page().splitlines(keepends=True)
    # What a site would have in its script: where things are. The other nodes are on this machine.
    here = (
        f"export SLURM_CONF={folder}/slurm/slurm.conf PATH={folder}:$PATH BENCH_BUDGET=10s "
        f'BENCH_REFERENCE="{folder}/$SLURMD_NODENAME"\n'
    )
    program.write_text(first + here + "".join(rest))
    program.chmod(0o755)
    (folder / "bench").write_text(f'#!/bin/bash\nexec {BENCH} "$@" --force\n')
    (folder / "bench").chmod(0o755)
    health = (
        f"{REAL}\nHealthCheckProgram={program}\nHealthCheckInterval=3\nHealthCheckNodeState=ANY\n"
    )
    cluster = start_cluster(folder / "slurm", health, {"cpu0": "", "cpu1": ""}, 0)
    # Not before both are up: a slow node would never be.
    for node, factor in (("cpu0", MUCH), ("cpu1", 1 / MUCH)):
        made = retimed(json.loads(run.read_text()), lambda _, times=factor: times, steady=True)
        (folder / node).mkdir()
        (folder / node / "reference.json").write_text(json.dumps(made))
    yield cluster
    cluster.stop()


def test_the_slow_node_is_drained_with_the_line_as_its_reason(checked):
    def reason(node):
        return checked.check("sinfo", "-h", "-n", node, "-o", "%E").strip()

    checked.wait_until(lambda: reason("cpu1") != "none", 120, "cpu1 to be drained")
    assert reason("cpu1").startswith("cpu1 SLOW ")
    assert "drain" in checked.check("sinfo", "-h", "-n", "cpu1", "-o", "%T")
    assert reason("cpu0") == "none"


def test_a_job_is_left_alone(checked, tmp_path):
    """The check says so, and not of the job that it is part of."""
    job = checked.submit("--nodelist=cpu0", "--wrap", "sleep 60", cwd=tmp_path)
    checked.wait_until(lambda: checked.job(job)["JobState"] == "RUNNING", 60, "the job")

    def busy():  # unless Slurm checks a node at this moment
        return " BUSY 1 job runs: not measured; " in checked.check(BENCH, "check")

    checked.wait_until(busy, 60, "the job to be seen")
    checked.check("scancel", job)
    checked.wait_for(job)
    inside = checked.run("srun", "--nodelist=cpu0", BENCH, "check", "--budget", "2s", cwd=tmp_path)
    assert "job runs" not in inside.stdout
