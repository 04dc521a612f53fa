"""dev/goals.py measures, at sizes that say nothing, and prints every goal."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

GOALS = pathlib.Path(__file__).with_name("goals.py")
BENCH = os.environ.get("BENCH_BINARY", GOALS.parents[1] / "build" / "bench")


def goals(*arguments, **environment):
    return subprocess.run(
        [sys.executable, GOALS, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_WAIT_POLICY": "passive", **environment},
    )


@pytest.mark.skipif(
    importlib.util.find_spec("numba") is None,
    reason="numba is not installed (scripts/setup.sh all)",
)
def test_every_goal_is_held_against_what_was_measured(tmp_path):
    done = goals("--quick", "--passes", 1, "--folder", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if "≥" in line or "≤" in line]
    assert len(rows) > 50
    missing = [row for row in rows if row.endswith("not measured")]
    verdicts = [row.split()[-1] for row in rows if row not in missing]
    assert set(verdicts) <= {"met", "missed"}
    gpu = done.stdout[done.stdout.index("GPU, f32") :]
    assert all(row in gpu for row in missing)
    assert max(map(len, done.stdout.splitlines())) <= 80
    # What is there is not measured again.
    again = goals("--print", tmp_path)
    assert again.stdout == done.stdout


def test_an_empty_folder_says_what_to_do(tmp_path):
    done = goals("--print", tmp_path)
    assert done.returncode != 0
    assert "dev/goals.py" in done.stderr


def test_a_wrong_program_is_no_result(tmp_path):
    done = goals("--quick", "--passes", 1, "--folder", tmp_path, BENCH_BINARY="/bin/false")
    assert done.returncode != 0
    assert "ended with 1" in done.stderr


def with_a_gpu(folder):
    """A result as if the default maps and histograms had been measured on a GPU whose vendor's copy
    is a little faster than ours.
    """
    import synthetic

    document = json.dumps(synthetic.with_gpu())
    for name in ("maps", "gpu-maps", "gpu-counting"):
        (folder / f"1-{name}.json").write_text(document)


def rows_of(text, title):
    section = text[text.index(title) :].split("\n\n")[0]
    return [line.split() for line in section.splitlines()[1:]]


def test_a_library_is_never_taken_for_ours(tmp_path):
    with_a_gpu(tmp_path)
    shown = goals("--print", tmp_path)
    assert shown.returncode == 1, "other runs are missing"
    assert "pass 1: not measured: counting, turning, " in shown.stdout
    (copy,) = (row for row in rows_of(shown.stdout, "GPU, f32\n") if row[0] == "copy")
    # 97 % of the device's bandwidth against 99 %.
    assert 0.97 < float(copy[5]) < 0.99


def test_each_rung_is_held_against_the_one_above(tmp_path):
    with_a_gpu(tmp_path)
    rows = rows_of(goals("--print", tmp_path).stdout, "each rung against the one above")
    assert ["energy:", "grid_stride"] in [row[:2] for row in rows]
    assert {row[-1] for row in rows} <= {"met", "missed"}


# ---- what may happen while it measures, with a program that only writes result files ----

WRITES = """#!{python}
import json, os, pathlib, sys
here, words = pathlib.Path(__file__).parent, sys.argv[1:]
if words[0] == "table":
    os.execv("{bench}", ["bench", *words])
if words[0] == "doctor":
    print('{{"context": {{"machine": {{"gpu": {{"name": "made up"}}}}}}}}')
    sys.exit()
with open(here / "calls", "a") as calls:
    print(*words, file=calls)
if words[0] == "--resume" and (here / "elsewhere").exists():
    sys.exit(2)
name = words[words.index("--resume" if words[0] == "--resume" else "--output") + 1]
assert not pathlib.Path(name).exists() or words[0] == "--resume", name
special = here / pathlib.Path(name).name
document = json.loads((special if special.exists() else here / "document").read_text())
pathlib.Path(name).write_text(json.dumps(document))
sys.exit(any(case["status"] == "failed" for case in document["cases"]))
"""


def synthetic(status=None, reason=None, finished=True, other=None):
    """A result file with a GPU; a status other than measured is that of energy/cuda/wide, or, as
    `other` has it, of more."""
    import synthetic

    document = synthetic.with_gpu()
    not_measured = {"energy/cuda/wide": (status, reason)} if status else {}
    not_measured |= other or {}
    for case in document["cases"]:
        name = "/".join(case["name"].split("/")[:3])
        if name in not_measured:
            status, reason = not_measured[name]
            case.update(status=status, reason=reason, seconds=None, gb_per_s=None, rounds=None)
    document["context"]["run"]["finished"] = finished
    return json.dumps(synthetic.settled(document))


@pytest.fixture
def writes(tmp_path):
    """(folder of the program, folder of its result files, runs of both maps and lessons)"""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "bench").write_text(WRITES.format(python=sys.executable, bench=BENCH))
    (folder / "bench").chmod(0o755)
    (folder / "document").write_text(synthetic())
    documents = tmp_path / "goals"
    documents.mkdir()

    def measure():
        done = goals(
            *("--quick", "--gpu", "--passes", 1, "--only", "gpu-maps*,gpu-lines"),
            *("--folder", documents),
            BENCH_BINARY=str(folder / "bench"),
        )
        calls = folder / "calls"
        return done, calls.read_text().splitlines() if calls.exists() else []

    return folder, documents, measure


def test_a_wrong_rung_is_said_at_the_end_and_costs_no_other_goal(writes):
    folder, documents, measure = writes
    (folder / "1-gpu-maps.json").write_text(synthetic("failed", "off by one"))
    done, calls = measure()
    assert done.returncode == 1
    assert len(calls) == 3
    assert {path.stem for path in documents.iterdir()} == {
        *("1-gpu-maps", "1-gpu-lines", "1-gpu-maps-f64")
    }
    assert "GPU, f64" in done.stdout
    assert re.search("1-gpu-maps: energy/cuda/wide/.*: off by one", done.stdout.splitlines()[-1])
    again, calls = measure()
    assert (again.returncode, again.stdout, len(calls)) == (1, done.stdout, 3)


def test_what_was_cut_is_gone_on_with_and_comes_last(writes):
    _, documents, measure = writes
    (documents / "1-gpu-maps.json").write_text(synthetic(finished=False))
    printed = goals("--print", documents)
    assert printed.returncode == 1
    assert "1-gpu-maps: not finished" in printed.stdout
    done, calls = measure()
    assert done.returncode == 0, done.stdout
    assert len(calls) == 3
    assert calls[-1].startswith("--resume 1-gpu-maps.json")
    assert "not finished" not in done.stdout


def test_what_another_node_began_is_kept_and_measured_again(writes):
    folder, documents, measure = writes
    (folder / "elsewhere").touch()
    (documents / "1-gpu-maps.json").write_text(synthetic(finished=False))
    done, calls = measure()
    assert done.returncode == 0, done.stdout
    assert [call.split()[0] for call in calls[-2:]] == ["--resume", "copy/cuda*"]
    assert (documents / "1-gpu-maps.begun").exists()


def test_what_a_lost_device_took_along_is_measured_again_once(writes):
    folder, _, measure = writes
    lost = "device lost: copy/cuda/wide: illegal address"
    killer = {"copy/cuda/wide": ("failed", "illegal address")}
    document = json.loads(synthetic("skipped", lost, other=killer))
    document["reasons"][lost] = {
        "key": "device_lost",
        "values": ["copy/cuda/wide: illegal address"],
    }
    (folder / "1-gpu-maps.json").write_text(json.dumps(document))
    done, calls = measure()
    assert done.returncode == 1, done.stdout
    assert "illegal address" in done.stdout.splitlines()[-1]
    (again,) = (call for call in calls if "1-gpu-maps-again.json" in call)
    assert again.startswith("energy/cuda/wide --no-baseline --scope kernel --size ")
    energy = next(line for line in done.stdout.splitlines() if line.startswith("  energy "))
    assert "not measured" not in energy
    assert len(measure()[1]) == len(calls)


def test_documents_do_not_tell_where_they_were_made(writes):
    _, documents, measure = writes
    _, calls = measure()
    assert calls
    assert not any(str(documents.parent) in call or " /" in call for call in calls)


def test_the_recorded_goals_are_what_is_printed_of_the_recorded_documents():
    folder = GOALS.parents[1] / "results" / "reference" / "0.1.0" / "h200"
    assert goals("--gpu", "--print", folder).stdout == (folder / "goals.txt").read_text()
