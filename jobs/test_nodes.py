"""jobs/submit nodes on a real Slurm: a job for each node, and one for their table."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal

import pytest

from conftest import BENCH, JOBS, TINY, documents

QUICK = ["--quick", "--", *TINY[:2], "copy"]


def submit(cluster, tmp_path, *options, **environment):
    """Returns what was printed, the survey's folder and the nodes with a job."""
    result = cluster.run(
        JOBS / "submit", "nodes", *options, cwd=tmp_path, **{"BENCH": BENCH, **environment}
    )
    assert result.returncode == 0, result.stderr
    folder = re.search(r"results: +(results/nodes-\w+)/", result.stdout).group(1)
    nodes = re.search(r"one for each of (\S+),", result.stdout).group(1)
    return result.stdout + result.stderr, tmp_path / folder, nodes


def jobs_of(cluster, folder):
    """State of each job of the survey by its node, and of the table by 'table'."""
    lines = cluster.check(
        "squeue", "--noheader", f"--name={folder.name}", "--states=all", "--format=%o|%n|%T|%i"
    )
    return {
        "table" if "compare.sbatch" in command else node: (state, number)
        for command, node, state, number in (line.split("|") for line in lines.splitlines())
    }


def table_of(cluster, folder, seconds=90):
    """Waits for the table's job; returns the table and what Slurm says of the job."""
    facts = cluster.wait_for(jobs_of(cluster, folder)["table"][1], seconds)
    log = (folder / "table.log").read_text()
    assert (folder / "table" / "nodes.txt").exists(), log
    return (folder / "table" / "nodes.txt").read_text(), facts


def test_nodes_and_their_table(large, tmp_path):
    out, folder, nodes = submit(large, tmp_path, "--comment=ours", *QUICK)
    assert nodes == "cpu[0-1]"
    text, facts = table_of(large, folder)
    assert "2 nodes compared" in text
    assert "2 nodes · 3 repetitions" in text
    assert facts["Comment"] == "ours"
    found = documents(folder)
    names = [d["context"]["run"]["node"] for d in found.values()]
    assert sorted(names) == ["cpu0"] * 3 + ["cpu1"] * 3
    assert {case["workload"] for case in found.popitem()[1]["cases"]} == {"copy"}
    survey = json.loads((folder / "table" / "nodes.json").read_text())
    assert survey["missing"] == []
    # The verdict is the job's, but nobody gets a mail for what is unclear.
    assert facts["ExitCode"] == f"{survey['exit_code'] if survey['exit_code'] != 4 else 0}:0"
    lines = (folder / "table" / "nodes.csv").read_text().splitlines()
    assert lines[0].startswith("node,")
    # What was said of the results is true, and they are in nobody's way.
    command = re.search(r"compare: +(.*) +\(at any time\)", out).group(1)
    again = large.run("bash", "-c", command, cwd=tmp_path)
    assert again.returncode == survey["exit_code"]
    assert "copy · f32 · 1000" in large.check(BENCH, "table", folder)


def test_gpu_nodes_are_measured_with_gpus_where_they_are_asked_for(large, tmp_path):
    gpus = ["--partition=gpu", "--nodes=1", "--gres=gpu:1", *QUICK]
    for options, backends in ((gpus, "openmp,cuda"), ([*gpus[:2], *gpus[3:]], "openmp")):
        _, folder, _ = submit(large, tmp_path, *options)
        table_of(large, folder)
        for document in documents(folder).values():
            argv = document["context"]["run"]["argv"]
            assert argv[argv.index("--backend") + 1] == backends
        assert len(documents(folder)) == 3


def test_each_gpu_of_a_job_is_measured(large, tmp_path):
    _, folder, _ = submit(large, tmp_path, "--partition=gpu", "--nodes=1", "--gres=gpu:2", *QUICK)
    table_of(large, folder)
    asked = [document["context"]["run"]["argv"] for document in documents(folder).values()]
    assert len(asked) == 3
    for argv in asked:
        assert argv[argv.index("--devices") + 1] == "all"


def test_nodes_with_different_numbers_of_cpus(real, tmp_path):
    _, folder, _ = submit(real, tmp_path, "--partition=gpu", *QUICK)
    table_of(real, folder)
    facts = [d["context"] for d in documents(folder).values()]
    threads = {(c["run"]["node"], c["run"]["threads"], c["machine"]["allowed_cpus"]) for c in facts}
    assert threads == {("gpu0", 2, 2), ("gpu1", 1, 1)}


def test_a_busy_node_holds_up_no_other(large, tmp_path):
    busy = large.submit(
        "--nodelist=cpu0", "--exclusive", "--output=/dev/null", "--wrap=sleep 600", cwd=tmp_path
    )
    large.wait_until(lambda: large.job(busy)["JobState"] == "RUNNING", 20, "the node to be busy")
    try:
        _, folder, nodes = submit(large, tmp_path, *QUICK)
        assert nodes == "cpu[0-1]"
        jobs = jobs_of(large, folder)
        assert large.wait_for(jobs["cpu1"][1])["JobState"] == "COMPLETED"
        assert jobs_of(large, folder)["cpu0"][0] == "PENDING"
        assert jobs_of(large, folder)["table"][0] == "PENDING"
        # What there is can be looked at.
        early = large.run(BENCH, "compare", folder)
        assert "waiting: cpu0: no job has begun there" in early.stdout
        assert "missing" not in early.stdout
        _, first, one = submit(large, tmp_path, "--nodes=1", *QUICK)
        assert one == "cpu1", "an idle node before a busy one"
        table_of(large, first)
    finally:
        large.check("scancel", busy)
    text, _ = table_of(large, folder)
    assert "2 nodes compared" in text


def test_a_job_that_never_began_is_a_finding(large, tmp_path):
    """The job of the table is the last one: nobody waits any more."""
    busy = large.submit(
        "--nodelist=cpu0", "--exclusive", "--output=/dev/null", "--wrap=sleep 600", cwd=tmp_path
    )
    large.wait_until(lambda: large.job(busy)["JobState"] == "RUNNING", 20, "the node to be busy")
    try:
        _, folder, _ = submit(large, tmp_path, *QUICK)
        jobs = jobs_of(large, folder)
        assert large.wait_for(jobs["cpu1"][1])["JobState"] == "COMPLETED"
        large.check("scancel", jobs["cpu0"][1])
        text, facts = table_of(large, folder)
    finally:
        large.check("scancel", busy)
    assert "failed: cpu0: CANCELLED (" in text
    assert "missing: cpu0\n" in text
    assert "waiting" not in text
    assert facts["ExitCode"] == "3:0"


CHOICES = {
    "--exclude=cpu0": ("cpu1", ""),
    "--nodelist=cpu[0-1] --exclude=cpu[1-3]": ("cpu0", ""),
    "--partition=cpu,gpu": ("cpu[0-1],gpu[0-1]", ""),
    "--partition=cpu,gpu -xcpu1 -wcpu1,gpu1": ("gpu1", ""),
    "-pcpu,gpu --constraint=h200": ("gpu[0-1]", "left out, as Slurm refuses them: cpu[0-1] ("),
    "-pgpu --gpus-per-node=h200:1 -N1": ("gpu0", ""),
}


@pytest.mark.parametrize("options", CHOICES)
def test_nodes_are_chosen_as_slurm_chooses_them(large, tmp_path, options):
    nodes, said = CHOICES[options]
    out, folder, chosen = submit(large, tmp_path, *options.split(), "--begin=now+1hour", *QUICK)
    assert chosen == nodes
    assert said in out
    waiting = [node for node, (state, _) in jobs_of(large, folder).items() if state == "PENDING"]
    names = large.check("scontrol", "show", "hostnames", nodes).split()
    assert sorted(waiting) == sorted([*names, "table"])
    large.check("scancel", f"--name={folder.name}")


def test_a_partition_that_allows_one_node_for_a_job(large, tmp_path):
    large.check("scontrol", "update", "PartitionName=cpu", "MaxNodes=1")
    try:
        _, folder, nodes = submit(large, tmp_path, *QUICK)
        assert nodes == "cpu[0-1]"
        table_of(large, folder)
    finally:
        large.check("scontrol", "update", "PartitionName=cpu", "MaxNodes=UNLIMITED")


def test_the_nodes_of_a_reservation(large, tmp_path):
    large.check(
        *["scontrol", "create", "reservation", "ReservationName=vetting", "StartTime=now"],
        *["Duration=60", "Users=root", "Nodes=cpu1"],
    )
    try:
        _, folder, nodes = submit(large, tmp_path, "--reservation=vetting", *QUICK)
        assert nodes == "cpu1"
        table_of(large, folder)
        assert len(documents(folder)) == 3
    finally:
        large.check("scontrol", "delete", "ReservationName=vetting")
        large.wait_until_idle("cpu1")


# Limits of users need a database of accounts: here sbatch itself says what Slurm would say.
LIMIT = """#!/bin/bash
if [[ " $* " == *" --nodelist=gpu"* ]]; then
  echo "sbatch: error: AssocMaxSubmitJobLimit" >&2
  echo "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (…)" >&2
  exit 1
fi
exec {sbatch} "$@"
"""


def path_with_sbatch(tmp_path, script):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "sbatch"
    program.write_text(script.replace("{sbatch}", shutil.which("sbatch")))
    program.chmod(0o755)
    return f"{tmp_path / 'bin'}:{os.environ['PATH']}"


def test_so_many_jobs_at_once_are_not_allowed(large, tmp_path):
    options = ["--partition=cpu,gpu", "--begin=now+1hour", *QUICK]
    path = path_with_sbatch(tmp_path, LIMIT)
    out, folder, nodes = submit(large, tmp_path, *options, PATH=path)
    assert nodes == "cpu[0-1]"
    assert "left out, as Slurm refuses them: gpu[0-1] (sbatch: error: AssocMaxSubmitJobLimit" in out
    large.check("scancel", f"--name={folder.name}")


# A Ctrl-C while the second node has its turn.
INTERRUPTED = """#!/bin/bash
if [[ " $* " == *" --nodelist=cpu1 "* ]]; then
  kill -INT "$OF_SUBMIT"
  exit 1
fi
exec {sbatch} "$@"
"""


def test_an_interrupted_survey_says_what_is_queued_and_how_to_go_on(large, tmp_path):
    path = path_with_sbatch(tmp_path, INTERRUPTED)
    words = f"OF_SUBMIT=$$ exec {JOBS / 'submit'} nodes --begin=now+1hour {' '.join(QUICK)}"
    done = large.run("bash", "-c", words, cwd=tmp_path, BENCH=BENCH, PATH=path)
    assert done.returncode == 130
    assert re.search(r"interrupted: no job for cpu1; .*nodes --nodelist='cpu1'", done.stderr)
    assert "submitted 1 jobs, one for each of cpu0, and job " in done.stdout
    (left_out,) = tmp_path.glob("results/nodes-*/left_out")
    assert left_out.read_text() == "cpu1 not queued: interrupted\n"
    large.check("bash", "-c", re.search(r"cancel: +(scancel \S+)", done.stdout).group(1))


def test_a_terminal_shows_how_many_are_queued(large, tmp_path):
    words = f"{JOBS / 'submit'} nodes --begin=now+1hour {' '.join(QUICK)}"
    out = large.check("script", "-qec", words, "/dev/null", cwd=tmp_path, BENCH=BENCH)
    assert "bench: 1 of 2 jobs queued" in out
    large.check("bash", "-c", re.search(r"cancel: +(scancel \S+)", out).group(1))


def test_no_more_nodes_at_once_than_wanted(large, tmp_path):
    options = ["--partition=cpu,gpu", "--gres=none", "--at-most=2", "--begin=now+1hour", *QUICK]
    _, folder, _ = submit(large, tmp_path, *options)
    jobs = {node: number for node, (_, number) in jobs_of(large, folder).items()}
    table = jobs.pop("table")
    numbers = sorted(jobs.values(), key=int)
    waits_for = [large.job(number)["Dependency"] for number in numbers]
    assert len(numbers) == 4
    assert waits_for[:2] == ["(null)"] * 2
    assert waits_for[2:] == [f"afterany:{number}(unfulfilled)" for number in numbers[:2]]
    assert large.job(table)["Dependency"] == "singleton(unfulfilled)"
    large.check("scancel", f"--name={folder.name}")
    # One that has ended long ago and is forgotten holds up nobody.
    forgotten = ("--dependency=afterany:999999", "--output=/dev/null", "--wrap=true")
    assert large.wait_for(large.submit(*forgotten, cwd=tmp_path))["JobState"] == "COMPLETED"


def test_nodes_that_are_not_up_are_named(large, tmp_path):
    large.check("scontrol", "update", "NodeName=cpu1", "State=DRAIN", "Reason=slow, no memory")
    try:
        out, folder, nodes = submit(large, tmp_path, *QUICK)
        assert nodes == "cpu0"
        assert "left out, not up: cpu1 (drain: slow, no memory)" in out
        text, _ = table_of(large, folder)
        assert "left out: cpu1: drain: slow, no memory\n" in text
        survey = json.loads((folder / "table" / "nodes.json").read_text())
        assert survey["left_out"] == [{"node": "cpu1", "reason": "drain: slow, no memory"}]
    finally:
        large.check("scontrol", "update", "NodeName=cpu1", "State=RESUME")
        large.wait_until_idle("cpu1")


@pytest.mark.parametrize(
    ("options", "limit"), [([], "00:10:00"), (["--time=00:03:00"], "00:03:00")]
)
def test_a_quick_check_asks_for_minutes(large, tmp_path, options, limit):
    # Before the deadline there is time for it.
    ask = [*options, "--quick", "--deadline=now+11minutes", "--begin=now+1minute"]
    _, folder, _ = submit(large, tmp_path, *ask, "--", *TINY[:2], "copy")
    jobs = jobs_of(large, folder)
    assert large.job(jobs["cpu0"][1])["TimeLimit"] == limit
    assert large.job(jobs["table"][1])["TimeLimit"] == "00:10:00"
    large.check("scancel", f"--name={folder.name}")


REFUSED = {
    "--nodes=7": "--nodes=7: 2 nodes of partition 'cpu' are up",
    "--nodes=2-4": "--nodes=2-4: must be the number of nodes to compare",
    "--nodelist=cpu[0-1],gpu0": "partition 'cpu' has no node gpu0",
    "--partition=nix": "partition 'nix' has no nodes: sinfo shows the partitions",
    "--quick --deadline=now+5minutes": "minutes away and the job may take 00:10:00: a later --dead",
    "--deadline=now+30minutes": "minutes away and the job may take 01:00:00: a later --deadline",
    "--at-most=all": "--at-most=all: is for nodes, and the number of them",
    "--mem=900G": "no node has what is asked for",
    "--quick -- --max-time 5 --min-time 7": "--min-time 7: is longer than --max-time",
}


@pytest.mark.parametrize("request_", REFUSED)
def test_a_bad_request_is_one_line_with_a_remedy(large, tmp_path, request_):
    result = large.run(JOBS / "submit", "nodes", *request_.split(), cwd=tmp_path, BENCH=BENCH)
    assert result.returncode == 2
    assert result.stdout == ""
    assert REFUSED[request_] in result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert not (tmp_path / "results").exists()


def kill_node(cluster, node):
    """Kills the daemon, the job steps and what runs in them, as a power cut would."""
    conf = f"SLURM_CONF={cluster.folder}/slurm.conf".encode()
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            words = (process / "cmdline").read_bytes().split(b"\0")
            variables = (process / "environ").read_bytes().split(b"\0")
            daemon = b"slurmd" in words[0] and node.encode() in words and conf[11:] in words
            inside = f"SLURMD_NODENAME={node}".encode() in variables and conf in variables
            if inside:
                step = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if "slurmstepd" in pathlib.Path(f"/proc/{step}/comm").read_text():
                    os.kill(step, signal.SIGKILL)
            if daemon or inside:
                os.kill(int(process.name), signal.SIGKILL)


def test_a_node_that_dies_takes_nothing_from_the_others(real, tmp_path):
    _, folder, _ = submit(real, tmp_path, "--", "copy", "--size", "tiny,1e5", "--min-time", "1")

    def measures():
        runs = [document["context"]["run"] for document in documents(folder).values()]
        return any(run["node"] == "cpu0" and not run["finished"] for run in runs)

    real.wait_until(measures, 60, "a pass that is not at its end")
    kill_node(real, "cpu0")
    try:
        text, facts = table_of(real, folder)
        assert re.search(r"^unfinished: cpu0: still running, or killed", text, re.M), text
        assert facts["ExitCode"] == "3:0", "somebody has to look"
        done = [d for d in documents(folder).values() if d["context"]["run"]["finished"]]
        nodes = [d["context"]["run"]["node"] for d in done]
        assert (nodes.count("cpu1"), nodes.count("cpu0") < 3) == (3, True)
        # Without its result file, it is missing.
        for file in folder.glob("*-cpu0-*"):
            file.unlink()
        result = real.run(BENCH, "compare", folder)
        assert "missing: cpu0\n" in result.stdout
    finally:
        real.check("slurmd", "-c", "-N", "cpu0", "-f", real.folder / "slurm.conf")
        real.wait_until_idle("cpu0")
