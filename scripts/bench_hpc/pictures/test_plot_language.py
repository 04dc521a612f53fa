"""The words of pictures, and the room that they take."""

import pytest

from bench_hpc.pictures.text import printable, width_mm, wrapped
from bench_hpc.words import LANGUAGES, Words, phrases


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_font_has_every_sign(language):
    for group in ("words", "facts", "pictures"):
        for text in phrases(language)[group].values():
            assert printable(text.replace("\n", " ")) == text.replace("\n", " ")


def test_sizes():
    english = Words("en", "pictures")
    assert english.size("4096x4096") == "4096\u00a0\u00d7\u00a04096"
    assert english.size("10000000:256") == "10\u2077 elements, 256 bins"


def test_values_are_plain_text():
    assert Words("en", "pictures")("node_is", node="{x}\u202e%s") == "node {x}?%s"


def test_wrapping_keeps_every_word_and_the_width():
    text = " ".join(f"word{i}" for i in range(60))
    lines = wrapped(text, 50, 7)
    assert " ".join(lines) == text
    assert all(width_mm(line, 7) <= 50 for line in lines)
    cut = wrapped(text, 50, 7, 2)
    assert len(cut) == 2
    assert "\u2026" in cut[1]
    assert width_mm(cut[1], 7) <= 50
