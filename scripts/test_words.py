"""Every phrase in every language, and numbers as each writes them."""

import re
import string
from pathlib import Path

import pytest
from program import UsageError
from words import LANGUAGES, Words, phrases

ROOT = Path(__file__).resolve().parents[1]
GROUPS = ("words", "tables", "pictures", "page")
KEYS = [(group, key) for group in GROUPS for key in phrases("en")[group]]


def places(text):
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_phrases_with_the_same_places(language):
    english = phrases("en")
    assert [(group, key) for group in GROUPS for key in phrases(language)[group]] == KEYS
    for group, key in KEYS:
        text = phrases(language)[group][key]
        assert text.strip(), key
        assert places(text) == places(english[group][key]), key


def test_a_phrase_stands_in_one_place():
    keys = [key for _, key in KEYS]
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_sentences_are_translated(language):
    for group, key in KEYS:
        text = phrases("en")[group][key]
        assert len(text) < 30 or phrases(language)[group][key] != text, key


def sources(*folders):
    """What the program and the scripts are made of."""
    files = [path for folder in folders for path in (ROOT / folder).glob("*") if path.is_file()]
    ours = [path for path in files if path.suffix in (".cpp", ".hpp", ".py", ".html", ".js")]
    return "".join(path.read_text() for path in ours if not path.name.startswith("test_"))


# Their names are put together.
MADE = re.compile(
    r"(wins|of|nodes)_[a-z_]+$|(plain|cpu|cuda|cuda_end_to_end)_line$|(cold|hot)_cache$"
)
FROM_DATA = {"skipped", "failed", "slow", "fast", "unclear", "same", "alone"}


@pytest.mark.parametrize(("group", "key"), KEYS)
def test_no_phrase_is_idle(group, key):
    program = sources("harness", "harness/tables")
    scripts = sources("scripts", "scripts/pictures", "scripts/page")
    in_program = re.search(rf"phrases::{key}\b", program)
    in_scripts = re.search(rf"[\"']{key}[\"']", scripts) or MADE.match(key) or key in FROM_DATA
    if group == "tables":
        assert in_program
    elif group == "words":
        assert in_scripts or in_program
    else:
        assert in_scripts


def test_templates_ask_for_words_that_are_there():
    asked = re.findall(r'\b(?:w|words)\(\s*"([^"]+)"[,)]', sources("scripts/page"))
    assert set(asked) <= {key for group, key in KEYS if group in ("words", "page")}


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


def test_values_are_never_patterns():
    assert Words("en", "pictures")("node_is", node="{x}{}%s") == "node {x}{}%s"


def test_unknown_language():
    with pytest.raises(UsageError, match="--lang de: wanted one of en, pt, es, fr"):
        Words("de")
