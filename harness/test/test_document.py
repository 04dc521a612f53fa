"""The result file of real runs: valid, complete, consistent."""

import json
import statistics

import jsonschema
import pytest

from conftest import QUICK, ROOT

SCHEMA = json.loads((ROOT / "results" / "schema.json").read_text())


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


@pytest.mark.parametrize(
    "arguments",
    [
        ["*", *QUICK],
        [*QUICK, "--dtype", "f32,f64", "--threads", "1,2", "--seed", "7", "--cache", "hot"],
        [
            "histogram",
            "--size",
            "1,2,1e4",
            "--bins",
            "10,256",
            "--samples",
            "9",
            "--isa",
            "baseline",
        ],
        ["transpose/openmp*", "--size", "1x3,7x5", "--samples", "9"],
    ],
)
def test_real_runs_follow_the_schema(document, validator, arguments):
    validator.validate(document(*arguments))


def test_the_schema_refuses_what_is_wrong(document, validator):
    good = document("energy", *QUICK)
    for spoil in (
        lambda d: d["cases"][0].update(seconds=None),
        lambda d: d["cases"][0].update(status="fine"),
        lambda d: d["cases"][0].update(name="energy/serial"),
        lambda d: d["cases"][0]["verification"].update(passed=False),
        lambda d: d["speedups"][0].pop("over_serial"),
        lambda d: d["context"]["run"].pop("seed"),
        lambda d: d.update(schema="bench-report/2"),
    ):
        bad = json.loads(json.dumps(good))
        spoil(bad)
        assert not validator.is_valid(bad)


def test_names_are_unique_and_tables_agree(document):
    d = document(*QUICK, "--dtype", "f32,f64", "--threads", "1,2", "--size", "tiny,1,33")
    names = [c["name"] for c in d["cases"]]
    assert len(names) == len(set(names))
    assert names == [s["name"] for s in d["speedups"]]
    measured = {c["name"] for c in d["cases"] if c["status"] == "measured"}
    assert measured == {b["name"] for b in d["benchmarks"]}


def test_every_number_follows_from_the_samples(document):
    d = document("hypot", "--size", "1e5", "--samples", "40")
    by_name = {c["name"]: c for c in d["cases"]}
    for speedup in d["speedups"]:
        case = by_name[speedup["name"]]
        if case["status"] != "measured":
            continue
        seconds = case["seconds"]
        assert seconds["median"] == pytest.approx(statistics.median(seconds["samples"]))
        assert seconds["min"] == min(seconds["samples"])
        assert seconds["ci95"][0] <= seconds["median"] <= seconds["ci95"][1]
        assert case["gb_per_s"] == pytest.approx(case["bytes"] / seconds["median"] / 1e9)
        base = next(
            c
            for c in d["cases"]
            if c["workload"] == case["workload"]
            and (c["backend"], c["variant"]) == ("serial", "naive")
        )
        ratio = base["seconds"]["median"] / seconds["median"]
        assert speedup["over_serial"]["value"] == pytest.approx(ratio)
        rows = [b["real_time"] for b in d["benchmarks"] if b["name"] == case["name"]]
        assert 9 <= len(rows) <= 30


def test_a_filtered_run_still_has_its_baseline_and_reference(document):
    d = document("energy/openmp/simd", *QUICK)
    reference = {(c["workload"], c["backend"], c["variant"]): c["reference"] for c in d["cases"]}
    assert reference["energy", "openmp", "simd"] is False
    assert reference["energy", "serial", "naive"] is True
    assert ("energy", "serial", "simd") not in reference
    assert any(
        w == "copy" and b == "openmp" and is_reference
        for (w, b, _), is_reference in reference.items()
    )


def test_context_says_what_a_sceptic_asks(document):
    d = document("copy", *QUICK, OMP_PROC_BIND="close")
    context = d["context"]
    assert context["machine"]["omp"]["OMP_PROC_BIND"] == "close"
    assert context["build"]["flags"]
    assert len(context["build"]["revision"]) in (7, 40)
    assert context["run"]["finished"] is True
    assert context["run"]["ended_by"] is None
    assert context["slurm"] is None
    assert all(c["threads"] == 1 for c in d["cases"] if c["backend"] == "serial")


def test_slurm_facts_and_file_name(bench, tmp_path):
    job = {
        "SLURM_JOB_ID": "17",
        "SLURM_STEP_ID": "0",
        "SLURM_CLUSTER_NAME": "alpha",
        "SLURMD_NODENAME": "n1",
        "SLURM_PROCID": "3",
        "SLURM_JOB_ACCOUNT": "secret",
    }
    result = bench("copy", *QUICK, **job)
    assert result.returncode == 0
    assert result.stdout.count("\n") == 1, "tasks but the first print one line"
    file = tmp_path / "results" / "alpha-17.0-n1-3.json"
    text = file.read_text()
    assert json.loads(text)["context"]["slurm"]["job_id"] == "17"
    assert "secret" not in text
