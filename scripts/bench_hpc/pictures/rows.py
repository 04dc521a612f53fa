"""What `bench table` says of result files: tables of rows, each with the case that it is of."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bench_hpc import program
from bench_hpc.answer import ratio
from bench_hpc.documents import Document
from bench_hpc.program import UsageError

from .style import series_of


class Work(NamedTuple):
    """What the rows of one table have in common."""

    workload: str
    dtype: str
    size: str
    cache: str


def work_of(facts):
    return Work(*(facts[key] for key in Work._fields))


def of_other_memory(case):
    """Whether it differs from end_to_end in the host's memory: pageable, mapped or managed."""
    return case["scope"] not in ("kernel", "end_to_end")


@dataclass(frozen=True, eq=False)
class Row:
    told: dict
    cells: dict  # as they are printed, by column
    case: dict
    document: Document

    def __post_init__(self):
        vars(self).update(
            work=work_of(self.case),
            measured=self.case["status"] == "measured",
            backend=self.case["backend"],
            name=f"{self.case['backend']}/{self.case['variant']}",
            end_to_end=self.case["scope"] == "end_to_end",
            other_memory=of_other_memory(self.case),
            library=self.case["library"],
            label=self.cells["variant"].replace(" \u2020", ""),
            series=series_of(self.case),
            reason=self.told["instead"],
        )

    @property
    def origin(self):
        return self.document.origin_of(self.case)

    @property
    def seconds(self):
        return self.case["seconds"]["median"]

    @property
    def interval(self):
        return tuple(self.case["seconds"]["ci95"])

    @cached_property
    def ratio(self):
        """Over the baseline, or None."""
        found = self.told["over_baseline"]
        return found and ratio(found)

    @property
    def share(self):
        """The share of the most similar reference; None where there is none."""
        reference = self.told["share_of"]
        return reference and self.case[f"share_of_{reference}"]


@dataclass(frozen=True)
class Folded:
    """The rows of a backend of which nothing was measured for one reason."""

    label: str
    reason: str
    measured = False
    library = False


class Table:
    """The rows of one work; those that are shown, some of them folded; and the variant that ratios
    are over, with the run that it is from, or None where it was not measured."""

    def __init__(self, told, document, baseline):
        columns = [column["key"] for column in told["columns"]]
        self.work = work_of(told)
        self.rows = [
            Row(row, dict(zip(columns, row["cells"])), document.cases[row["name"]], document)
            for row in told["rows"]
        ]
        instead = {}
        for some in told["folded"]:
            first, *others = some["rows"]
            instead |= {first: Folded(some["backend"], some["text"]), **dict.fromkeys(others)}
        shown = (instead.get(i, row) for i, row in enumerate(self.rows))
        self.shown = [row for row in shown if row]
        self.measured = [row for row in self.rows if row.measured]
        self.baseline = baseline
        over = next((row.told["over_baseline"] for row in self.measured if row.ratio), None)
        self.origin = over and document.origin_of(document.cases[over["baseline"]])


@dataclass(frozen=True)
class Run:
    """A result file with the tables of what was chosen of it."""

    document: Document
    tables: list
    several: bool  # nodes

    @property
    def node(self):
        return self.document.node

    @property
    def suffix(self):
        """The suffix of the names of pictures."""
        return self.node if self.several else ""


def ask(documents, words, selection, *more):
    """The tables of result files."""
    files = [document.file for document in documents]
    try:
        return program.tables(files, f"--lang={words.language}", *selection.arguments(), *more)
    except UsageError as error:
        raise selection.own_words(error) from None


def runs(documents, words, selection):
    answer = ask(documents, words, selection)
    by_file = {str(document.file): document for document in documents}
    several = len({document.node for document in documents}) > 1
    found = []
    for number, run in enumerate(answer["runs"]):
        document = by_file[run["files"][0]]
        told = [one for one in answer["tables"] if one["run"] == number]
        tables = [Table(one, document, selection.baseline) for one in told]
        found.append(Run(document, tables, several))
    return found
