"""The files of docs/admin/health-check.md: on a real Slurm they drain a slow node and no other."""
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
LINES = "lines"  # the system log of the tests


def installed(name, folder, reference):
    """A file of the page, with what a site would change: where things are, and here the time that
    a busy machine needs."""
    page = blocks.of("docs/admin/health-check.md")
    text = next(one.text for one in page if one.file == name)
    for written, here in (
        ("/shared/bench/reference", str(reference)),
        ("/usr/local/bin", str(folder)),
        ("--budget 5s", "--budget 30s"),
    ):
        text = text.replace(written, here)
    first, rest = text.split("\n", 1)
    if first == "#!/bin/bash":
        here = f"export SLURM_CONF={folder}/slurm/slurm.conf PATH={folder}:$PATH BENCH_BUDGET=30s"
        text = f"{first}\n{here}\n{rest}"
    return executable(folder / name, text)


def executable(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


def install_programs(folder):
    """The other nodes are on this machine, and work."""
    executable(folder / "bench", f'#!/bin/bash\nexec {BENCH} "$@" --force\n')
    executable(folder / "logger", f"#!/bin/bash\nexec tee -a {folder}/{LINES}\n")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What a check here keeps."""
    folder = tmp_path_factory.mktemp("run")
    command = [BENCH, "check", "--keep", folder, "--force", "--budget", "10s"]
    assert subprocess.run(command, check=False, stdout=subprocess.PIPE).returncode == 4
    (file,) = folder.iterdir()
    return json.loads(file.read_text())


def write_reference(folder, run, factor):
    """A reference of nodes that take `factor` times the time of this one."""
    folder.mkdir()
    made = retimed(run, lambda _: factor, steady=True)
    (folder / "reference.json").write_text(json.dumps(made))
    return folder


def write_references(folder, run):
    """One each: as its own has it, cpu1 is slow."""
    write_reference(folder / "cpu0", run, MUCH)
    write_reference(folder / "cpu1", run, 1 / MUCH)


@pytest.fixture(scope="module")
def checked(tmp_path_factory, run):
    """Two nodes whose Slurm runs the script of the page."""
    folder = tmp_path_factory.mktemp("checked")
    install_programs(folder)
    program = installed("health.sh", folder, f"{folder}/$SLURMD_NODENAME")
    health = (
        f"{REAL}\nHealthCheckProgram={program}\nHealthCheckInterval=3\nHealthCheckNodeState=ANY\n"
    )
    cluster = start_cluster(folder / "slurm", health, {"cpu0": "", "cpu1": ""}, 0)
    # Not before both are up: a slow node would never be.
    write_references(folder, run)
    yield cluster
    cluster.stop()


def reason(cluster, node):
    return cluster.check("sinfo", "-h", "-n", node, "-o", "%E").strip()


def wait_until_drained(cluster):
    cluster.wait_until(lambda: reason(cluster, "cpu1") != "none", 120, "cpu1 to be drained")
    assert "drain" in cluster.check("sinfo", "-h", "-n", "cpu1", "-o", "%T")


def test_the_slow_node_is_drained_with_the_line_as_its_reason(checked):
    wait_until_drained(checked)
    assert reason(checked, "cpu1").startswith("cpu1 SLOW ")
    assert reason(checked, "cpu0") == "none"


def test_a_job_is_left_alone(checked, tmp_path):
    """The check says so, and not of the job that it is part of."""
    check = [BENCH, "check", "--budget", "2s", "--keep", str(tmp_path / "kept")]
    job = checked.submit("--nodelist=cpu0", "--wrap", "sleep 60", cwd=tmp_path)
    checked.wait_until(lambda: checked.job(job)["JobState"] == "RUNNING", 60, "the job")

    def busy():  # unless Slurm checks a node at this moment, or has not started the job's step
        return " BUSY 1 job runs: not measured; " in checked.run(*check).stdout

    checked.wait_until(busy, 60, "the job to be seen")
    checked.check("scancel", job)
    checked.wait_for(job)
    inside = checked.run("srun", "--nodelist=cpu0", *check, cwd=tmp_path)
    assert "job runs" not in inside.stdout


@pytest.mark.parametrize(
    ("when", "script", "expected"),
    [
        ("Epilog", "health.sh", "cpu1 SLOW "),
        ("Epilog", "epilog.sh", "Epilog error"),
        ("Prolog", "epilog.sh", "Prolog error"),
    ],
)
def test_a_job_on_the_slow_node_drains_it(tmp_path, run, when, script, expected):
    install_programs(tmp_path)
    write_references(tmp_path, run)
    program = installed(script, tmp_path, f"{tmp_path}/$SLURMD_NODENAME")
    shape = f"{REAL}\n{when}={program}\n"
    cluster = start_cluster(tmp_path / "slurm", shape, {"cpu0": "", "cpu1": ""}, 0)
    try:
        # One after the other: one check at a time on a machine.
        job = cluster.submit("--nodelist=cpu0", "--wrap", "true", cwd=tmp_path)
        assert cluster.wait_for(job)["JobState"] == "COMPLETED"
        cluster.wait_until_idle("cpu0")
        job = cluster.submit("--nodelist=cpu1", "--wrap", "true", cwd=tmp_path)
        wait_until_drained(cluster)
        assert reason(cluster, "cpu1").startswith(expected)
        assert reason(cluster, "cpu0") == "none"
        assert cluster.job(job)["JobState"] == ("PENDING" if when == "Prolog" else "COMPLETED")
    finally:
        cluster.stop()
    if script == "epilog.sh":
        said = (tmp_path / LINES).read_text().splitlines()
        assert [line.split()[1] for line in said] in (["OK", "SLOW"], ["UNCLEAR", "SLOW"])


# ---- health.sh with a Slurm that is only said to be there ----


def drained_by_script(folder, code, state="idle", reasons=(), nodes=200):
    """The arguments of scontrol, and what the system log has."""
    line = install_answer(folder, code)
    executable(folder / "logger", f'#!/bin/bash\necho "$@" >>{folder}/{LINES}\n')
    executable(folder / "scontrol", f'#!/bin/bash\necho "$@" >>{folder}/asked\n')
    (folder / "reasons").write_text("".join(f"n{i} {why}\n" for i, why in enumerate(reasons)))
    executable(
        folder / "sinfo",
        f"#!/bin/bash\ncase $* in *%T*) echo {state} ;; *%E*) cat {folder}/reasons ;;"
        f" *) seq {nodes} ;; esac\n",
    )
    program = installed("health.sh", folder, "reference")
    environment = {"PATH": "/usr/bin:/bin", "SLURMD_NODENAME": "n1"}
    subprocess.run([program], env=environment, check=True)
    said = [folder / name for name in ("asked", LINES)]
    return line, *(file.read_text() if file.exists() else "" for file in said)


@pytest.mark.parametrize("code", [0, 1, 3, 4, 143])
def test_a_node_is_drained_for_what_it_is(tmp_path, code):
    line, asked, _ = drained_by_script(tmp_path, code)
    drained = f"update NodeName=n1 State=DRAIN Reason={line}\n"
    assert asked == (drained if code in (1, 3) else "")


@pytest.mark.parametrize("state", ["drained", "draining", "drained*"])
def test_a_drained_node_keeps_its_reason(tmp_path, state):
    assert drained_by_script(tmp_path, 3, state)[1] == ""


@pytest.mark.parametrize(("code", "slow", "drains"), [(3, 5, True), (3, 6, False), (1, 6, True)])
def test_where_many_are_slow_none_is_drained(tmp_path, code, slow, drains):
    reasons = [f"n{i} SLOW cores 1.33x" for i in range(slow)] + ["ann: not as SLOW as it was"] * 9
    line, asked, log = drained_by_script(tmp_path, code, reasons=reasons)
    assert bool(asked) == drains
    assert (f"6 of 200 nodes are drained as slow: not draining {line}" in log) != drains


def test_of_few_nodes_one_may_be_drained(tmp_path):
    assert drained_by_script(tmp_path, 3, nodes=2)[1]


# ---- NHC and node-problem-detector, neither of which is here: what they call, as they call it ----

SPOKEN = {0: "OK", 1: "WRONG", 3: "SLOW", 4: "UNKNOWN", 143: "UNKNOWN"}


def install_answer(folder, code):
    """A check that ends with this code."""
    line = f"n1 {SPOKEN[code]} of its answers"
    executable(folder / "bench", f"#!/bin/bash\necho '{line}'\nexit {code}\n")
    return line


def nhc(folder, reference):
    """What the function says to NHC, and what it returns. Stand-ins of the two functions of NHC."""
    script = installed("bench.nhc", folder, reference)
    words = (
        'function die() { echo "die $*" ; return 0 ; }\n'
        'function dbg() { echo "dbg $*" ; }\n'
        f". {script}\ncheck_bench {reference}\n"
    )
    done = subprocess.run(
        ["bash", "-c", words],
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.strip()


@pytest.mark.parametrize("code", SPOKEN)
def test_nhc_fails_where_a_node_is_slow_or_wrong(tmp_path, code):
    line = install_answer(tmp_path, code)
    fails = SPOKEN[code] in ("SLOW", "WRONG")
    said = f"die 1 check_bench:  {line}" if fails else f"dbg {line}"
    assert nhc(tmp_path, "reference") == (int(fails), said)


def npd(folder, reference):
    """Runs the rule as node-problem-detector does: its status, and the text before it is cut."""
    program = installed("bench-check.sh", folder, reference)
    config = json.loads(installed("bench-check.json", folder, reference).read_text())
    (rule,) = config["rules"]
    assert rule["path"] == str(program)
    done = subprocess.run(
        [rule["path"], *rule.get("args", [])],
        stdout=subprocess.PIPE,
        check=False,
        timeout=300,
    )
    status = {0: "OK", 1: "NonOK"}.get(done.returncode, "Unknown")
    text = done.stdout.strip()
    assert 0 < len(text) <= config["pluginConfig"]["max_output_length"]
    return status, text.decode()


@pytest.mark.parametrize("code", SPOKEN)
def test_node_problem_detector_gets_its_status(tmp_path, code):
    line = install_answer(tmp_path, code)
    status = {"OK": "OK", "UNKNOWN": "Unknown"}.get(SPOKEN[code], "NonOK")
    assert npd(tmp_path, "reference") == (status, line)


def test_the_configuration_of_node_problem_detector_fits_its_rules():
    page = blocks.of("docs/admin/health-check.md")
    config = json.loads(next(one.text for one in page if one.file == "bench-check.json"))
    assert config["plugin"] == "custom"
    types = [one["type"] for one in config["conditions"]]
    assert all(set(one) == {"type", "reason", "message"} for one in config["conditions"])
    for rule in config["rules"]:
        assert (rule["type"], rule["condition"]) == ("permanent", types[0])
        # A rule that may take longer than all together is refused.
        assert rule["timeout"] == config["pluginConfig"]["timeout"] == "10s"


def test_both_get_the_line_of_a_real_check(tmp_path, run):
    install_programs(tmp_path)
    same = write_reference(tmp_path / "same", run, MUCH)
    fast = write_reference(tmp_path / "fast", run, 1 / MUCH)
    code, said = nhc(tmp_path, fast)
    assert code == 1
    assert said.startswith("die 1 check_bench:  ")
    assert " SLOW " in said
    assert nhc(tmp_path, same)[0] == 0
    status, line = npd(tmp_path, fast)
    assert status == "NonOK"
    assert " SLOW " in line
    assert npd(tmp_path, same)[0] == "OK"
    (tmp_path / "none").mkdir()
    assert npd(tmp_path, tmp_path / "none")[0] == "Unknown"
