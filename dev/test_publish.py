"""What only a publisher knows is in one file, and reaches every place that names it."""

import shutil

import publish
import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed (scripts/setup.sh all)")

GIVEN = {
    "repository": "https://forge.invalid/hpc/bench",
    "authors": "Ada Lovelace; Alan Turing",
    "security": "security@forge.invalid",
    "doi": "10.1234/5678",
    "released": "2027-01-31",
}


@pytest.fixture
def tree(tmp_path):
    for name in {publish.VALUES, *(place[0] for place in publish.PLACES)}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(publish.ROOT / name, tmp_path / name)
    return tmp_path


def fill(tree, given):
    text = "".join(f'{key} = "{value}"\n' for key, value in given.items())
    (tree / publish.VALUES).write_text(text)


def texts(tree):
    return {path: path.read_text() for path in tree.rglob("*") if path.is_file()}


def test_what_is_asked_for_are_five_values():
    assert set(publish.values(publish.ROOT)) == {*GIVEN, "names"}


def test_each_value_reaches_its_places_also_the_second_time(tree):
    fill(tree, GIVEN)
    assert publish.main([], tree) == 0
    first = texts(tree)
    for name, _, new in publish.PLACES:
        keys = [key for key in GIVEN if "{" + key + "}" in new]
        assert all(GIVEN[key] in first[tree / name] for key in keys), name
    cited = yaml.safe_load((tree / "CITATION.cff").read_text())
    assert [one["name"] for one in cited["authors"]] == ["Ada Lovelace", "Alan Turing"]
    assert cited["repository-code"] == GIVEN["repository"]
    assert publish.main([], tree) == 0
    assert texts(tree) == first


def test_empty_values_change_nothing_and_are_named(tree, capsys):
    fill(tree, dict.fromkeys(GIVEN, ""))
    before = texts(tree)
    assert publish.main([], tree) == 0
    assert texts(tree) == before
    assert publish.main(["--check"], tree) == 1
    assert "empty: repository, authors, security, doi, released" in capsys.readouterr().err
