"""A class as it is handed in: what students call their files and what they write into them."""
# CTest: release full

import csv
import io
import json
import sys

import pytest

from conftest import QUICK

GRADED = [
    "--graded",
    "--size",
    "1e6",  # less takes as long as asking for it
    "--samples",
    "9",
    "--max-time",
    "0.2",
    "--timeout",
    "5",
]
LONG = "l" + 198 * "o" + "ng"
LOOP = "for (size_t i = 0; i < n; ++i) out[i] = in[i];"
RIGHT = f'extern "C" void copy_f32(const float* in, float* out, size_t n) {{ {LOOP} }}\n'


@pytest.fixture
def handed_in(bench, tmp_path):
    """Tries files, given as name=text or bytes; returns their rows by file, and the process."""

    def run(files, *options):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        names = [f"./{name}" for name in files]
        result = bench("try", *names, *options, "--output", "class.json")
        assert (tmp_path / "class.json").exists(), result.stderr
        cases = json.loads((tmp_path / "class.json").read_text(encoding="utf-8"))["cases"]
        rows = {one["guest"].removeprefix("./"): one for one in cases if "guest" in one}
        return rows, result

    return run


def test_names_of_a_class(handed_in):
    folders = {
        "rui": "rui-copy",
        "g1/ana": "g1-ana-copy",
        "g2/ana": "g2-ana-copy",
        "joão silva_12345_assignsubmission_file_": "joão_silva-copy",
        LONG: None,
        "-rf": "-rf-copy",
        "=1+1": "_1_1-copy",
    }
    files = {f"{folder}/copy.cpp": RIGHT for folder in folders}
    rows, result = handed_in({**files, "__MACOSX/rui/._copy.cpp": b"\0\5\x16\7"}, *QUICK)
    assert result.returncode == 0, result.stderr
    names = {file.removesuffix("/copy.cpp"): one["variant"] for file, one in rows.items()}
    assert names.pop(LONG) == "l" + 19 * "o" + "…" + 12 * "o" + "ng-copy"
    del folders[LONG]
    assert names == folders


WRITTEN = {
    "empty.cpp": (" \n", "the file is empty"),
    "name.cpp": (
        RIGHT.replace("copy_f32", "my_copy"),
        "it has my_copy; the function must be called copy_f32",
    ),
    "book.py": (
        "import bench\nget_ipython()\n",
        "it is a notebook's export: take out the lines of %magic (get_ipython)",
    ),
    "all.zip": (b"PK\3\4", "is an archive: unpack it first"),
    "words.cpp": (
        "#include <stdexcept>\n"
        + RIGHT.replace(LOOP, 'throw std::runtime_error("=cmd\\n@SUM(1)");'),
        "threw std::runtime_error: =cmd",
    ),
}


def test_sentences_that_a_student_understands(handed_in, bench, tmp_path, monkeypatch):
    monkeypatch.setenv("BENCH_PYTHON", sys.executable)
    files = {name: text for name, (text, _) in WRITTEN.items()}
    rows, result = handed_in({"right.cpp": RIGHT, **files}, *QUICK)
    assert result.returncode == 1
    assert {name: rows[name]["reason"] for name in files} == {
        name: reason for name, (_, reason) in WRITTEN.items()
    }
    assert rows["right.cpp"]["status"] == "measured"
    (tmp_path / "leo").mkdir()
    said = bench("try", "leo", *QUICK).stderr.splitlines()[0]
    assert said == "bench: leo: is a folder: name its files (leo/*.cpp)"


def test_a_folder_that_looks_like_an_option_has_a_remedy(bench, tmp_path):
    (tmp_path / "-rf").mkdir()
    (tmp_path / "-rf" / "copy.cpp").write_text(RIGHT, encoding="utf-8")
    result = bench("try", "-rf/copy.cpp", *QUICK)
    assert result.returncode == 2
    wanted = "unknown option '-rf/copy.cpp': the file of this name is ./-rf/copy.cpp"
    assert result.stderr == f"bench: {wanted}\n"


def test_a_command_can_be_typed_again(bench):
    result = bench("try", "--new", "copy", "a\nb.c")
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("try $'a\\012b.c'\n")


HOSTILE = {
    "forks.cpp": (
        "#include <unistd.h>\n" + RIGHT.replace(LOOP, f"for (;;) fork(); {LOOP}"),
        "line 2: fork starts a process, which is refused here",
    ),
    "takes.cpp": (
        "#include <vector>\n" + RIGHT.replace(LOOP, f"std::vector<char> v(2000000000, 1); {LOOP}"),
        "GB here",
    ),
    "loops.cpp": (
        RIGHT.replace(LOOP, 'std::puts("still here"); for (volatile unsigned i = 0;;) i = i + 1;'),
        "(an endless loop? --timeout waits longer)",
    ),
}


def test_a_hostile_file_has_its_reason_and_what_leaks_its_time(handed_in):
    leak = RIGHT.replace(LOOP, f"float* t = new float[n]; t[n - 1] = 1; {LOOP}")
    files = {name: "#include <cstdio>\n" + text for name, (text, _) in HOSTILE.items()}
    rows, _ = handed_in({"right.cpp": RIGHT, "leaks.cpp": leak, **files}, *GRADED)
    for name, (_, reason) in HOSTILE.items():
        assert rows[name]["status"] == "failed" or "not judged" in rows[name]["reason"], rows[name]
        if rows[name]["status"] == "failed":
            assert rows[name]["reason"].endswith(reason.replace("line 2", "line 3")), rows[name]
    for name in ("right.cpp", "leaks.cpp"):
        assert rows[name]["status"] in ("measured", "skipped"), rows[name]["reason"]


def test_points_of_a_run_without_user_kernels(bench, tmp_path):
    bench("copy/serial*", "--size", "1000", "--samples", "9", "--output", "run.json")
    result = bench("points", "run.json", BENCH_PYTHON=sys.executable)
    assert result.returncode == 2
    assert result.stderr == "bench points: no user kernel in run.json\n"
    assert list(csv.reader(io.StringIO(result.stdout))) == []


def test_a_grader_reads_why_its_only_file_cannot_be_used(handed_in, bench):
    """An autograder sees one file at a time."""
    rows, result = handed_in({"copy.cpp": RIGHT.replace(";", "")}, *GRADED)
    assert result.returncode == 1, result.stderr
    assert rows["copy.cpp"]["status"] == "failed"
    assert rows["copy.cpp"]["reason"].startswith("does not compile: ")
    points = bench("points", "class.json", BENCH_PYTHON=sys.executable)
    assert next(csv.DictReader(io.StringIO(points.stdout)))["points"] == "0"
