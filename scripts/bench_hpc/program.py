"""bench, called by the scripts that show its result files: tables, sentences and verdicts
are made there, and nowhere else."""

import codecs
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]  # of a source tree
COMPARED = {0, 1, 3, 4, 5}  # exit codes of `bench compare` that come with a comparison


class UsageError(Exception):
    """Bad input: one line for the user."""


# What obeys or hides, and bench shows as a question mark: the list of harness/base/printable.cpp.
HIDDEN = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    "\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb\\U000e0000-\\U000e007f]"
)


def plain(text, lines=False):
    """Text that is only shown; with `lines`, its ends of lines stay."""
    return HIDDEN.sub(lambda found: "\n" if lines and found[0] == "\n" else "?", str(text))


def printable(path):
    return os.fsencode(path).decode("utf-8", "replace")


def binary():
    """BENCH_BINARY, else the one that was built or installed with this, else one in PATH."""
    installed = HERE.match("share/bench/python/*")
    ours = HERE.parents[3] / "bin" / "bench" if installed else ROOT / "build" / "bench"
    built = str(ours) if ours.is_file() else shutil.which("bench")
    found = os.environ.get("BENCH_BINARY") or built
    if not found:
        raise UsageError(
            "the program bench was not found: build it (scripts/build.sh), or set BENCH_BINARY"
        )
    return found


def output_of(arguments, accepted=(0,), by=None):
    """What a command of bench prints, or of the program `by`."""
    program = by or binary()
    try:
        # In English where no language is asked for: BENCH_LANG is what the script is to say.
        environment = {**os.environ, "BENCH_LANG": "", "FORCE_COLOR": "", "CLICOLOR_FORCE": ""}
        done = subprocess.run(
            [program, *arguments], capture_output=True, check=False, env=environment
        )
    except OSError as error:
        raise UsageError(f"{program}: cannot be run: {error.strerror} (BENCH_BINARY)") from None
    if done.returncode not in accepted:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        if said and said[0].startswith("bench: "):
            raise UsageError(said[0].removeprefix("bench: "))
        why = said[0] if said else f"ended with {done.returncode} and said nothing"
        raise UsageError(f"{program} {arguments[0]}: {why}")
    return done.stdout


def ask(arguments, accepted=(0,), by=None):
    """The same of JSON, read."""
    try:
        return json.loads(output_of(arguments, accepted, by))
    except ValueError:
        asked = f"{by or binary()} {arguments[0]} --format json"
        raise UsageError(f"{asked} gave no JSON: is it older than this script?") from None


def tables(paths, *options):
    """What `bench table` says of result files."""
    return ask(["table", "--format", "json", *options, "--", *map(str, paths)])


def merge(paths, folder):
    """Joins result files that belong together: (file in `folder`, the files it is of) of each."""
    files = [str(path) for path in paths]
    written = ask(["merge", "--format", "json", "--output", str(folder), "--", *files])
    return [(Path(one["file"]), tuple(map(Path, one["of"]))) for one in written]


def compare(paths):
    """What `bench compare` says of the nodes of these result files."""
    files = [str(path) for path in paths]
    # Two alone would be before and after.
    return ask(["compare", "--format", "json", "--", *files, files[-1]], COMPARED)


def ended(script, main):
    """The exit code of a script: what was wrong is one line, of a full stdout, too."""
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # of an encoding that has few letters
        code = main()
        if sys.stdout:
            sys.stdout.flush()
        return code
    except UsageError as error:
        print(f"{script}:", *str(error).split(), file=sys.stderr)
        return 2
    except BrokenPipeError:  # its reader has seen enough
        sys.stdout = None
        return 0
    except OSError as error:
        sys.stdout = None  # or Python would try again, and say so
        where = printable(error.filename or "stdout")
        print(f"{script}: {where}: {error.strerror}", file=sys.stderr)
        return 1


# What the files that scripts write begin with, and what they are called.
KINDS = {
    "html": ("a page of bench", rb"<!DOCTYPE html>.{,200}?Content-Security-Policy"),
    "png": ("a PNG", rb"\x89PNG\r\n"),
    "svg": ("an SVG", rb"<\?xml"),
    "pdf": ("a PDF", rb"%PDF-"),
    "json": ("a results.json of bench", rb'{\n "score"'),
}


def _headings(data):
    """The first line of a CSV file, which a spreadsheet may have saved."""
    first = data.removeprefix(codecs.BOM_UTF8).splitlines()[:1]
    return first and first[0].replace(b";", b",").replace(b'"', b"").strip().upper()


def _is_another(start, kind, data):
    """Why a file that begins so is not replaced by this data; empty where it may be."""
    if not start.removeprefix(codecs.BOM_UTF8):
        return ""
    if kind == "csv":
        ours = _headings(start) == _headings(data)
        return "" if ours else "is there already, with other columns"
    name, beginning = KINDS[kind]
    ours = re.match(beginning, start, re.DOTALL | re.IGNORECASE)
    return "" if ours else f"is there already, and is not {name}"


def expect_own(path, kind, option="--output", data=b""):
    """Refuses to replace what is not of this kind: a `csv` has the columns of `data`."""
    path = Path(path)
    why = None
    try:
        if path.parts[:1] == ("-",):
            why = "stdout is for what is said"
        elif path.exists() and not path.is_file():
            why = "is not a regular file"
        elif path.exists():
            with path.open("rb") as file:
                why = _is_another(file.read(1000), kind, data)
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
    if why:
        raise UsageError(f"{printable(path)}: {why}: give another name ({option})")


def expect_room(folder, option):
    """Refuses a folder that is not there and cannot be made."""
    there = folder.resolve()
    while not there.exists():
        there = there.parent
    if not there.is_dir():
        why = f"{printable(there)} is not a folder"
    elif not os.access(there, os.W_OK):
        why = f"{printable(there)} cannot be written"
    else:
        return
    raise UsageError(f"{option} {printable(folder)}: {why}: name another folder")


def write_whole(path, data, kind, option="--output", private=False):
    """Written next to the target first: the target is complete, or as it was. Others cannot read a
    private one, unless they already could."""
    expect_own(path, kind, option, data)
    beside = None
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{path.name[:40]}-", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        if not private:
            os.chmod(beside, 0o666 & ~mask)
        elif path.exists():
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except OSError as error:
        if beside:
            os.unlink(beside)
        raise UsageError(
            f"{printable(path)}: cannot be written: {error.strerror} ({option})"
        ) from None
