"""Pages, phrases, messages and comments are plain English: short sentences, usual words.

docs/developer/wording.md says why. The lists here are the ones that it gives.
"""

import ast
import pathlib
import re

import pytest
from bench_hpc.words import phrases

ROOT = pathlib.Path(__file__).resolve().parents[1]
MOST, MEAN = 25, 16  # words of a sentence
FOLDERS = ("docs", "results", "course", "examples", "harness", "kernels", "scripts", "dev", "jobs")
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for one in FOLDERS for page in (ROOT / one).rglob("*.md"))]
)

UNUSUAL = (  # anywhere
    "merely|anew|likewise|shall|held against|whoever|once more|told from|so many|way of a launch"
    "|(?:slow|wrong) on purpose|in place of|of ours|told apart"
)
AVOIDED = re.compile(  # where users read
    rf"\b({UNUSUAL}|beside|rungs?|(?<!there )is no|are no)\b(?! longer)", re.IGNORECASE
)
IN_COMMENTS = re.compile(  # but not as a name, a file or a part of one
    rf"(?<![\w`/.:\"'{{*-])({UNUSUAL}|beside|rungs?|guests?|documents?|doubts?|yardsticks?"
    r"|(?<!there )(?:is|was|are) no(?! (?:longer|more|other|faster|slower|further)|$))\b"
    r"(?![`/(\[=*:-]|\.\w|: [a-z]+\()",
    re.IGNORECASE,
)
IN_MESSAGES = re.compile(
    rf"{AVOIDED.pattern}|\b(documents?|doubts?|plain loop|ladders?)\b", re.IGNORECASE
)
BEGINS_IN_THE_MIDDLE = re.compile(
    "(Also|Among|And|As(?! many| much)|Behind|Between|By|For|From|In|Instead|Into|Not|Of|On|Per|So"
    r"|Than|That|Those|To|Towards|Who|Whose|With|Within|Without)\b"
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


def long_ones(text):
    return [sentence for words, sentence in sentences(text) if words > MOST]


def faults(texts):
    """The words that a message must not have."""
    found = {
        text: [*IN_MESSAGES.findall(re.sub(r"\{\w+\}", "", text)), *long_ones(text)]
        for text in texts
    }
    return {text: why for text, why in found.items() if why}


def sources(*suffixes, tests=False):
    """What people wrote, but not what tests say to themselves."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.*")):
            of_tests = {"test", "fuzz", "handin"} & set(path.parts) or "test" in path.stem
            if path.suffix in suffixes and (tests or not of_tests):
                yield path


def spoken(text):
    """Several words, which are no pattern, no code and no command."""
    return text.count(" ") > 1 and not re.search(r"[\\_=]\w*\(|\\b|\w_\w+\(|^\s*[#<]", text)


def literals_of_cpp(text):
    code = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    for one in re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r'"\s*\n\s*"', "", code)):
        if spoken(one):
            yield one.replace("\\n", "\n")


def literals_of_python(text):
    """Docstrings are comments, and texts of several lines are programs or examples."""
    nodes = list(ast.walk(ast.parse(text)))
    comments = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        text = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and id(node) not in comments and "\n" not in text and spoken(text):
            yield text


def docstrings(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def doc_comments(text, suffix):
    """Docstrings, or the first line of each comment that begins with ///."""
    if suffix == ".py":
        return list(docstrings(text))
    return re.findall(r"\n(?! *///)[^\n]*\n */// (.*)", f"\n\n{text}")


def comments(path):
    """Comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from docstrings(text)
    mark = r"(?:^|\s)# .*$" if path.suffix in (".py", ".sh", ".cmake") else "//.*$"
    yield from re.findall(mark, text, flags=re.M)


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_sentences_are_short(page):
    found = list(sentences(page.read_text(encoding="utf-8")))
    assert [sentence for words, sentence in found if words > MOST] == []
    assert sum(words for words, _ in found) <= MEAN * max(len(found), 1)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_consequence_is_not_torn_from_its_reason(page):
    found = [sentence for _, sentence in sentences(page.read_text(encoding="utf-8"))]
    assert [sentence for sentence in found if sentence.startswith("So ")] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_words_are_the_usual_ones(page):
    assert AVOIDED.findall(prose(page.read_text(encoding="utf-8"))) == []


def test_phrases_are_plain():
    english = phrases("en")
    assert faults(text for group in english.values() for text in group.values()) == {}


def test_messages_of_the_program_are_plain():
    files = sources(".cpp", ".hpp", ".cu", ".cuh")
    found = [text for path in files for text in literals_of_cpp(path.read_text(encoding="utf-8"))]
    assert len(found) > 500
    assert faults(found) == {}


def test_messages_of_scripts_are_plain():
    found = [
        text
        for path in sources(".py")
        for text in literals_of_python(path.read_text("utf-8"))
        if not text.startswith("bench ")  # a command as it is typed
    ]
    assert len(found) > 200
    assert faults(found) == {}


def test_comments_have_the_usual_words():
    paths = sources(".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".cmake")
    found = [
        (name_of(path), line)
        for path in paths
        for line in comments(path)
        if IN_COMMENTS.search(line)
    ]
    assert found == []


def test_doc_comments_begin_with_their_subject():
    paths = sources(".cpp", ".hpp", ".h", ".cu", ".cuh", ".py", tests=True)
    all_of_them = [
        (name_of(path), line)
        for path in paths
        for line in doc_comments(path.read_text(encoding="utf-8"), path.suffix)
    ]
    assert len(all_of_them) > 3000
    assert [found for found in all_of_them if BEGINS_IN_THE_MIDDLE.match(found[1])] == []


def test_a_doc_comment_that_begins_in_the_middle_is_found():
    text = "/// Of one.\n/// More.\nint a;\n/// The second.\nint b;\n  /// As before.\nint c;\n"
    lines = doc_comments(text, ".hpp")
    assert lines == ["Of one.", "The second.", "As before."]
    assert [bool(BEGINS_IN_THE_MIDDLE.match(line)) for line in lines] == [True, False, True]


def test_a_long_sentence_is_found():
    assert max(sentences("A short one. Word" + " word" * 25 + "."))[0] == 26
    assert list(faults(["wanted: that who" + "ever asks", "one document of two"])) != []
