"""`bench check`: the health of a node in one line, and how it ends."""
# CTest: release full, checks the node

import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import time

import pytest
from made_up import retimed
from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics

from conftest import BENCH, ROOT

ON_STAND_IN = os.environ.get(
    "BENCH_ON_STAND_IN", str(ROOT / "build" / "kernels" / "bench_on_stand_in")
)
FORCE = ["--force", "--budget", "30s"]
MUCH = 1e4  # a factor beyond the noise of any machine


OF_A_JOB = re.compile(r" BUSY \d+ jobs? runs?: ")


@pytest.fixture(name="bench")
def without_jobs(bench):
    """Waits for the jobs of other tests, beside which nothing is checked."""

    def run(*words, **environment):
        for _ in range(100):
            done = bench(*words, **environment)
            if not OF_A_JOB.search(done.stdout):
                break
            time.sleep(1)
        return done

    return run


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """What a check here keeps."""
    folder = tmp_path_factory.mktemp("recorded")
    command = [BENCH, "check", "--keep", "kept", *FORCE]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stderr
    assert "UNKNOWN no reference; measured and kept" in done.stdout
    (file,) = (folder / "kept").iterdir()
    return json.loads(file.read_text())


def reference(folder, recorded, factor=1.0, count=1):
    """A reference of idle nodes that took `factor` times the time of this one."""
    folder.mkdir(exist_ok=True)
    for number in range(count):
        document = retimed(recorded, lambda _, n=number: factor * (1 + 0.001 * n), steady=True)
        document["context"]["run"]["node"] = f"r{number}"
        for case in document["cases"]:
            if case["seconds"]:
                case["seconds"]["preempted"] = 0
        (folder / f"r{number}.json").write_text(json.dumps(document))
    return folder


def edited(folder, recorded, edit):
    document = json.loads(json.dumps(recorded))
    edit(document["context"])
    folder.mkdir(exist_ok=True)
    (folder / "r.json").write_text(json.dumps(document))
    return folder


def line_of(done, code):
    assert done.returncode == code, done.stdout + done.stderr
    (line,) = done.stdout.splitlines()
    assert len(line.split(" | ")[0]) <= 80
    return line


def test_a_slow_node_and_a_fine_one(bench, recorded, tmp_path):
    fast = reference(tmp_path / "fast", recorded, 1 / MUCH)
    slow = reference(tmp_path / "slow", recorded, MUCH)
    line = line_of(bench("check", "--expected", fast, *FORCE, SLURMD_NODENAME="n17"), 3)
    assert line.startswith("n17 SLOW ")
    assert " of expected" in line
    assert line.endswith(" s")
    line = line_of(bench("check", "--expected", slow, *FORCE, SLURMD_NODENAME="n17"), 0)
    assert line.startswith("n17 OK ")
    assert "cores 0.00x" in line
    line = line_of(bench("check", "--expected", fast, "--nagios", *FORCE), 1)
    assert "SLOW" in line
    _, figures = line.split(" | ")
    assert re.search(r"^time=\d+\.\ds( '[^']+'=[\d.]+;[\d.]+)+$", figures), figures
    assert {"memory", "cores"} <= set(re.findall("'(.*?)'", figures))


def test_what_is_planted_is_found(bench, recorded, tmp_path):
    """Sizes of the quick survey, as each sample takes a hundred times as long."""
    variants = ("copy/openmp/streaming", "hypot/openmp/simd", "multiply_add/openmp/simd")
    words = [*variants, "--size", "4e6", "--max-time", "0.1", "--no-baseline", "--quiet"]
    subprocess.run([BENCH, *words, "--output", tmp_path / "quick.json"], check=True)
    slow = reference(tmp_path / "slow", json.loads((tmp_path / "quick.json").read_text()), 20)
    done = bench("check", "--expected", slow, "--self-test", "100", *FORCE)
    assert done.returncode == 3, done.stdout
    assert re.search(r" SLOW .*; \d+ s, planted 100\.00x$", done.stdout)


def test_the_end_of_a_sustained_check_is_compared_with_its_beginning(bench, recorded, tmp_path):
    """The budget has time for enough passes."""
    slow = reference(tmp_path / "slow", recorded, MUCH)
    words = ["--sustained", "--force", "--budget", "24s", "--metrics", "m.prom"]
    done = bench("check", "--expected", slow, *words)
    line_of(done, done.returncode)
    passes = re.findall(r"\d+ s: .*cores \d", done.stderr)
    assert passes or " UNKNOWN " in done.stdout, done.stdout + done.stderr
    compared = 'part="sustained cores"' in (tmp_path / "m.prom").read_text()
    assert compared == (len(passes) >= 6)


def test_a_long_name_leaves_room(bench, recorded, tmp_path):
    fast = reference(tmp_path / "fast", recorded, 1 / MUCH)
    name = "node-of-a-very-long-name-" * 3
    line = line_of(bench("check", "--expected", fast, *FORCE, SLURMD_NODENAME=name), 3)
    assert line.startswith("node-of-a-very-long-na.. SLOW ")


def test_the_kept_file_is_a_result_file(bench, recorded, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(recorded))
    assert bench("table", "a.json").returncode == 0
    done = bench("check", "--expected", "a.json", "--keep", "here", *FORCE)
    assert done.returncode in (0, 3), done.stderr
    (kept,) = (tmp_path / "here").iterdir()
    assert json.loads(kept.read_text())["context"]["run"]["finished"]
    assert bench("compare", "a.json", kept).returncode in (0, 3, 4)


def test_a_reference_of_something_else_is_none(bench, recorded, tmp_path):
    def other_processor(context):
        context["machine"]["cpu_model"] = "EPYC 7763"

    def other_build(context):
        context["build"]["compiler"] = "GNU 1"

    def fewer(context):
        context["machine"]["allowed_cpus"] = context["machine"]["allowed_cores"] = 0

    for edit, words in (
        (other_processor, "UNKNOWN no reference for "),
        (other_build, "UNKNOWN the reference is of another build of bench"),
        (fewer, "UNKNOWN no reference for "),
    ):
        folder = edited(tmp_path / edit.__name__, recorded, edit)
        assert words in line_of(bench("check", "--expected", folder, *FORCE), 4)
        line_of(bench("check", "--expected", folder, "--nagios", *FORCE), 3)
    small = [BENCH, "copy/openmp", "hypot/openmp", "--size", "1e5", "--max-time", "0.1"]
    subprocess.run([*small, "--quiet", "--output", tmp_path / "small" / "a.json"], check=True)
    line = line_of(bench("check", "--expected", "small", *FORCE), 4)
    assert "UNKNOWN nothing measured that the reference has" in line
    (tmp_path / "empty").mkdir()
    assert "no reference: empty is empty" in line_of(bench("check", "--expected", "empty"), 4)
    assert "UNKNOWN no reference" in line_of(bench("check"), 4)


def test_what_is_absent_is_said_before_anything_is_measured(bench, recorded, tmp_path):
    cpus = recorded["context"]["machine"]["allowed_cpus"]

    def more(context):
        context["machine"]["allowed_cpus"] = cpus + 1
        context["machine"]["memory_bytes"] *= 2

    folder = edited(tmp_path / "more", recorded, more)
    line = line_of(bench("check", "--expected", folder), 3)
    assert f"ABSENT cpus {cpus} of {cpus + 1}, memory " in line
    line_of(bench("check", "--expected", folder, "--nagios"), 2)


def test_a_job_of_fewer_cpus_says_nothing_of_the_node(bench, recorded, tmp_path):
    cpus = recorded["context"]["machine"]["allowed_cpus"]

    def more(context):
        context["machine"]["allowed_cpus"] = cpus + 1

    folder = edited(tmp_path / "more", recorded, more)
    given = {"SLURM_JOB_ID": "7", "SLURM_CPUS_ON_NODE": str(cpus)}
    line = line_of(bench("check", "--expected", folder, **given), 4)
    assert f" UNKNOWN cpus of this job: {cpus}; " in line
    given["SLURM_CPUS_ON_NODE"] = str(cpus + 1)
    assert " ABSENT cpus " in line_of(bench("check", "--expected", folder, **given), 3)


def test_a_driver_that_hangs_is_named(recorded, bench, tmp_path):
    if recorded["context"]["build"]["cuda"] is None:
        pytest.skip("built without CUDA")
    code = "#include <unistd.h>\n__attribute__((constructor)) static void hang() { sleep(60); }\n"
    (tmp_path / "hang.c").write_text(code)
    library = tmp_path / "libcuda.so.1"
    subprocess.run(["cc", "-shared", "-o", library, tmp_path / "hang.c"], check=True)
    folder = reference(tmp_path / "same", recorded)
    words = ["check", "--expected", folder, "--budget", "3s", "--force"]
    line = line_of(bench(*words, LD_LIBRARY_PATH=str(tmp_path)), 4)
    assert re.search(r" UNKNOWN the GPU driver did not answer within \d+ s; ", line)


def test_variables_of_openmp_are_not_the_nodes_fault(bench, recorded, tmp_path):
    def with_threads(context):
        context["run"]["threads"] = 64

    folder = edited(tmp_path / "threads", recorded, with_threads)
    line = line_of(bench("check", "--expected", folder, *FORCE, OMP_NUM_THREADS="1"), 4)
    assert " UNKNOWN threads: 1 here, 64 in the reference (OMP_NUM_THREADS" in line


def test_a_full_disk_says_nothing_of_the_node(recorded, tmp_path):
    command = [
        BENCH,
        "check",
        "--expected",
        reference(tmp_path / "fast", recorded),
        "--force",
        "--budget",
        "4s",
    ]
    with open("/dev/full", "w") as full:
        for words, code in (([], 4), (["--nagios"], 3)):
            done = subprocess.run(
                [*command, *words, "--metrics", tmp_path / "m.prom"], stdout=full,
                stderr=subprocess.PIPE, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == code, done.stderr
            assert "cannot write to stdout" in done.stderr
            assert "bench_check_status" in (tmp_path / "m.prom").read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="others may not try to write there")
def test_a_file_that_cannot_be_kept_changes_no_verdict(bench, recorded, tmp_path):
    done = bench(
        "check",
        "--keep",
        "/proc/kept",
        "--expected",
        reference(tmp_path / "fast", recorded),
        *FORCE,
    )
    assert done.returncode in (0, 3, 4), done.stderr
    assert "bench: --keep: cannot write /proc/kept" in done.stderr
    assert "--output" not in done.stderr
    line_of(done, done.returncode)


def test_metrics_are_a_file(bench, recorded, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for place in (tmp_path, tmp_path / "fifo"):
        done = bench(
            "check", "--expected", reference(tmp_path / "fast", recorded), "--metrics", place
        )
        assert done.returncode == 2
        assert done.stderr == f"bench: --metrics {place}: is not a regular file\n"


def test_a_plug_in_with_wrong_words_is_not_critical(bench):
    for words in (["--bogus"], ["--threshold", "x"], ["foo"]):
        assert bench("check", "--nagios", *words).returncode == 3
        assert bench("check", *words).returncode == 2
    both = bench("check", "--learn", ".", "--nagios")
    assert (both.returncode, "exclude each other" in both.stderr) == (3, True)


def test_a_dead_gpu_is_absent(recorded, tmp_path):
    def with_gpus(context):
        context["machine"]["gpu"] = {"name": "H100", "visible_devices": 2}
        context["machine"]["gpu_reason"] = None

    folder = edited(tmp_path / "with_gpus", recorded, with_gpus)
    done = subprocess.run(
        [ON_STAND_IN, "check", "--expected", folder, *FORCE],
        env={**os.environ, "BENCH_STAND_IN_DEVICES": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert " ABSENT GPUs 0 of 2" in line_of(done, 3)


def test_links_of_gpus_are_compared_where_time_is_left(recorded, tmp_path):
    """This program times them after the passes, in a process of its own."""
    done = subprocess.run(
        [
            ON_STAND_IN,
            "check",
            "--force",
            "--budget",
            "45s",
            "--threshold",
            "100",
            "--metrics",
            "links.prom",
            "--expected",
            reference(tmp_path / "fast", recorded),
        ],
        cwd=tmp_path,
        env={**os.environ, "BENCH_STAND_IN_DEVICES": "3", "BENCH_STAND_IN_SLOW": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if "links of GPUs are not compared" in done.stderr:
        pytest.skip(done.stderr)
    line_of(done, 0)
    odd = set(re.findall(r'ratio{.*part="(GPU .*?)"', (tmp_path / "links.prom").read_text()))
    assert odd >= {"GPU 1 host to device", "GPU 1 device to host"}, done
    assert all(part.startswith("GPU 1 ") for part in odd)


def test_each_gpu_measures_the_size_of_the_reference(tmp_path):
    program = {"cwd": tmp_path, "env": {**os.environ, "BENCH_STAND_IN_DEVICES": "2"}}
    words = ["copy/cuda/wide", "--devices", "all", "--size", "1000", "--samples", "9", "--quiet"]
    run = [ON_STAND_IN, *words, "--max-time", "0.01", "--no-baseline", "--output", "quick/a.json"]
    subprocess.run(run, check=True, **program)
    quick = tmp_path / "quick" / "a.json"
    quick.write_text(re.sub(r"\b1000\b", "4000000", quick.read_text()))
    check = [ON_STAND_IN, "check", "--expected", "quick", "--keep", "kept", "--force"]
    subprocess.run([*check, "--budget", "12s"], check=False, **program)
    (kept,) = (tmp_path / "kept").iterdir()
    cases = json.loads(kept.read_text())["cases"]
    assert {case["size"] for case in cases if "device" in case["parameters"]} == {"4000000"}


def test_it_needs_no_environment_and_leaves_nothing(recorded, tmp_path):
    slow = reference(tmp_path / "slow", recorded, MUCH)
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(0o555)
    begin = time.monotonic()
    done = subprocess.run(
        [BENCH, "check", "--expected", slow, "--force", "--budget", "5s"],
        cwd=place,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    assert time.monotonic() - begin < 30  # with the start of the process on a busy machine
    line = line_of(done, done.returncode)
    assert done.returncode in (0, 4), line  # all of it, or nothing, fits into the budget
    assert list(place.iterdir()) == []


def test_a_budget_that_is_too_short_for_anything_is_not_fine(bench, recorded, tmp_path):
    slow = reference(tmp_path / "slow", recorded, MUCH)
    line_of(bench("check", "--expected", slow, "--force", "--budget", "0.02s"), 4)


def waits_for(number, pid):
    """Blocked: a thread of the process takes it."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^SigBlk:\s*(\w+)", status, re.MULTILINE)[1], 16) >> (number - 1) & 1


def test_term_ends_it(recorded, tmp_path):
    slow = reference(tmp_path / "slow", recorded, MUCH)
    place = tmp_path / "place"
    place.mkdir()
    process = subprocess.Popen(
        [BENCH, "check", "--expected", slow, "--force"],
        cwd=place,
        env={**os.environ, "TMPDIR": str(place)},
        stdout=subprocess.PIPE,
        text=True,
    )
    while not waits_for(signal.SIGTERM, process.pid):
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGTERM
    assert len(out.splitlines()) == 1
    assert list(place.iterdir()) == []


def test_one_at_a_time(bench, recorded, tmp_path):
    folder = reference(tmp_path / "same", recorded)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as lock:
        lock.bind("\0bench-check")
        assert " BUSY another check runs" in line_of(bench("check", "--expected", folder), 0)


def test_it_does_not_measure_beside_others(bench, recorded, tmp_path):
    folder = reference(tmp_path / "same", recorded)
    work = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    count = 4 + len(os.sched_getaffinity(0)) // 8
    others = [subprocess.Popen(work, stdout=subprocess.PIPE) for _ in range(count)]
    try:
        for one in others:
            one.stdout.readline()
        line = line_of(bench("check", "--expected", folder, "--keep", "kept"), 0)
    finally:
        for one in others:
            one.kill()
            one.wait()
    assert " BUSY " in line
    assert "tasks run: not measured" in line
    assert not (tmp_path / "kept").exists()


def test_metrics_are_what_prometheus_reads(bench, recorded, tmp_path):
    fast = reference(tmp_path / "fast", recorded, 1 / MUCH)
    (tmp_path / "m.prom").write_text("old")
    line_of(bench("check", "--expected", fast, "--metrics", "m.prom", *FORCE), 3)
    text = (tmp_path / "m.prom").read_text()
    for parse in (parser, openmetrics):
        found = {
            (sample.name, sample.labels.get("status") or sample.labels.get("part")): sample.value
            for family in parse.text_string_to_metric_families(text)
            for sample in family.samples
        }
        assert found["bench_check_status", "SLOW"] == 1
        assert found["bench_check_status", "OK"] == 0
        assert found["bench_check_exit_code", None] == 3
        assert found["bench_check_ratio", "cores"] > 100
        assert found["bench_check_passes", "cores"] > 1, "SLOW needs a second measurement"
        assert abs(found["bench_check_end_timestamp_seconds", None] - time.time()) < 100
    dashboard = json.loads((ROOT / "jobs" / "grafana.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = (ROOT / "jobs" / "alerts.yml").read_text()
    asked += re.findall(r"expr: (.*)", rules)
    assert len(asked) > 6
    asked += [one["query"] for one in dashboard["templating"]["list"] if one["type"] == "query"]
    drawn = set(re.findall(r"bench_check_\w+", " ".join(asked)))
    assert drawn, "something is drawn"
    assert drawn <= {name for name, _ in found}, "and each is written"
    words = {word for name, word in found if name == "bench_check_status"}
    assert set(re.search(r'status=~"([^"]+)"', asked[0]).group(1).split("|")) <= words
    line_of(bench("check", "--metrics", "m.prom"), 4)
    assert 'status="UNKNOWN"} 1' in (tmp_path / "m.prom").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fast", "m.prom"]
    assert bench("check", "--metrics", "none/m.prom").returncode == 2


def limited(*words, cwd, kind, most):
    def limit():
        resource.setrlimit(kind, (most, most))

    command = [BENCH, "check", *map(str, words), *FORCE]
    run = {"cwd": cwd, "capture_output": True, "text": True}
    return subprocess.run(command, preexec_fn=limit, check=False, **run)


@pytest.mark.parametrize(("factor", "code"), [(MUCH, 0), (1 / MUCH, 3)])
def test_a_full_disk_changes_no_answer(recorded, tmp_path, factor, code):
    folder = reference(tmp_path / "reference", recorded, factor)
    words = ["--expected", folder, "--metrics", "m.prom"]
    done = limited(*words, cwd=tmp_path, kind=resource.RLIMIT_FSIZE, most=0)
    assert "cannot write m.prom: " in done.stderr
    # Beside other work not everything is measured in time.
    words = (" SLOW ",) if code else (" OK ", " UNCLEAR ")
    assert any(word in line_of(done, code) for word in words)


def test_what_cannot_be_kept_is_no_wrong_result(recorded, tmp_path):
    folder = reference(tmp_path / "slow", recorded, MUCH)
    words = ["--expected", folder, "--keep", "kept"]
    done = limited(*words, cwd=tmp_path, kind=resource.RLIMIT_FSIZE, most=1000)
    assert "cannot write" in done.stderr
    assert done.returncode != 1


def test_without_memory_a_node_is_not_fine(recorded, tmp_path):
    folder = reference(tmp_path / "slow", recorded, MUCH)
    done = limited(
        "--expected",
        folder,
        "--metrics",
        "m.prom",
        cwd=tmp_path,
        kind=resource.RLIMIT_AS,
        most=280_000_000,
    )
    assert re.search(r" UNCLEAR (copy|hypot) \(memory\) not compared, ", line_of(done, 0))
    assert 'status="OK"} 0' in (tmp_path / "m.prom").read_text()


def test_a_bad_file_of_the_reference_is_left_out(bench, recorded, tmp_path):
    folder = reference(tmp_path / "slow", recorded, MUCH, count=3)
    (folder / "zz.json").write_text('{"schema": "bench-rep')
    done = bench("check", "--expected", folder, *FORCE)
    line = line_of(done, 0)
    assert " OK " in line
    assert ", 1 of the reference unread" in line
    assert "left out of the reference: " in done.stderr
    for file in folder.glob("r*.json"):
        file.unlink()
    assert " UNKNOWN " in line_of(bench("check", "--expected", folder, *FORCE), 4)
    gone = bench("check", "--expected", "gone", "--metrics", "m.prom")
    assert " UNKNOWN --expected gone: does not exist" in line_of(gone, 4)
    assert 'status="UNKNOWN"} 1' in (tmp_path / "m.prom").read_text()


def test_anybody_reads_the_metrics_and_when_the_last_verdict_was(bench, recorded, tmp_path):
    fast = reference(tmp_path / "fast", recorded, 1 / MUCH)
    before = os.umask(0o077)
    try:
        bench("check", "--expected", fast, "--metrics", "m.prom", *FORCE)
    finally:
        os.umask(before)
    metrics = tmp_path / "m.prom"
    assert metrics.stat().st_mode & 0o777 == 0o644
    verdict = re.search("bench_check_verdict_timestamp_seconds{.*", metrics.read_text()).group()
    assert abs(float(verdict.split()[1]) - time.time()) < 100
    metrics.write_text(re.sub("(_timestamp_seconds{.*} ).*", r"\g<1>1000", metrics.read_text()))
    line_of(bench("check", "--metrics", "m.prom"), 4)
    text = metrics.read_text()
    assert re.search("bench_check_verdict_timestamp_seconds{.*} 1000\n", text)
    assert not re.search("bench_check_end_timestamp_seconds{.*} 1000\n", text)


def test_only_what_was_not_disturbed_is_learnt(bench, recorded, tmp_path):
    folder = reference(tmp_path / "nodes", recorded, count=3)
    busy = json.loads((folder / "r0.json").read_text())
    for case in busy["cases"]:
        if case["seconds"]:
            case["seconds"]["preempted"] = case["rounds"]
    (folder / "busy.json").write_text(json.dumps(busy))
    other = [BENCH, "energy/openmp", "--size", "1e4", "--max-time", "0.1", "--quiet"]
    subprocess.run([*other, "--output", folder / "other.json"], check=True)
    learn = ["check", "--learn", "nodes", "--keep"]
    made = bench(*learn, "made")
    assert ": 3 files of 3 runs, " in made.stdout, made.stderr
    assert re.search(r"cores ± \d+\.\d % \(finds a node from 1\.\d\dx on\)", made.stdout)
    assert re.search(r"left out: \S*busy.json: 100 % of its samples waited", made.stderr)
    assert re.search(r"left out: \S*other.json: has no time of copy", made.stderr)
    assert ": 4 files of 4 runs, " in bench(*learn, "forced", "--force").stdout
    apart = tmp_path / "apart"
    for number in range(3):
        reference(apart, recorded, 3**number)
        (apart / "r0.json").rename(apart / f"r{number}-{number}.json")
    refused = bench("check", "--learn", "apart", "--keep", "none")
    assert refused.returncode == 2
    assert "would find a node from " in refused.stderr
    assert not (tmp_path / "none").exists()
    assert bench("check", "--learn", "apart", "--keep", "some", "--force").returncode == 0


def test_a_reference_is_learnt_from_many_nodes(bench, recorded, tmp_path):
    reference(tmp_path / "nodes-1", recorded, MUCH, count=20)
    reference(tmp_path / "nodes-2", recorded, MUCH, count=3)
    for words in (["nodes-1", "nodes-2"], ["nodes-*"]):
        made = bench("check", "--learn", *words, "--keep", f"made{len(words)}")
        assert made.returncode == 0, made.stderr
        first, last = made.stdout.splitlines()
        assert ": 15 files of 23 runs, " in first
        assert "cores ± " in first
        assert f"check --expected made{len(words)}" in last
    assert len(list((tmp_path / "made1").iterdir())) == 15
    line_of(bench("check", "--expected", "made1", *FORCE), 0)
    again = bench("check", "--learn", "nodes-1", "--keep", "made1")
    assert again.returncode == 2
    assert "made1: holds files already" in again.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--budget", "0"], "--budget 0: "),
        (["results"], "check results: is for --learn"),
        (["--learn", "."], "--learn: name the folder of the reference"),
        (["--self-test", "1"], "--self-test 1: must be above 1"),
        (["--self-test", "2", "--metrics", "m.prom"], "exclude each other"),
        (["--sustained", "--keep", "kept"], "exclude each other"),
    ],
)
def test_what_cannot_be_used_is_refused(bench, words, message):
    done = bench("check", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_nagios_gets_its_unknown(bench):
    assert " UNKNOWN --expected none: " in line_of(
        bench("check", "--expected", "none", "--nagios"), 3
    )
    # Behind a bar it expects figures.
    assert " UNKNOWN --expected no/where: " in line_of(
        bench("check", "--expected", "no|where", "--nagios"), 3
    )


def test_a_job_of_slurm_is_left_alone(bench, recorded, tmp_path):
    """Its daemon has this title on each node."""
    folder = reference(tmp_path / "same", recorded)
    program = pathlib.Path("/bin/sleep")
    daemon = subprocess.Popen(["slurmstepd: [77.batch]", "200"], executable=program)
    words = ["check", "--expected", folder, "--budget", "0.02s"]
    try:
        done = subprocess.run([BENCH, *words], capture_output=True, text=True, check=False)
        assert OF_A_JOB.search(line_of(done, 0))
        assert not OF_A_JOB.search(bench(*words, SLURM_JOB_ID="77").stdout)
    finally:
        daemon.kill()
        daemon.wait()
