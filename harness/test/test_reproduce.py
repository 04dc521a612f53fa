"""`bench reproduce`: the ratios of a result file as claims, measured again."""
# CTest: release

import json

import pytest
from made_up import retimed

from conftest import QUICK


@pytest.fixture
def recorded(bench, tmp_path):
    arguments = ["energy", "transpose/openmp*", "--size", "5000", "--dtype", "f64"]
    made = bench(*arguments, "--samples", "9", "--max-time", "0.02", "--output", "claims.json")
    assert made.returncode == 0, made.stderr
    return json.loads((tmp_path / "claims.json").read_text())


def names(document):
    return {case["name"] for case in document["cases"]}


def test_the_same_cases_are_measured_again(bench, tmp_path, recorded):
    made = bench("reproduce", "claims.json", "--output", "here.json", "--threshold", "100000")
    assert made.returncode in (0, 4), made.stderr
    here = json.loads((tmp_path / "here.json").read_text())
    assert names(here) == names(recorded)
    assert here["context"]["run"]["seed"] == recorded["context"]["run"]["seed"]
    claims = {
        case["name"]
        for case in recorded["cases"]
        if case["status"] == "measured" and not case["reference"]
    }
    claims -= {name for name in claims if "/serial/naive/" in name}
    assert len(claims) > 4
    lines = made.stdout.splitlines()
    assert claims == {
        line.split()[0]
        for line in lines
        if line.startswith("  ") and "\N{MULTIPLICATION SIGN}" in line
    }
    assert "result file: here.json" in made.stdout


def executions(document):
    counts = {
        len(case["seconds"]["executions"]["samples"]) if "executions" in case["seconds"] else 1
        for case in document["cases"]
        if case["status"] == "measured"
    }
    assert len(counts) == 1
    return counts.pop()


def test_a_single_start_refutes_nothing(bench, tmp_path, recorded):
    for arguments, times in [([], 3), (["--executions", "1"], 1)]:
        output = f"{times}.json"
        made = bench("reproduce", "claims.json", "--output", output, *arguments)
        assert made.returncode in (0, 3, 4), made.stderr
        assert executions(json.loads((tmp_path / output).read_text())) == times
        assert made.stdout.count("speedups of ") == 1


def test_a_claim_that_nobody_can_reach_does_not_hold(bench, tmp_path, recorded):
    slow = retimed(recorded, lambda case: 1e4 if case["variant"] == "naive" else 1)
    naive = next(row for row in slow["speedups"] if row["name"].startswith("energy/serial/naive"))
    for row in slow["speedups"]:
        if row["name"].startswith("energy/serial/simd"):
            value = naive["seconds"] / row["seconds"]
            row["over_serial"] = {"value": value, "ci95": [0.99 * value, 1.01 * value]}
    slow.update(scaling=[], crossovers=[])
    (tmp_path / "claims.json").write_text(json.dumps(slow))
    made = bench("reproduce", "claims.json", "--output", "here.json")
    # Unless the node was so busy that nothing can be said of it.
    assert made.returncode == 3 or ": busy" in made.stdout, made.stdout
    assert "NOT CONFIRMED" in made.stdout or ": busy" in made.stdout


def test_more_threads_than_here_cannot_be_told(bench, tmp_path, recorded):
    run = recorded["context"]["run"]
    many = 64 * run["threads"]
    for case in recorded["cases"]:
        if case["backend"] == "openmp":
            case["threads"] = many
    run["threads"] = many
    (tmp_path / "claims.json").write_text(json.dumps(recorded))
    made = bench("reproduce", "claims.json", "--output", "here.json", "--threshold", "100000")
    assert made.returncode == 4, made.stdout + made.stderr
    assert "inconclusive: was not measured here (other threads" in made.stdout
    assert f"threads: {many} and " in made.stdout


def test_mistakes(bench, tmp_path, recorded):
    recorded["context"]["run"]["selection"] = None
    (tmp_path / "silent.json").write_text(json.dumps(recorded))
    assert bench("copy/serial/naive", *QUICK, "--output", "one.json").returncode == 0
    for arguments, words in [
        ([], "reproduce: name the result file"),
        (["missing.json"], "missing.json: cannot be read"),
        (["claims.json", "claims.json"], "takes one result file"),
        (["silent.json"], "silent.json: does not say what was to be measured"),
        (["one.json"], "one.json: holds no ratio over serial/naive"),
        (["claims.json", "--threshold", "x"], "--threshold"),
    ]:
        made = bench("reproduce", *arguments)
        assert made.returncode == 2, arguments
        assert words in made.stderr
        assert made.stderr.count("\n") == 1
