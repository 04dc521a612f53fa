"""scripts/limits.py measures, at sizes that say nothing, and prints every goal."""

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
