"""The files that a page is of: what the tables do not say of them."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from bench_hpc.program import plain, printable


@dataclass(frozen=True)
class Document:
    path: Path
    name: str  # as the user wrote it, fit for printing
    sha256: str
    context: dict
    node: str
    ours: bool  # has the baseline; result files of other programs have not


def read(path):
    """One that the program has read already."""
    data = path.read_bytes()
    document = json.loads(data)
    context = document["context"]
    return Document(
        path,
        printable(path),
        hashlib.sha256(data).hexdigest(),
        context,
        plain(context["run"]["node"]),
        any(case["backend"] == "serial" for case in document["cases"]),
    )
