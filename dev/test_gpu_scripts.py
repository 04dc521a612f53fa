"""The scripts for a node with a GPU: what they say on one without."""
# CTest: full

import fnmatch
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = pathlib.Path(os.environ.get("BENCH_BINARY", ROOT / "build" / "bench"))


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The folder of a build with CUDA, on a node without a device."""
    command = [BENCH, "copy/cuda/wide", "--size", "1", "--output", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    context = json.loads(done.stdout)["context"]
    if context["build"]["cuda"] is None:
        pytest.skip("built without CUDA")
    if context["machine"]["gpu"]:
        pytest.skip("there is a GPU: run the scripts themselves")
    return BENCH.parent


def run(script, *arguments):
    return subprocess.run(
        [ROOT / "dev" / script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_gpu_tests_are_skipped_with_their_reason(programs, tmp_path):
    done = run("gpu_tests.sh", programs, tmp_path)
    passed, failed, skipped = map(int, done.stdout.split()[::2])
    assert done.returncode == 0, done.stderr
    assert failed == 0
    assert skipped > 2 * passed > 0  # few tests need no device
    assert "no device: " in done.stderr
    assert (tmp_path / "kernels_gpu_test.log").exists()


def test_a_round_without_a_gpu_ends_at_once_with_the_reason(programs, tmp_path):
    done = run("gpu_round.sh", tmp_path / "out", programs)
    assert done.returncode == 1
    assert "no GPU to use: no device: " in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("script", ["gpu_round.sh", "gpu_tests.sh", "pack.sh"])
def test_usage(script):
    done = run(script)
    assert done.returncode == 1
    assert f"usage: {script} " in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["gpu_round.sh", "out", "--within", "soon"], "--within soon: a number of seconds"),
        (["gpu_round.sh", "out", "--only"], "--only: names of steps are needed"),
        (
            ["gpu_tests.sh", ".", "logs", "everything"],
            "everything: no such part",
        ),
        (["pack.sh", "folder", "--arch", "hopper"], "--arch hopper: the number of an architecture"),
    ],
)
def test_bad_options(arguments, complaint, tmp_path):
    script = ROOT / "dev" / arguments[0]
    done = subprocess.run(
        [script, *arguments[1:]], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 1
    assert complaint in done.stderr


LISTING = """#!/bin/bash
exec {program} "$@" --gtest_list_tests
"""


def listed(log):
    """The tests in a list of GoogleTest, by their full names."""
    suite, names = "", set()
    for line in log.read_text().splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.add(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return names


def test_each_test_belongs_to_a_part(programs, tmp_path):
    """What each part would run: instead of running them, the programs list their tests."""
    tests = {"kernels_gpu_test": "kernels", "harness_gpu_test": "harness/cuda/test"}
    for name, folder in tests.items():
        (tmp_path / name).write_text(LISTING.format(program=programs / folder / name))
        (tmp_path / name).chmod(0o755)
    run("gpu_tests.sh", tmp_path, tmp_path, "harness", "kernels", "huge", "lost")
    parts = {log.stem: listed(log) for log in tmp_path.glob("*.log")}
    assert all(parts.values()), parts
    for name, folder in tests.items():
        command = [programs / folder / name, "--gtest_list_tests"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        (tmp_path / "all").write_text(done.stdout)
        found = [of for part, of in parts.items() if part.startswith(name)]
        assert listed(tmp_path / "all") == set().union(*found)
        assert sum(map(len, found)) == len(set().union(*found)), "a test belongs to two parts"
    huge = parts["kernels_gpu_test-huge"]
    assert any("HugeArrays" in test for test in huge)
    assert any("HugeCopy" in test for test in huge)
    assert sum("LosesTheDevice" in part or "ALostDevice" in part for part in parts) >= 2
    # The sanitizers look at the kernels at awkward sizes.
    assert any(fnmatch.fnmatch(test, "*Cuda*Conformance.S*") for test in parts["kernels_gpu_test"])


def test_a_part_that_runs_no_test_has_failed(tmp_path):
    program = tmp_path / "kernels_gpu_test"
    program.write_text('#!/bin/bash\necho "[==========] 0 tests from 0 test suites ran."\n')
    program.chmod(0o755)
    done = run("gpu_tests.sh", tmp_path, tmp_path, "huge")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"


SHARD = """#!/bin/bash
echo "[ RUN      ] part $GTEST_SHARD_INDEX of $GTEST_TOTAL_SHARDS"
echo "[  PASSED  ] $((GTEST_SHARD_INDEX + 1)) tests."
[[ $GTEST_SHARD_INDEX != 2 ]] || { echo "[  FAILED  ] 1 test, listed below:"; exit 1; }
"""


def test_several_processes_share_the_tests_of_kernels(tmp_path, monkeypatch):
    monkeypatch.setenv("GPU_TEST_SHARDS", "3")
    program = tmp_path / "kernels_gpu_test"
    program.write_text(SHARD)
    program.chmod(0o755)
    done = run("gpu_tests.sh", tmp_path, tmp_path, "kernels")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "6 passed, 1 failed, 0 skipped"
    log = (tmp_path / "kernels_gpu_test.log").read_text()
    assert all(f"part {i} of 3" in log for i in range(3))


def test_no_device_where_there_is_to_be_one_is_a_failure(programs, tmp_path, monkeypatch):
    monkeypatch.setenv("BENCH_EXPECT_DEVICE", "1")
    done = run("gpu_tests.sh", programs, tmp_path, "harness")
    assert done.returncode == 1
    assert "no device: " in (tmp_path / "harness_gpu_test.log").read_text()


# ---- a round, with programs that only look as if there were a GPU ----

FAKE_BENCH = """#!/bin/bash
here=$(dirname "$0")
echo "$*" >>"$here/calls"
if [[ $1 == doctor ]]; then
  # The goals find no GPU: they would need gigabytes.
  gpu=null
  [[ $(readlink /proc/$$/fd/1) != */first.txt ]] || gpu='{"name": "made up"}'
  echo '{"context": {"machine": {"gpu": '"$gpu"', "gpu_reason": null}}}'
  exit
fi
[[ " $* " != *" --dtype f64 "* ]] || exit 1
[[ "$*" =~ --(output|resume)\\ ([a-z0-9-]+)\\.json ]] || exit 0
name=${BASH_REMATCH[2]}
if [[ -e $here/hangs-$name ]]; then
  cat "$here/hangs-$name" >"$name.json"
  sleep 100
fi
if [[ -e $here/writes-$name ]]; then
  cat "$here/writes-$name" >"$name.json"
else
  echo '{"context": {"run": {"finished": true}}, "cases": []}' >"$name.json"
fi
"""
FAKE_TESTS = """#!/bin/bash
[[ ! -e $(dirname "$0")/hangs-tests ]] || { echo $$ >"$(dirname "$0")/process"; exec sleep 100; }
echo "[  PASSED  ] 3 tests."
"""


@pytest.fixture
def fakes(tmp_path):
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("bench", "harness_gpu_test", "kernels_gpu_test"):
        (folder / name).write_text(FAKE_BENCH if name == "bench" else FAKE_TESTS)
        (folder / name).chmod(0o755)
    (folder / "hangs-course").touch()
    return folder


def measured(fakes):
    """How often each result file was asked for."""
    calls = (fakes / "calls").read_text()
    names = re.findall(r"--(?:output|resume) (\S+)\.json", calls)
    return {name: names.count(name) for name in ("default", "course", "f64", "hot", "sweep")}


def archived(out):
    with tarfile.open(f"{out}.tar.gz") as archive:
        return {pathlib.Path(name).name for name in archive.getnames()}


def test_a_step_that_fails_or_hangs_costs_its_own_time_only(fakes, tmp_path):
    out = tmp_path / "out"
    first = run("gpu_round.sh", out, fakes, "--step", 4)
    assert first.returncode == 1, first.stderr
    steps = (out / "steps.txt").read_text()
    assert "FAILED (1)" in next(line for line in steps.splitlines() if line.startswith("f64 "))
    course = next(line for line in steps.splitlines() if "course " in line)
    assert re.search(r"ended after \d+ s$", course)
    assert first.stdout.splitlines()[-1].endswith(" 0 left")
    documents = {"default.json", "hot.json", "sweep.json", "blocks.json", "lesson.json", "gpu.json"}
    assert documents | {"steps.txt"} <= archived(out)
    # Nothing is done twice, and what failed is not forgotten.
    before = measured(fakes)
    again = run("gpu_round.sh", out, fakes, "--step", 4)
    assert again.returncode == 1
    assert again.stdout == first.stdout
    assert measured(fakes) == before


def test_steps_are_chosen_by_their_names(fakes, tmp_path):
    out = tmp_path / "out"
    done = run("gpu_round.sh", out, fakes, "--only", "sweep,ho*")
    assert done.stdout.splitlines()[-1] == "2 steps, 0 failed, 0 left", done.stderr
    assert measured(fakes) == {"default": 0, "course": 0, "f64": 0, "hot": 1, "sweep": 1}
    wrong = run("gpu_round.sh", out, fakes, "--only", "sweeep")
    assert wrong.returncode == 1
    assert "--only sweeep: there is no such step" in wrong.stderr


def test_a_round_stops_in_time_and_goes_on_when_called_again(fakes, tmp_path):
    out = tmp_path / "out"
    first = run("gpu_round.sh", out, fakes, "--within", 14, "--step", 20)
    assert first.returncode == 75, first.stderr
    assert "the same command continues it" in first.stderr
    assert "course" not in {path.name for path in (out / "done").iterdir()}
    begun_before = measured(fakes)["course"]  # a busy machine may not have come so far
    (fakes / "hangs-course").unlink()
    again = run("gpu_round.sh", out, fakes, "--step", 4)
    assert again.returncode == 1  # f64
    assert measured(fakes)["default"] == 1
    assert measured(fakes)["course"] == begun_before + 1
    assert "course.json" in archived(out)


def test_a_round_that_was_killed_loses_only_its_last_step(fakes, tmp_path):
    out = tmp_path / "out"
    command = [ROOT / "dev" / "gpu_round.sh", out, fakes]
    with subprocess.Popen(
        command, start_new_session=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as killed:
        until = time.monotonic() + 60
        while time.monotonic() < until and not (fakes / "calls").exists():
            time.sleep(0.1)
        while time.monotonic() < until and measured(fakes)["course"] == 0:
            time.sleep(0.1)
        os.killpg(killed.pid, signal.SIGKILL)
    assert "default.json" in archived(out)
    (fakes / "hangs-course").unlink()
    again = run("gpu_round.sh", out, fakes, "--step", 4)
    assert again.stdout.splitlines()[-1].endswith(" 0 left"), again.stderr
    assert measured(fakes)["default"] == 1
    assert measured(fakes)["course"] >= 2


def begun(fakes):
    """The result files in the order in which they were begun or gone on with."""
    return re.findall(r"--(?:output|resume) (\S+)\.json", (fakes / "calls").read_text())


UNFINISHED = '{"context": {"run": {"finished": false}}, "cases": [], "also": {"verification":{}}}'


def test_what_came_further_goes_on_where_it_was(fakes, tmp_path):
    out = tmp_path / "out"
    (fakes / "hangs-course").unlink()
    (fakes / "hangs-default").write_text(UNFINISHED)
    first = run("gpu_round.sh", out, fakes, "--within", 16, "--step", 32)
    assert first.returncode == 75, first.stderr
    (fakes / "hangs-default").unlink()
    run("gpu_round.sh", out, fakes, "--step", 4)
    assert begun(fakes)[:3] == ["default", "default", "lesson"]
    calls = (fakes / "calls").read_text()
    assert calls.count("--resume default.json") == 1
    assert calls.count("--output default.json") == 1


def test_variants_after_a_lost_device_are_measured_again(fakes, tmp_path):
    """Calls do not tell where they were made, and what cannot be read is left out."""
    out = tmp_path / "out"
    (fakes / "hangs-course").unlink()
    case = {"workload": "energy", "backend": "cuda", "variant": "wide", "status": "skipped"}
    lost = "device lost: copy/cuda/wide"
    document = {
        "context": {"run": {"finished": True}},
        "cases": [{**case, "reason": lost}],
        "reasons": {lost: {"key": "device_lost", "values": ["copy/cuda/wide"]}},
    }
    (fakes / "writes-hot").write_text(json.dumps(document))
    unreadable = f'{shutil.which("tar")} "$@"\necho "tar: x: Cannot open" >&2\nexit 2\n'
    (fakes / "tar").write_text(f"#!/bin/bash\n{unreadable}")
    (fakes / "tar").chmod(0o755)
    done = run("gpu_round.sh", out, fakes, "--step", 4)
    calls = (fakes / "calls").read_text().splitlines()
    again = "energy/cuda/wide --cache hot --backend cuda --output hot-again.json --no-progress"
    assert calls.count(again) == 1
    assert {"hot-again.json", "steps.txt", "everything.json"} <= archived(out)
    assert "tar: x: Cannot open" in done.stderr
    assert not [call for call in calls if " /" in call or str(tmp_path) in call]


def test_an_archive_that_fails_does_not_end_a_round(fakes, tmp_path):
    out = tmp_path / "out"
    (fakes / "hangs-course").unlink()
    (fakes / "tar").write_text("#!/bin/bash\necho 'tar: full' >&2\nexit 2\n")
    (fakes / "tar").chmod(0o755)
    first = run("gpu_round.sh", out, fakes, "--step", 4)
    assert first.stdout.splitlines()[-1].endswith(" 0 left"), first.stderr
    assert "gpu_round: tar: full" in first.stderr
    assert "out.tar.gz was not written again" in first.stderr
    assert not list(tmp_path.glob("out.tar.gz*"))


def test_a_test_that_hangs_is_ended_with_its_step(fakes, tmp_path):
    (fakes / "hangs-course").unlink()
    (fakes / "hangs-tests").touch()
    done = run("gpu_round.sh", tmp_path / "out", fakes, "--within", 20, "--step", 2)
    assert re.search(r"harness +\d+ s  ended after \d+ s\n", done.stderr), done.stderr
    process = int((fakes / "process").read_text())
    until = time.monotonic() + 10
    while time.monotonic() < until and pathlib.Path(f"/proc/{process}").exists():
        time.sleep(0.1)
    assert not pathlib.Path(f"/proc/{process}").exists()


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ("echo library missing >&2; exit 3", "bench does not run here: library missing"),
        ("exit 3", "bench does not run here: it ended with 3 and said nothing"),
        ("""echo '{"gpu": null, "gpu_reason": "no driver"}'""", "no GPU to use: no driver"),
        ("""echo '{"gpu": null, "gpu_reason": null}'""", "no GPU to use: bench says no reason"),
    ],
)
def test_a_round_that_cannot_begin_says_why(says, reason, fakes, tmp_path):
    (fakes / "bench").write_text(f"#!/bin/bash\n{says}\n")
    done = run("gpu_round.sh", tmp_path / "out", fakes)
    assert done.returncode == 1
    assert done.stderr == f"gpu_round: {reason}\n"


def test_clocks_are_watched_as_long_as_a_round_lasts(fakes, tmp_path, monkeypatch):
    watcher = tmp_path / "bin" / "nvidia-smi"
    watcher.parent.mkdir()
    watcher.write_text("#!/bin/bash\n[[ $* == *--loop* ]] || exit 0\necho $$\nexec sleep 600\n")
    watcher.chmod(0o755)
    monkeypatch.setenv("PATH", f"{watcher.parent}:{os.environ['PATH']}")
    (fakes / "hangs-course").unlink()
    out = tmp_path / "out"
    run("gpu_round.sh", out, fakes, "--step", 4)
    assert "clocks.csv" in archived(out)
    process = int((out / "clocks.csv").read_text())
    assert not pathlib.Path(f"/proc/{process}").exists()
