"""%bench and %%bench of IPython: a cell is a user kernel, and its table stands below it."""

import argparse
import codecs
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

from IPython.core.error import UsageError as Refused
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.display import display

from bench_hpc import program
from bench_hpc.class_.grade import CELL
from bench_hpc.program import UsageError, plain
from bench_hpc.words import Words

ENDINGS = {"c": ".c", "c++": ".cpp", "cuda": ".cu", "python": ".py"}
CUDA = re.compile(r"\b__(?:global|device)__\b|<<<")
PYTHON = re.compile(r"^(?:def|import|from) |^@\w", re.MULTILINE)
CPP = re.compile(
    r"\bstd::|\btemplate\s*<|\b(?:namespace|constexpr|static_cast|auto|using)\b"
    r'|\bextern\s+"|#\s*include\s*<\w+>'
)
# Comments and strings, which may hold words of any language; an #include is neither.
PROSE = re.compile(
    r"/\*.*?\*/|//[^\n]*|#(?!\s*include\b)[^\n]*"
    r"|(\"\"\"|''').*?\1|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COMPILER = re.compile(r"\bcell\.\w+:(\d+):")  # its place in our file
MEASURES = ("run", "try")  # and words that are not a command
REFUSED = 2  # the exit code


def language_of(cell):
    """What a cell is written in, by the words of its code that only one of the languages has."""
    cell = PROSE.sub(lambda found: '""' if found[0][0] in "\"'" else " ", cell)
    if CUDA.search(cell):
        return "cuda"
    if PYTHON.search(cell):
        return "python"
    return "c++" if CPP.search(cell) else "c"


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def _options(line):
    """The options that a magic looks at, and the words that are bench's."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--language", choices=ENDINGS)
    parser.add_argument("--lang", default=os.environ.get("BENCH_LANG") or "en")  # as it is now
    parser.add_argument("--output", type=Path)
    try:
        return parser.parse_known_args(shlex.split(line))
    except ValueError as error:  # a quote without its partner
        raise UsageError(str(error)) from None


class _Progress:
    """A line below the cell that is written again, and at the end gives way to the tables."""

    def __init__(self):
        self._handle = None

    def show(self, line):
        data = {"text/plain": line}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def end(self, tables):
        if self._handle is None:
            if tables is not None:
                display(tables)
        elif tables is None:
            self._handle.update({"text/plain": ""}, raw=True)
        else:
            self._handle.update(tables)


def _said(leader, progress):
    """What bench says on a terminal, as lines: those of the progress are replaced by the next."""
    said, text = [], ""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        try:
            text += decoder.decode(os.read(leader, 4096))
        except OSError:  # bench has ended; a line that was to be replaced is progress
            return [*said, plain(text)] if text.strip() and "\r" not in text else said
        *lines, text = re.split(r"\r?\n", ESCAPES.sub("", text))
        said += [plain(one.rpartition("\r")[2]) for one in lines]
        *before, last = text.split("\r")
        if before and last.strip():
            progress(plain(last))
            text = "\r" + last


def execute(words, progress):
    """Runs bench with these words: exit code, stdout, and the lines of stderr. An interruption is
    passed on to it; what was measured until then is in its result file."""
    leader, follower = pty.openpty()
    terminal = {"TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}
    binary = program.binary()
    with tempfile.TemporaryFile() as out:
        try:
            bench = subprocess.Popen(
                [binary, *words],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=follower,
                start_new_session=True,  # an interruption comes from here alone
                env={"BENCH_PYTHON": sys.executable, **os.environ, **terminal},
            )
        except OSError as error:
            os.close(leader)
            why = f"{binary}: cannot be run: {error.strerror} (BENCH_BINARY)"
            raise UsageError(why) from None
        finally:
            os.close(follower)
        try:
            said = _said(leader, progress)
        except KeyboardInterrupt:
            bench.send_signal(signal.SIGINT)
            try:
                said = _said(leader, progress)
            except KeyboardInterrupt:  # a second time: nothing is waited for
                bench.kill()
                raise
        finally:
            os.close(leader)
        code = bench.wait()
        out.seek(0)
        return code, out.read().decode("utf-8", "replace"), said


class Tables:
    """What `bench table` says: tables in a notebook, text elsewhere. What was measured here is in
    `file`."""

    def __init__(self, words, lang, cell="", file=None, folder=None, language=""):
        self.words, self.lang, self.cell, self.file = words, lang, cell, file
        self.folder = folder  # the file goes with it
        self.language = language  # of the cell, where only its words say so

    def _told(self, *options):
        """What is said of them; files of the cell have no folder."""
        text = program.output_of(["table", *options, *self.words]).decode("utf-8", "replace")
        return text.replace(f"{self.folder.name}/", "") if self.folder else text

    def __repr__(self):
        return self._told()

    def _repr_html_(self):
        try:
            from bench_hpc.page import cell
        except ModuleNotFoundError:  # without Jinja2 it is the text
            return None
        told = json.loads(self._told("--format", "json"))
        code = None
        if self.cell:
            result = json.loads(self.file.read_bytes())
            reasons, slow = result.get("reasons", {}), _slow_lines(result, self.folder.name)
            code = cell.Cell(self.cell.split("\n"), reasons, slow, COMPILER)
        return cell.html(told, code, Words(self.lang, "page", "lesson", "class"))


def _slow_lines(result, folder):
    """The lines of a cell in this folder that its result file says take long."""
    guests = result["context"]["run"].get("guests") or []
    own = next((one for one in guests if one["path"].startswith(folder)), {})
    loops = filter(None, [own.get("scalar_loop"), *own.get("slow_lines", [])])
    return sorted({one["line"] for one in loops})


def _run(words, tables=None):
    """Runs bench: the tables of what it has measured replace the progress; without them there is
    what it prints."""
    progress = _Progress()
    code, out, said = execute(words, progress.show)
    measured = tables and code != REFUSED and tables.file.is_file()
    if code and not measured and not out:
        progress.end(None)
        raise UsageError(_refusal("\n".join(said) or out or f"ended with {code}", tables))
    if not measured:
        print(out, end="")
    for line in said:
        if line.strip() and not (measured and str(tables.file) in line):
            print(line.replace(f"{tables.folder.name}/", "") if measured else line)
    progress.end(tables if measured else None)


RESULT = b'{"schema":"bench-report/'  # begins with this


def _give_way(file):
    """Removes what the cell measured earlier: who reads the file is to find this cell's result."""
    with suppress(OSError), file.open("rb") as opened:
        if opened.read(len(RESULT)) == RESULT:
            file.unlink()


def _measure(words, options, folder, cell="", language=""):
    file = options.output or Path(folder.name) / "run.json"
    if "--dry-run" not in words:
        _give_way(file)
    shown = ["--lang", options.lang, "--", str(file)]
    tables = Tables(shown, options.lang, cell, file, folder, language)
    _run([*words, "--lang", options.lang, "--output", str(file)], tables)


def _refusal(text, tables):
    """The first sentence, and the line of the cell that a compiler names in it."""
    text = text.removeprefix("bench: ").partition("\nbench: ")[0]
    if tables is None:
        return text
    text = text.replace(f"{tables.folder.name}/", "")
    found, lines = COMPILER.search(text), tables.cell.split("\n")
    if found and int(found[1]) <= len(lines):
        text += f"\n{found[1]}: {lines[int(found[1]) - 1]}"
    if tables.language and "does not compile" in text:
        text += f"\nthe cell was taken for {tables.language}: --language names another"
    return text


def _commands():
    return {one["name"] for one in program.ask(["help", "--format", "json"])["commands"]}


@contextmanager
def _refusals():
    """What was wrong is one line, without a traceback."""
    try:
        yield
    except UsageError as error:
        raise Refused(str(error)) from None


@magics_class
class BenchMagics(Magics):
    @cell_magic("bench")
    def of_cell(self, line, cell):
        """%%bench WORKLOAD [OPTIONS]: verifies and measures the user kernel in this cell.

        It is C, C++, CUDA or Python: --language NAME says so where its words do not. The options
        are those of `bench run`; without a workload those of `bench try`.
        """
        with _refusals():
            options, words = _options(line)
            cell = "\n" + cell  # its first line is the magic: lines have the numbers of editors
            folder = tempfile.TemporaryDirectory(prefix=CELL)
            language = "" if options.language else language_of(cell)
            file = Path(folder.name) / f"cell{ENDINGS[options.language or language]}"
            file.write_text(cell, encoding="utf-8")
            of_workload = words and not words[0].startswith("-")
            run = ["run", *words, "--with"] if of_workload else ["try", *words]
            _measure([*run, str(file)], options, folder, cell, language)

    @line_magic("bench")
    def of_line(self, line):
        """%bench ARGUMENTS: any command of bench, with the tables of what it has measured."""
        with _refusals():
            options, words = _options(line)
            first = words[0] if words else ""
            if first == "table" and not any(one.startswith("--format") for one in words):
                tables = Tables([*words[1:], "--lang", options.lang], options.lang)
                repr(tables)  # what is wrong is said here, and not while it is shown
                display(tables)
            elif first in MEASURES or first not in _commands():
                folder = tempfile.TemporaryDirectory(prefix="bench-run-")
                _measure(words, options, folder)
            else:
                _run(shlex.split(line))
