"""Documents of one node as one run, and its cases as the rows of tables and pictures."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .documents import Document

NORMAL_95 = 1.96
WIDEST = 1.5  # the ends of an interval that one number may stand for
DISTURBED = 0.2  # of the samples


class Ratio(NamedTuple):
    value: float
    low: float
    high: float


class Work(NamedTuple):
    """What the rows of one table have in common."""

    workload: str
    dtype: str
    size: str
    cache: str


def recorded(ratio):
    """A ratio of a document, or None where it has no number."""
    if not ratio or ratio.get("value") is None:
        return None
    value = ratio["value"]
    low, high = (value if end is None else end for end in ratio["ci95"])
    return Ratio(value, low, high)


def _narrow(low, high):
    return high < WIDEST * low


def doubtful(row, over=None):
    """True where no single number may be told without a mark, as harness/document/doubt.hpp has it:
    of a row's time, or of its ratio over another row."""
    if over is None:
        return bool(row.case["seconds"].get("too_short")) or row.busy or not _narrow(*row.interval)
    ratio, baseline = over
    if baseline is row:
        return False
    return row.busy or baseline.busy or not _narrow(ratio.low, ratio.high)


@dataclass(frozen=True, eq=False)
class Row:
    case: dict
    speedup: dict
    document: Document

    @property
    def work(self):
        return Work(*(self.case[key] for key in Work._fields))

    @property
    def measured(self):
        return self.case["status"] == "measured"

    @property
    def seconds(self):
        return self.case["seconds"]["median"]

    @property
    def interval(self):
        return tuple(self.case["seconds"]["ci95"])

    @property
    def busy(self):
        """Whether others were at work while it was measured."""
        waited = self.case["seconds"].get("preempted") or 0
        return waited > DISTURBED * (self.case.get("rounds") or 0)

    @property
    def name(self):
        """backend/variant, by which globs and baselines are named."""
        return f"{self.case['backend']}/{self.case['variant']}"

    @property
    def backend(self):
        return self.case["backend"]

    @property
    def end_to_end(self):
        return self.case["scope"] == "end_to_end"

    @property
    def library(self):
        return bool(self.case.get("library"))

    @property
    def beside(self):
        """Measured as a yardstick beside another workload."""
        return ",beside=" in self.case["name"]

    @property
    def in_tables(self):
        baseline = self.name == "serial/naive"
        return not self.beside and (baseline or not self.case["reference"])

    @property
    def parameters(self):
        """What stands in the name because it is not at its default: {threads: 2, block: 64}."""
        parts = self.case["name"].split("/")[-1].split(",")[1:]
        return dict(part.partition("=")[::2] for part in parts)

    @property
    def label(self):
        """The name with its parameters and marks, as `bench table` has it."""
        text = self.name + (" \u2021" if self.library else "")
        parameters = self.parameters
        if "threads" in parameters:
            text += f" \u00d7{parameters.pop('threads')}"
        text += "".join(f" {key}={value}" for key, value in parameters.items())
        return text + (" \u21c4" if self.end_to_end else "")


@dataclass(frozen=True)
class Folded:
    """The rows of a backend of which nothing was measured for one reason, as `bench table` folds
    them."""

    label: str
    variants: frozenset
    reason: str
    measured = False
    library = False


def folded(rows):
    """The rows with one in place of those of each such backend."""
    backends = {}
    for row in rows:
        backends.setdefault(row.backend, []).append(row)
    instead = {}
    for backend, its in backends.items():
        # That a variant is too slow for this size is no matter where there is no device.
        reasons = {row.case["reason"] or "?" for row in its if not _too_slow(row)}
        if len(its) > 1 and len(reasons) == 1 and all(map(_skipped, its)):
            variants = frozenset(row.case["variant"] for row in its)
            instead[backend] = Folded(backend, variants, *reasons)
    first = {id(its[0]) for its in backends.values()}
    return [
        instead.get(row.backend, row)
        for row in rows
        if row.backend not in instead or id(row) in first
    ]


def _skipped(row):
    return row.case["status"] == "skipped"


def _too_slow(row):
    return (row.case["reason"] or "").startswith("too slow for ")


def ratio_of(baseline, row):
    """How many times faster a row is than another one of perhaps another run: nothing is paired, so
    both intervals and both drifts are in the interval, added as independent errors."""
    value = baseline.seconds / row.seconds
    spread = [NORMAL_95 * (one.case["seconds"].get("drift") or 0) for one in (baseline, row)]
    b_low, b_high = baseline.interval
    low, high = row.interval
    down = math.hypot(math.log(baseline.seconds / b_low), math.log(high / row.seconds), *spread)
    up = math.hypot(math.log(b_high / baseline.seconds), math.log(row.seconds / low), *spread)
    return Ratio(value, value * math.exp(-down), value * math.exp(up))


@dataclass(eq=False)
class Run:
    """Documents that `bench table` puts into one table: one node, the same inputs."""

    documents: list = field(default_factory=list)

    @property
    def node(self):
        return self.documents[0].node

    @property
    def all_rows(self):
        for document in self.documents:
            for case, speedup in zip(document.json["cases"], document.json["speedups"]):
                yield Row({**case, **self._shares(case)}, speedup, document)

    @cached_property
    def _fastest(self):
        """GB/s of the fastest yardsticks of all documents, by place."""
        fastest = {}
        for document in self.documents:
            for case in document.json["cases"]:
                workload, beside = case["workload"], _beside(case)
                itself = not beside and f"share_of_{workload}" in case
                if case["status"] != "measured" or not (beside or itself):
                    continue
                speeds = fastest.setdefault(_place(case, beside or _work(case)), {})
                speeds[workload] = max(speeds.get(workload, 0), case["gb_per_s"])
        return fastest

    def _shares(self, case):
        """Of several documents, shares of the fastest yardstick of all, as `bench table` has it."""
        if len(self.documents) < 2 or case["status"] != "measured" or _beside(case):
            return {}
        speeds = self._fastest.get(_place(case, _work(case)), {})
        return {f"share_of_{name}": case["gb_per_s"] / best for name, best in speeds.items()}

    def tables(self):
        """The rows of each work in the order of the documents; yardsticks stay out."""
        tables = {}
        rows = [row for row in self.all_rows if row.in_tables]
        kernels = {_same(row) for row in rows if not row.end_to_end and not row.measured}
        for row in rows:
            # The reason stands at the kernel already.
            if row.end_to_end and not row.measured and _same(row) in kernels:
                continue
            tables.setdefault(row.work, []).append(row)
        return tables


def _beside(case):
    return case["name"].partition(",beside=")[2].split(",")[0]


def _work(case):
    return f"{case['workload']}:{case['size']}"


def _place(case, work):
    """Where a yardstick counts: beside which work, with how many threads, which transfers."""
    return work, case["dtype"], case["scope"], case["threads"]


def _same(row):
    return (*row.work, row.name, row.case["status"], row.case["reason"])


def _same_inputs(a, b):
    for workload, hashes in a.items():
        others = b.get(workload)
        if not isinstance(hashes, dict) or not isinstance(others, dict):
            continue
        if any(others.get(key, one) != one for key, one in hashes.items()):
            return False
    return True


def _belong_together(a, b):
    inputs = (one.json["context"]["run"]["input_hash"] for one in (a, b))
    if not _same_inputs(*inputs):
        return False
    gpus = {(one.json["context"]["machine"].get("gpu") or {}).get("name") for one in (a, b)}
    if len(gpus - {None}) > 1:
        return False
    names = {case["name"] for case in a.json["cases"]}
    return names.isdisjoint(case["name"] for case in b.json["cases"])


def runs(documents):
    """Documents that belong together, by the rule of harness/merge.cpp."""
    hardware = {}
    for document in documents:
        context = document.json["context"]
        run = context["run"]
        threads = run.get("threads")
        key = (run["node"], context["machine"].get("cpu_model"), run["seed"], run["cache"], threads)
        groups = hardware.setdefault(key, [])
        for group in groups:
            if all(_belong_together(part, document) for part in group.documents):
                group.documents.append(document)
                break
        else:
            groups.append(Run([document]))
    return [group for groups in hardware.values() for group in groups]
