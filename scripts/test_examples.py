"""examples/: each runs by the command in its second line, and shows what its first line says."""
# CTest: full

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BENCH = Path(os.environ.get("BENCH_BINARY", ROOT / "build" / "bench"))
EXAMPLES = ROOT / "examples"
# test_notebook.py runs the notebook.
OTHERS = {".md", ".ipynb"}
FILES = sorted(path for path in EXAMPLES.iterdir() if path.is_file() and path.suffix not in OTHERS)


def head(path):
    """The two comment lines that an example starts with: what it shows, and its command."""
    lines = path.read_text().removeprefix("#!/usr/bin/env bash\n").splitlines()[:2]
    return [re.fullmatch(r"(?:#|//) (.+)", line)[1] for line in lines]


@pytest.fixture
def ran(tmp_path):
    """Runs an example in a copy of the folder; returns that folder and the finished process."""
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "bench").symlink_to(BENCH)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "BENCH_"))}

    def run(name):
        done = subprocess.run(
            ["bash", "-c", head(EXAMPLES / name)[1]],
            cwd=folder,
            env={**clean, "PATH": path},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        return folder, done

    return run


def result_file(folder, name="results/*.json"):
    (path,) = folder.glob(name)
    return json.loads(path.read_text())


def own_rows(document):
    """The cases that a user's file computed, by the name of the file."""
    return {Path(one["guest"]).name: one for one in document["cases"] if "guest" in one}


@pytest.mark.parametrize("name", ["energy.c", "energy.cpp", "energy.py"])
def test_a_kernel_of_your_own_is_measured(ran, name):
    folder, done = ran(name)
    assert done.returncode == 0, done.stderr
    row = own_rows(result_file(folder))[name]
    assert (row["status"], row["verification"]["passed"]) == ("measured", True)
    assert row["idea"] == head(EXAMPLES / name)[0]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("energy.cu", None),
        ("f64_literal.cu", "f32.cu"),
        ("one_stream.cu", "eight_streams.cu"),
        ("eight_streams.cu", "one_stream.cu"),
    ],
)
def test_a_kernel_in_cuda_is_right_with_or_without_a_gpu(ran, name, other):
    folder, done = ran(name)
    assert done.returncode == 0, done.stderr
    rows = own_rows(result_file(folder))
    assert set(rows) == {name, other} - {None}
    for row in rows.values():
        if row["status"] != "measured":
            assert row["status"] == "checked"
            assert "right" in row["reason"], row["reason"]


def test_the_streams_are_the_only_difference():
    one, eight = (
        set((EXAMPLES / name).read_text().splitlines())
        for name in ("one_stream.cu", "eight_streams.cu")
    )
    assert one != eight
    assert all("stream" in line or "<<<1, 256>>>" in line for line in one ^ eight)


def test_a_literal_takes_f32_along_to_f64(ran):
    folder, done = ran("f64_literal.cpp")
    assert done.returncode == 0, done.stderr
    rows = own_rows(result_file(folder))
    assert {row["verification"]["passed"] for row in rows.values()} == {True}
    compiler = ["g++", "-Wdouble-promotion", "-c", "-o", os.devnull]
    said = {
        name: subprocess.run([*compiler, folder / name], capture_output=True, text=True, check=True)
        for name in rows
    }
    assert "double" in said["f64_literal.cpp"].stderr
    assert said["f32.cpp"].stderr == ""


def test_sorted_and_shuffled_numbers_are_the_same(ran):
    np = pytest.importorskip("numpy")
    folder, done = ran("divergence.py")
    assert done.returncode == 0, done.stderr
    x, y = (np.load(folder / f"{order}.npy") for order in ("shuffled", "sorted"))
    assert np.array_equal(np.sort(x), y)
    assert not np.array_equal(x, y)
    ratios = dict(line.split() for line in done.stdout.split("sorted ones:\n")[1].splitlines())
    assert {"serial/naive/kernel", "openmp/naive/kernel"} <= set(ratios)
    assert all(float(ratio) > 0 for ratio in ratios.values())


def test_your_own_data_go_in_and_the_result_comes_back(ran):
    folder, done = ran("own_data.py")
    assert done.returncode == 0, done.stderr
    (data,) = result_file(folder)["context"]["run"]["input_files"]
    assert (data["path"], data["shape"]) == ("x.npy", [100_000])
    assert 0 < float(done.stdout.split()[-1]) < 1e-6


def test_a_class_is_ranked_and_has_points(ran):
    folder, done = ran("class.sh")
    assert done.returncode == 0, done.stderr
    rows = own_rows(result_file(folder, "class.json"))
    right = {"ana.c", "bruno.cpp", "carla.cpp", "elisa.py"}
    reasons = {name: row["reason"] for name, row in rows.items()}
    measured = {name for name, row in rows.items() if row["status"] == "measured"}
    assert measured <= right, reasons
    waited = [reasons[name] for name in right - measured]  # while others had the processors
    assert all(reason.startswith("not judged: ") for reason in waited), reasons
    assert rows["davi.cpp"]["status"] == "failed"

    table = csv.DictReader(io.StringIO((folder / "class.csv").read_text()))
    listed = {Path(row["guest"]).name: row for row in table}
    assert set(listed) == right | {"davi.cpp"}
    assert listed["davi.cpp"]["reason"] == rows["davi.cpp"]["reason"]
    assert listed["davi.cpp"]["rank"] == ""
    ranks = {row["rank"] for row in listed.values()} - {""}
    assert "1" in ranks or not ranks, "of a busy node nothing can be said"

    marks = list(csv.DictReader(done.stdout[done.stdout.index("workload,file") :].splitlines()))
    marked = {Path(one["file"]).name: one for one in marks}
    assert marked.pop("davi.cpp")["points"] == "0"
    assert set(marked) == right
    for name, one in marked.items():
        if listed[name]["rank"]:
            assert float(one["points"]) >= 10
        else:  # the node was busy: somebody looks at it first
            assert one["points"] == ""
            assert one["reason"]


def test_two_nodes_are_compared(ran):
    folder, done = ran("two_nodes.sh")
    assert done.returncode in (0, 3, 4), done.stderr  # the machine decides
    assert "2 nodes compared" in done.stdout
    for node in ("n1", "n2"):
        assert result_file(folder, f"{node}.json")["context"]["run"]["node"] == node


def measured(folder):
    """The rows of energy in run.json."""
    rows = result_file(folder, "run.json")["speedups"]
    return [one for one in rows if one["workload"] == "energy" and one["seconds"]]


def test_pandas_reads_a_result_file(ran):
    pytest.importorskip("pandas")
    folder, done = ran("read_with_pandas.py")
    assert done.returncode == 0, done.stderr
    fastest = min(measured(folder), key=lambda one: one["seconds"])
    (heading,) = (line for line in done.stdout.splitlines() if "over_serial.value" in line)
    first = done.stdout.split(heading)[1].split("\n")[1].split()
    assert first[:2] == [fastest["backend"], fastest["variant"]]
    assert float(first[2]) == pytest.approx(fastest["seconds"], rel=1e-3)


@pytest.mark.skipif(not shutil.which("jq"), reason="no jq on this machine")
def test_jq_reads_a_result_file(ran):
    folder, done = ran("read_with_jq.sh")
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    assert [(row[0], float(row[1])) for row in rows] == [
        (one["name"], one["seconds"]) for one in measured(folder)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_example_is_short_and_in_the_list(path):
    shows, command = head(path)
    assert f"| [{path.name}]({path.name}) | {shows} | `{command}` |" in rows_of_the_list()
    assert len(path.read_text().splitlines()) <= 40
    assert f'"{path.name}"' in Path(__file__).read_text(), "no test runs it"


def rows_of_the_list():
    lines = (EXAMPLES / "README.md").read_text().splitlines()
    return [line for line in lines if line.startswith("| [")]


def test_the_list_has_no_other_file():
    notebooks = [*EXAMPLES.glob("*.ipynb")]
    assert len(rows_of_the_list()) == len(FILES) + len(notebooks)
