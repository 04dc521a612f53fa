"""How the nodes compare, as `bench compare` says it: sentences, and a row per node and column."""

import math

from bench_hpc import program
from bench_hpc.words import Words

URGENCY = {"slow": 0, "unclear": 1, "fast": 2, "same": 3, "alone": 4}
MOST_NAMED = 12  # slow nodes with a sentence of their own
MOST_WHERE = 4
POOLED = ("all", "memory", "cores")
ENGLISH = Words("en")  # of what administrators read in all languages
CAUSES = {
    "memory": "its memory is slow, its cores are not",
    "computing": "its cores are slow (see clock, power limit, neighbours), its memory is not",
    "both": "memory and cores are slow",
}
MESSAGES = {  # how a line of each begins
    "failed": "nodes_failed",
    "ended": "nodes_ended",
    "missing": "nodes_missing",
    "absent": "absent",
    "lacking": "lacking",
    "unfinished": "nodes_unfinished",
    "unlike": "nodes_unlike",
    "notes": "nodes_notes",
}


NUMBERS = ("ratio", "interval", "time")
COMPARISON = [  # columns; headings are among the words
    {
        "key": key,
        "numeric": key in (*NUMBERS, "verdict"),  # how it is sorted
        "align": "right" if key in NUMBERS else "left",
    }
    for key in ("node", "workload", "verdict", *NUMBERS, "size", "what")
]


def _workload(cell, words):
    """Its name, or the word for what is pooled."""
    name = cell["workload"]
    return words(name) if name in POOLED else name


def _ratio(cell, words):
    ratio = cell["ratio"]
    return f"{words.factor(ratio['value'])} {words.interval(*ratio['ci95'])}"


def _row(cell, node, words):
    low, high = cell["ratio"]["ci95"]
    value = cell["ratio"]["value"]
    cells = [
        (_workload(cell, words), None),
        (words(cell["verdict"]), URGENCY[cell["verdict"]]),
        (words.number(value, 2), value),
        (words.interval(low, high), low),
        (words.duration(cell["seconds"]), cell["seconds"]),
        (f"{cell['dtype']} · {cell['size']}{cell['parameters']}", None),
        (f"{words.recorded(cell['what'])} · {cell['variant']}", None),
    ]
    about = {key: cell[key] for key in ("workload", "dtype", "size", "verdict")}
    # The label is node or node/task, the node that whose tables it leads to.
    return {"label": cell["node"], "node": node, "cells": cells, **about}


def _sentences(told, nodes, words):
    if not told["cells"]:
        return []
    if all(cell["verdict"] == "alone" for cell in told["cells"]):
        return [words("nodes_alone", nodes=nodes)]
    slow = len(told["slow"])
    key = "nodes_none_slow" if slow == 0 else "nodes_one_slow" if slow == 1 else "nodes_some_slow"
    sentences = [words(key, nodes=nodes, slow=slow)]
    if told["unclear"]:
        percent = f"{100 * told['threshold']:g}"
        sentences.append(words("nodes_unclear", unclear=len(told["unclear"]), threshold=percent))
    remarkable = {one["node"] for one in told["suspects"] + told["longer"]}
    if remarkable:
        sentences.append(words("nodes_remarkable", count=len(remarkable)))
    return sentences


def _cause(limits):
    """What of a slow node is slow."""
    return ("GPU: " if limits["of"] == "gpu" else "") + CAUSES[limits["slow"]]


def _slow(one, nodes, words):
    where = [
        f"{_workload(cell, words)} {_ratio(cell, words)}" for cell in one["where"][:MOST_WHERE]
    ]
    causes = [_cause(limits) for limits in one["limits"] if limits["slow"] in CAUSES]
    more = len(one["where"]) - len(where)
    text = ", ".join(where) + (f" (+{more})" if more else "")
    label = one["node"]
    said = {"where": text, "differs": one["differs"], "causes": causes}
    return {"label": label, "node": nodes[label], **said}


def _suspect(one, nodes):
    part = "" if one["workload"] == "all" else f"{one['workload']} "
    text = f"{part}{_ratio(one, ENGLISH)} the time of the median node, "
    text += f"slower in {one['slower_columns']} of {one['columns']} columns ({one['what']})"
    return _remark("nodes_suspected", one["node"], text, nodes)


def _longer(one, nodes):
    text = (
        f"a repetition takes {one['seconds']:.3g} s (others {one['others_seconds']:.3g} s), "
        "although no time in the tables is slow: it may be throttled between samples"
    )
    return _remark("doubt", one["node"], text, nodes)


def _remark(kind, label, text, nodes):
    return {"kind": kind, "label": label, "node": nodes[label], "text": text}


def _line(one):
    return one if isinstance(one, str) else f"{one['node']}: {one['reason']}"


def _typical(told, nodes):
    """The node whose ratios lie nearest to 1, of the kind with the most nodes; None where none is
    compared."""
    compared = {}
    for cell in told["cells"]:
        if cell["verdict"] != "alone":
            compared.setdefault(cell["node"], []).append(abs(math.log(cell["ratio"]["value"])))
    kind = max(told["kinds"], key=lambda one: len(one["nodes"]))
    members = [one["node"] for one in kind["nodes"] if one["node"] in compared]
    if not members:
        return None
    return nodes[min(members, key=lambda one: sum(compared[one]) / len(compared[one]))]


def told(documents):
    """What `bench compare` says of these result files; None of one node."""
    if len({document.node for document in documents}) < 2:
        return None
    return program.compare([document.path for document in documents])


def digest(told, documents, words):
    """What the page says of that comparison."""
    node_of = {str(document.path): document.node for document in documents}
    nodes = {one["node"]: node_of[one["file"]] for kind in told["kinds"] for one in kind["nodes"]}
    # What there is to remark comes first: the page may show a part only.
    urgent = sorted(
        told["cells"], key=lambda cell: (URGENCY[cell["verdict"]], -cell["ratio"]["value"])
    )
    return {
        "sentences": _sentences(told, len(nodes), words),
        "slow": [_slow(one, nodes, words) for one in told["slow"][:MOST_NAMED]],
        "slow_left": max(0, len(told["slow"]) - MOST_NAMED),
        "messages": [(MESSAGES[key], _line(one)) for key in MESSAGES for one in told[key]],
        "remarks": [
            *(_suspect(one, nodes) for one in told["suspects"]),
            *(_longer(one, nodes) for one in told["longer"]),
        ],
        "legend": words("nodes_legend", threshold=f"{100 * told['threshold']:g}"),
        "rows": [_row(cell, nodes[cell["node"]], words) for cell in urgent],
        "typical": _typical(told, nodes),
    }
