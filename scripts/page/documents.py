"""The documents behind a page: what the tables do not say of them."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import reading
from program import UsageError, plain, printable


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


def _checked(path, document):
    """What the page reads itself; the rest is the program's."""
    context = document.get("context")
    of = context if isinstance(context, dict) else {}
    if not all(isinstance(of.get(key), dict) for key in ("run", "build", "machine")):
        raise UsageError(f"{printable(path)}: damaged: context has no run, build or machine")
    if not isinstance(of["run"].get("node"), str):
        raise UsageError(f"{printable(path)}: damaged: context.run.node is no text")
    if not isinstance(document.get("cases"), list):
        raise UsageError(f"{printable(path)}: damaged: cases is no list")


def read(path, named):
    data, document = reading.document(path)
    _checked(path, document)
    context = document["context"]
    return Document(
        path,
        printable(path),
        hashlib.sha256(data).hexdigest(),
        context,
        plain(context["run"]["node"]),
        named,
        any(
            isinstance(case, dict) and case.get("backend") == "serial" for case in document["cases"]
        ),
    )


def load(paths, left_out):
    """The documents in files and folders, each once. What in a folder is no document is noted in
    `left_out`; a file that the user named must be one."""
    documents = []
    for path, named in reading.files(paths):
        try:
            documents.append(read(path, named))
        except UsageError as error:
            refuse_or_leave_out(str(error), named, left_out)
    if not documents:
        raise UsageError(left_out[0])
    return documents
