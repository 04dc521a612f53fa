"""How the page opens: of each workload the best that was measured, in one table."""

from bench_hpc import answer
from bench_hpc.answer import reference


def _cell(one, entry, words):
    over, share = entry["over_baseline"], entry["share_of_copy"]
    value, interval = words.duration(entry["seconds"]), ""
    if one["baseline"] and over:
        ratio = answer.ratio(over)
        decimals = 0 if ratio.value >= words.WHOLE else 2
        value = words.factor(ratio.value)
        interval = words.interval(ratio.low, ratio.high, decimals)
    elif share:
        value = words("of_what", words.percent(share), reference(entry["share_of"], words))
    return {
        "value": "~" * entry["doubtful"] + value,
        "interval": interval,
        "variant": entry["variant"],
        "time": words.duration(entry["seconds"]),
        "best": entry is answer.fastest(one),
    }


def _limit(one, words):
    limit = one["limit"]
    if not limit:
        return ""
    text = words(f"limited_{limit['by']}")
    # Where there is no speedup, the share is in the row already.
    if not one["baseline"] or not limit["of"]:
        return text
    share = words("of_what", words.percent(limit["share"]), reference(limit["of"], words))
    return f"{text}: {share}"


def _cautions(tables, words):
    """A sentence for each kind of warning, with the tables that have it."""
    having = {}
    for table in tables:
        for name in (table["answer"] or {}).get("cautions", ()):
            having.setdefault(name, []).append(table)
    return [{"text": words(f"caution_{name}"), "tables": its} for name, its in having.items()]


def of_node(node, tables, words):
    """The table of one node, and what of it is uncertain."""
    of_table = {id(table["answer"]): table for table in tables if table["answer"]}
    found = answer.headlines(table["answer"] for table in tables if table["answer"])
    used = [place for place in answer.PLACES if any(one[place] for one in found)]
    rows = [
        {
            "label": label,
            "workload": one["workload"],
            "size": words.size(one["size"]),
            "identity": of_table[id(one)]["identity"],
            "cells": [one[place] and _cell(one, one[place], words) for place in used],
            "limit": _limit(one, words),
        }
        for label, one in zip(answer.labels(found, words), found)
    ]
    baselines = dict.fromkeys(one["baseline"]["variant"] for one in found if one["baseline"])
    return {
        "node": node,
        "places": [answer.place_name(place, words) for place in used],
        "rows": rows,
        "baseline": next(iter(baselines), ""),
        "shares": any(not one["baseline"] for one in found),
        "doubtful": any(entry["doubtful"] for one in found for _, entry in answer.places(one)),
        "cautions": _cautions(tables, words),
    }
