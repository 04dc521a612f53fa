"""The folders of harness/: each includes only what is below it; and no file includes itself."""
# CTest: release

import pathlib
import re
from graphlib import CycleError, TopologicalSorter

import pytest

HARNESS = pathlib.Path(__file__).resolve().parents[1]
# What the tests of kernels link, and what is on it.
BELOW = [
    "cuda_on_cpu",
    "base",
    "words",
    "simd",
    "workload",
    "arrays",
    "node",
    "cuda",
    "plan",
    "measure",
    "formats",
    "document",
]
ABOVE = ["guests", "tables", "compare", "command", "test", "fuzz"]
FROM_BELOW = BELOW + ABOVE
# What reads result files knows nothing of measuring.
SIBLINGS = ("document", "measure")
SOURCES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".py"}
INCLUDE = re.compile(r'^#include "harness/((\w+)/[\w/]+)\.\w+"', re.MULTILINE)


def includes(root):
    """Each file, relative to the root, with what it includes: files without an ending, folders."""
    for path in sorted(path for path in root.rglob("*") if path.suffix in SOURCES):
        yield path.relative_to(root), INCLUDE.findall(path.read_text(encoding="utf-8"))


def upwards(root):
    """Each include of a folder that is above: FILE -> FOLDER. Tests may use the common ones."""
    found = []
    for path, its in includes(root):
        rank = FROM_BELOW.index("test" if "test" in path.parent.parts[-2:] else path.parts[0])
        for _, included in its:
            beside = (FROM_BELOW[rank], included) == SIBLINGS
            if beside or FROM_BELOW.index(included) > rank:
                found.append(f"{path} -> {included}")
    return found


def circle(root):
    """Files that include each other, in a circle; a .cpp with its .hpp counts as one."""
    units = {}
    for path, its in includes(root):
        unit = str(path.with_suffix(""))
        units.setdefault(unit, set()).update(name for name, _ in its if name != unit)
    try:
        TopologicalSorter(units).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_folder_includes_what_stands_above_it():
    assert upwards(HARNESS) == []


def test_no_file_includes_itself_through_others():
    assert circle(HARNESS) == []


def test_each_folder_is_a_library_that_links_those_below_it():
    text = (HARNESS / "CMakeLists.txt").read_text(encoding="utf-8")
    libraries = re.search(r"^foreach\(folder IN ITEMS ([\w ]+)\)", text, re.MULTILINE)[1].split()
    programs = ("cuda_on_cpu", "test", "fuzz")
    assert libraries == [folder for folder in FROM_BELOW if folder not in programs]


def test_every_folder_has_its_place():
    assert {path.name for path in HARNESS.iterdir() if path.is_dir()} == set(FROM_BELOW)


def test_the_table_of_the_architecture_has_the_folders_in_their_order():
    page = (HARNESS.parent / "docs" / "developer" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \|", page, re.MULTILINE)
    assert rows[::-1] == [folder for folder in FROM_BELOW if folder not in ("test", "fuzz")]


@pytest.mark.parametrize(
    ("file", "included", "refused"),
    [
        ("document/read.cpp", "tables/row.hpp", True),
        ("document/read.cpp", "guests/guest.hpp", True),
        ("base/text.hpp", "workload/workload.hpp", True),
        ("base/text.hpp", "words/language.hpp", True),
        ("words/numbers.cpp", "simd/isa.hpp", True),
        ("tables/row.cpp", "document/doubt.hpp", False),
        ("base/test/text_test.cpp", "document/document.hpp", False),
        ("simd/unordered.h", "document/document.hpp", True),
        ("cuda/wait_kernel.cuh", "plan/plan.hpp", True),
        ("plan/plan.cpp", "measure/runner.hpp", True),
        ("document/read.cpp", "measure/runner.hpp", True),
        ("document/read.cpp", "plan/result.hpp", False),
    ],
)
def test_an_include_that_is_planted_is_found(tmp_path, file, included, refused):
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(f'#include "harness/{included}"\n', encoding="utf-8")
    assert upwards(tmp_path) == ([f"{file} -> {included.split('/')[0]}"] if refused else [])


def test_a_circle_that_is_planted_is_found(tmp_path):
    (tmp_path / "base").mkdir()
    for file, included in (("a.cpp", "b"), ("b.hpp", "c"), ("c.cpp", "a"), ("d.cpp", "a")):
        line = f'#include "harness/base/{included}.hpp"\n'
        (tmp_path / "base" / file).write_text(line, encoding="utf-8")
    assert sorted(set(circle(tmp_path))) == ["base/a", "base/b", "base/c"]
    (tmp_path / "base" / "c.cpp").unlink()
    assert circle(tmp_path) == []
