"""scripts/limits.py measures, at sizes that say nothing, and prints every goal."""

import json
import os
import pathlib
import subprocess
import sys

LIMITS = pathlib.Path(__file__).with_name("limits.py")


def limits(*arguments, **environment):
    return subprocess.run(
        [sys.executable, LIMITS, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_WAIT_POLICY": "passive", **environment},
    )


def test_every_goal_is_held_against_what_was_measured(tmp_path):
    done = limits("--quick", "--passes", 1, "--folder", tmp_path)
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
    again = limits("--print", tmp_path)
    assert again.stdout == done.stdout


def test_an_empty_folder_says_what_to_do(tmp_path):
    done = limits("--print", tmp_path)
    assert done.returncode != 0
    assert "scripts/limits.sh" in done.stderr


def test_a_wrong_program_is_no_result(tmp_path):
    done = limits("--quick", "--passes", 1, "--folder", tmp_path, BENCH_BINARY="/bin/false")
    assert done.returncode != 0
    assert "ended with 1" in done.stderr


def with_a_gpu(folder):
    """As if the default maps and histograms had been measured on a GPU whose vendor's copy is a
    little faster than ours."""
    sys.path.insert(0, str(LIMITS.parent / "pictures"))
    import synthetic

    document = json.dumps(synthetic.with_gpu())
    for name in ("maps", "gpu-maps", "gpu-counting"):
        (folder / f"1-{name}.json").write_text(document)


def rows_of(text, title):
    section = text[text.index(title) :].split("\n\n")[0]
    return [line.split() for line in section.splitlines()[1:]]


def test_a_library_is_never_taken_for_ours(tmp_path):
    with_a_gpu(tmp_path)
    shown = limits("--print", tmp_path)
    assert shown.returncode == 0, shown.stderr
    (copy,) = (row for row in rows_of(shown.stdout, "GPU, f32\n") if row[0] == "copy")
    # 97 % of the device's bandwidth against 99 %.
    assert 0.97 < float(copy[5]) < 0.99


def test_each_rung_is_held_against_the_one_above(tmp_path):
    with_a_gpu(tmp_path)
    rows = rows_of(limits("--print", tmp_path).stdout, "each rung against the one above")
    assert ["energy:", "grid_stride"] in [row[:2] for row in rows]
    assert {row[-1] for row in rows} <= {"met", "missed"}
