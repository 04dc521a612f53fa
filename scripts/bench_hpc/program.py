"""bench, called by the scripts that show its result files: tables, sentences and verdicts
are made there, and nowhere else."""

import codecs
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


BEGINNINGS = {
    "html": b"<!DOCTYPE html>",
    "png": b"\x89PNG\r\n",
    "svg": b"<?xml",
    "pdf": b"%PDF-",
    "json": b'{\n "score"',
    "csv": b"username,",
    "worksheet": b"Identifier,",
    "canvas": b"Student,",
    "nbgrader": b"assignment,",
}  # of the files that scripts write


def expect_own(path, kind, option="--output"):
    """Refuses to replace a file of another kind."""
    path = Path(path)
    why = None
    try:
        if path.parts[:1] == ("-",):
            why = "stdout is for what is said"
        elif path.exists() and not path.is_file():
            why = "is not a regular file"
        elif path.exists():
            with path.open("rb") as file:
                start = file.read(100).removeprefix(codecs.BOM_UTF8)[: len(BEGINNINGS[kind])]
            start = start.replace(b";", b",")  # a spreadsheet may have saved it
            if start.upper() not in (b"", BEGINNINGS[kind].upper()):
                why = f"is there already, and is not {kind.upper()}"
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
    if why:
        raise UsageError(f"{printable(path)}: {why}: give another name ({option})")


def write_whole(path, data, kind, option="--output", private=False):
    """Written next to the target first: the target is complete, or as it was. Others cannot read a
    private one, unless they already could."""
    expect_own(path, kind, option)
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
