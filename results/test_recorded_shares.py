"""No recorded row is said to be faster than what limits it, whatever its file says."""

import json
import os
import pathlib
import subprocess

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent / "reference"
BENCH = os.environ.get("BENCH_BINARY", FOLDER.parents[1] / "build" / "bench")


def rows_of(path):
    command = [BENCH, "table", path, "--format", "json", "--columns", "variant,share,bound"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for table in json.loads(done.stdout)["tables"]:
        yield from (row for row in table["rows"] if row["status"] == "measured")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*/*.json")), ids=lambda path: path.stem)
def test_a_share_of_a_limit_is_at_most_one(path):
    built_in = {"serial", "openmp", "cuda"}
    for row in rows_of(path):
        values = row["values"]
        assert (values["bound"] or 0) <= 1, row["name"]
        if row["backend"] in built_in and not row["library"]:
            assert (values["share"] or 0) <= 1, row["name"]
