"""The pages of docs/ are plain English: short sentences, usual words."""

import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
FOLDERS = ("student", "teacher", "admin", "how-to", "methodology")
PAGES = [DOCS / "index.md", *sorted(page for one in FOLDERS for page in (DOCS / one).glob("*.md"))]
MOST, MEAN = 25, 16  # words
AVOIDED = re.compile(
    r"\b(merely|anew|likewise|beside|in place of|shall|held against|whoever|once more|of ours"
    r"|(?<!there )is no|are no)\b(?! longer)",
    re.IGNORECASE,
)


def prose(text):
    """Paragraphs, items of lists and cells of tables, without code, links and marks."""
    text = re.sub(r"<!--.*?-->|^ *```.*?^ *```$", "\n", text, flags=re.M | re.S)
    text = re.sub(r"`[^`\n]+`", "Code", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[*_\"]", "", text)


def sentences(text):
    """Each with its words. A cell that is no sentence counts as one."""
    parts = re.split(r"\n\s*\n|^\s*(?:[-#>]+|\d+\.) |\||\n(?=\|)", prose(text), flags=re.M)
    for part in parts:
        for sentence in re.split(r"(?<=[.!?:;])\s+(?=[^a-z])|;\s", " ".join(part.split())):
            words = re.findall(r"\w[^\s,;:]*", sentence)
            if len(words) > 2:
                yield len(words), sentence


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_sentences_are_short(page):
    found = list(sentences(page.read_text(encoding="utf-8")))
    assert [sentence for words, sentence in found if words > MOST] == []
    assert sum(words for words, _ in found) <= MEAN * max(len(found), 1)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_words_are_the_usual_ones(page):
    assert AVOIDED.findall(prose(page.read_text(encoding="utf-8"))) == []


def test_a_long_sentence_is_found():
    assert max(sentences("A short one. Word" + " word" * 25 + "."))[0] == 26
