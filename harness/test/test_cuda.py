"""CUDA variants as the user meets them, in every build and on every node: a time or a reason."""

import json
import re

import pytest

from conftest import QUICK

VARIANTS = {
    "energy": [
        *["one_thread", "uncoalesced", "one_per_element", "grid_stride", "wide", "branch_free"],
        *["no_loop", "overlapped"],
    ],
    "histogram": [
        *["global_atomics", "shared_atomics", "wide", "private_bins", "packed", "overlapped"],
    ],
    "transpose": [
        *["naive", "tiled", "padded", "several", "down_columns", "aligned", "fitted", "wide"],
        "overlapped",
    ],
}
# What moves its data itself has no time without the transfers.
SCOPES = {"overlapped": ["end_to_end"]}


def cuda_cases(document):
    return [case for case in document["cases"] if case["backend"] == "cuda"]


def test_every_variant_has_a_time_or_a_reason(document):
    result = document(*VARIANTS, *QUICK)
    built = result["context"]["build"]["cuda"] is not None
    machine = result["context"]["machine"]
    assert (machine["gpu"] is None) == (machine["gpu_reason"] is not None)
    for workload, variants in VARIANTS.items():
        ours = [c for c in cuda_cases(result) if not c["library"]]
        cases = [c for c in ours if c["workload"] == workload]
        expected = (
            {(v, scope) for v in variants for scope in SCOPES.get(v, ["kernel", "end_to_end"])}
            | {(variants[-2], scope) for scope in ("pageable", "mapped", "managed")}
            if built
            else {("*", "kernel")}
        )
        assert {(c["variant"], c["scope"]) for c in cases} == expected
        for case in cases:
            if machine["gpu"]:
                assert case["status"] == "measured", case["reason"]
                assert case["launch"]["block"][0] >= 1
                assert case["gpu"]["uuid"] == machine["gpu"]["uuid"]
            else:
                assert case["status"] == "skipped"
                assert case["reason"] == machine["gpu_reason"]
                assert case["seconds"] is None
                assert case["launch"] is None
            assert case["threads"] is None
            assert case["isa"] is None


def test_ptx_is_of_the_newest_architecture_alone(document):
    """A driver older than the toolkit runs its machine code, and translates none of its PTX."""
    built = document("copy", *QUICK)["context"]["build"]["cuda"]
    if built is None:
        pytest.skip("built without CUDA")
    *older, newest = built["architectures"].split(";")
    assert [one for one in older if one.endswith("-real")] == older
    assert newest.isdigit()


def test_a_table_without_a_gpu_says_why_once(bench, tmp_path):
    bench("energy", *QUICK, "--output", "a.json")
    result = json.loads((tmp_path / "a.json").read_text())
    if result["context"]["machine"]["gpu"]:
        pytest.skip("this node has a GPU")
    table = bench("table", "a.json").stdout
    built = result["context"]["build"]["cuda"] is not None
    why = "variants skipped: no device" if built else "built without CUDA"
    assert len(re.findall(rf"^  cuda.*{why}", table, re.MULTILINE)) == 1
    assert table.count(why) == len(set(re.findall(r"^  (cuda|target)", table, re.MULTILINE)))
    listed = bench("table", "a.json", "--columns", "variant,status").stdout
    for variant in VARIANTS["energy"] if built else ["*"]:
        assert listed.count(f"cuda/{variant} ") == 1
    marked = [line for line in listed.splitlines() if "cuda/" in line and "⇄" in line]
    assert [line.split()[0] for line in marked] == (["cuda/overlapped"] if built else [])


def test_the_list_shows_it_with_its_idea(bench):
    listed = " ".join(bench("list", "--all").stdout.split())
    idea = "cuda/overlapped chunks: transfers overlap with kernels"
    assert listed.count(idea) == listed.count("cuda/overlapped") >= 8


def test_a_variant_with_one_scope_is_checked_and_written_like_the_others(bench, tmp_path):
    checked = bench("verify", "hypot/cuda/overlapped", "--size", "10")
    assert checked.returncode == 0
    assert "/kernel" not in checked.stdout.replace("cuda/*/f32/10/kernel", "")
    written = bench("hypot/cuda/overlapped", *QUICK, "--output", "a.json")
    assert written.returncode == 0
    names = [case["name"] for case in json.loads((tmp_path / "a.json").read_text())["cases"]]
    assert not any("cuda/overlapped" in name and "/kernel" in name for name in names)


def test_names_are_known_in_every_build(bench):
    for name in ("transpose/cuda/padded", "*/cuda/padded", "histogram/cuda", "*/private_bins"):
        assert bench("verify", name, "--size", "10").returncode == 0, name
    unknown = bench("transpose/cuda/paded")
    assert unknown.returncode == 2
    assert "transpose/cuda/padded" in unknown.stderr


def test_what_is_slow_on_purpose_is_left_out_where_it_would_take_too_long(document):
    result = document("hypot/cuda/one_thread", "--size", "1000001", "--samples", "1")
    if result["context"]["build"]["cuda"] is None:
        pytest.skip("built without CUDA")
    for case in cuda_cases(result):
        if case["variant"] == "one_thread":
            assert case["status"] == "skipped"
            assert case["reason"].startswith("too slow for 1000001 elements")


def test_no_cuda_asked_for_no_device_touched(document):
    machine = document("copy/serial", *QUICK)["context"]["machine"]
    assert machine["gpu"] is None
    assert machine["gpu_reason"] in ("built without CUDA", "no CUDA variant was asked for")
