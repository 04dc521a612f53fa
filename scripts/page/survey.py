"""How the nodes compare, as `bench compare` says it: sentences, and a row per node and column."""

import math
from dataclasses import dataclass

import program

from page.tables import Cell

URGENCY = {"slow": 0, "unclear": 1, "fast": 2, "same": 3, "alone": 4}
MOST_NAMED = 12  # slow nodes with a sentence of their own
MOST_WHERE = 4
MESSAGES = ("failed", "missing", "unfinished", "unlike", "notes")


def compared(documents):
    """What the program says of the nodes; in its answer documents in place of paths."""
    by_name = {document.name: document for document in documents}
    told = program.compare([document.path for document in documents])
    for kind in told["kinds"]:
        for node in kind["nodes"]:
            node["document"] = by_name[node.pop("file")]
    told["unreadable"] = [
        (next(by_name[name] for name in by_name if line.startswith(f"{name}: ")), line)
        for line in told["unreadable"]
    ]
    return told


@dataclass(frozen=True)
class Column:
    key: str  # its heading, among the words
    numeric: bool = False  # how it is sorted
    align: str = "left"


COMPARISON = (
    Column("node"),
    Column("workload"),
    Column("verdict", numeric=True),
    Column("ratio", numeric=True, align="right"),
    Column("interval", numeric=True, align="right"),
    Column("time", numeric=True, align="right"),
    Column("size"),
    Column("what"),
)


@dataclass(frozen=True)
class NodeRow:
    label: str  # node, or node/task
    node: str  # whose tables it leads to
    workload: str
    dtype: str
    size: str
    verdict: str
    cells: list


@dataclass(frozen=True)
class Slow:
    label: str
    node: str
    where: str
    differs: list


@dataclass(frozen=True)
class Survey:
    sentences: list
    slow: list
    slow_left: int
    messages: list  # of (kind, line)
    legend: str
    rows: list
    typical: object  # node nearest to the median, None where none is compared


def _ratio(cell, words):
    ratio = cell["ratio"]
    return f"{words.factor(ratio['value'])} {words.interval(*ratio['ci95'])}"


def _row(cell, node, words):
    low, high = cell["ratio"]["ci95"]
    value = cell["ratio"]["value"]
    cells = [
        Cell(cell["workload"]),
        Cell(words(cell["verdict"]), URGENCY[cell["verdict"]]),
        Cell(words.number(value, 2), value),
        Cell(words.interval(low, high), low),
        Cell(words.duration(cell["seconds"]), cell["seconds"]),
        Cell(f"{cell['dtype']} · {cell['size']}{cell['parameters']}"),
        Cell(f"{words.recorded(cell['what'])} · {cell['variant']}"),
    ]
    about = (cell[key] for key in ("workload", "dtype", "size", "verdict"))
    return NodeRow(cell["node"], node, *about, cells)


def _sentences(told, nodes, words):
    if not told["cells"]:
        return []
    if all(cell["verdict"] == "alone" for cell in told["cells"]):
        return [words("nodes_alone", nodes=nodes)]
    slow = len(told["slow"])
    key = "nodes_none_slow" if slow == 0 else "nodes_one_slow" if slow == 1 else "nodes_some_slow"
    sentences = [words(key, nodes=nodes, slow=slow)]
    named = {one["node"] for one in told["slow"]}
    unclear = {cell["node"] for cell in told["cells"] if cell["verdict"] == "unclear"} - named
    if unclear:
        percent = f"{100 * told['threshold']:g}"
        sentences.append(words("nodes_unclear", unclear=len(unclear), threshold=percent))
    return sentences


def _slow(one, nodes, words):
    where = [f"{cell['workload']} {_ratio(cell, words)}" for cell in one["where"][:MOST_WHERE]]
    more = len(one["where"]) - len(where)
    text = ", ".join(where) + (f" (+{more})" if more else "")
    return Slow(one["node"], nodes[one["node"]], text, one["differs"])


def _typical(told, nodes):
    """The node whose ratios lie nearest to 1, of the kind with the most nodes."""
    compared = {}
    for cell in told["cells"]:
        if cell["verdict"] != "alone":
            compared.setdefault(cell["node"], []).append(abs(math.log(cell["ratio"]["value"])))
    kind = max(told["kinds"], key=lambda one: len(one["nodes"]))
    members = [one["node"] for one in kind["nodes"] if one["node"] in compared]
    if not members:
        return None
    return nodes[min(members, key=lambda one: sum(compared[one]) / len(compared[one]))]


def digest(told, words):
    nodes = {one["node"]: one["document"].node for kind in told["kinds"] for one in kind["nodes"]}
    rows = [_row(cell, nodes[cell["node"]], words) for cell in told["cells"]]
    # What there is to remark comes first: the page may show a part only.
    order = sorted(
        zip(told["cells"], rows),
        key=lambda pair: (URGENCY[pair[0]["verdict"]], -pair[0]["ratio"]["value"]),
    )
    return Survey(
        _sentences(told, len(nodes), words),
        [_slow(one, nodes, words) for one in told["slow"][:MOST_NAMED]],
        max(0, len(told["slow"]) - MOST_NAMED),
        [(key, line) for key in MESSAGES for line in told[key]],
        words("nodes_legend", threshold=f"{100 * told['threshold']:g}"),
        [row for _, row in order],
        _typical(told, nodes),
    )
