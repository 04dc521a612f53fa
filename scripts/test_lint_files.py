"""Which sources clang-tidy looks at."""

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
