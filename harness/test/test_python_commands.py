# CTest: release
"""bench plot and others: the Python package is found, and what is missing is one line."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from conftest import BENCH

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores" / "default.json"
IN_ITS_TREE = pathlib.Path(BENCH).resolve().parents[1] == ROOT
COMMANDS = ("plot", "report", "lesson", "points")

pytestmark = pytest.mark.skipif(not IN_ITS_TREE, reason="this program is not in build/")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_the_program_and_of_the_command(bench, command):
    told = bench("help", command)
    assert told.returncode == 0
    assert "Exit codes:" in told.stdout
    assert f"bench {command} --help" in told.stdout
    assert f"  bench {command} " in own_help(bench, command, "--help")


def own_help(bench, command, option):
    if command in ("plot", "report"):
        pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    if command in ("report", "lesson"):
        pytest.importorskip("jinja2", reason="Jinja2 is not installed")
    own = bench(command, option, BENCH_PYTHON=sys.executable)
    assert (own.returncode, own.stderr) == (0, "")
    return own.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_the_short_help_is_a_part_of_the_whole_one(bench, command):
    short, whole = (own_help(bench, command, option) for option in ("-h", "--help"))
    options = [set(re.findall(r"^  (\S.*?)(?:  |$)", text.split("Options:")[1], re.M))
               for text in (short, whole.split("\nExit codes:")[0])]  # fmt: skip
    assert options[0] < options[1]
    assert f"bench {command} --help shows all {len(options[1])} options" in short
    assert max(map(len, (short + whole).splitlines())) <= 80


def test_a_page_of_a_result_file(bench, tmp_path):
    pytest.importorskip("jinja2", reason="Jinja2 is not installed")
    (tmp_path / "program.py").write_text("raise SystemExit('a file of the user')")
    done = bench("report", RECORDED, "--no-pictures", BENCH_PYTHON=sys.executable)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_a_python_that_is_not_there_is_one_line(bench, tmp_path):
    done = bench("report", RECORDED, BENCH_PYTHON=str(tmp_path / "nowhere"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    for word in ("bench: report: ", "nowhere: No such file", "BENCH_PYTHON", "module load python"):
        assert word in done.stderr


def test_a_program_alone_names_what_brings_the_package(tmp_path):
    alone = shutil.copy(BENCH, tmp_path / "bench")
    done = subprocess.run([alone, "plot", "a.json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bench: plot: the Python package bench_hpc is not next to")
    assert "cmake --install" in done.stderr


def test_nobody_reads_a_package_of_somebody_else(bench, tmp_path):
    (tmp_path / "bench_hpc").mkdir()
    (tmp_path / "bench_hpc" / "__init__.py").write_text("raise SystemExit('planted')")
    done = bench("points", "missing.json", BENCH_PYTHON=sys.executable)
    assert done.returncode == 2
    assert "planted" not in done.stderr
    assert "missing.json" in done.stderr
