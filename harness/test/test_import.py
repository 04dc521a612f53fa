"""Files of other benchmark programs, made here by those that are installed."""
# CTest: release full

import importlib.util
import json
import shutil
import subprocess
import sys

import jsonschema
import pytest

from conftest import ROOT

EXAMPLES = ROOT / "harness" / "fuzz" / "corpus" / "document"
SCHEMA = json.loads((ROOT / "results" / "schema.json").read_text())


def ran(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def imported(bench, file):
    """The cases of a file, which `import` makes a result file of, and which other commands read."""
    told = bench("import", file)
    assert (told.returncode, told.stderr) == (0, "")
    document = json.loads(told.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    for command in (["table"], ["table", "--format", "csv"], ["table", "--lang", "pt"]):
        shown = bench(command[0], file, *command[1:])
        assert (shown.returncode, shown.stderr) == (0, "")
        assert document["cases"][0]["variant"] in shown.stdout
    return {case["name"]: case for case in document["cases"]}


@pytest.mark.parametrize(
    "file", sorted(EXAMPLES.glob("*_*.json")) + sorted(EXAMPLES.glob("*.csv")), ids=lambda p: p.name
)
def test_each_format_becomes_a_result_file(bench, file):
    if file.name not in ("no_cases.json", "with_cuda.json"):
        assert imported(bench, file)


GOOGLE = """
#include <benchmark/benchmark.h>
static void BM_sum(benchmark::State& state) {
  double sum = 0;
  for (auto _ : state) for (int i = 0; i < state.range(0); ++i) benchmark::DoNotOptimize(sum += i);
}
BENCHMARK(BM_sum)->Arg(64)->Arg(512);
BENCHMARK_MAIN();
"""


def test_google_benchmark_with_repetitions(bench, tmp_path):
    (tmp_path / "sums.cpp").write_text(GOOGLE)
    ran("g++", "-O2", "sums.cpp", "-o", "sums", "-lbenchmark", "-lpthread", cwd=tmp_path)
    for name in ("before", "after"):
        ran(
            "./sums", "--benchmark_repetitions=7", "--benchmark_min_time=0.01",
            f"--benchmark_out={name}.json", cwd=tmp_path,
        )  # fmt: skip
    cases = imported(bench, "before.json")
    assert set(cases) == {"sums/BM_sum/64", "sums/BM_sum/512"}
    assert {len(case["seconds"]["samples"]) for case in cases.values()} == {7}
    compared = bench("compare", "before.json", "after.json", "--threshold", "900")
    assert compared.returncode in (0, 4), compared.stderr
    assert compared.stdout.count("sums/BM_sum/") == 2


@pytest.mark.skipif(not shutil.which("hyperfine"), reason="hyperfine is not installed")
def test_hyperfine(bench, tmp_path):
    ran(
        "hyperfine", "--runs", "6", "-N", "-L", "n", "1,2", "sleep 0.00{n}",
        "--export-json", "runs.json", cwd=tmp_path,
    )  # fmt: skip
    cases = imported(bench, "runs.json")
    assert set(cases) == {"hyperfine/sleep 0.001", "hyperfine/sleep 0.002"}
    assert {len(case["seconds"]["samples"]) for case in cases.values()} == {6}


TESTS = """
import pytest

@pytest.mark.parametrize("n", [10, 20])
def test_sum(benchmark, n):
    benchmark.pedantic(sum, args=(range(n),), rounds=8)
"""


@pytest.mark.skipif(
    importlib.util.find_spec("pytest_benchmark") is None,
    reason="pytest-benchmark is not installed (scripts/setup.sh all)",
)
def test_pytest_benchmark(bench, tmp_path):
    (tmp_path / "test_sums.py").write_text(TESTS)
    ran(
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
        "--benchmark-json=all.json", "test_sums.py", cwd=tmp_path,
    )  # fmt: skip
    cases = imported(bench, "all.json")
    assert set(cases) == {"test_sums.py/test_sum/10", "test_sums.py/test_sum/20"}
    assert {len(case["seconds"]["samples"]) for case in cases.values()} == {8}


def test_a_file_of_nothing_known_is_one_line(bench, tmp_path):
    (tmp_path / "other.json").write_text('{"times": [1, 2]}')
    told = bench("import", "other.json")
    assert told.returncode == 2
    assert told.stderr == (
        "bench: other.json: is not a result file of bench, nor in a format that it imports "
        "(google_benchmark, hyperfine, pytest_benchmark, nvbench, babelstream, criterion)\n"
    )
