"""bench merge, as users call it."""
# CTest: release

import json

import jsonschema
import pytest

from conftest import ROOT

REFERENCE = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores"
OURS, PEERS, F64 = (REFERENCE / f"{name}.json" for name in ("default", "peers", "f64"))


@pytest.fixture
def again(tmp_path):
    """The same cases again, so that they are another result file's."""
    path = tmp_path / "again.json"
    path.write_bytes(OURS.read_bytes())
    return path


def test_the_tables_of_the_whole_are_those_of_its_parts(bench, tmp_path):
    whole = bench("merge", OURS, PEERS, F64)
    assert (whole.returncode, whole.stderr) == (0, "")
    (tmp_path / "whole.json").write_text(whole.stdout)
    for form in ("text", "markdown", "latex", "csv", "html"):
        options = ("--format", form, "--lang", "fr")
        parts = bench("table", OURS, PEERS, F64, *options)
        assert bench("table", "whole.json", *options).stdout == parts.stdout != ""
    assert "†" in bench("table", "whole.json").stdout
    document = json.loads(whole.stdout)
    schema = json.loads((ROOT / "results" / "schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(document)
    runs = document["context"]["run"]["merged"]
    assert [run["file"] for run in runs] == [str(OURS), str(PEERS), str(F64)]


def test_what_does_not_belong_together_is_one_line(bench, tmp_path, again):
    for output in ((), ("--output", "one.json")):
        refused = bench("merge", OURS, PEERS, again, *output)
        assert (refused.returncode, refused.stdout) == (2, "")
        (line,) = refused.stderr.splitlines()
        assert line.startswith(f"bench: cannot merge with {OURS}: {again} (has copy/")
        assert "--output FOLDER/" in line
    assert not (tmp_path / "one.json").exists()


def test_a_folder_gets_a_document_of_each_group(bench, tmp_path, again):
    written = bench("merge", OURS, again, PEERS, "--output", "merged")
    assert written.returncode == 0
    assert written.stdout.splitlines() == [
        f"merged/default.json: {OURS}, {PEERS}",
        f"merged/again.json: {again}",
    ]
    first = (tmp_path / "merged" / "again.json").read_bytes()
    listed = bench("merge", again, "--output", "merged", "--format", "json")
    assert json.loads(listed.stdout) == [{"file": "merged/again-2.json", "of": [str(again)]}]
    assert (tmp_path / "merged" / "again.json").read_bytes() == first
    assert bench("table", "merged/default.json").returncode == 0


def test_no_file_is_overwritten(bench, again):
    before = again.read_bytes()
    refused = bench("merge", OURS, PEERS, "--output", "again.json")
    assert refused.returncode == 2
    assert "again.json exists already" in refused.stderr
    assert again.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "merge: name result files or folders"),
        (("missing.json",), "missing.json: cannot be read"),
        ((OURS, "--output", "/proc/no"), "cannot write /proc/no/default.json"),
        ((OURS, "--format", "csv"), "--format csv: must be one of text, json"),
    ],
)
def test_a_mistake_is_one_line(bench, arguments, said):
    refused = bench("merge", *arguments)
    assert (refused.returncode, refused.stdout) == (2, "")
    (line,) = refused.stderr.splitlines()
    assert said in line


def test_only_one_run_can_be_gone_on_with(bench):
    assert bench("merge", OURS, PEERS, "--output", "both.json").returncode == 0
    refused = bench("--resume", "both.json")
    assert refused.returncode == 2
    assert "bench: --resume both.json" in refused.stderr
