"""What the page for administrators says of DuckDB and Apache Otava, done on made-up surveys."""
# CTest: release full

import datetime
import json
import os
import re
import subprocess

from test_node_comparison import recorded, write_weeks  # noqa: F401

from conftest import ROOT

FETCH = "import sys, json, duckdb; print(json.dumps(duckdb.execute(sys.argv[1]).fetchall()))"


def test_duckdb_and_otava_read_it(bench, recorded, python_with, tmp_path):  # noqa: F811
    python = python_with("history", ROOT / "harness" / "test" / "history.txt")
    page = (ROOT / "docs" / "admin" / "find-slow-nodes.md").read_text()
    write_weeks(tmp_path / "results", recorded, 24, since=15)
    for survey in sorted((tmp_path / "results").iterdir()):
        bench("compare", survey, "--output", survey / "table")

    def told(*command):
        utc = {**os.environ, "TZ": "UTC"}
        done = subprocess.run(command, cwd=tmp_path, env=utc, capture_output=True, check=True)
        return json.loads(done.stdout)

    queries = re.findall(r'duckdb -c "([^"]+)"', page)
    slowest, _ = (told(python, "-c", FETCH, one) for one in queries)
    assert slowest[0][0] == "n3"
    (tmp_path / "otava.yaml").write_text(re.search(r"tests:\n.*?(?=```)", page, re.S).group())
    otava = python.parent / "otava"
    said = told(otava, "analyze", "nodes", "--config-file", "otava.yaml", "--output", "json")
    found = {
        (change["metric"], point["time"]) for point in said["nodes"] for change in point["changes"]
    }
    week = datetime.datetime(2026, 10, 26, tzinfo=datetime.timezone.utc)
    assert found == {("n5", week.timestamp())}
