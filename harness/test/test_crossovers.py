"""The size from which the GPU wins: a sweep of a GPU node, its kernels executed on the CPU."""
# CTest: release

import json
import os
import pathlib
import subprocess

import jsonschema
import pytest

from conftest import QUICK, ROOT

SCHEMA = json.loads((ROOT / "results" / "schema.json").read_text())
BUILD = pathlib.Path(os.environ.get("BENCH_BUILD", ROOT / "build"))


@pytest.fixture(scope="module")
def sweep():
    """The result file of a sweep over two sizes; its times mean nothing."""
    program = BUILD / "harness" / "cuda" / "test" / "sweep_on_cpu"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "BENCH_"))}
    environment["OMP_WAIT_POLICY"] = "passive"
    result = subprocess.run(
        [program], capture_output=True, text=True, check=False, timeout=300, env=environment
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_a_sweep_has_an_entry_per_workload_and_scope(sweep):
    jsonschema.Draft202012Validator(SCHEMA).validate(sweep)
    assert {c["status"] for c in sweep["cases"]} <= {"measured", "skipped"}
    entries = {(e["workload"], e["bins"], e["scope"]): e for e in sweep["crossovers"]}
    assert len(entries) == len(sweep["crossovers"])
    assert {(w, s) for w, _, s in entries} == {
        (w, s) for w in ("hypot", "histogram", "transpose") for s in ("kernel", "end_to_end")
    }
    sizes = {w: [p["size"] for p in e["points"]] for (w, _, _), e in entries.items()}
    assert sizes["hypot"] == ["16", "256"]
    assert sizes["transpose"] == ["4x4", "16x16"]
    assert {e["bins"] is None for e in sweep["crossovers"] if e["workload"] == "histogram"} == {
        False
    }


def test_every_point_is_the_best_row_of_the_table(sweep):
    cases = sweep["cases"]
    for entry in sweep["crossovers"]:
        for point in entry["points"]:
            rows = [
                s
                for c, s in zip(cases, sweep["speedups"], strict=True)
                if c["status"] == "measured"
                and ",beside=" not in c["name"]
                and (c["workload"], c["dtype"], c["size"])
                == (entry["workload"], entry["dtype"], point["size"])
            ]
            gpu = [s for s in rows if s["backend"] == "cuda" and s["scope"] == entry["scope"]]
            best = min(gpu, key=lambda s: s["seconds"])
            cpu = min((s for s in rows if s["backend"] != "cuda"), key=lambda s: s["seconds"])
            assert point["gpu"] == f"cuda/{best['variant']}"
            assert point["cpu"] == f"{cpu['backend']}/{cpu['variant']}"
            assert point["ratio"]["value"] == best["over_best_cpu"]["value"]
            assert point["ratio"]["ci95"] == best["over_best_cpu"]["ci95"]


def test_the_table_says_it_once_per_workload(sweep, bench, tmp_path):
    (tmp_path / "sweep.json").write_text(json.dumps(sweep))
    result = bench("table", "sweep.json")
    assert result.returncode == 0, result.stderr
    text = " ".join(result.stdout.split())
    for workload in ("hypot f32:", "histogram f32, 256 bins:", "transpose f32:"):
        assert text.count(f" {workload} the GPU ") == 1
    assert text.count("with the transfers the GPU") == 0, "both scopes are in one line"
    assert "in brackets the 95 % interval of that size" in text


def test_the_schema_refuses_what_is_wrong(sweep):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for spoil in (
        lambda e: e.update(verdict="perhaps"),
        lambda e: e.update(verdict="from", size=None, ci95=[1, None]),
        lambda e: e.update(verdict="never", size=100),
        lambda e: e.update(ci95=[1]),
        lambda e: e.update(name="hypot"),
        lambda e: e["points"].pop(),
        lambda e: e["points"][0].pop("cpu"),
        lambda e: e["points"][0].update(gpu="openmp/naive"),
    ):
        bad = json.loads(json.dumps(sweep))
        spoil(bad["crossovers"][0])
        assert not validator.is_valid(bad)


def test_one_size_or_no_gpu_no_entry(document):
    assert document("hypot/serial", *QUICK)["crossovers"] == []
    assert document("hypot/openmp", *QUICK[2:], "--size", "16,256")["crossovers"] == []
