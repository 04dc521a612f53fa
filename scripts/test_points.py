"""course/points.py: equal ranks have equal points, and what is no table is one line."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

POINTS = Path(__file__).resolve().parents[1] / "course" / "points.py"


def row(name, naive, rank, status="measured"):
    values = {"naive": naive, "rank": rank}
    reason = None if status == "measured" else "why"
    of = {"workload": "energy", "guest": name, "scope": "kernel"}
    return {**of, "status": status, "reason": reason, "values": values}


def run(text, **streams):
    return subprocess.run([sys.executable, POINTS], input=text, text=True, check=False, **streams)


TABLE = [
    row(None, 100, None),
    row("a", 10, 1),
    row("b", 9, 1),
    row("c", 1, 2),
    row("d", None, None, "failed"),
    row("e", None, None),
]


def test_what_cannot_be_told_apart_has_equal_points():
    done = run(json.dumps({"tables": [{"rows": TABLE}]}), capture_output=True)
    found = {one["file"]: one["points"] for one in csv.DictReader(io.StringIO(done.stdout))}
    assert found == {"a": "15.0", "b": "15.0", "c": "10", "d": "0", "e": ""}
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("lacks", ["everything", "a column"])
def test_what_is_no_table_is_one_line(lacks):
    other = {**TABLE[1], "values": {"rank": 1}}
    text = json.dumps({"tables": [{"rows": [other]}]}) if lacks == "a column" else ""
    done = run(text, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--columns naive,rank" in done.stderr


def test_a_reader_that_has_seen_enough_is_no_fault():
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "w") as closed:
        text = json.dumps({"tables": [{"rows": TABLE}]})
        done = run(text, stdout=closed, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, "")
