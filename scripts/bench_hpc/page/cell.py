"""The tables below a cell of a notebook: as a page has them, in the colours of the notebook."""

import re
from types import SimpleNamespace
from typing import NamedTuple

from markupsafe import Markup

from bench_hpc.page import bars
from bench_hpc.page.measure import measure
from bench_hpc.page.template import environment, source


class Cell(NamedTuple):
    """Code that was measured, and what the sentences of its result file were made of. `slow` are
    the numbers of its lines that they may blame for the time."""

    lines: list
    reasons: dict
    slow: list
    place_in_text: re.Pattern  # how compilers and interpreters name a line

    def line_of(self, reason):
        """The number of the line that a reason names."""
        known = self.reasons.get(reason)
        if known and known["key"] == "line_number":
            return int(known["values"][0])
        inside = (self.line_of(one) for one in (known or {"values": ()})["values"])
        return next(filter(None, inside), None)

    def place(self, reason):
        """(number, text) of that line."""
        named = self.place_in_text.search(reason or "")
        number = int(named[1]) if named else self.line_of(reason or "")
        return self._numbered(number)

    def _numbered(self, number):
        inside = number and number <= len(self.lines)
        return (number, self.lines[number - 1]) if inside else None

    def slow_places(self):
        """(number, text) of those lines."""
        return list(filter(None, map(self._numbered, self.slow)))


def _table(facts, baseline, cell, words):
    columns, folded = facts["columns"], {i for some in facts["folded"] for i in some["rows"]}
    alone = [row for i, row in enumerate(facts["rows"]) if i not in folded]
    how = measure([row for row in alone if row["status"] == "measured"], words)
    rows = [bars.row(row, columns, how, words) for row in alone]
    for row in rows:
        row.place = cell.place(row.reason) if cell and row.guest else None
    return SimpleNamespace(
        title=facts["title"],
        caption=facts["caption"],
        conclusion=facts["conclusion"],
        notes=facts["notes"],
        columns=columns,
        rows=rows,
        folded=facts["folded"],
        measure=how,
        slow=cell.slow_places() if cell and any(one.get("why") for one in alone) else [],
        barred=any(row.bar for row in rows),
        bars=words(f"lesson_scale_{how.key}", baseline=baseline),
    )


def html(told, cell, words):
    """`told` is what `bench table` says; `cell` the Cell that was measured, or None."""
    answers = {one["table"]: one["baseline"] for one in told["answer"] if one["baseline"]}
    baselines = [answers.get(i, {"variant": ""})["variant"] for i in range(len(told["tables"]))]
    # Nested: nothing of the notebook around it changes.
    style = f".bench-hpc {{\n{source('bars.css', 'cell.css')}}}"
    return (
        environment(words)
        .get_template("cell.html")
        .render(
            style=Markup(style),
            tables=[_table(*one, cell, words) for one in zip(told["tables"], baselines)],
            legend=told["legend"],
            warnings=[text for run in told["runs"] for text in run["warnings"]],
        )
    )
