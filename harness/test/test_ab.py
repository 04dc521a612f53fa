"""Two versions in the same rounds, as users call it. Times are those of sleeping commands."""
# CTest: release

import json
import os
import subprocess

import pytest

from conftest import BENCH

SHORT = ["--max-time", "5"]
AS_LONG_AS_IT_TAKES = ["--max-time", "300"]  # commands stop once they can be distinguished


def test_a_slower_command_is_found(bench):
    told = bench("ab", "sleep 0.01", "sleep 0.2", *AS_LONG_AS_IT_TAKES)
    assert told.returncode == 3, told.stderr
    assert "SLOWER" in told.stdout


def test_a_faster_one_is_fine_and_markdown_is_a_table(bench):
    told = bench("ab", "sleep 0.2", "sleep 0.01", *AS_LONG_AS_IT_TAKES, "--format", "markdown")
    assert told.returncode == 0, told.stderr
    head, rule, row = told.stdout.splitlines()
    assert row.endswith("| faster |")
    assert head.count("|") == rule.count("|") == row.count("|")


def test_what_cannot_be_told_says_how_long_it_would_take(bench, tmp_path):
    told = bench("ab", "true", "true", "--max-time", "0", "--threshold", "0", "--format", "json")
    assert told.returncode == 4, told.stderr
    (one,) = json.loads(told.stdout)
    assert one["verdict"] == "unclear"


def test_samples_are_a_result_file(bench, tmp_path):
    told = bench("ab", "true", "sleep 0.2", *AS_LONG_AS_IT_TAKES, "--output", "ab.json")
    assert told.returncode == 3, told.stderr
    table = bench("table", "ab.json")
    assert table.returncode == 0, table.stderr
    assert "base again" in table.stdout
    again = bench("ab", "true", "true", *SHORT, "--output", "ab.json")
    assert again.returncode == 2
    assert "exists already" in again.stderr


def test_a_command_that_fails_is_named(bench):
    told = bench("ab", "true", "exit 3", *SHORT)
    assert told.returncode == 2
    assert told.stderr == "bench: exit 3: ended with status 3; run it by itself to see why\n"


def test_commands_find_what_a_shell_gives_them(tmp_path):
    """Neither the cores that bench takes nor its variables, which would change their times."""
    ours = ("OMP_", "GOMP_", "KMP_", "SLURM", "BENCH_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    variables = "env | grep -E '^(OMP|GOMP|KMP|BENCH)_'"
    look = f"({variables}; grep Cpus_allowed: /proc/self/status) > {{}}"
    words = [BENCH, "ab", look.format("base"), look.format("head"), "--max-time", "0"]
    for command in (words, ["sh", "-c", look.format("shell")]):
        subprocess.run(command, cwd=tmp_path, env=env, check=False, capture_output=True)
    assert (tmp_path / "head").read_text() == (tmp_path / "shell").read_text()


@pytest.fixture
def versions(bench, tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        bench("try", "--new", "energy", f"{name}/energy.c")
    return tmp_path


def test_two_versions_of_a_kernel(bench, versions):
    new = versions / "new" / "energy.c"
    loop = "for (size_t i = 0; i < n; ++i) {"
    slow = f"for (volatile int again = 0; again < 4; again = again + 1)\n  {loop}"
    assert loop in new.read_text()
    new.write_text(new.read_text().replace(loop, slow))
    told = bench("ab", "old/energy.c", "new/energy.c", "--size", "1e5", *SHORT)
    assert told.returncode == 3, told.stdout + told.stderr
    assert told.stdout.startswith("energy f32 100000\n")
    assert "SLOWER" in told.stdout


def test_nothing_else_is_measured(bench, versions):
    words = ["old/energy.c", "new/energy.c", "--size", "1e4", "--max-time", "0.1"]
    told = bench("ab", *words, "--output", "ab.json")
    assert told.returncode in (0, 3, 4), told.stderr
    cases = json.loads((versions / "ab.json").read_text())["cases"]
    assert [case["status"] for case in cases] == ["measured"] * 8
    assert len({case["guest"] for case in cases}) == 8


def test_a_wrong_kernel_is_not_compared(bench, versions):
    new = versions / "new" / "energy.c"
    new.write_text(new.read_text().replace("/ 50", "/ 51").replace("/ 50.0", "/ 51.0"))
    told = bench("ab", "old/energy.c", "new/energy.c", "--size", "1e4", *SHORT)
    assert told.returncode == 1, told.stdout + told.stderr
    assert "new-energy" in told.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["one"], "ab needs two versions, base and head: "),
        (["old/energy.c", "true"], "old/energy.c is a kernel, true is not: "),
        (["true", "true", "--size", "1e5"], "ab of two commands has --max-time and --threshold; "),
    ],
)
def test_what_cannot_be_compared_is_one_line(bench, versions, words, said):
    told = bench("ab", *words)
    assert told.returncode == 2
    assert told.stderr.startswith(f"bench: {said}")
    assert told.stderr.count("\n") == 1


def test_a_name_in_markdown_stays_in_its_cell(bench):
    done = bench("ab", "true | true", "true | true", *SHORT, "--format", "markdown")
    (row,) = [line for line in done.stdout.splitlines() if "true" in line]
    assert row.startswith("| `true \\| true` | ")


@pytest.mark.parametrize(
    ("words", "message"),
    [(["", "true"], "a version is empty"), (["no.c", "true"], "no.c: does not exist")],
)
def test_what_is_no_version_is_refused(bench, words, message):
    done = bench("ab", *words)
    assert (done.returncode, message in done.stderr) == (2, True)
