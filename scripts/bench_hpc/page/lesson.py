"""The page of one workload: each variant's code, what is new in it, and what was measured."""

import re
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from bench_hpc.backends import is_model, runs_on
from bench_hpc.page import bars, difference, ladder, revision
from bench_hpc.page.measure import measure
from bench_hpc.page.template import environment, rendered
from bench_hpc.program import plain


@dataclass
class Step:
    """A variant as the page shows it: from the sources, from the result files, or both."""

    identity: str
    label: str
    rung: object = None
    told: object = None  # its first row, as the program tells it
    rows: list = field(default_factory=list)
    compared: object = None
    above: str = ""  # the variant that it is compared with
    sentence: str = ""  # why a half is missing


@dataclass
class Chapter:
    key: str  # backend, or others
    ladder: object
    steps: list
    instead: object = None  # where nothing was measured: why

    @property
    def rows(self):
        return [row for step in self.steps for row in step.rows]


def chosen(told):
    """The tables of each workload, the one that the page shows first: the largest size of the first
    node and precision.
    """
    found = {}
    for table in told["tables"]:
        found.setdefault(table["workload"], []).append(table)
    for its in found.values():
        first = its[0]
        alike = [one for one in its if (one["run"], one["dtype"]) == (first["run"], first["dtype"])]
        its.insert(0, its.pop(its.index(max(alike, key=lambda one: one["elements"]))))
    return found


def _paragraph(text):
    """Text of a comment; what is between `backquotes` is code."""
    parts = re.split(r"`([^`]+)`", plain(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else escape(part)
        for i, part in enumerate(parts)
    )


class Lesson:
    def __init__(self, workload, told, mine, documents, words):
        self.workload = workload
        self.words = words
        self.table, *self.others = mine
        self.legend = told["legend"]
        measured = [row for row in self.table["rows"] if row["status"] == "measured"]
        self.measure = measure(measured, words)
        self.columns = self.table["columns"]
        self.ladders = self._ladders()
        self.definition = self.ladders[0].head[0].partition(": ")[2]
        self.chapters = self._chapters()
        self.helpers = ladder.helpers(workload, [one.backend for one in self.ladders])
        self.sources = revision.sentences(workload, documents, words)
        self.barred = any(row.bar for chapter in self.chapters for row in chapter.rows)
        self.heading = next(
            (one["heading"] for one in self.columns if one["key"] in self.measure.columns), ""
        )
        self.said_of_bars = words(f"lesson_scale_{self.measure.key}", baseline=self._baseline())

    def _ladders(self):
        """The ladders of the workload; a model's only where it is in the result files."""
        there = {row["backend"] for row in self.table["rows"]}
        found = ladder.ladders(self.workload)
        return [one for one in found if one.backend in there or not is_model(one.backend)]

    def _baseline(self):
        baseline = (self.table["answer"] or {}).get("baseline")
        return baseline["variant"] if baseline else ""

    def missing(self):
        """Ladders of which nothing was measured, those with a reason in common in one line."""
        names = {}
        for chapter in self.chapters:
            if chapter.instead:
                names.setdefault(chapter.instead, []).append(chapter.key)
        return [self.words("because", ", ".join(its), text) for text, its in names.items()]

    def steps(self):
        return [step for chapter in self.chapters for step in chapter.steps]

    def _measured(self, identity, rows):
        shown = [bars.row(row, self.columns, self.measure, self.words) for row in rows]
        return Step(identity, shown[0].label, told=rows[0], rows=shown)

    def _compare(self, step, above):
        rung = step.rung
        if rung.library or not above:
            step.compared = difference.plain(rung.code)
        else:
            names = {above.name, rung.name}
            step.compared = difference.compared(above.code, rung.code, names)
            step.above = above.variant

    def _instead(self, backend, steps):
        """One sentence for a ladder of which nothing was measured; else each step has its own."""
        for some in self.table["folded"]:
            if some["backend"] == backend:
                for step in steps:
                    step.rows = []
                return some["text"]
        if not any(step.rows for step in steps):
            return self.words("not_in_run")
        for step in steps:
            if not step.rows:
                step.sentence = self.words("not_in_documents")
        return None

    def _chapters(self):
        rows = {}
        for row in self.table["rows"]:
            key = (row["backend"], row["variant"], row["guest"] or "")
            rows.setdefault(key, []).append(row)
        chapters, plain_loop = [], None
        for its in self.ladders:
            steps, above = [], plain_loop if runs_on(its.backend, "all_threads") else None
            for rung in its.rungs:
                identity = rung.variant.replace("/", "-")
                measured = rows.pop((rung.backend, rung.name, ""), None)
                if measured:
                    step = self._measured(identity, measured)
                else:
                    step = Step(identity, rung.variant)
                step.rung = rung
                self._compare(step, above)
                above = above if rung.library else rung
                plain_loop = plain_loop or rung
                steps.append(step)
            chapters.append(Chapter(its.backend, its, steps, self._instead(its.backend, steps)))
        for number, ((backend, _, guest), its) in enumerate(rows.items()):
            step = self._measured(f"other-{number}", its)
            ours = next((one for one in chapters if one.key == backend and not guest), None)
            step.sentence = self.words("not_in_sources" if ours else "not_ours")
            if guest:
                step.sentence += f" ({guest})"
            if not ours:
                ours = next((one for one in chapters if one.key == "others"), None)
            if not ours:
                ours = Chapter("others", None, [])
                chapters.append(ours)
            ours.steps.append(step)
        return chapters


def html(lesson, neighbours, report, title=None):
    """`neighbours` are the other lessons in the folder, by workload; `report` is the address of
    the page that it belongs to, or None."""
    known = {"lesson": lesson, "neighbours": neighbours, "report": report, "title": title}
    return _rendered("lesson.html", lesson.words, **known)


def index(lessons, words, report, title):
    """The page that leads to these."""
    title = title or words("lesson_others_of")
    return _rendered("index.html", words, lessons=lessons, report=report, title=title)


def _rendered(name, words, **known):
    return rendered(
        environment(words, paragraph=_paragraph), name, ["bars.css", "lesson.css"], **known
    )
