"""Every phrase in every language, and numbers as each writes them."""

import importlib
import json
import os
import re
import string
import subprocess
import sys
from functools import cache
from pathlib import Path

import program
import pytest
from program import UsageError
from words import LANGUAGES, Words, phrases

ROOT = Path(__file__).resolve().parents[1]
OF_PROGRAM = ("tables", "compare", "doctor")
GROUPS = ("words", "facts", *OF_PROGRAM, "pictures", "page", "lesson", "class")
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
    assert [key for key, text in texts(language) if apart.search(text)] == []
    assert [key for key, text in texts(language) if '"' in text] == []


def test_french_has_its_blanks_and_apostrophes():
    wrong = re.compile(r" [:;?!»%]|« |\w[:;?!](?![\w:])|\w'\w")
    assert [key for key, text in texts("fr") if wrong.search(text)] == []


def test_portuguese_is_that_of_brazil():
    european = re.compile(
        r"ficheiro|\bronda|anfitri|grelha|utilizador|connosco|(?<!com)partilh|atómic|registos",
        re.IGNORECASE,
    )
    assert [key for key, text in texts("pt") if european.search(text)] == []


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
FROM_DATA = {"skipped", "failed", "slow", "fast", "unclear", "same", "alone"}


@pytest.mark.parametrize(("group", "key"), KEYS)
def test_no_phrase_is_idle(group, key):
    program = sources("harness")
    scripts = sources("scripts")
    in_program = re.search(rf"phrases::{key}\b", program)
    in_scripts = re.search(rf"[\"']{key}[\"']", scripts) or MADE.match(key) or key in FROM_DATA
    if group in OF_PROGRAM:
        assert in_program
    elif group == "facts":  # or by its name
        assert in_program or phrases("en")[group][key] in program
    elif group == "words":
        assert in_scripts or in_program
    else:
        assert in_scripts


def test_templates_ask_for_words_that_are_there():
    asked = re.findall(r'\b(?:w|words)\(\s*"([^"]+)"[,)]', sources("scripts/page"))
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
    assert english.count(10**7) == "10\u2077"
    assert english.count(42000) == "42\u202f000"
    assert english.about(23456) == "23\u202f000"
    assert english.short(3e5) == "3\u00b710\u2075"
    assert french.short(0.05) == "0,05"
    assert french.short(0.0) == "0"


def test_values_are_never_patterns():
    assert Words("en", "pictures")("node_is", node="{x}{}%s") == "node {x}{}%s"


def test_unknown_language():
    with pytest.raises(UsageError, match="--lang de: must be one of en, pt, es, fr"):
        Words("de")


def test_a_region_does_not_matter():
    asked = ("pt-BR", "es-MX", "fr_CA", "pt_BR.UTF-8", "en")
    assert [Words(one).language for one in asked] == ["pt", "es", "fr", "pt", "en"]


# What documents hold in English: ideas of the ladders, reasons and warnings of the program.

TRANSLATED = LANGUAGES[1:]


def ideas_of(command):
    """The ideas that a list shows, each on one line."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    whole = re.sub(r"\n {10,}", " ", done.stdout)
    return set(re.findall(r"^  [a-z]+/[a-z_0-9]+(?: ✗)? +(.*)$", whole, re.MULTILINE))


LIBRARIES = ("numexpr", "boost_histogram", "mkl", "openblas", "jax", "torch")
PEERS = ("python", "numpy", "numba", *LIBRARIES)


def ideas_of_peers(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts" / "peers")
    pytest.importorskip("numba", reason="numba is not installed (scripts/setup.sh all)")
    monkeypatch.setitem(sys.modules, "cupy", importlib.import_module("numpy"))  # for its names
    names = [*(f"{name}_" for name in PEERS), "numba_cuda_", "cupy_"]
    modules = map(importlib.import_module, names)
    ladders = [ladder for module in modules for ladder in module.LADDERS.values()]
    return {variant.idea for ladder in ladders for variant in ladder}


@pytest.fixture
def ideas(monkeypatch):
    bench = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
    return ideas_of([bench, "list", "--all"]) | ideas_of_peers(monkeypatch)


def untranslated(sentences, language, folder):
    """Those that the program leaves in English, in a document that holds them as its warnings."""
    document = json.loads(RECORDED.read_text())
    document["context"]["run"]["warnings"] = sentences
    path = folder / "document.json"
    path.write_text(json.dumps(document))
    told = program.ask(["table", "--format", "json", "--lang", language, str(path)])
    return [one for one, text in zip(sentences, told["runs"][0]["warnings"]) if one == text]


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_idea_is_translated(language, tmp_path, ideas):
    assert untranslated(sorted(ideas), language, tmp_path) == []


def test_no_idea_is_idle(ideas):
    # What lists leave out without a CUDA compiler, and what peers put together.
    unlisted = sources("scripts/peers", "kernels")
    for idea in phrases("pt")["ideas"]:
        parts = re.split(r"\{\d\}", idea)
        there = [one for one in ideas if one.startswith(parts[0]) and one.endswith(parts[-1])]
        assert there or all(part in unlisted for part in parts) or idea == "every CUDA variant", (
            idea
        )


SOURCES = ("harness", "kernels")
# Sentences that are put together otherwise than by places for figures.
PIECED = re.compile(
    r"other task|looked at|are wrong|refused|memory: needs|in more than a fifth|to \{.?\} thread|"
    r"are bound to cpu|uses the GPU|^reads |^writes |^the host |threads? (reads|write) |"
    r"^the same element|'bench list'|Sanitizer|^ended |^no answer|^cannot be checked|^right on|"
    r"\(thread |, more elements|^cudaMemcpy takes"
)


def one_line(text):
    """C++ or Python with literals in one piece, and places for figures as {}."""
    joined = re.sub(r'"\s*\n\s*f?"', "", text)
    return re.sub(r"\{[^{}\"]*\}", "{}", joined)


def test_what_is_translated_is_what_the_program_says():
    code = one_line(sources(*SOURCES)) + one_line(sources("scripts/peers"))
    idle = [
        sentence
        for sentence in phrases("pt")["recorded"]
        for part in re.split(r"\{\d\}", sentence)
        if part.strip(" ():;,") not in code and not PIECED.search(sentence)
    ]
    assert idle == []


TEXT = r'\s*(?:fmt::format\(\s*)?"([^"]+)"'
WARNING = re.compile(r"found\.(?:push|emplace)_back\(" + TEXT)
REASON = re.compile(r"(?:Unavailable\(|reason_ = |return )" + TEXT)
WARNS = [path for path in ROOT.glob("harness/**/*.cpp") if path.stem in ("doctor", "binding")]
OF_GUESTS = re.compile(
    r"(?:RunError\(|CannotCheck\(|nothing_offered\(\)[^}]*return |obstacle = )" + TEXT
)
COMPOSED = (
    "ended by signal 11 (Segmentation fault): it wrote into input 0, or far outside of an array",
    "line 9: reads element 10000 of x, which has 10000 (thread (16,0,0) of block (39,0,0))",
    "lines 12 and 14: one thread reads and another writes the same element of tile, and nothing "
    "orders them: is a barrier missing (__syncthreads, within a warp __syncwarp)?",
    "line 3: two threads write the same element, and nothing orders them: should the update be "
    "atomic (atomicAdd)?",
    "line 3: the host writes out, which is on the device: only kernels and cudaMemcpy get there",
    "on 1000 elements: left out 96 of 1000 elements, the first at index 904 (is the grid rounded "
    "up?)",
    "line 4: writes behind the end of the block's dynamic shared memory of 64 bytes",
    "wrote nothing, or added to what was there: the output is not zero at first (in Python out = … "
    "is another array: write out[:] = …, or return the result)",
    "line 4: reads 4 bytes behind the end of tile, which has 64 bytes",
    "right on the CPU (3 orders of its threads, AddressSanitizer and ThreadSanitizer; no nvcc has "
    "seen it); a time needs a GPU",
    "right on the CPU (3 orders of its threads, AddressSanitizer and ThreadSanitizer; "
    "nvcc compiles "
    "it, more elements take longer than 5 s); a time needs a GPU",
    "right on the CPU (3 orders of its threads, AddressSanitizer and ThreadSanitizer, which its "
    "__CUDACC__ may mislead; nvcc compiles it); a time needs a GPU",
    "cannot be checked without a GPU: it uses cudaDeviceReset",
    "wrong with 1013 elements: left out 5 of 1013 elements, the first at index 1008",
    "wrong where x is negative: 9 of 1013 elements are wrong, the first at index 3: 1 instead of 2",
    "with 7 elements: ended by signal 6 (Aborted)",
    "line 6: writes element 3 of x, which has 1013, and may only be read",
    "line 6: writes outside of tmp",
    "right with one thread, wrong with 2: threads race (is a reduction missing?)",
    "right with one thread, wrong with 4: threads race (do they share a variable, or write the "
    "same element?)",
    "lines 6 and 8: threads race for the same variable or element: make it private, reduce it, or "
    "update it atomically",
    "line 6: assertion n failed",
    "line 6: stack overflow (a large array belongs on the heap)",
    "ignores the parameter threshold: wrong with threshold = 0.25",
)
OURS = re.compile(r"memory|no device|device lost|cuBLAS|this version")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_warning_and_reason_is_translated(language, tmp_path):
    doubts = "".join(one_line(path.read_text()) for path in WARNS)
    reasons = [one for one in REASON.findall(one_line(sources(*SOURCES))) if OURS.match(one)]
    warnings = WARNING.findall(doubts)
    assert len(reasons) > 10
    assert len(warnings) > 10
    samples = [one.replace("{}", "7") for one in reasons + warnings if not PIECED.search(one)]
    assert untranslated(samples, language, tmp_path) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_said_of_kernels_of_others_is_translated(language, tmp_path):
    code = one_line(sources("harness/guests"))
    plain = [one for one in OF_GUESTS.findall(code) if one[0] != "{" and not PIECED.search(one)]
    found = {one.replace("{}", "7") + "7" * one.endswith(": ") for one in plain}
    assert len(found) > 15
    assert untranslated(sorted(found), language, tmp_path) == []
    # Sentences within sentences, too.
    document = json.loads(RECORDED.read_text())
    document["context"]["run"]["warnings"] = COMPOSED
    (tmp_path / "document.json").write_text(json.dumps(document))
    told = program.ask(
        ["table", "--format", "json", "--lang", language, str(tmp_path / "document.json")]
    )
    english = re.compile(r"\b(the|of|which|line|lines|reads|writes|orders|seen|is|elements)\b")
    assert [one for one in told["runs"][0]["warnings"] if english.search(one)] == []
