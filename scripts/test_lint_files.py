"""Which sources clang-tidy looks at."""

import os

import lint_files

TEXTS = {
    "a/one.hpp": "",
    "a/one.cpp": '#include "a/one.hpp"\n',
    "a/fields.hpp": "",
    "a/two.hpp": '#include <map>\n\n#include "a/fields.hpp"\n',
    "a/two.cpp": '#include "a/two.hpp"\n',
    "b/three.cpp": '#include "a/two.hpp"\n#include "a/one.hpp"\n',
    "b/unused.hpp": "",
}
SOURCES = {"a/one.cpp", "a/two.cpp", "b/three.cpp"}


def test_a_changed_source_is_looked_at():
    assert lint_files.chosen({"b/three.cpp", "README.md"}, TEXTS, SOURCES) == ["b/three.cpp"]


def test_a_changed_header_is_seen_by_the_source_of_its_name():
    assert lint_files.chosen({"a/one.hpp"}, TEXTS, SOURCES) == ["a/one.cpp"]


def test_a_header_that_only_headers_include_is_seen_by_one_of_theirs():
    assert lint_files.chosen({"a/fields.hpp"}, TEXTS, SOURCES) == ["a/two.cpp"]


def test_a_header_that_nothing_includes_is_seen_by_nobody():
    assert lint_files.chosen({"b/unused.hpp", "gone.hpp"}, TEXTS, SOURCES) == []


def test_other_checks_look_at_all():
    assert lint_files.chosen({".clang-tidy"}, TEXTS, SOURCES) == sorted(SOURCES)


def unit(folder, *sources):
    file = folder / "Unity" / "unit.cxx"
    file.parent.mkdir(exist_ok=True)
    file.write_text("".join(f'#include "{source}"\n' for source in sources))
    return {
        "directory": "/",
        "command": f"c++ -O3 -Wall -include /a/cmake_pch.hxx -c {file}",
        "file": str(file),
    }


def test_files_of_a_unit_are_looked_at_as_one(tmp_path):
    one = unit(tmp_path, "/a/one.cpp", "/a/two.cpp")
    other = {"directory": "/", "command": "c++ -c /b/main.cpp", "file": "/b/main.cpp"}
    first = lint_files.first_compilations([one, other])
    seen = lint_files.looked_at(["/a/one.cpp", "/a/two.cpp", "/b/main.cpp"], first, False)
    assert seen == {one["file"]: ["/a/one.cpp", "/a/two.cpp"], "/b/main.cpp": ["/b/main.cpp"]}


def test_all_looks_at_each_file_by_itself(tmp_path):
    first = lint_files.first_compilations([unit(tmp_path, "/a/one.cpp", "/a/two.cpp")])
    seen = lint_files.looked_at(["/a/one.cpp", "/a/two.cpp"], first, True)
    assert seen == {"/a/one.cpp": ["/a/one.cpp"], "/a/two.cpp": ["/a/two.cpp"]}


def test_what_is_not_compiled_here_is_looked_at_by_itself():
    assert lint_files.looked_at(["/a/gpu.cpp"], {}, False) == {"/a/gpu.cpp": ["/a/gpu.cpp"]}


def test_a_source_of_a_unit_is_compiled_as_its_unit_without_what_only_gcc_has(tmp_path):
    command = lint_files.as_clang_takes_it(unit(tmp_path, "/a/one.cpp"), "/a/one.cpp")["command"]
    assert command.startswith("c++ -O3 -c /a/one.cpp -isystem")


def test_a_unit_is_clean_until_one_of_its_sources_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(lint_files, "LINT", tmp_path)
    source = tmp_path / "one.cpp"
    source.write_text("")
    os.utime(source, (100, 100))
    assert not lint_files.is_clean("unit", [source], [])
    stamp = tmp_path / "unit.clean"
    stamp.write_text("")
    os.utime(stamp, (200, 200))
    assert lint_files.is_clean("unit", [source], [source])
    os.utime(source, (300, 300))
    assert not lint_files.is_clean("unit", [source], [])
