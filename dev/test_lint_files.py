"""Which sources clang-tidy looks at."""

import os
import pathlib

import lint_files
import pytest

TEXTS = {
    "a/one.hpp": "",
    "a/one.cpp": '#include "a/one.hpp"\n',
    "a/fields.hpp": "",
    "a/two.hpp": '#include <map>\n\n#include "a/fields.hpp"\n',
    "a/two.cpp": '#include "a/two.hpp"\n',
    "b/three.cpp": '#include "a/two.hpp"\n#include "a/one.hpp"\n',
    "b/unused.hpp": "",
}
SOURCES = ["a/one.cpp", "a/two.cpp", "b/three.cpp"]
READ = {name: lint_files.with_headers([name], TEXTS) for name in SOURCES}


def test_a_changed_source_is_looked_at():
    assert lint_files.chosen({"b/three.cpp", "README.md"}, READ) == ["b/three.cpp"]


def test_a_changed_header_is_seen_by_the_source_of_its_name():
    assert lint_files.chosen({"a/one.hpp"}, READ) == ["a/one.cpp"]


def test_a_header_that_only_headers_include_is_seen_by_one_of_theirs():
    assert lint_files.chosen({"a/fields.hpp"}, READ) == ["a/two.cpp"]


def test_a_header_that_nothing_includes_is_seen_by_nobody():
    assert lint_files.chosen({"b/unused.hpp", "gone.hpp"}, READ) == []


def test_other_checks_look_at_all():
    assert lint_files.chosen({".clang-tidy"}, READ) == SOURCES


@pytest.fixture
def unit(tmp_path, monkeypatch):
    """The compilation of a unit of these sources."""
    monkeypatch.setattr(lint_files, "ROOT", pathlib.Path("/"))
    monkeypatch.setattr(lint_files, "UNITS", tmp_path)

    def made(*sources):
        file = tmp_path / "unit.cpp"
        file.write_text("".join(f'#include "{source}"\n' for source in sources))
        return {
            "directory": "/",
            "command": f"c++ -O3 -Wall -include /a/cmake_pch.hxx -c {file}",
            "file": str(file),
        }

    return made


def test_files_of_a_unit_are_looked_at_as_one(unit):
    one = unit("a/one.cpp", "a/two.cpp")
    other = {"directory": "/", "command": "c++ -c /b/main.cpp", "file": "/b/main.cpp"}
    first = lint_files.first_compilations([one, other])
    seen = lint_files.looked_at(["a/one.cpp", "a/two.cpp", "b/main.cpp"], first, False)
    assert seen == [one["file"], "/b/main.cpp"]


def test_all_looks_at_each_file_by_itself(unit):
    first = lint_files.first_compilations([unit("a/one.cpp", "a/two.cpp")])
    sources = ["/a/one.cpp", "/a/two.cpp"]
    assert lint_files.looked_at(sources, first, True) == sources


def test_what_is_not_compiled_here_is_looked_at_by_itself():
    assert lint_files.looked_at(["/a/gpu.cpp"], {}, False) == ["/a/gpu.cpp"]


def test_a_source_of_a_unit_is_compiled_as_its_unit_without_what_only_gcc_has(unit):
    command = lint_files.as_clang_takes_it(unit("a/one.cpp"), "/a/one.cpp")["command"]
    assert command.startswith("c++ -O3 -c /a/one.cpp -isystem")


def test_what_is_looked_at_has_headers_and_those_that_they_include():
    assert lint_files.with_headers(["a/two.cpp", "b/three.cpp"], TEXTS) == [
        *("a/two.cpp", "b/three.cpp", "a/two.hpp", "a/one.hpp", "a/fields.hpp"),
    ]


def planted(folder, monkeypatch, text="int one;\n"):
    folder.mkdir(exist_ok=True)
    (folder / "one.cpp").write_text(text)
    monkeypatch.setattr(lint_files, "ROOT", folder)
    return lint_files.stamp_of(f"c++ -I{folder} -c {folder}/one.cpp", ["one.cpp"])


def test_what_is_clean_is_clean_in_another_clone_until_it_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(lint_files, "CLEAN", tmp_path / "clean")
    lint_files.forget_old()
    stamp = planted(tmp_path / "here", monkeypatch)
    assert not lint_files.is_clean(stamp)
    stamp.touch()
    assert lint_files.is_clean(planted(tmp_path / "there", monkeypatch))
    assert not lint_files.is_clean(planted(tmp_path / "there", monkeypatch, "int two;\n"))


def test_what_nobody_asks_for_is_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr(lint_files, "CLEAN", tmp_path)
    old, asked_for = tmp_path / "old", tmp_path / "asked_for"
    for stamp in (old, asked_for):
        stamp.touch()
        os.utime(stamp, (100, 100))
    assert lint_files.is_clean(asked_for)
    lint_files.forget_old()
    assert asked_for.exists()
    assert not old.exists()
