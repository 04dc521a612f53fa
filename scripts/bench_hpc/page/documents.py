"""The files that a page is of: what the tables do not say of them."""

import hashlib
import json

from bench_hpc import program
from bench_hpc.program import plain, printable


class Document:
    """One that the program has read already."""

    def __init__(self, path):
        data = path.read_bytes()
        document = _document(path, data)
        self.path = path
        self.name = printable(path)  # as the user wrote it, fit for printing
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.context = document["context"]
        self.node = plain(self.context["run"]["node"])
        # Made by another program: it says less of itself.
        self.foreign = bool(self.context["run"].get("imported"))
        # Has the baseline.
        self.ours = any(case["backend"] == "serial" for case in document["cases"])


def _document(path, data):
    """What the program makes of a file of another one."""
    try:
        document = json.loads(data)
    except ValueError:
        document = {}
    return document if "schema" in document else program.ask(["import", path])
