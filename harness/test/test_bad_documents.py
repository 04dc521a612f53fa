"""Result files that are damaged, foreign or hostile: one clear line each, exit code 2."""
# CTest: release full

import copy
import json
import os

import pytest

from conftest import QUICK, ROOT

REFERENCES = sorted((ROOT / "results" / "reference").glob("*/*/*.json"))


@pytest.fixture
def good():
    return json.loads(REFERENCES[0].read_text())


@pytest.fixture
def refused(bench, tmp_path):
    """Writes bytes to a file and gives it to the commands that read result files."""

    def run(content, reason, name="bad.json"):
        (tmp_path / name).write_bytes(content)
        (tmp_path / "good.json").write_bytes(REFERENCES[0].read_bytes())
        for command, says in (
            (["table", name], f"bench: {name}: "),
            (["compare", name, "good.json"], f"bench: {name}: "),
            (["--resume", name], f"bench: --resume: {name}: "),
        ):
            result = bench(*command, timeout=60)
            assert result.returncode == 2, (result.returncode, result.stderr[:300], reason)
            assert result.stdout == ""
            (line,) = result.stderr.splitlines()
            assert line.startswith(says), line
            assert reason in line
            assert line.isprintable()

    return run


def encoded(document):
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"\n", "ends in the middle"),
        (b"\0" * 1000, "is not JSON"),
        (b"\x1f\x8b\x08" + b"\0" * 100, "is compressed: unpack it with gunzip"),
        ("{}".encode("utf-16"), "is in UTF-16: save it as UTF-8"),
        (b"{}", "is not a result file"),
        (b"[]", "is not a result file"),
        (b"null", "is not a result file"),
        (b'"text"', "is not a result file"),
        (b"1e999", "too large"),
        (b"NaN", "is not JSON"),
        (b'{"schema": "bench-report/1"', "ends in the middle"),
        (b'{"schema": "bench-report/2"}', "another version of bench (bench-report/2)"),
        (b'{"schema": "\x1b[31mred"}', "is not JSON"),
        (b'{"schema": "\\u001b[31mred"}', "another version of bench (?[31mred)"),
        (b'{"schema": 7}', "is not a result file"),
        (b'{"context": {}, "benchmarks": []}', "/benchmarks is empty"),
        (b'{"schema": "bench-report/1", "schema": "bench-report/1"}', "is there twice"),
        (b'{"schema": "\xff\xfe"}', "is not JSON"),
        (b'{"schema": "\\ud800"}', "is not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 1000 + b"1" + b"}" * 1000, "nested too deeply"),
        (b" " * 20_000_000, "ends in the middle"),
    ],
    ids=range(23),
)
def test_what_is_no_document(content, reason, refused):
    refused(content, reason)


# Every key and every end is tried in harness/document/test/document_test.cpp.
def test_what_is_cut_off_or_misses_a_key(refused, good):
    text = encoded(good)
    refused(text[: len(text) // 2], "ends in the middle")
    del good["cases"][0]["seconds"]["samples"]
    refused(encoded(good), "/cases/0/seconds/samples is missing")


def test_the_mark_of_a_library_is_optional_but_a_flag(refused, good, bench, tmp_path):
    wrong = copy.deepcopy(good)
    wrong["cases"][0]["library"] = "yes"
    refused(encoded(wrong), "/cases/0/library is not true or false")
    for case in wrong["cases"]:
        case.pop("library", None)
    (tmp_path / "older.json").write_bytes(encoded(wrong))
    assert bench("table", "older.json").returncode == 0


def test_speedups_are_what_the_cases_say(good, bench, tmp_path):
    shown = []
    for change in (lambda d: None, lambda d: d["speedups"].pop(), lambda d: d.pop("speedups")):
        other = copy.deepcopy(good)
        change(other)
        (tmp_path / "some.json").write_bytes(encoded(other))
        shown.append(bench("table", "some.json").stdout)
    assert shown[0] == shown[1] == shown[2] != ""


def test_no_case_is_there_twice(refused, good):
    twice = copy.deepcopy(good)
    twice["cases"].append(twice["cases"][0])
    refused(encoded(twice), "is there twice")
    for samples in ([], [0], [-1.0]):
        wrong = copy.deepcopy(good)
        wrong["cases"][0]["seconds"]["samples"] = samples
        refused(encoded(wrong), "/seconds/samples")
    for samples in (["1"], [None, 1e-3]):
        wrong["cases"][0]["seconds"]["samples"] = samples
        refused(encoded(wrong), "/seconds/samples/0 is not a number")


def test_text_that_a_terminal_would_obey_is_shown_as_text(good, bench, tmp_path):
    evil = copy.deepcopy(good)
    evil["context"]["run"]["warnings"] = ["\x1b]0;owned\x07 \x1b[2J \x9b31m \u202e \u2028 \u2066"]
    evil["context"]["machine"]["cpu_model"] = "CPU\x1b[31m\r\n"
    evil["cases"][0]["idea"] = "na\x08ive"
    (tmp_path / "evil.json").write_bytes(encoded(evil))
    result = bench("table", "evil.json", "--columns", "variant,idea,cpu")
    assert result.returncode == 0
    assert all(c.isprintable() or c == "\n" for c in result.stdout)


def test_what_is_no_file(bench, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(2**30)
    for name, reason in {
        "missing.json": "No such file",
        "pipe": "is not a file",
        "folder": "holds no *.json files",
        "/dev/zero": "is not a file",
        "huge.json": "too large for a result file",
    }.items():
        result = bench("table", name, timeout=10)
        assert result.returncode == 2
        (line,) = result.stderr.splitlines()
        assert line.startswith(f"bench: {name}: ")
        assert reason in line


def test_what_can_be_read_is_shown_beside_what_cannot(good, bench, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "b.json").write_bytes(encoded(good))
    alone = bench("table", "runs")
    for name in ("a.json", "c.json"):
        (folder / name).write_bytes(encoded(good)[:5000])
    for paths in (["runs"], ["runs/a.json", "runs/b.json", "runs/c.json"]):
        result = bench("table", *paths)
        assert result.returncode == 2
        assert result.stdout == alone.stdout
        lines = [line.split(" ")[1] for line in result.stderr.splitlines()]
        assert lines == ["runs/a.json:", "runs/c.json:"]


def test_good_documents_are_read(bench, tmp_path):
    for reference in REFERENCES:
        assert bench("table", reference).returncode == 0
    assert bench("copy", *QUICK, "--output", "new.json").returncode == 0
    assert bench("table", "new.json").returncode == 0
    text = (tmp_path / "new.json").read_bytes()
    (tmp_path / "bom.json").write_bytes(b"\xef\xbb\xbf" + text)
    assert bench("table", "bom.json").returncode == 0
