"""Every phrase in every language, and numbers as each writes them."""

import importlib
import json
import os
import re
import string
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from unittest import mock

import pytest
from bench_hpc import program
from bench_hpc.program import UsageError
from bench_hpc.words import LANGUAGES, Words, phrases

ROOT = Path(__file__).resolve().parents[1]
OF_PROGRAM = ("tables", "compare", "doctor")
GROUPS = ("words", "facts", *OF_PROGRAM, "reasons", "pictures", "page", "lesson", "class")
RECORDED = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores" / "default.json"
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


SEEN = Path(__file__).parent / "test" / "english_of_translations.txt"


def english_of_translations():
    texts = [(group, key, phrases("en")[group][key]) for group, key in KEYS]
    return [f"{group}/{key} {sha256(text.encode()).hexdigest()[:8]}" for group, key, text in texts]


def test_no_translation_is_older_than_its_english():
    changed = {*english_of_translations()} ^ {*SEEN.read_text().splitlines()}
    remedy = "look at these in pt, es and fr; then run: .venv/bin/python scripts/test_words.py"
    assert sorted({line.split()[0] for line in changed}) == [], remedy


def test_a_phrase_stands_in_one_place():
    keys = [key for _, key in KEYS]
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_sentences_are_translated(language):
    for group, key in KEYS:
        text = phrases("en")[group][key]
        assert len(text) < 30 or phrases(language)[group][key] != text, key


def texts(language):
    for group, entries in phrases(language).items():
        for key, text in entries.items():
            yield f"{group}/{key}", text


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_and_units_stay_together_and_quotes_are_pairs(language):
    apart = re.compile(r"[\d}] (%|[GMK]B|[GMK]o|GFLOP/s|[mµn]?s\b)")
    # Result files hold English reasons with common blanks.
    found = [key for key, text in texts(language) if apart.search(text)]
    assert [key for key in found if language != "en" or not key.startswith("reasons/")] == []
    assert [key for key, text in texts(language) if '"' in text] == []


def test_french_has_its_blanks_and_apostrophes():
    wrong = re.compile(r" [:;?!»%]|« |\w[:;?!](?![\w:])|\w'\w")
    assert [key for key, text in texts("fr") if wrong.search(text)] == []


def test_portuguese_is_that_of_brazil():
    european = re.compile(
        r"ficheiro|\bronda|anfitri|grelha|utilizador|connosco|(?<!com)partilh|atómic|registos"
        r"|(?-i:\bnum(?:as?)?\b)|\d\.ª|[\d}]\s%"
        r"|(?<!todo )(?<!todas )\b[oa]s? (?:seu|sua)s?\b(?! com )",
        re.IGNORECASE,
    )
    assert [key for key, text in texts("pt") if european.search(text)] == []


# Whole vectors are not vectors of integers, correct is not only, and naive is said as in columns.
MISLEADING = {
    "pt": r"[vV]etores inteiros|(?:escrita|store)s diretas|laços? simples",
    "es": r"[vV]ectores enteros|escrituras directas|bucles? simples?",
    "fr": r"(?:[vV]ecteurs|tableaux) entiers|écritures directes|boucles? simples?|\bjustes?\b",
}


@pytest.mark.parametrize("language", MISLEADING)
def test_a_term_does_not_read_as_another(language):
    found = re.compile(MISLEADING[language])
    assert [key for key, text in texts(language) if found.search(text)] == []


@pytest.mark.parametrize(("language", "vector"), [("pt", "vetor"), ("es", "vector")])
def test_an_array_is_not_a_vector(language, vector):
    ideas = phrases(language)["ideas"].items()
    arrays = [(english, text) for english, text in ideas if "array" in english]
    assert len(arrays) > 30
    assert [one for one in arrays if vector in one[1].lower() and "vector" not in one[0]] == []


@cache
def sources(*folders):
    """What the program and the scripts are made of."""
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*")]
    kinds = (".cpp", ".hpp", ".cu", ".py", ".html", ".js")
    return "".join(
        path.read_text()
        for path in files
        if path.suffix in kinds and "test" not in path.parts and not path.name.startswith("test_")
    )


# Their names are put together.
MADE = re.compile(
    r"(wins|of|nodes|caution|limited|lesson_scale)_[a-z0-9_]+$|(naive|cpu|cuda|cuda_end_to_end)_line$|(cold|hot)_cache$|"
    r"(ladder|samples|scaling)_title$"
)
OF_GUESTS = set(re.findall(r'_reason\("(\w+)"', (ROOT / "harness/guests/bench.py").read_text()))
FROM_DATA = {"skipped", "failed", "slow", "fast", "unclear", "same", "alone"}


@pytest.mark.parametrize(("group", "key"), KEYS)
def test_no_phrase_is_idle(group, key):
    program = sources("harness", "kernels")
    scripts = sources("scripts")
    in_program = re.search(rf"phrases::{key}\b", program)
    in_scripts = re.search(rf"[\"']{key}[\"']", scripts) or MADE.match(key) or key in FROM_DATA
    if group in OF_PROGRAM:
        assert in_program
    elif group == "reasons":
        assert re.search(rf"reasons::{key}\b", program) or key in OF_GUESTS
    elif group == "facts":  # or by its name
        assert in_program or phrases("en")[group][key] in program
    elif group == "words":
        assert in_scripts or in_program
    else:
        assert in_scripts


def test_templates_ask_for_words_that_are_there():
    asked = re.findall(r'\b(?:w|words)\(\s*"([^"]+)"[,)]', sources("scripts/bench_hpc/page"))
    groups = ("words", "facts", "page", "lesson", "class")
    assert set(asked) <= {key for group, key in KEYS if group in groups}


def test_numbers():
    english, french = Words("en"), Words("fr")
    assert english.duration(0.0015584) == "1.558\u00a0ms"
    assert french.duration(0.0015584) == "1,558\u00a0ms"
    assert english.factor(78.21) == "78.21\u00d7"
    assert french.factor(0.0761) == "0,08\u00d7"
    assert english.percent(0.5) == "50\u00a0%"
    assert french.percent(0.007) == "0,7\u00a0%"
    assert Words("pt").percent(0.007) == "0,7%"
    assert english.count(10**7) == "10\u2077"
    assert english.count(42000) == "42\u202f000"
    assert english.about(23456) == "23\u202f000"
    assert english.short(3e5) == "3\u00b710\u2075"
    assert french.short(0.05) == "0,05"
    assert french.short(0.0) == "0"


def test_values_are_never_patterns():
    assert Words("en", "pictures")("node_is", node="{x}{}%s") == "node {x}{}%s"


def test_what_bench_names_in_english_is_translated():
    said = {language: Words(language).recorded("best CPU variant") for language in LANGUAGES}
    assert said["en"] == "best CPU variant"
    assert said["pt"] == "melhor variante de CPU"
    assert len(set(said.values())) == len(LANGUAGES)


def test_unknown_language():
    with pytest.raises(UsageError, match="--lang de: must be one of en, pt, es, fr"):
        Words("de")


def test_a_region_does_not_matter():
    spellings = {
        "en": ("EN", "en_GB", "C", "c", "C.UTF-8", "POSIX"),
        "pt": ("pt-BR", "PT-br", "pt_BR", "pt_BR.UTF-8"),
        "es": ("es-MX", "es_ES@euro"),
        "fr": ("fr_CA", "fr_CA.UTF-8", "Fr"),
    }
    for expected, asked in spellings.items():
        assert {Words(one).language for one in asked} == {expected}


NEEDED = {"plot": "matplotlib", "report": "jinja2", "points": "json", "lesson": "jinja2"}


@pytest.mark.parametrize("script", NEEDED)
def test_a_language_that_is_unknown_is_one_line(script):
    needed = NEEDED[script]
    pytest.importorskip(needed, reason=f"{needed} is not installed (scripts/setup.sh all)")
    output = [] if script == "points" else ["-o", "x/"]
    command = [sys.executable, ROOT / "scripts" / f"{script}.py", RECORDED, *output]
    done = subprocess.run([*command, "--lang", "xx"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    said = rf"bench {script}: --lang xx: must be one of en, pt, es, fr\n"
    assert re.fullmatch(said, done.stderr)


# What result files hold in English: ideas of the ladders, reasons and warnings of the program.

TRANSLATED = LANGUAGES[1:]


def ideas_of(command):
    """The ideas that a list shows, each on one line."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    whole = re.sub(r"\n {10,}", " ", done.stdout)
    return set(re.findall(r"^  [a-z]+/[a-z_0-9]+(?: ✗)? +(.*)$", whole, re.MULTILINE))


LIBRARIES = ("numexpr", "boost_histogram", "mkl", "openblas", "jax", "torch")
PEERS = ("python", "numpy", "numba", *LIBRARIES)


def ideas_of_peers(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts" / "bench_hpc" / "peers")
    pytest.importorskip("numba", reason="numba is not installed (scripts/setup.sh all)")
    monkeypatch.setitem(sys.modules, "cupy", mock.MagicMock())  # for its variants' names
    names = [*(f"{name}_" for name in PEERS), "numba_cuda_", "cupy_"]
    modules = map(importlib.import_module, names)
    ladders = [ladder for module in modules for ladder in module.LADDERS.values()]
    return {variant.idea for ladder in ladders for variant in ladder}


@pytest.fixture
def ideas(monkeypatch):
    bench = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
    return ideas_of([bench, "list", "--all"]) | ideas_of_peers(monkeypatch)


def untranslated(sentences, language, folder):
    """The sentences that the program leaves in English, in a result file with them as warnings."""
    document = json.loads(RECORDED.read_text())
    document["context"]["run"]["warnings"] = sentences
    path = folder / "document.json"
    path.write_text(json.dumps(document))
    told = program.ask(["table", "--format", "json", "--lang", language, str(path)])
    return [one for one, text in zip(sentences, told["runs"][0]["warnings"]) if one == text]


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_idea_is_translated(language, tmp_path, ideas):
    assert untranslated(sorted(ideas), language, tmp_path) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_peers_lack_is_translated(language, tmp_path):
    packages = re.findall(r'(?:package=|load\("\w+", )"(\w+)"', sources("scripts/bench_hpc/peers"))
    assert len(packages) > 5
    lacks = [f"{one} is not installed" for one in packages]
    assert untranslated(lacks, language, tmp_path) == []


# Where nothing is missing, and no more.
UNSAID = {
    "every CUDA variant",
    "every variant of stdpar",
    "every variant of target",
    "every variant of cupy",
}


def test_no_idea_is_idle(ideas):
    # What lists leave out without a CUDA compiler, and what peers put together.
    unlisted = sources("scripts/bench_hpc/peers", "kernels")
    for idea in phrases("pt")["ideas"]:
        assert idea in ideas or idea in unlisted or idea in UNSAID


RESULTS = sorted(ROOT.glob("results/reference/*/*/*.json"))
UNEXPLAINED = {"no CUDA device: no NVIDIA driver on this node"}  # of a user kernel's process then


def reasons_of(table):
    return [(row["reason"], row["reason_text"]) for row in table["rows"] if row["reason"]]


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: "-".join(path.parts[-3:]))
def test_a_recorded_file_in_portuguese_has_no_english_reason(path):
    document = json.loads(path.read_text())
    told = program.ask(["table", "--format", "json", "--lang", "pt", str(path)])
    said = [pair for table in told["tables"] for pair in reasons_of(table)]
    said += zip(document["context"]["run"]["warnings"], told["runs"][0]["warnings"])
    assert [recorded for recorded, text in said if recorded == text] == []
    asked = {recorded for recorded, _ in said}
    assert asked - UNEXPLAINED <= set(document["reasons"])


if __name__ == "__main__":  # the translations were looked at
    SEEN.write_text("\n".join(english_of_translations()) + "\n")
