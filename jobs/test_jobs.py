"""Every job script as it is, on a Slurm with nodes as clusters have them; interruptions on one
with real cores."""

import json
import os
import re
import shutil
import subprocess

import pytest
from cluster import REAL, Cluster

from conftest import BENCH, JOBS, TINY, documents, groups, start_cluster

# Twelve groups of at least a second each.
LONG = ["--size", "tiny,1e5", "--min-time", "1", "--max-time", "1"]


def submit(cluster, tmp_path, question, *options, **environment):
    """jobs/submit: returns the job's number and what the helper printed."""
    out = cluster.check(
        JOBS / "submit", question, *options, cwd=tmp_path, BENCH=BENCH, **environment
    )
    number = re.search(r"submitted job (\d+)", out).group(1)
    return number, out


def log(tmp_path, question, job):
    return (tmp_path / "results" / f"bench-{question}-{job}.log").read_text()


@pytest.mark.parametrize("question", ["gpu", "cpu"])
def test_one_node(large, tmp_path, question):
    job, out = submit(large, tmp_path, question, "--", *TINY)
    facts = large.wait_for(job)
    assert facts["JobState"] == "COMPLETED", log(tmp_path, question, job)
    ((name, document),) = documents(tmp_path / "results").items()
    assert document["context"]["run"]["finished"] is True
    slurm = document["context"]["slurm"]
    assert slurm["job_partition"] == question
    assert slurm["cpus_per_task"] == "128"
    assert slurm["cuda_visible_devices"] == ("0" if question == "gpu" else None)
    assert f"result file: results/{name}" in log(tmp_path, question, job)
    # What the helper said of the result is true.
    table = re.search(r"table: +(.*)", out).group(1)
    shown = subprocess.run(
        table, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    assert "energy · f32" in shown.stdout


def test_the_program_may_be_a_command_with_arguments(large, tmp_path):
    """The same holds in a container: apptainer run --nv bench.sif"""
    command = f"env BENCH_RESULTS_DIR=mine {BENCH}"
    out = large.check(JOBS / "submit", "cpu", "--", *TINY, cwd=tmp_path, BENCH=command)
    assert f"{command} table results/" in out
    assert large.wait_for(re.search(r"submitted job (\d+)", out)[1])["JobState"] == "COMPLETED"
    assert len(documents(tmp_path / "mine")) == 1


# A script alone, as the README has it: sbatch jobs/cpu.sbatch in the folder above.
def test_a_script_without_the_helper(large, tmp_path):
    shutil.copytree(JOBS, tmp_path / "jobs", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for script in sorted((tmp_path / "jobs").glob("*.sbatch")):
        if script.name in ("class.sbatch", "compare.sbatch", "nodes.sbatch"):
            continue
        options = TINY[2:] if script.name == "sweep.sbatch" else TINY
        if script.name == "course.sbatch":
            options = ["energy", *TINY]
        job = large.submit(
            f"jobs/{script.name}", *options, cwd=tmp_path, BENCH=BENCH, BENCH_SWEEP="10:100"
        )
        assert large.wait_for(job)["JobState"] == "COMPLETED", script.name
    assert len(documents(tmp_path / "results")) == 5
    refused = large.submit(JOBS / "cpu.sbatch", cwd=tmp_path / "results")
    assert large.wait_for(refused)["ExitCode"] == "2:0"
    text = (tmp_path / "results" / f"bench-cpu-{refused}.log").read_text()
    assert "call sbatch in the folder above jobs/, or use jobs/submit" in text


def test_a_class_is_measured_where_its_files_are_new(large, tmp_path):
    starter = JOBS.parent / "kernels" / "reverse" / "starter.c"
    for name in ("ana", "bruno"):
        (tmp_path / name).mkdir()
        shutil.copy(starter, tmp_path / name / "reverse.c")
    words = ["class", "--", "ana/reverse.c", "bruno/reverse.c"]
    words += ["--size", "1000", "--max-time", "0.05"]
    job, _ = submit(large, tmp_path, *words)
    assert large.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "class", job)
    folder = tmp_path / "results" / "class"
    assert len(documents(folder)) == 1
    page = (tmp_path / "board" / "index.html").read_text()
    assert page.count("<summary>") == 2
    again, _ = submit(large, tmp_path, *words)
    assert large.wait_for(again)["JobState"] == "COMPLETED"
    assert "all of these files are measured" in log(tmp_path, "class", again)
    assert len(documents(folder)) == 1
    # Other content counts, whatever its date.
    changed = tmp_path / "bruno" / "reverse.c"
    changed.write_text(changed.read_text() + "// another try\n")
    os.utime(changed, (0, 0))
    third, _ = submit(large, tmp_path, *words)
    assert large.wait_for(third)["JobState"] == "COMPLETED", log(tmp_path, "class", third)
    assert len(documents(folder)) == 2
    (_, last) = sorted(documents(folder).items())[-1]
    assert {case["guest"] for case in last["cases"] if "guest" in case} == {"bruno/reverse.c"}


def test_scaling(large, tmp_path):
    job, _ = submit(large, tmp_path, "scaling", "--", *TINY)
    assert large.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "scaling", job)
    ((_, document),) = documents(tmp_path / "results").items()
    cpus = len(os.sched_getaffinity(0))
    assert [p["threads"] for p in document["scaling"][0]["points"]][-1] == cpus
    assert {entry["workload"] for entry in document["scaling"]} >= {"energy", "histogram"}
    assert "scaling of openmp/" in log(tmp_path, "scaling", job)


def test_sweep(large, tmp_path):
    job, _ = submit(large, tmp_path, "sweep", "--", *TINY[2:], BENCH_SWEEP="1e2:1e4")
    assert large.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "sweep", job)
    ((_, document),) = documents(tmp_path / "results").items()
    sizes = {case["size"] for case in document["cases"] if case["workload"] == "hypot"}
    assert sizes == {"100", "1000", "10000"}


# ---- interruptions ----


def first_group(tmp_path):
    """Waits for a result file with a finished group; returns its file."""

    def found():
        for file in (tmp_path / "results").glob("**/ci-*.json"):
            if json.loads(file.read_text())["cases"]:
                return file
        return None

    return Cluster.wait_until(found, 60, "the first group")


def test_term_completes_the_document_and_resume_goes_on(real, tmp_path):
    job, _ = submit(real, tmp_path, "cpu", "--", *LONG)
    file = first_group(tmp_path)
    real.check("scancel", "--signal=TERM", "--batch", job)
    facts = real.wait_for(job)
    assert facts["JobState"] == "FAILED"
    document = json.loads(file.read_text())
    assert document["context"]["run"]["ended_by"] == "SIGTERM"
    text = log(tmp_path, "cpu", job)
    assert f"continue with: bench --resume results/{file.name}" in text

    # Nothing is in its way: the node, the build and the options are in the result file.
    step = ["srun", "--nodelist=" + document["context"]["run"]["node"], "-c2"]
    result = real.run(*step, BENCH, "--resume", file, cwd=tmp_path, timeout=300)
    assert result.returncode == 0, result.stderr
    whole = json.loads(file.read_text())
    assert whole["context"]["run"]["finished"] is True
    assert whole["context"]["run"]["resumed"][0]["after"] == "SIGTERM"
    assert len(groups(whole)) == 12
    assert whole["cases"][: len(document["cases"])] == document["cases"]

    # On another node it is refused.
    other = "cpu1" if document["context"]["run"]["node"] == "cpu0" else "cpu0"
    result = real.run("srun", f"--nodelist={other}", "-c2", BENCH, "--resume", file, cwd=tmp_path)
    assert result.returncode == 2
    assert f"this is {other}" in result.stderr


def test_a_requeued_job_goes_on_by_itself(real, tmp_path):
    job, _ = submit(real, tmp_path, "cpu", "--nodelist=cpu0", "--", *LONG)
    file = first_group(tmp_path)
    real.check("scontrol", "requeue", job)
    real.wait_until(lambda: real.job(job)["JobState"] == "PENDING", 30, "the job to wait again")
    before = json.loads(file.read_text())
    assert before["context"]["run"]["finished"] is False

    def again():  # without this it would wait for two minutes
        real.run("scontrol", "update", f"JobId={job}", "StartTime=now")
        return real.job(job)["JobState"] != "PENDING"

    real.wait_until(again, 30, "the job to start again")
    assert real.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "cpu", job)
    ((name, document),) = documents(tmp_path / "results").items()
    assert name == file.name
    assert document["context"]["run"]["finished"] is True
    assert len(document["context"]["run"]["resumed"]) == 1
    assert document["cases"][: len(before["cases"])] == before["cases"]
    assert len(groups(document)) == 12
    assert f"continuing results/{name}" in log(tmp_path, "cpu", job)


def test_a_job_that_is_preempted_with_a_grace_time_goes_on(tmp_path):
    preempting = f"{REAL}\nPreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
    cluster = start_cluster(tmp_path / "slurm", preempting, {"cpu0": ""}, 0)
    try:
        low = ["PartitionName=cpu", "PriorityTier=1", "PreemptMode=REQUEUE", "GraceTime=8"]
        cluster.check("scontrol", "update", *low)
        high = ["PartitionName=urgent", "Nodes=cpu0", "PriorityTier=9", "PreemptMode=off"]
        cluster.check("scontrol", "create", *high)
        job, _ = submit(cluster, tmp_path, "cpu", "--nodelist=cpu0", "--", *LONG)
        first_group(tmp_path)
        wanted = ["--partition=urgent", "--exclusive", "--output=/dev/null", "--wrap=sleep 1"]
        urgent = cluster.submit(*wanted, cwd=tmp_path)
        assert cluster.wait_for(urgent)["JobState"] == "COMPLETED"

        def again():  # without this it would wait for two minutes
            cluster.run("scontrol", "update", f"JobId={job}", "StartTime=now")
            return cluster.job(job)["JobState"] != "PENDING"

        assert cluster.job(job)["Restarts"] == "1", log(tmp_path, "cpu", job)
        cluster.wait_until(again, 30, "the job to start again")
        assert cluster.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "cpu", job)
    finally:
        cluster.stop()
    (document,) = documents(tmp_path / "results").values()
    assert document["context"]["run"]["finished"] is True
    assert len(groups(document)) == 12


def test_a_job_that_a_job_submits_has_its_own_cpus(real, tmp_path):
    of_outer = {
        "SLURM_CPU_BIND": "quiet,mask_cpu:0x1",
        "SLURM_CPU_BIND_TYPE": "mask_cpu:",
        "SLURM_CPU_BIND_LIST": "0x1",
        "SLURM_MEM_PER_CPU": "1",
        "SLURM_TRES_PER_TASK": "cpu:1",
        "SLURM_CPUS_PER_TASK": "1",
    }
    job, _ = submit(real, tmp_path, "cpu", "--nodelist=cpu0", "--", *TINY, "copy", **of_outer)
    assert real.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "cpu", job)
    (document,) = documents(tmp_path / "results").values()
    assert document["context"]["run"]["threads"] == 2


# ---- what Slurm would ignore without a word ----

SCRIPTS = sorted(JOBS.glob("*.sbatch"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_every_directive_counts_and_has_its_reason(script):
    seen_command = False
    for line in script.read_text().splitlines():
        if line.startswith("#SBATCH"):
            assert not seen_command, f"ignored by sbatch, as a command precedes it: {line}"
            assert re.fullmatch(r"#SBATCH --[a-z-]+(=\S+)? +# \S.*", line), f"no reason: {line}"
        elif line.strip() and not line.startswith("#"):
            seen_command = True
        assert not re.match(r"\s*srun\b", line), "steps are started by measure() in lib.sh"


def test_a_step_is_given_its_cpus():
    calls = re.findall(r"^[^#\n]*\bsrun (?:.*\\\n)*.*$", (JOBS / "lib.sh").read_text(), re.M)
    assert calls
    for call in calls:
        assert "--cpus-per-task=" in call or "cpus[@]" in call
        assert "--ntasks=" in call
