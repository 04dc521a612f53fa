"""Result files as `bench merge` gives them: checked, complete, and one where they belong
together. Nothing here reads a result file that the program has not read."""

import json
import tempfile
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from bench_hpc import program
from bench_hpc.program import UsageError, plain, printable


class Origin(NamedTuple):
    """A run that cases are from."""

    number: int  # in its result file
    date: str
    revision: str


class Document:
    """Files that belong together; their cases are read when they are wanted."""

    def __init__(self, file, files, folder):
        self.file, self.files = file, files
        self._folder = folder  # of the file, which goes with the last result file
        self.context = self._read()["context"]
        self.node = plain(self.context["run"]["node"])

    def _read(self):
        return json.loads(self.file.read_bytes())

    @cached_property
    def json(self):
        return self._read()

    @cached_property
    def cases(self):
        """The cases by name."""
        return {case["name"]: case for case in self.json["cases"]}

    @cached_property
    def origins(self):
        build = self.context["build"]
        dirty = "-dirty" * bool(build["dirty"])  # as `git describe` has it
        alone = {"date": self.context["date"], "revision": build["revision"] + dirty}
        runs = self.context["run"].get("merged") or [alone]
        return [Origin(i, one["date"], one["revision"]) for i, one in enumerate(runs)]

    def origin_of(self, case):
        """The run that it is from; a result file may hold several."""
        return self.origins[case.get("origin") or 0]


def _files(paths):
    for path in paths:
        inside = sorted(path.glob("[!.]*.json")) if path.is_dir() else ()
        yield from inside or (path,)  # the program says what is wrong with an empty folder


def load(paths, left_out=None):
    """The result files in files and folders; those that belong together are one. Other
    files of a folder are noted in `left_out`, where such a list is given."""
    paths = [Path(path) for path in paths]
    named = set(paths)
    files = list(_files(paths))
    folder = tempfile.TemporaryDirectory(prefix="bench-")
    while files:
        try:
            merged = program.merge(files, folder.name)
        except UsageError as error:
            start = str(error)
            bad = next((one for one in files if start.startswith(f"{printable(one)}: ")), None)
            if bad is None or bad in named or left_out is None:
                raise
            left_out.append(start)
            files.remove(bad)
        else:
            return [Document(file, parts, folder) for file, parts in merged]
    raise UsageError(left_out[0])
