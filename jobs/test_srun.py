"""`srun bench` on a real Slurm: own files, one table, the cores and the GPU of the job."""

import json
import re
import shutil
import subprocess

import pytest

from conftest import BENCH, TINY, documents

COPY = ["copy/serial/naive", "copy/openmp/naive", *TINY]


def measure(cluster, tmp_path, *options, arguments=COPY):
    """Runs bench as a step and returns what it printed and its result files."""
    result = cluster.run("timeout", "300", "srun", *options, BENCH, *arguments, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    return result.stdout, documents(tmp_path / "results")


def test_one_line_is_a_complete_use(real, tmp_path):
    out, found = measure(real, tmp_path, "--partition=gpu", "--gres=gpu:1", "-c2", arguments=TINY)
    assert list(found) == [name for name in found if name.startswith("ci-")]
    ((name, document),) = found.items()
    assert name.endswith(".0-gpu0-0.json")
    assert f"result file: results/{name}" in out
    assert document["context"]["run"]["finished"] is True
    assert document["context"]["run"]["threads"] == 2
    assert document["context"]["slurm"]["cuda_visible_devices"] == "0"
    assert {case["workload"] for case in document["cases"]} >= {"copy", "transpose"}


def test_four_tasks_write_four_files_and_one_table(real, tmp_path):
    out, found = measure(real, tmp_path, "-N2", "--ntasks-per-node=2", "-c1")
    tasks = {(d["context"]["run"]["node"], d["context"]["slurm"]["procid"]) for d in found.values()}
    assert tasks == {("cpu0", "0"), ("cpu0", "1"), ("cpu1", "2"), ("cpu1", "3")}
    assert out.count("result file: ") == 1
    lines = [line for line in out.splitlines() if "measured, 0 failed, results/ci-" in line]
    assert len(lines) == 3, out


def test_four_tasks_with_one_output_write_four_files(real, tmp_path):
    output = [*COPY, "--output", "x.json"]
    options = ["-N2", "--ntasks-per-node=2", "-c1"]
    result = real.run("timeout", "300", "srun", *options, BENCH, *output, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    names = ["x-cpu0-0.json", "x-cpu0-1.json", "x-cpu1-2.json", "x-cpu1-3.json"]
    assert list(documents(tmp_path)) == names
    assert "result file: x-cpu0-0.json" in result.stdout


# With two of them a comparison of before and after would be a mistake.
def test_two_nodes_are_compared_as_nodes(real, tmp_path):
    out, _ = measure(real, tmp_path, "-N2", "--ntasks-per-node=1", "-c1")
    command = re.search(r"next: (.*)", out).group(1)
    assert command.endswith(" --nodes 'cpu[0-1]'")
    assert "2 nodes compared" in real.run("bash", "-c", command, cwd=tmp_path).stdout


@pytest.mark.skipif(not shutil.which("mpicc"), reason="Open MPI is not installed")
def test_links_between_the_tasks_of_a_job_are_timed(real, tmp_path):
    # On one node: the PMIx of nodes on one machine would share a folder.
    options = ["-N1", "-n4", "--overcommit", "--mpi=pmix"]
    result = real.run("timeout", "300", "srun", *options, BENCH, "links", cwd=tmp_path)
    assert "node to node          6 links" in result.stdout, result.stderr
    assert result.stdout.count("round trip") >= 1
    assert "not measured: GPUs" in result.stdout


# Slurm starts the tasks without telling MPI of it.
@pytest.mark.skipif(not shutil.which("mpicc"), reason="Open MPI is not installed")
def test_links_say_how_slurm_starts_mpi(real, tmp_path):
    result = real.run("timeout", "300", "srun", "-N2", "-c1", BENCH, "links", cwd=tmp_path)
    assert result.returncode == 1
    assert "start the processes by its own mpirun, or by srun --mpi=" in result.stderr


def cpus_of_mask(mask):
    return [bit for bit in range(64) if int(mask, 16) >> bit & 1]


@pytest.mark.parametrize("cpus", [1, 2])
def test_threads_run_on_the_cores_of_the_job(real, tmp_path, cpus):
    _, found = measure(real, tmp_path, f"-c{cpus}")
    ((_, document),) = found.items()
    run, machine, slurm = (document["context"][key] for key in ("run", "machine", "slurm"))
    assert machine["allowed_cpus"] == cpus
    assert run["threads"] == run["threads_measured"] == machine["allowed_cores"]
    assert run["bound_by"] == ("bench" if machine["allowed_cores"] > 1 else None)
    assert len(set(run["thread_cpus"])) == run["threads"]
    bound = cpus_of_mask(slurm["cpu_bind_list"])
    assert len(bound) == cpus
    assert machine["cpuset"] == ("0-1" if cpus == 2 else str(bound[0]))


# What srun does where --cpus-per-task is forgotten in a job of two CPUs: bench says so.
def test_a_step_on_one_core_is_noticed(real, tmp_path):
    script = tmp_path / "wrong.sh"
    script.write_text(
        f"#!/bin/bash\nsrun --cpu-bind=map_cpu:1 --cpus-per-task=2 {BENCH} {' '.join(COPY)}\n"
    )
    job = real.submit("--cpus-per-task=2", script, cwd=tmp_path)
    assert real.wait_for(job)["JobState"] == "COMPLETED"
    ((_, document),) = documents(tmp_path / "results").items()
    warnings = " ".join(document["context"]["run"]["warnings"])
    assert "the job has 2 cpus per task, this process may use 1" in warnings
    assert document["context"]["run"]["threads"] == 1


def doubts(cluster, *command, **environment):
    """What the doctor says of a job that is asked for in this way, in one line."""
    out = cluster.check("timeout", "300", *command, BENCH, "doctor", **environment)
    return " ".join(out.split())


def test_the_login_node_of_salloc_is_noticed(real):
    out = doubts(real, "salloc", "-c2")
    assert (
        "this is localhost, which is not part of the job (cpu0): start the program with srun" in out
    )
    assert "not part of the job" not in doubts(real, "salloc", "-c2", "srun", "-c2")


def test_threads_that_are_not_bound_or_on_one_core_are_noticed(real):
    step = ["srun", "-c2"]
    out = doubts(real, *step, OMP_PROC_BIND="false")
    assert "2 threads may move between cpus 0-1: unset OMP_PROC_BIND=false" in out
    for fine in ({}, {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}):
        out = doubts(real, *step, **fine)
        assert "threads may move" not in out
        assert "threads are bound" not in out
    for wrong in (
        {"OMP_PROC_BIND": "master"},
        {"OMP_PROC_BIND": "true", "OMP_PLACES": "{0}"},
        {"GOMP_CPU_AFFINITY": "0 0"},
    ):
        assert "2 threads are bound to cpu 0: they wait" in doubts(real, *step, **wrong), wrong


@pytest.mark.parametrize("options", [["--overcommit"], ["--cpu-bind=map_cpu:0,0"]])
def test_tasks_on_the_same_cpus_are_noticed(real, options):
    assert "2 tasks on this node share cpus" in doubts(real, "srun", "-n2", "-N1", *options)
    assert "share cpus" not in doubts(real, "srun", "-n2", "-N1", "-c1")


VISIBLE = {
    "a GPU": (["--gres=gpu:1"], ["0"]),
    "two GPUs, one task": (["--gres=gpu:2"], ["0,1"]),
    "one GPU for each task": (["--ntasks=2", "--gpus-per-task=1", "-c1"], ["0", "1"]),
    "two GPUs seen by both tasks": (["--ntasks=2", "--gres=gpu:2", "-c1"], ["0,1", "0,1"]),
    "the node alone without a GPU": (["--exclusive"], [None]),
}


@pytest.mark.parametrize("form", VISIBLE)
def test_gpus_are_visible_as_they_were_asked_for(real, tmp_path, form):
    options, expected = VISIBLE[form]
    _, found = measure(real, tmp_path, "--partition=gpu", "-N1", *options)
    seen = [
        document["context"]["slurm"]["cuda_visible_devices"]
        for _, document in sorted(found.items(), key=lambda item: item[0])
    ]
    assert sorted(one or "" for one in seen) == sorted(one or "" for one in expected)


# Slurm gives the job all GPUs of the node then, and the step none.
def test_the_node_alone_is_no_request_for_its_gpus(large, tmp_path):
    script = tmp_path / "alone.sh"
    script.write_text(f"#!/bin/bash\nsrun {BENCH} {' '.join(COPY)}\n")
    job = large.submit("--partition=gpu", "--exclusive", script, cwd=tmp_path)
    assert large.wait_for(job)["JobState"] == "COMPLETED"
    ((_, document),) = documents(tmp_path / "results").items()
    assert document["context"]["slurm"]["job_gpus"] == "0,1,2,3,4,5,6,7"
    assert "GPU" not in " ".join(document["context"]["run"]["warnings"])


def test_two_jobs_at_once_never_write_the_same_file(real, tmp_path):
    jobs = [
        real.submit("-N1", "-c1", "--wrap", f"srun -c1 {BENCH} {' '.join(COPY)}", cwd=tmp_path)
        for _ in range(4)
    ]
    for job in jobs:
        assert real.wait_for(job)["JobState"] == "COMPLETED"
    found = documents(tmp_path / "results")
    assert {d["context"]["slurm"]["job_id"] for d in found.values()} == set(jobs)
    assert len(found) == len(jobs)


def test_doctor_speaks_of_the_job(real, tmp_path):
    out = real.check(
        "srun", "--partition=gpu", "--gres=gpu:1", "-c1", BENCH, "doctor", cwd=tmp_path
    )
    assert "job_partition gpu" in out.replace("\n           ", " ")
    assert "one thread only" in out.replace("\n       ", " ")
    assert "the job has a GPU that this program does not use" in out.replace("\n       ", " ")


def test_both_results_go_on_in_compare(real, tmp_path):
    measure(real, tmp_path, "-N2", "--ntasks-per-node=1", "-c1")
    result = subprocess.run(
        [BENCH, "compare", "results", "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    survey = json.loads(result.stdout)
    assert result.returncode == survey["exit_code"]
    assert result.returncode in (0, 3, 4)
    nodes = [node["node"] for kind in survey["kinds"] for node in kind["nodes"]]
    assert nodes == ["cpu0", "cpu1"]
    assert survey["missing"] == survey["unfinished"] == survey["unlike"] == []
