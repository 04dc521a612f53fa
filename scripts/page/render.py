"""From what is known to one HTML file."""

import base64
import zlib
from dataclasses import dataclass

from markupsafe import Markup

from page import facts, tables
from page.survey import COMPARISON, URGENCY
from page.template import environment, policy, source

MOST_ROWS = 60  # of one table that are in the page at first
MORE_ROWS = 300  # that come with a click
SCRIPT_WORDS = ("shown", "more", "nothing", "no_inflate")


@dataclass
class Content:
    title: str
    words: object
    documents: list
    nodes: list
    many: bool  # tables of one node at a time
    survey: object  # None where there is one node only
    images: list
    no_matplotlib: bool
    left_out: list
    runs: object  # batches of runs with the legend
    lessons: dict  # address of the lesson of each workload that has one


def _packed(kind, name, text):
    """A part of the page, node or rows, that is unpacked when it is wanted."""
    data = zlib.compress(text.encode("utf-8", "replace"), 9)
    return {"kind": kind, "name": name, "data": base64.b64encode(data).decode("ascii")}


class Page:
    """Collects what the page says while the runs pass by; of many nodes only the packed part of
    each stays in memory."""

    def __init__(self, content):
        self.content = content
        self.environment = environment(
            content.words, facts=facts, comparison=COMPARISON, lessons=content.lessons
        )
        self.parts = self.environment.get_template("node.html").module
        self.legend = []
        self.choices = {"workload": {}, "dtype": {}, "size": {}}
        self.warnings = 0
        self.runs = []  # that lie open in the page
        self.packed = []
        self.typical = content.survey["typical"] if content.survey else None
        self.opened = (self.typical or content.nodes[0]) if content.many else None

    def _see(self, table):
        for key, values in self.choices.items():
            values[table[key]] = table[key]
        facts_of = ("workload", "dtype", "size", "node")
        for image in self.content.images:
            if image.kind == "ladder" and all(
                getattr(image, key) in (None, table[key]) for key in facts_of
            ):
                table["image"] = image

    def _read(self):
        for runs, legend in self.content.runs:
            self.legend += [line for line in legend if line not in self.legend]
            for run in runs:
                self.warnings += len(run["warnings"])
                for table in run["tables"]:
                    self._see(table)
            if self.content.many:
                self._pack(runs)
            else:
                self.runs += runs

    def _pack(self, runs):
        of_node = {}
        for run in runs:
            of_node.setdefault(run["node"], []).append(run)
        for node, its_runs in of_node.items():
            self.packed.append(_packed("node", node, self.parts.runs(its_runs)))
            if node == self.opened:
                self.runs = its_runs

    def _answers(self):
        """The runs whose sentences open the page: all where they are few, else a typical node's."""
        few = 3
        chosen = self.runs
        typical = self.typical if len(self.content.nodes) > few else None
        if typical:
            chosen = [run for run in self.runs if run["node"] == typical]
        return typical, [(run, tables.headlines(run)) for run in chosen]

    def _node_rows(self):
        """The rows of the comparison that lie open; the others are packed."""
        rows = self.content.survey["rows"] if self.content.survey else []
        if len(rows) > MOST_ROWS:
            self.packed.append(_packed("rows", "", self.parts.node_rows(rows[MOST_ROWS:])))
        return rows[:MOST_ROWS]

    def _loose_images(self):
        """Those that stand under no table."""
        placed = {id(table["image"]) for run in self.runs for table in run["tables"]}
        return [image for image in self.content.images if id(image) not in placed]

    def html(self):
        self._read()
        content, words = self.content, self.content.words
        style, script = source("base.css", "page.css"), source("page.js")
        typical, answers = self._answers()
        node_rows = self._node_rows()
        verdicts = {row["verdict"] for row in content.survey["rows"]} if content.survey else set()
        return self.environment.get_template("page.html").render(
            c=content,
            page=self,
            policy=policy(style, script),
            style=Markup(style),
            script=Markup(script),
            typical=typical,
            answers=answers,
            choices={
                **{key: list(values.items()) for key, values in self.choices.items()},
                "node": [(node, node) for node in sorted(content.nodes)],
                "verdict": [(key, words(key)) for key in URGENCY if key in verdicts],
            },
            node_rows=node_rows,
            images=self._loose_images(),
            settings={
                "words": {key: words(key) for key in SCRIPT_WORDS},
                "most": MOST_ROWS,
                "step": MORE_ROWS,
                "opened": self.opened,
            },
        )


def html(content):
    return Page(content).html()
