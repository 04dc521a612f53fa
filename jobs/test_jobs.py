"""Every job script as it is, on a Slurm with nodes as clusters have them; interruptions on one
with real cores."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import pytest
from cluster import Cluster
from conftest import BENCH, JOBS, TINY, documents, groups

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


# A script alone, as the README has it: sbatch jobs/cpu.sbatch in the folder above.
def test_a_script_without_the_helper(large, tmp_path):
    shutil.copytree(JOBS, tmp_path / "jobs", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for script in sorted((tmp_path / "jobs").glob("*.sbatch")):
        if script.name in ("compare.sbatch", "nodes.sbatch"):
            continue
        options = TINY[2:] if script.name == "sweep.sbatch" else TINY
        job = large.submit(
            f"jobs/{script.name}", *options, cwd=tmp_path, BENCH=BENCH, BENCH_SWEEP="10:100"
        )
        assert large.wait_for(job)["JobState"] == "COMPLETED", script.name
    assert len(documents(tmp_path / "results")) == 4
    refused = large.submit(JOBS / "cpu.sbatch", cwd=tmp_path / "results")
    assert large.wait_for(refused)["ExitCode"] == "2:0"
    text = (tmp_path / "results" / f"bench-cpu-{refused}.log").read_text()
    assert "call sbatch in the folder above jobs/, or use jobs/submit" in text


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


def test_nodes_and_their_table(large, tmp_path):
    job, _ = submit(large, tmp_path, "nodes", "--quick", "--", *TINY[:2])
    assert large.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "nodes", job)
    table = tmp_path / "results" / f"nodes-{job}.txt"
    large.wait_until(table.exists, 60, "the dependent job")
    assert "2 nodes compared" in table.read_text()
    assert "2 nodes · 3 passes" in table.read_text()
    found = documents(tmp_path / "results" / f"nodes-{job}")
    names = [d["context"]["run"]["node"] for d in found.values()]
    assert sorted(names) == ["cpu0"] * 3 + ["cpu1"] * 3
    survey = json.loads((tmp_path / "results" / f"nodes-{job}.json").read_text())
    assert survey["missing"] == []
    lines = (tmp_path / "results" / f"nodes-{job}.csv").read_text().splitlines()
    assert lines[0].startswith("node,")
    assert len(lines) > 10


def test_nodes_with_different_numbers_of_cpus(real, tmp_path):
    job, _ = submit(real, tmp_path, "nodes", "--partition=gpu", "--", *TINY)
    assert real.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "nodes", job)
    found = documents(tmp_path / "results" / f"nodes-{job}").values()
    facts = [d["context"] for d in found]
    threads = {(c["run"]["node"], c["run"]["threads"], c["machine"]["allowed_cpus"]) for c in facts}
    assert threads == {("gpu0", 2, 2), ("gpu1", 1, 1)}


REFUSED = {
    "nix": "'nix' is none of the questions",
    "cpu --partition=nix": "sinfo shows the partitions",
    "cpu --mem=900G": "no node has what is asked for",
    "gpu --gres=gpu:9": "no node has what is asked for",
    "gpu --constraint=nix": "--constraint",
    "cpu --time=10:00:00": "sinfo -o '%P %l' shows the longest time",
    "nodes --nodes=7": "sinfo",
    "cpu --quick": "--quick is for nodes",
    "cpu energy": "'energy' is no option; arguments of bench follow after --",
}


@pytest.mark.parametrize("request_", REFUSED)
def test_a_bad_request_is_one_line_with_a_remedy(large, tmp_path, request_):
    result = large.run(JOBS / "submit", *request_.split(), cwd=tmp_path, BENCH=BENCH)
    assert result.returncode == 2
    assert result.stdout == ""
    assert REFUSED[request_] in result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert not (tmp_path / "results").exists()


def test_the_settings_of_the_site(large, tmp_path):
    site = tmp_path / "site.env"
    site.write_text("# ours\nBENCH_CPU_PARTITION=gpu\nBENCH_SBATCH_OPTIONS='--comment=ours'\n")
    job, _ = submit(large, tmp_path, "cpu", "--", *TINY, BENCH_SITE=str(site))
    facts = large.wait_for(job)
    assert (facts["Partition"], facts["Comment"]) == ("gpu", "ours")
    site.write_text("BENCH_CPU_PARTITON=gpu\n")
    result = large.run(JOBS / "submit", "cpu", cwd=tmp_path, BENCH=BENCH, BENCH_SITE=str(site))
    assert result.returncode == 2
    assert "site.env, line 1: 'BENCH_CPU_PARTITON=gpu' is none of its settings" in result.stderr


# ---- interruptions ----


def first_group(tmp_path):
    """Waits for a document with a finished group; returns its file."""

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
    assert f"go on with: bench --resume results/{file.name}" in text

    # Nothing is in its way: the node, the build and the options are in the document.
    step = ["srun", "--nodelist=" + document["context"]["run"]["node"], "-c2"]
    env = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
    result = real.run(*step, BENCH, "--resume", file, cwd=tmp_path, timeout=90, **env)
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
    assert f"going on with results/{name}" in log(tmp_path, "cpu", job)


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
    job, _ = submit(real, tmp_path, "nodes", "--", "--size", "tiny,1e5", "--max-time", "0.3")
    folder = tmp_path / "results" / f"nodes-{job}"

    def all_began():
        found = list(folder.glob("*.json"))
        return len(found) == 2 and all(json.loads(f.read_text())["cases"] for f in found)

    real.wait_until(all_began, 60, "both nodes")
    batch = real.job(job)["BatchHost"]
    victim = "cpu1" if batch == "cpu0" else "cpu0"
    kill_node(real, victim)
    try:
        real.wait_for(job)
        table = tmp_path / "results" / f"nodes-{job}.txt"
        real.wait_until(table.exists, 60, "the table")
        text = table.read_text()
        assert re.search(rf"^unfinished: {victim}: still running, or killed", text, re.M), text
        done = [d for d in documents(folder).values() if d["context"]["run"]["finished"]]
        assert [d["context"]["run"]["node"] for d in done] == [batch] * 3
        # Without its document, it is missing.
        for file in folder.glob(f"*{victim}*"):
            file.unlink()
        result = real.run(BENCH, "compare", folder)
        assert f"missing: {victim}\n" in result.stdout
        assert result.returncode in (3, 4)
    finally:
        real.check("slurmd", "-c", "-N", victim, "-f", real.folder / "slurm.conf")
        real.wait_until(
            lambda: "idle\n" in real.check("sinfo", "-h", "-n", victim, "-o", "%T"), 60, victim
        )


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
