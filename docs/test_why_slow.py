"""Each reason that the program prints below a table is explained by the page that it names."""

import re

import blocks
import pytest
from bench_hpc.words import phrases

PAGE = (blocks.ROOT / "docs" / "reference" / "why-slow.md").read_text(encoding="utf-8")
SAID = {key: text for key, text in phrases("en")["tables"].items() if key.startswith("why_")}


@pytest.mark.parametrize("key", [key for key in SAID if key != "why_more"])
def test_a_reason_is_explained(key):
    clause = re.split(r"[:,.]", SAID[key])[0]
    pattern = re.sub(r"\\\{\d\\\}", r"\\S.*?", re.escape(clause))
    assert re.search(rf'^\| "{pattern}', PAGE, re.MULTILINE), SAID[key]


def test_the_program_names_the_page():
    assert "bench help why-slow" in SAID["why_more"]
    assert len(SAID) > 6
