"""The extras of pyproject.toml: what pip brings is what the scripts install, in a wider range."""

import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = {"numpy", "numba", "scipy", "numexpr", "boost-histogram"}
tomllib = pytest.importorskip("tomllib", reason="Python is older than 3.11")
requirements = pytest.importorskip("packaging.requirements", reason="packaging is not installed")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def ranges(extra):
    """By package: the versions that an extra takes, with those of the extras that it names."""
    found = {}
    for text in PROJECT["optional-dependencies"][extra]:
        one = requirements.Requirement(text)
        if one.name == PROJECT["name"]:
            found.update({key: value for more in one.extras for key, value in ranges(more).items()})
        else:
            found[one.name] = one.specifier
    return found


@pytest.mark.parametrize(
    ("extra", "packages", "pinned"),
    [
        ("course", {"numpy", "numba"}, ["peers"]),
        ("peers", PEERS, ["peers"]),
        ("pages", {"matplotlib", "jinja2"}, ["pictures", "page"]),
    ],
)
def test_the_pinned_versions_are_in_the_range(extra, packages, pinned):
    wanted = ranges(extra)
    assert set(wanted) == packages
    seen = set()
    for folder in pinned:
        file = ROOT / "scripts" / "bench_hpc" / folder / "requirements.txt"
        lines = [line for line in file.read_text().splitlines() if line and line[0] != "#"]
        for one in map(requirements.Requirement, lines):
            if one.name in wanted:
                seen.add(one.name)
                (pin,) = one.specifier
                assert pin.version in wanted[one.name], one
    assert seen == packages
    assert all("<" in str(one) for one in wanted.values())
