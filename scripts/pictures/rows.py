"""The cases of a document as the rows of tables and pictures."""

import math
from dataclasses import dataclass
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
    def origin(self):
        """The run that it is from; its document may hold several."""
        return self.document.origins[self.case.get("origin") or 0]

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
        return bool(self.case["beside"])

    @property
    def in_tables(self):
        baseline = self.name == "serial/naive"
        return not self.beside and (baseline or not self.case["reference"])

    @property
    def parameters(self):
        """What is not at its default: {threads: 2, block: 64}."""
        return self.case["parameters"]

    @property
    def label(self):
        """The name with its parameters and marks, as `bench table` has it."""
        text = self.name + (" \u2021" if self.library else "")
        parameters = dict(self.parameters)
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
    """How many times faster a row is than another one that the document has no ratio over: both
    intervals and both drifts are in the interval, added as independent errors."""
    value = baseline.seconds / row.seconds
    spread = [NORMAL_95 * (one.case["seconds"].get("drift") or 0) for one in (baseline, row)]
    b_low, b_high = baseline.interval
    low, high = row.interval
    down = math.hypot(math.log(baseline.seconds / b_low), math.log(high / row.seconds), *spread)
    up = math.hypot(math.log(b_high / baseline.seconds), math.log(row.seconds / low), *spread)
    return Ratio(value, value * math.exp(-down), value * math.exp(up))


def all_rows(document):
    for case, speedup in zip(document.json["cases"], document.json["speedups"]):
        yield Row(case, speedup, document)


def tables(document):
    """The rows of each work in the order of the document; yardsticks stay out."""
    found = {}
    rows = [row for row in all_rows(document) if row.in_tables]
    kernels = {_same(row) for row in rows if not row.end_to_end and not row.measured}
    for row in rows:
        # The reason stands at the kernel already.
        if row.end_to_end and not row.measured and _same(row) in kernels:
            continue
        found.setdefault(row.work, []).append(row)
    return found


def _same(row):
    return (*row.work, row.name, row.case["status"], row.case["reason"])
