"""The folders of harness/: each includes only what is below it."""
# CTest: release

import pathlib
import re

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
    "document",
]
ABOVE = ["guests", "tables", "compare", "command", "test", "fuzz"]
FROM_BELOW = BELOW + ABOVE
# What reads result files knows nothing of measuring.
SIBLINGS = ("document", "measure")
SOURCES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".py"}
INCLUDE = re.compile(r'^#include "harness/(\w+)/', re.MULTILINE)


def upwards(root):
    """Each include of a folder that is above: FILE -> FOLDER. Tests may use the common ones."""
    found = []
    for path in sorted(path for path in root.rglob("*") if path.suffix in SOURCES):
        folder = path.relative_to(root).parts[0]
        rank = FROM_BELOW.index("test" if "test" in path.parent.parts[-2:] else folder)
        for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
            beside = (FROM_BELOW[rank], included) == SIBLINGS
            if beside or FROM_BELOW.index(included) > rank:
                found.append(f"{path.relative_to(root)} -> {included}")
    return found


def test_no_folder_includes_what_stands_above_it():
    assert upwards(HARNESS) == []


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
