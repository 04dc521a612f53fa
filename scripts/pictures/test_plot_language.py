"""Every word in every language, and numbers as each writes them."""

import string
from pathlib import Path

import pytest
from program import UsageError

from pictures.language import CATALOGUE, LANGUAGES, Words
from pictures.text import printable, width_mm, wrapped


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_word_has_every_language(key):
    words = CATALOGUE[key]
    assert len(words) == len(LANGUAGES)
    assert all(word.strip() for word in words)
    assert all(fields(word) == fields(words[0]) for word in words)
    assert all(printable(word.replace("\n", " ")) == word.replace("\n", " ") for word in words)
    if len(words[0]) > 30:
        assert len(set(words)) == len(LANGUAGES), "a sentence that was not translated"


def test_no_word_is_left_over():
    folder = Path(__file__).parent
    sources = [path for path in folder.glob("*.py") if not path.name.startswith("test_")]
    code = "".join(path.read_text() for path in sources if path.name != "language.py")
    code += (folder / "language.py").read_text().split("class Words")[1]
    made = ("wins_", "of_kernel", "of_end_to_end", "plain_line", "cpu_line", "cuda_")
    data = {"skipped", "failed", "cold", "hot", "slow", "fast", "unclear", "same", "alone"}
    for key in CATALOGUE:
        used = f'"{key}"' in code or f"'{key}'" in code
        assert used or key.startswith(made) or key in data, key


def test_numbers():
    english, french = Words("en"), Words("fr")
    assert english.duration(0.0015584) == "1.558\u00a0ms"
    assert french.duration(0.0015584) == "1,558\u00a0ms"
    assert english.factor(78.21) == "78.21\u00d7"
    assert french.factor(0.0761) == "0,08\u00d7"
    assert english.percent(0.5) == "50\u00a0%"
    assert french.percent(0.007) == "0,7\u00a0%"
    assert english.count(10**7) == "10\u2077"
    assert english.count(42000) == "42\u202f000"
    assert english.about(23456) == "23\u202f000"
    assert english.short(3e5) == "3\u00b710\u2075"
    assert french.short(0.05) == "0,05"
    assert french.short(0.0) == "0"
    assert english.size("4096x4096") == "4096\u00a0\u00d7\u00a04096"
    assert english.size("10000000:256") == "10\u2077 elements, 256 bins"


def test_values_are_never_patterns():
    assert Words("en")("node", node="{x}{}%s") == "node {x}{}%s"


def test_unknown_language():
    with pytest.raises(UsageError, match="--lang de: wanted one of en, pt, es, fr"):
        Words("de")


def test_wrapping_keeps_every_word_and_the_width():
    text = " ".join(f"word{i}" for i in range(60))
    lines = wrapped(text, 50, 7)
    assert " ".join(lines) == text
    assert all(width_mm(line, 7) <= 50 for line in lines)
    cut = wrapped(text, 50, 7, 2)
    assert len(cut) == 2
    assert "\u2026" in cut[1]
    assert width_mm(cut[1], 7) <= 50
