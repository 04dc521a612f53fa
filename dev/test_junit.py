"""What test.sh shows of tests that failed."""

import subprocess
import sys
import xml.etree.ElementTree as ET

import junit

FAILING = """
import subprocess
import pytest

@pytest.mark.parametrize("number", range(3))
def test_it(number):
    subprocess.run(["no-such-program"], check=True)

def test_other():
    assert [1, 2] == [1, 3], "they differ"
"""


def file_of(folder, *cases):
    suite = ET.Element("testsuite")
    for name, status, output, (tag, message) in cases:
        case = ET.SubElement(suite, "testcase", name=name, status=status)
        ET.SubElement(case, "system-out").text = output
        if tag:
            ET.SubElement(case, tag, message=message)
    path = folder / "tests.xml"
    ET.ElementTree(suite).write(path)
    return path


def test_a_failure_shows_its_own_message_and_line_and_no_library(tmp_path, capsys):
    (tmp_path / "test_failing.py").write_text(FAILING)
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "test_failing.py"], cwd=tmp_path, stdout=-1, text=True, check=False
    )
    path = file_of(tmp_path, ("test_failing", "fail", done.stdout, ("failure", "")))
    assert junit.counts(path) == (0, 1, 0)
    text = capsys.readouterr().err
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'no-such-program'" in text
    assert "test_failing.py:7: in test_it" in text
    assert "AssertionError: they differ" in text
    assert "Popen" not in text
    assert len(text.splitlines()) <= junit.MOST_LINES + 1


PYTEST = """.ss
SKIPPED [1] test_a.py:3: no: device
SKIPPED [1] ../test_a.py:9: matplotlib is not installed
1 passed, 2 skipped in 0.08s
"""


def test_each_test_of_a_file_of_pytest_counts(tmp_path, capsys):
    nothing = "SKIPPED [1] test_b.py:2: matplotlib is not installed\n1 skipped in 0.03s\n"
    cases = (
        ("a", "run", PYTEST, ("", "")),
        ("b", "notrun", nothing, ("skipped", "SKIP_RETURN_CODE=5")),
        ("c", "notrun", "no tests ran in 0.01s\n", ("skipped", "SKIP_RETURN_CODE=5")),
    )
    assert junit.counts(file_of(tmp_path, *cases)) == (1, 1, 3)
    assert capsys.readouterr().err.splitlines()[2:] == [
        "  skipped 1 (a, ...): no: device",
        "  skipped 2 (a, ...): matplotlib is not installed",
    ]


def test_every_test_is_counted_once(tmp_path, capsys):
    skipped = "a.cpp:3: Skipped\nno device\n"
    cases = (
        ("one", "run", "", ("", "")),
        ("two", "notrun", skipped, ("skipped", "SKIP_REGULAR_EXPRESSION_MATCHED")),
        ("three", "notrun", "", ("skipped", "Unable to find executable")),
    )
    assert junit.counts(file_of(tmp_path, *cases)) == (1, 1, 1)
    assert capsys.readouterr().err.splitlines() == [
        "  FAILED three Unable to find executable",
        "  skipped 1 (two, ...): no device",
    ]


def test_a_program_of_many_tests_counts_as_many(tmp_path, capsys):
    together = "[==========] 9 tests ran.\n[  PASSED  ] 8 tests.\n[  SKIPPED ] 1 test.\n"
    cases = (("four", "run", together, ("", "")),)
    assert junit.counts(file_of(tmp_path, *cases)) == (8, 0, 1)
    assert capsys.readouterr().err.splitlines() == ["  skipped 1 (four, ...): by GoogleTest"]


def test_the_slowest_of_all_stages_come_first(tmp_path):
    for stage, times in (("release-tests", (60, 6)), ("asan", (120, 3))):
        path = file_of(tmp_path, *((f"t{time}", "run", "", ("", "")) for time in times))
        tree = ET.parse(path)
        for case, time in zip(tree.iter("testcase"), times):
            case.set("time", str(time))
        tree.write(tmp_path / f"{stage}-ctest.xml")
    files = [tmp_path / f"{stage}-ctest.xml" for stage in ("release-tests", "asan")]
    assert junit.slowest(2, files) == ["   2.0 t120 (asan)", "   1.0 t60 (release-tests)"]
