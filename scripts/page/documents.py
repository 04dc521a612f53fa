"""The documents behind a page: what the tables do not say of them."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from program import UsageError, printable, without_controls

SCHEMA = "bench-report/1"
SCHEMA_FILE = "schema.json"  # results/*.json names it too


@dataclass(frozen=True)
class Document:
    path: Path
    name: str  # as the user wrote it, fit for printing
    sha256: str
    context: dict
    node: str
    named: bool  # by the user; not found in a folder
    ours: bool  # has the baseline; other programs' documents (the peers') have not


def refuse_or_leave_out(why, named, left_out):
    """What the user named must be sound; what lay in a folder is left out, and the page says so."""
    if named:
        raise UsageError(why)
    left_out.append(why)


def _refuse_constant(text):
    raise ValueError(f"{text} is no JSON")


def _parsed(path, data):
    try:
        document = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise UsageError(f"{printable(path)}: is no JSON: was it cut off?") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise UsageError(f"{printable(path)}: no document of bench: 'schema' is not '{SCHEMA}'")
    context = document.get("context")
    parts = [context.get(key) for key in ("run", "build", "machine")] if context else [None]
    if not all(isinstance(part, dict) for part in parts):
        raise UsageError(f"{printable(path)}: damaged: context has no run, build or machine")
    if not isinstance(context["run"].get("node"), str):
        raise UsageError(f"{printable(path)}: damaged: context.run.node is no text")
    if not isinstance(document.get("cases"), list):
        raise UsageError(f"{printable(path)}: damaged: cases is no list")
    return document


def read(path, named):
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{printable(path)}: cannot be read: {error.strerror}") from None
    document = _parsed(path, data)
    context = document["context"]
    return Document(
        path,
        printable(path),
        hashlib.sha256(data).hexdigest(),
        context,
        without_controls(context["run"]["node"]),
        named,
        any(
            isinstance(case, dict) and case.get("backend") == "serial" for case in document["cases"]
        ),
    )


def load(paths, left_out):
    """The documents in files and folders, each once. What in a folder is no document is noted in
    `left_out`; a file that the user named must be one."""
    documents, seen = [], set()
    for path in map(Path, paths):
        if path.name == SCHEMA_FILE and len(paths) > 1:
            continue
        inside = (one for one in path.glob("*.json") if one.name != SCHEMA_FILE)
        files = sorted(inside) if path.is_dir() else [path]
        if not files:
            raise UsageError(f"{printable(path)}: no *.json in this folder")
        for file in files:
            if file.resolve() in seen:
                continue
            seen.add(file.resolve())
            try:
                documents.append(read(file, file is path))
            except UsageError as error:
                refuse_or_leave_out(str(error), file is path, left_out)
    if not documents:
        raise UsageError(left_out[0])
    return documents
