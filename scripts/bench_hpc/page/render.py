"""One HTML file from what is known."""

import base64
import zlib

from bench_hpc.page import answers, facts
from bench_hpc.page.survey import COMPARISON, URGENCY
from bench_hpc.page.template import environment, rendered

MOST_ROWS = 60  # of one table that are in the page at first
MOST_WARNINGS = 12
FEW_ANSWERS = 3  # nodes
MORE_ROWS = 300  # that come with a click
SCRIPT_WORDS = ("shown", "more", "nothing", "no_inflate")


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
            content.words,
            facts=facts,
            comparison=COMPARISON,
            lessons=content.lessons,
            several=len(content.nodes) > 1,
        )
        self.parts = self.environment.get_template("node.html").module
        self.legend = []
        self.choices = {"workload": {}, "dtype": {}, "size": {}}
        self.warnings = {}  # (text, whether it is English): nodes
        self.runs = []  # that are open in the page
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
                for said in run["warnings"]:
                    self.warnings.setdefault(said, {})[run["node"]] = None
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
        """The tables that open the page: of all nodes where they are few, else of a typical one."""
        typical = self.typical if len(self.content.nodes) > FEW_ANSWERS else None
        of_node = {}
        for run in self.runs:
            if typical in (None, run["node"]):
                of_node.setdefault(run["node"], []).extend(run["tables"])
        found = [answers.of_node(*one, self.content.words) for one in of_node.items()]
        pictures = {one.node: one for one in self.content.images if one.kind == "overview"}
        found = [one for one in found if one["rows"]]
        return typical, [{**one, "image": pictures.get(one["node"])} for one in found]

    def _node_rows(self):
        """The rows of the comparison that are open; the others are packed."""
        rows = self.content.survey["rows"] if self.content.survey else []
        if len(rows) > MOST_ROWS:
            self.packed.append(_packed("rows", "", self.parts.node_rows(rows[MOST_ROWS:])))
        return rows[:MOST_ROWS]

    def _loose_images(self):
        """The pictures that are under no table."""
        placed = {id(table["image"]) for run in self.runs for table in run["tables"]}
        return [
            image
            for image in self.content.images
            if id(image) not in placed and image.kind != "overview"
        ]

    def html(self):
        self._read()
        content, words = self.content, self.content.words
        typical, answers = self._answers()
        node_rows = self._node_rows()
        verdicts = {row["verdict"] for row in content.survey["rows"]} if content.survey else set()
        return rendered(
            self.environment,
            "page.html",
            ["page.css"],
            "page.js",
            c=content,
            page=self,
            typical=typical,
            most_warnings=MOST_WARNINGS,
            warnings=[(said, len(nodes)) for said, nodes in self.warnings.items()],
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
