"""What README.md and results/ show is what the recorded runs say."""

import json
import pathlib
import subprocess
import sys

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECORDED = sorted((ROOT / "results" / "reference").glob("*/*.json"))


def test_the_table_in_the_readme_is_current():
    check = subprocess.run([sys.executable, ROOT / "scripts" / "readme.py", "--check"], check=False)
    assert check.returncode == 0


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_recorded_runs_are_valid_and_indexed(path):
    document = json.loads(path.read_text())
    jsonschema.validate(document, json.loads((ROOT / "results" / "schema.json").read_text()))
    assert document["context"]["run"]["finished"] is True
    assert all(case["status"] != "failed" for case in document["cases"])
    assert f"{path.parent.name}/{path.name}" in (ROOT / "results" / "README.md").read_text()


def test_there_is_a_recorded_run():
    assert RECORDED
