"""The page of one workload: each rung's code and what is new in it, beside what was measured."""

import re
from dataclasses import dataclass, field
from types import SimpleNamespace

from markupsafe import Markup, escape
from program import plain

from page import difference, ladder, revision, tables
from page.scale import Scale
from page.template import environment, policy, source

REFERENCES = {"copy": "copying", "read": "reading", "add": "adding"}


@dataclass
class Step:
    """A rung as the page shows it: from the sources, from the documents, or both."""

    identity: str
    label: str
    rung: object = None
    idea: object = None
    rows: list = field(default_factory=list)
    compared: object = None
    above: str = ""  # the rung that it is compared with
    sentence: str = ""  # why a half is missing


@dataclass
class Chapter:
    key: str  # backend, or others
    ladder: object
    steps: list


def chosen(told):
    """Of each workload the tables, the one that the page shows first: of the first node and
    precision the largest size."""
    found = {}
    for table in told["tables"]:
        found.setdefault(table["workload"], []).append(table)
    for its in found.values():
        first = its[0]
        alike = [one for one in its if (one["run"], one["dtype"]) == (first["run"], first["dtype"])]
        its.insert(0, its.pop(its.index(max(alike, key=lambda one: one["elements"]))))
    return found


def _ratio(row):
    """Of a row that was measured and has a baseline: value, low, high."""
    over = row["over_baseline"]
    if row["status"] != "measured" or not over or over["value"] <= 0:
        return None
    low, high = over["ci95"]
    return over["value"], low or over["value"], high


def _bound(row):
    """Where the bandwidth reference would be: the same bytes, merely moved."""
    ratio, share = _ratio(row), (row["values"] or {}).get("share")
    return ratio[0] / share if ratio and share else None


def _scale(rows):
    values = [value for row in rows for value in _ratio(row) or ()]
    return Scale(values + [bound for row in rows for bound in [_bound(row)] if bound])


def _bar(row, doubt, scale, words):
    ratio, bound = _ratio(row), _bound(row)
    if not ratio:
        return None
    value, low, high = ratio
    said = words("lesson_bar", factor=words.factor(value), interval=words.interval(low, high))
    limit = ""
    if bound:
        reference = words(REFERENCES[row["share_of"]]) if row["share_of"] in REFERENCES else ""
        limit = words("lesson_bound", reference=reference, factor=words.factor(bound))
    return SimpleNamespace(
        fill=scale.between(1, value),
        whisker=(scale.at(low), scale.at(high)),
        end=scale.at(value),
        bound=scale.at(bound) if bound else None,
        factor=doubt + words.factor(value),
        alt=said,
        limit=limit,
    )


def _row(row, columns, scale, words):
    label, *texts = row["cells"]
    figures = [(one["heading"], text) for one, text in zip(columns[1:], texts) if text]
    measured = row["status"] == "measured"
    ratio = dict(zip((one["key"] for one in columns), row["cells"])).get("naive", "")
    return SimpleNamespace(
        label=label,
        figures=figures if measured else [],
        time=texts[0] if measured and texts else "",
        status="" if measured else tables.status(row),
        reason=tables.said(row, "reason"),
        bar=_bar(row, "~" * ratio.startswith("~"), scale, words),
    )


def _paragraph(text):
    """Text of a comment; what stands between `backquotes` is code."""
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
        self.scale = _scale(self.table["rows"])
        self.columns = self.table["columns"]
        self.ladders = ladder.ladders(workload)
        self.definition = self.ladders[0].head[0].partition(": ")[2]
        self.chapters = self._chapters()
        self.helpers = ladder.helpers(workload)
        self.sources = revision.sentences(workload, documents, words)
        self.barred = any(row.bar for step in self.steps() for row in step.rows)

    def steps(self):
        return [step for chapter in self.chapters for step in chapter.steps]

    def _measured(self, identity, rows):
        shown = [_row(row, self.columns, self.scale, self.words) for row in rows]
        return Step(identity, shown[0].label, idea=tables.said(rows[0], "idea"), rows=shown)

    def _compare(self, step, above):
        rung = step.rung
        if rung.library or not above:
            step.compared = difference.plain(rung.code)
        else:
            names = {above.name, rung.name}
            step.compared = difference.compared(above.code, rung.code, names)
            step.above = above.variant

    def _chapters(self):
        rows = {}
        for row in self.table["rows"]:
            key = (row["backend"], row["variant"], row["guest"] or "")
            rows.setdefault(key, []).append(row)
        chapters, plain_loop = [], None
        for its in self.ladders:
            steps, above = [], plain_loop if its.backend == "openmp" else None
            for rung in its.rungs:
                identity = rung.variant.replace("/", "-")
                measured = rows.pop((rung.backend, rung.name, ""), None)
                if measured:
                    step = self._measured(identity, measured)
                else:
                    step = Step(identity, rung.variant, sentence=self.words("not_in_documents"))
                step.rung = rung
                self._compare(step, above)
                above = above if rung.library else rung
                plain_loop = plain_loop or rung
                steps.append(step)
            chapters.append(Chapter(its.backend, its, steps))
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
    """`neighbours` are the other lessons beside this one, by workload; `report` is the address of
    the page that it belongs to, or None."""
    style = source("base.css", "lesson.css")
    made = environment(lesson.words, paragraph=_paragraph)
    return made.get_template("lesson.html").render(
        lesson=lesson,
        title=title,
        neighbours=neighbours,
        report=report,
        policy=policy(style),
        style=Markup(style),
    )
