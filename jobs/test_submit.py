"""jobs/submit: what it checks before a job is queued, the settings of a site, and hostile ones."""

import contextlib
import os
import re
import subprocess

import pytest
from test_jobs import log, submit

from conftest import BENCH, JOBS, TINY, documents

REFUSED = {
    "nix": "'nix' is not one of the questions",
    "cpu --partition=nix": "sinfo shows the partitions",
    "cpu --mem=900G": "no node has what is asked for",
    "gpu --gres=gpu:9": "no node has what is asked for",
    "gpu --gres=gpu:a100:1": "",
    "gpu --gres=nix:1": "sinfo -o '%N %G' shows the GPUs",
    "gpu --constraint=nix": "--constraint",
    "cpu --nodelist=nix": "sinfo -N -o '%N %P' shows the nodes",
    "cpu --time=10:00:00": "sinfo -o '%P %l' shows the longest time",
    "cpu --quick": "--quick is for nodes",
    "cpu energy": "'energy' is not an option: options of sbatch need '=' before their value",
    "cpu -p gpu": "'gpu' is not an option: options of sbatch need '=' before their value",
    # What bench would refuse in the job.
    "cpu -- --nix": "unknown option '--nix'",
    "cpu -- energyy": "no variant matches 'energyy' (nearest name: energy)",
    "scaling -- copy/serial": "no variant matches 'copy/serial' with --backend openmp",
    "sweep -- --size 5": "--size and --sweep exclude each other",
}


def refusal(cluster, *words, **options):
    """The one line of a request that must be refused."""
    result = cluster.run(JOBS / "submit", *words, BENCH=BENCH, **options)
    assert result.returncode == 2, result.stdout
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1, result.stderr
    return result.stderr


@pytest.mark.parametrize("request_", REFUSED)
def test_a_bad_request_is_one_line_with_a_remedy(large, tmp_path, request_):
    assert REFUSED[request_] in refusal(large, *request_.split(), cwd=tmp_path)
    assert not (tmp_path / "results").exists()


def test_a_slurm_that_does_not_answer_is_one_line(tmp_path):
    sinfo = tmp_path / "sinfo"
    sinfo.write_text("#!/bin/sh\necho first >&2\necho 'sinfo: no answer' >&2\nexit 1\n")
    sinfo.chmod(0o755)
    environment = {**os.environ, "BENCH": BENCH, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    command = [JOBS / "submit", "nodes"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    said = "Slurm does not answer (sinfo: no answer): scontrol ping shows its controllers"
    assert done.stderr == f"bench: {said}\n"


def test_arguments_are_for_the_node_of_the_job(large, tmp_path):
    with_begin = ["--begin=now+1hour", "--"]
    for words in (["cpu", *with_begin, "--threads", "128"], ["cpu", *with_begin, "verify"]):
        job, _ = submit(large, tmp_path, *words)
        large.check("scancel", job)


def test_help_wherever_it_is_asked_for(large, tmp_path):
    for words in (["--help"], ["cpu", "--help"], ["nodes", "--quick", "-h"], ["gpu", "-V"]):
        out = large.check(JOBS / "submit", *words, cwd=tmp_path)
        assert "jobs/submit gpu|cpu|scaling" in out
    assert "--nodes=N choose the nodes" in large.check(JOBS / "submit", "nodes", "--help")


ONLY_SAID = {
    "cpu --test-only": "nothing is queued; the job would be the one to start at ",
    "nodes --test-only": "jobs would be one for each of cpu[0-1], and one for their table",
    "nodes --exclude=cpu0 -- --dry-run": "jobs would be one for each of cpu1, ",
}


@pytest.mark.parametrize("request_", ONLY_SAID)
def test_what_would_be_queued(large, tmp_path, request_):
    before = large.check("squeue", "--noheader", "--states=all")
    out = large.check(JOBS / "submit", *request_.split(), cwd=tmp_path, BENCH=BENCH)
    assert ONLY_SAID[request_] in out
    assert large.check("squeue", "--noheader", "--states=all") == before
    assert list(tmp_path.iterdir()) == []


def test_a_node_that_is_not_up_is_said_to_be(large, tmp_path):
    large.check("scontrol", "update", "NodeName=cpu1", "State=DRAIN", "Reason=slow")
    try:
        assert "not up (sinfo -R)" in refusal(large, "cpu", "--nodelist=cpu1", cwd=tmp_path)
    finally:
        large.check("scontrol", "update", "NodeName=cpu1", "State=RESUME")
        large.wait_until_idle("cpu1")


def test_every_task_of_an_array_is_named(large, tmp_path):
    job, out = submit(large, tmp_path, "cpu", "--array=1-3", "--", "copy", *TINY)
    large.wait_until(lambda: not large.check("squeue", "--noheader", f"--job={job}"), 90, "tasks")
    pattern = re.search(r"result: +(.*)", out).group(1)
    assert sorted(tmp_path.glob(pattern)) == sorted(tmp_path.glob("results/*.json"))
    assert len(list(tmp_path.glob(pattern))) == 3
    logs = re.search(r"tail -F (.*)", out).group(1)
    assert len(list(tmp_path.glob(logs))) == 3


def test_another_way_to_ask_for_gpus(large, tmp_path):
    job, _ = submit(large, tmp_path, "gpu", "--gpus-per-node=h200:2", "--begin=now+1hour")
    assert large.job(job)["TresPerNode"] == "gres:gpu:h200:2"
    large.check("scancel", job)


@contextlib.contextmanager
def limits_not_enforced(cluster, **limits):
    """Slurm's default: what a limit forbids is accepted, and waits."""
    conf = cluster.folder / "slurm.conf"
    before = conf.read_text()
    conf.write_text(before.replace("EnforcePartLimits=ALL", "EnforcePartLimits=NO"))
    cluster.check("scontrol", "reconfigure")
    try:
        for name, value in limits.items():
            cluster.check("scontrol", "update", "PartitionName=cpu", f"{name}={value}")
        yield
    finally:
        for name in limits:
            default = "ALL" if name == "AllowAccounts" else "0"
            cluster.check("scontrol", "update", "PartitionName=cpu", f"{name}={default}")
        conf.write_text(before)
        cluster.check("scontrol", "reconfigure")


def test_a_job_that_can_never_start_is_taken_back(large, tmp_path):
    with limits_not_enforced(large, MaxMemPerNode=100):
        for question in ("cpu", "nodes"):
            text = refusal(large, question, "--time=10:00:00", cwd=tmp_path)
            assert "the job would wait for ever (PartitionTimeLimit)" in text
            assert "sinfo -o '%P %l' shows the longest time" in text
            text = refusal(large, question, cwd=tmp_path)
            assert "the job would wait for ever (MaxMemPerLimit)" in text
            assert "--mem=" in text
    with limits_not_enforced(large, AllowAccounts="physics"):
        for question in ("cpu", "nodes"):
            text = refusal(large, question, cwd=tmp_path)
            assert "the job would wait for ever (Job's account not known" in text
            assert "name yours with --account=" in text
    assert large.check("squeue", "--noheader") == ""
    assert not list(tmp_path.glob("results/*"))


def test_results_that_cannot_be_written(large, tmp_path):
    (tmp_path / "results").mkdir()
    read_only = (
        f"cd {tmp_path} && mount --bind results results && mount -o remount,bind,ro results && "
        f"exec {JOBS / 'submit'} cpu"
    )
    command = ["unshare", "--mount", "bash", "-c", read_only]
    result = large.run(*command, cwd=tmp_path, BENCH=BENCH)
    assert result.returncode == 2
    assert "cannot write into results: set BENCH_RESULTS_DIR" in result.stderr


# As cron has it.
def test_without_a_user_in_the_environment(large, tmp_path):
    without = ["env", "-u", "USER", JOBS / "submit", "cpu", "--partition=nix"]
    assert "sinfo shows the partitions" in large.run(*without, cwd=tmp_path, BENCH=BENCH).stderr


def test_the_settings_of_the_site(large, tmp_path):
    site = tmp_path / "site.env"
    site.write_bytes(
        b"# ours\r\nBENCH_CPU_PARTITION='gpu'  # of the GPU nodes\r\n"
        b"BENCH_SBATCH_OPTIONS=--comment=ours --nice=5\r\n"
    )
    job, _ = submit(large, tmp_path, "cpu", "--", *TINY, BENCH_SITE=str(site))
    facts = large.wait_for(job)
    assert (facts["Partition"], facts["Comment"], facts["Nice"]) == ("gpu", "ours", "5")
    assert facts["JobState"] == "COMPLETED", log(tmp_path, "cpu", job)


@pytest.mark.parametrize(
    "line",
    [
        "BENCH_CPU_PARTITON=gpu",
        "export BENCH_ACCOUNT=x",
        "BENCH_ACCOUNT='x' touch broken",
        'BENCH_ACCOUNT="x',
        "touch broken",
    ],
)
def test_what_is_no_setting_is_refused(large, tmp_path, line):
    (tmp_path / "site.env").write_text(f"# ours\n{line}\n")
    text = refusal(large, "cpu", cwd=tmp_path, BENCH_SITE="site.env")
    assert f"site.env, line 2: '{line}' is not one of its settings" in text


def test_nothing_in_the_settings_is_executed(large, tmp_path):
    for value in ("$(touch broken)", "`touch broken`", "x; touch broken", "x && touch broken"):
        (tmp_path / "site.env").write_text(f"BENCH_ACCOUNT={value}\nBENCH_CPU_PARTITION={value}\n")
        refusal(large, "cpu", cwd=tmp_path, BENCH_SITE="site.env")
    assert not (tmp_path / "broken").exists()


@pytest.mark.parametrize("kind", ["folder", "fifo", "nothing"])
def test_settings_that_are_no_file(large, tmp_path, kind):
    site = tmp_path / "site"
    if kind == "folder":
        site.mkdir()
    elif kind == "fifo":
        os.mkfifo(site)
    text = refusal(large, "cpu", cwd=tmp_path, BENCH_SITE="site", timeout=300)
    assert text == "bench: site cannot be read: correct BENCH_SITE\n"


def test_variables_of_slurm_are_never_computed(tmp_path):
    hostile = "BASH_VERSINFO[$(touch broken)0]"
    for command in (
        [JOBS / "scaling.sbatch"],
        [JOBS / "passes", hostile, "true"],
        [JOBS / "passes"],
    ):
        result = subprocess.run(
            ["bash", *command],
            cwd=tmp_path,
            env={
                **os.environ,
                "BENCH": BENCH,
                "BENCH_JOB_SCRIPTS": str(JOBS),
                "SLURM_CPUS_ON_NODE": hostile,
                "SLURM_JOB_ID": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 2, result.stderr
        assert "which is not a number" in result.stderr
    assert not (tmp_path / "broken").exists()


def test_no_lib_of_the_folder_is_taken(large, tmp_path):
    (tmp_path / "lib.sh").write_text("touch broken\n")
    job = large.submit(JOBS / "cpu.sbatch", cwd=tmp_path, BENCH=BENCH)
    assert large.wait_for(job)["ExitCode"] == "2:0"
    assert not (tmp_path / "broken").exists()


def test_filters_narrow_the_question(large, tmp_path):
    job, _ = submit(large, tmp_path, "scaling", "--", "copy", "energy", *TINY, "--threads", "1,2")
    assert large.wait_for(job)["JobState"] == "COMPLETED", log(tmp_path, "scaling", job)
    ((_, document),) = documents(tmp_path / "results").items()
    chosen = [case for case in document["cases"] if not case["reference"]]
    assert {case["workload"] for case in chosen} == {"copy", "energy"}
    assert {case["backend"] for case in chosen} == {"openmp"}
    # The log says at once what is measured.
    first = log(tmp_path, "scaling", job).splitlines()[0]
    assert re.match(r"bench: cpu\d: \S*bench --backend openmp copy energy", first)
