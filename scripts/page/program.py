"""What the program itself says of documents: tables, and how nodes compare. Nothing of that is
computed here."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from page.documents import UsageError

ROOT = Path(__file__).resolve().parents[2]
COMPARED = {0, 1, 3, 4, 5}  # exit codes of `bench compare` that come with a comparison


def binary():
    named = os.environ.get("BENCH_BINARY")
    built = ROOT / "build" / "bench"
    found = named or (str(built) if built.is_file() else shutil.which("bench"))
    if not found:
        raise UsageError(
            "the program bench was not found: build it (scripts/run.sh list), or set BENCH_BINARY"
        )
    return found


def _output(arguments, accepted):
    program = binary()
    try:
        done = subprocess.run([program, *arguments], capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"{program}: cannot be run: {error.strerror} (BENCH_BINARY)") from None
    if done.returncode not in accepted:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = (
            said[0].removeprefix("bench: ")
            if said
            else f"ended with {done.returncode} and said nothing"
        )
        raise UsageError(f"{program} {arguments[0]}: {why}")
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise UsageError(
            f"{program} {arguments[0]} --format json gave no JSON: is it older than this script?"
        ) from None


def tables(documents, language):
    """`bench table`: the runs, their tables and how to read them."""
    files = [str(document.path) for document in documents]
    told = _output(["table", "--format", "json", "--lang", language, "--", *files], {0})
    if told.get("schema") != "bench-tables/1":
        raise UsageError(f"{binary()} table gave no 'bench-tables/1': is it another version?")
    return told


def survey(documents):
    """`bench compare` for many nodes."""
    # A folder, because two files would be taken for before and after. The links' names lead back.
    with tempfile.TemporaryDirectory() as folder:
        behind = {}
        for number, document in enumerate(documents):
            link = Path(folder, f"{number:06}.json")
            link.symlink_to(document.path.resolve())
            behind[str(link)] = document
        told = _output(["compare", "--format", "json", folder], COMPARED)
    for kind in told["kinds"]:
        for node in kind["nodes"]:
            node["document"] = behind[node.pop("file")]
    told["unreadable"] = [_unreadable(line, behind) for line in told["unreadable"]]
    told["unfinished"] = [_with_own_name(line, behind) for line in told["unfinished"]]
    return told


def _unreadable(line, behind):
    """Which document it is, and the line with its own name."""
    link = next(link for link in behind if line.startswith(link))
    return behind[link], behind[link].name + line[len(link) :]


def _with_own_name(line, behind):
    link = next((link for link in behind if link in line), None)
    return line.replace(link, behind[link].name) if link else line
