"""Result documents as pictures read them: everything that is read later is checked here."""

import math
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import program
import reading
from program import UsageError, plain, printable

MANY = 24  # documents; from here on samples stay on disk until a picture wants them


@dataclass(frozen=True)
class Origin:
    """A run that cases are from."""

    number: int  # in its document
    date: str
    revision: str


@dataclass(frozen=True, eq=False)
class Document:
    files: tuple  # more than one where `bench merge` has joined them
    json: dict
    node: str

    @cached_property
    def origins(self):
        context = self.json["context"]
        build = context["build"]
        dirty = "-dirty" if build.get("dirty") else ""  # as `git describe` has it
        alone = {"date": context["date"], "revision": build["revision"] + dirty}
        runs = context["run"].get("merged") or [alone]
        return [Origin(i, one["date"], one["revision"]) for i, one in enumerate(runs)]

    def samples(self, name):
        """The raw samples of a case; of one document among many they are read again."""
        for case in self.json["cases"]:
            if case["name"] == name and "samples" in case["seconds"]:
                return case["seconds"]["samples"]
        for case in (case for file in self.files for case in _read(file)["cases"]):
            if case["name"] == name and case["status"] == "measured":
                return case["seconds"]["samples"]
        raise UsageError(f"{self.files[0]}: {name} is no longer there: the file has changed")


class Optional:
    """A shape that may be null or missing."""

    def __init__(self, shape):
        self.shape = shape


class OneOf:
    """One of a few words."""

    def __init__(self, *words):
        self.words = words


ABOVE_0 = "a number above 0"
NUMBER = "a number"
COUNT = "a whole number above 0"

RATIO = Optional({"value": Optional(ABOVE_0), "ci95": [Optional(ABOVE_0)]})
SECONDS = {
    **dict.fromkeys(("median", "q1", "q3"), ABOVE_0),
    "ci95": [ABOVE_0],
    "samples": [ABOVE_0],
    "outliers": Optional([NUMBER]),
    "drift": Optional(NUMBER),
    "too_short": Optional(NUMBER),
    "preempted": Optional(NUMBER),
}
CASE = {
    **dict.fromkeys(("name", "workload", "backend", "variant", "dtype", "size"), str),
    "scope": OneOf("kernel", "end_to_end"),
    "cache": OneOf("cold", "hot"),
    "status": OneOf("measured", "failed", "skipped"),
    "reason": Optional(str),
    "reference": bool,
    "library": Optional(bool),
    "threads": Optional(COUNT),
    "elements": Optional(COUNT),
    "bins": Optional(COUNT),
    "parameters": Optional(dict),
    "beside": Optional({"workload": str, "size": str}),
    "origin": Optional(NUMBER),
    "bytes": NUMBER,
    "flops": NUMBER,
    "rounds": Optional(COUNT),
    "seconds": Optional(SECONDS),
    "gb_per_s": Optional(ABOVE_0),
    "share_of_copy": Optional(ABOVE_0),
    "share_of_read": Optional(ABOVE_0),
    "share_of_add": Optional(ABOVE_0),
}
SPEEDUP = {"name": str, "over_serial": RATIO, "over_best_cpu": RATIO}
SCALING = {
    **dict.fromkeys(("workload", "backend", "variant", "dtype", "size", "cache"), str),
    "points": [{"threads": COUNT, "seconds": ABOVE_0, "speedup": RATIO, "efficiency": ABOVE_0}],
    "enough_threads": Optional(COUNT),
}
CROSSOVER = {
    **dict.fromkeys(("name", "workload", "dtype", "cache"), str),
    "bins": Optional(COUNT),
    "scope": OneOf("kernel", "end_to_end"),
    "points": [{"elements": COUNT, "cpu": str, "gpu": str, "ratio": RATIO}],
    "size": Optional(COUNT),
    "ci95": Optional([Optional(COUNT)]),
    "verdict": OneOf("from", "always", "never", "unclear"),
}
DOCUMENT = {
    "context": {
        "date": str,
        "run": {
            "node": str,
            "seed": NUMBER,
            "cache": str,
            "input_hash": dict,
            "threads": Optional(COUNT),
            "merged": Optional([{"date": str, "revision": str}]),
        },
        "machine": {"cpu_model": Optional(str), "gpu": Optional({"name": str})},
        "build": {"revision": str, "dirty": Optional(bool)},
    },
    "cases": [CASE],
    "speedups": [SPEEDUP],
    "scaling": Optional([SCALING]),
    "crossovers": Optional([CROSSOVER]),
}


def _is_number(value, kind):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if not math.isfinite(value):
        return False
    if kind == NUMBER:
        return True
    return value > 0 and (kind == ABOVE_0 or value == int(value))


def _fault(value, shape, where):
    """What is wrong with a value, or None."""
    if isinstance(shape, Optional):
        return None if value is None else _fault(value, shape.shape, where)
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return f"{where} is no object"
        faults = (_fault(value.get(key), part, f"{where}.{key}") for key, part in shape.items())
        return next(filter(None, faults), None)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where} is no list"
        faults = (_fault(one, shape[0], f"{where}[{i}]") for i, one in enumerate(value))
        return next(filter(None, faults), None)
    if isinstance(shape, OneOf):
        if isinstance(value, str) and value in shape.words:
            return None
        return f"{where} is none of {', '.join(shape.words)}"
    if isinstance(shape, str):
        return None if _is_number(value, shape) else f"{where} is not {shape}"
    return None if isinstance(value, shape) else f"{where} is no {shape.__name__}"


def _fault_of_cases(document):
    cases, speedups = document["cases"], document["speedups"]
    if len(cases) != len(speedups):
        return f"{len(cases)} cases, but {len(speedups)} speedups"
    runs = len(document["context"]["run"].get("merged") or [None])
    for i, case in enumerate(cases):
        if case.get("origin") not in (None, *range(runs)):
            return f"cases[{i}].origin is none of the runs"
        seconds = case.get("seconds")
        if case["status"] == "measured" and (seconds is None or not seconds["samples"]):
            return f"cases[{i}] is measured, but has no samples"
        if seconds is not None:
            outliers = seconds.get("outliers") or []
            if len(seconds["ci95"]) != 2:
                return f"cases[{i}].seconds.ci95 is no pair"
            if any(not 0 <= one < len(seconds["samples"]) for one in outliers):
                return f"cases[{i}].seconds.outliers names a sample that is not there"
    ratios = [one.get("over_serial") for one in speedups]
    for entry in document.get("scaling") or []:
        ratios += [point.get("speedup") or {} for point in entry["points"]]
    for entry in document.get("crossovers") or []:
        ratios += [point.get("ratio") or {} for point in entry["points"]]
        if len(entry.get("ci95") or ()) != 2 or not entry["points"]:
            return "crossovers has an entry without points or interval"
        if entry["verdict"] == "from" and not (entry.get("size") or entry["ci95"][1]):
            return "crossovers has an entry without a size"
    if any(ratio is not None and len(ratio.get("ci95", ())) != 2 for ratio in ratios):
        return "a ratio has no interval"
    return None


def _read(path):
    _, document = reading.document(path)
    fault = _fault(document, DOCUMENT, "document") or _fault_of_cases(document)
    if fault:
        raise UsageError(f"{printable(path)}: not a sound result document: {fault}")
    document.pop("benchmarks", None)
    for case in document["cases"]:
        reading.complete(case)
    return document


def _document(files, json, many):
    if many:
        for case in json["cases"]:
            if case["seconds"]:
                del case["seconds"]["samples"]
    return Document(files, json, plain(json["context"]["run"]["node"]))


def _joined(documents, many, left_out):
    """The documents of a node that belong together as one, by `bench merge`; each by itself where
    it cannot be asked, which is noted."""
    nodes = [document.node for document in documents]
    beside = {str(one.files[0]): one for one in documents if nodes.count(one.node) > 1}
    if not beside:
        return documents
    joined = {}  # by the first file
    with tempfile.TemporaryDirectory() as folder:
        try:
            for file, parts in program.merge(beside, folder):
                if len(parts) > 1:
                    joined |= dict.fromkeys(parts)
                    joined[parts[0]] = _document(tuple(map(Path, parts)), _read(file), many)
        except UsageError as error:
            left_out.append(f"documents of one node as one: {error}")
            return documents
    found = (joined.get(str(one.files[0]), one) for one in documents)
    return [document for document in found if document]


def load(paths, left_out=None):
    """The documents in files and folders; those that belong together are one. What in a folder is
    no document is noted in `left_out`, where such a list is given."""
    files = reading.files(paths)
    many = len(files) > MANY
    documents = []
    for path, named in files:
        try:
            documents.append(_document((path,), _read(path), many))
        except UsageError as error:
            if named or left_out is None:
                raise
            left_out.append(str(error))
    if not documents:
        raise UsageError(left_out[0] if left_out else "no documents given")
    return _joined(documents, many, [] if left_out is None else left_out)
