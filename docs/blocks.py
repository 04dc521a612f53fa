"""Blocks of code of a page, and what the comments before them order: developer/writing-docs.md."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<language>[^\n`]*)\n(?P<text>.*?)^ *(?P=fence)[ ]*$",
    re.MULTILINE | re.DOTALL,
)
COMMENTS = re.compile(r"(?:<!--(?:(?!-->).)*-->\s*)+\Z", re.DOTALL)
ORDER = re.compile(
    r"<!-- (?:not run: (?P<reason>[^>]*\w[^>]*)|exit (?P<code>\d+)|file (?P<file>[\w./-]+)) -->"
)
ORDERS = "<!-- not run: REASON -->, <!-- exit N -->, <!-- file NAME -->"
# Comments that look like one of these.
MEANT = re.compile(r"<!--\s*(?:not[ -]run|exit|file)\b[^>]*-->", re.IGNORECASE)
CODE = re.compile(r"(`+)[^`\n]*\1")  # within a line


@dataclass(frozen=True)
class Block:
    page: str  # below the root
    line: int
    language: str
    text: str
    reason: str = ""  # why it is not run
    code: int = 0  # the exit code of its last command
    file: str = ""  # to write the text to

    @property
    def where(self):
        return f"{self.page}:{self.line}"

    @property
    def commands(self):
        """The commands of a console block, each with the lines that it continues on."""
        found, more = [], False
        for line in self.text.splitlines():
            if more:
                found[-1] += f"\n{line}"
            elif line.startswith("$ "):
                found.append(line[2:])
            else:
                continue
            more = line.endswith("\\")
        return found


def pages():
    """Every page that readers follow."""
    found = {ROOT / "README.md", *ROOT.glob("*/README.md"), *(ROOT / "docs").rglob("*.md")}
    return sorted(str(path.relative_to(ROOT)) for path in found)


def orders(text):
    """What the comments at the end of a text say of the block that follows."""
    before = COMMENTS.search(text)
    said = {}
    for order in ORDER.finditer(before[0]) if before else ():
        said.update((key, value) for key, value in order.groupdict().items() if value)
    if "code" in said:
        said["code"] = int(said["code"])
    return said


def blocks(page, text):
    found, end = [], 0
    for match in FENCE.finditer(text):
        shift = len(match["indent"])
        lines = [
            line[shift:] if line[:shift].isspace() else line
            for line in match["text"].splitlines(True)
        ]
        line = text.count("\n", 0, match.start()) + 1
        said = orders(text[end : match.start()])
        found.append(Block(page, line, match["language"].strip(), "".join(lines), **said))
        end = match.end()
    return found


def of(page):
    return blocks(page, (ROOT / page).read_text(encoding="utf-8"))


def faults(page, text):
    """What breaks the rules for blocks: (where, what) of each."""
    found = []
    for block in blocks(page, text):
        typed = any(line.startswith("$ ") for line in block.text.splitlines())
        if block.language in ("", "sh", "bash", "shell"):
            found.append(
                (block.where, "name the language of the block: console for commands, text for text")
            )
        elif block.language == "console" and not typed:
            found.append((block.where, "no line of the console block begins with '$ '"))
        elif block.language != "console" and typed and not block.file:
            found.append((block.where, "a block with commands is a console block"))
    outside = CODE.sub("", FENCE.sub("\0", text))
    for comment in MEANT.finditer(outside):
        if not ORDER.fullmatch(comment[0]):
            found.append((page, f"{comment[0]}: not one of {ORDERS}"))
        elif not re.match(
            r"\s*(?:<!--(?:(?!-->).)*-->\s*)*\0", outside[comment.end() :], re.DOTALL
        ):
            found.append((page, f"{comment[0]}: no block follows"))
    return found
