"""bench course: one table from a loop in Python to a GPU, and the same table of its result file."""
# CTest: release

import csv
import io
import json
import re
import sys

import numba  # noqa: F401  (the test is skipped without it)
import pytest

LIMITS = ["--samples", "9", "--max-time", "0.05", "--no-progress"]
LADDER = {
    "python/comprehension": "Python puro",
    "numba/njit_scalar": "Numba compilado",
    "numba/prange": "Numba CPU paralela",
    "serial/naive": "C++, um núcleo",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("course")


@pytest.fixture
def measured(bench, folder):
    """The result file of one lesson: pure Python at fewer elements than the others."""
    file = folder / "lesson.json"
    if not file.exists():
        sizes = ["--size", "200000,2000"]
        run = bench(
            *("course", *sizes, "--output", file, "--lang", "pt", *LIMITS),
            BENCH_PYTHON=sys.executable,
        )
        assert run.returncode == 0, run.stderr
        (folder / "printed").write_text(run.stdout)
    return file


def rows(bench, file, *options):
    result = bench("table", file, "--preset", "lesson", "--format", "csv", *options)
    assert result.returncode == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_the_run_prints_one_table_of_the_steps_in_its_language(bench, measured):
    printed = (measured.parent / "printed").read_text()
    assert printed.count("energy · f32") == 1
    for variant, step in LADDER.items():
        line = next(line for line in printed.splitlines() if f" {variant} " in line)
        assert line.split("  ")[1] == step
    assert "1,00\u00d7" in printed
    again = bench("table", measured, "--preset", "steps", "--lang", "pt").stdout
    assert printed.startswith(again.split("\n\n", maxsplit=2)[0])


def test_only_the_steps_were_measured(measured):
    cases = json.loads(measured.read_text())["cases"]
    python = {one["variant"] for one in cases if one["backend"] in ("python", "numba")}
    assert python == {"comprehension", "njit_scalar", "prange", "cuda"}
    assert {one["backend"] for one in cases} <= {"python", "numba", "serial", "openmp", "cuda"}


def test_speedups_compare_the_time_per_element_and_the_slowest_is_first(bench, measured):
    table = [row for row in rows(bench, measured) if row["Speedup"]]
    speedups = [float(row["Speedup"]) for row in table]
    assert speedups == sorted(speedups)
    assert speedups[0] <= 1.0
    times = {row["variant"]: float(row["Time (s)"]) / int(row["size"]) for row in table}
    for row in table:
        over = times["python/comprehension"] / times[row["variant"]]
        assert float(row["Speedup"]) == pytest.approx(over, rel=1e-6)
        assert float(row["ns/element"]) == pytest.approx(times[row["variant"]] * 1e9, rel=1e-6)
    assert {row["size"] for row in table if row["variant"] == "serial/naive"} == {"200000"}
    assert {row["size"] for row in table if row["variant"] == "python/comprehension"} == {"2000"}


def test_of_the_cores_the_fastest_is_shown(bench, measured):
    cases = json.loads(measured.read_text())["cases"]
    cases = [one for one in cases if one["workload"] == "energy"]
    openmp = [one for one in cases if one["backend"] == "openmp" and one["size"] == "200000"]
    best = min(openmp, key=lambda one: one["seconds"]["median"])
    shown = [
        row["variant"] for row in rows(bench, measured) if row["Version"].startswith("C++, all")
    ]
    assert shown == [f"openmp/{best['variant']}"]


def test_a_sentence_counts_the_compilation(bench, measured):
    cases = json.loads(measured.read_text())["cases"]
    printed = " ".join(bench("table", measured, "--preset", "lesson").stdout.split())

    for step, variant in (("Numba, compiled", "njit_scalar"), ("Numba, CPU parallel", "prange")):
        timed = [one for one in cases if one["variant"] == variant and one["seconds"]]
        largest = max(timed, key=lambda one: one["elements"])
        longer = largest["first_use_s"] - largest["seconds"]["median"]
        (shown,) = re.findall(rf"{step} ([0-9.]+) s", printed)
        assert float(shown) == pytest.approx(longer, rel=0.06)


def without(measured, tmp_path, backend):
    document = json.loads(measured.read_text())
    document["cases"] = [one for one in document["cases"] if one["backend"] != backend]
    document["speedups"] = [one for one in document["speedups"] if one["backend"] != backend]
    file = tmp_path / "some.json"
    file.write_text(json.dumps(document))
    return file


def test_without_python_the_table_says_how_to_get_it(bench, measured, tmp_path):
    result = bench("table", without(measured, tmp_path, "python"), "--preset", "lesson")
    assert result.returncode == 0, result.stderr
    assert "bench course measures all steps" in result.stdout
    assert "1.00\u00d7" not in result.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["course", "enrgy"], "course enrgy: is not a workload (did you mean energy?)"),
        (["course", "energy/cuda"], "course energy/cuda: is not a workload"),
        (["table", "a.json", "--preset", "lesson", "--columns", "time"], "--columns and --preset"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(bench, words, says):
    result = bench(*words)
    assert result.returncode == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_without_numba_each_of_its_steps_says_so(bench, tmp_path):
    script = tmp_path / "plain"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    script.chmod(0o755)
    size = ["--size", "2000", "--output", "none"]
    result = bench("course", *size, *LIMITS, BENCH_PYTHON=script)
    assert result.returncode == 0, result.stderr
    for step in ("Numba, compiled", "Numba, CPU parallel", "Numba, GPU (CUDA)"):
        assert re.search(rf"^  {re.escape(step)} +numba/\*", result.stdout, re.MULTILINE)


def test_without_python_one_line_says_so(bench):
    result = bench("course", "--output", "none", BENCH_PYTHON="/nowhere/python")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr == (
        "bench: BENCH_PYTHON names /nowhere/python, which is not a program that can be started\n"
    )
