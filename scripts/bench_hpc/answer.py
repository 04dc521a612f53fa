"""The answer of `bench table --format json`: the part of it that opens a page."""

from typing import NamedTuple

# Of each workload the fastest of these, as the answer names them, and how they are called.
PLACES = {
    "best_cpu": "cpu_line",
    "gpu": "cuda_line",
    "gpu_with_transfers": "cuda_end_to_end_line",
    "python": "peer_line",
}
REFERENCES = {
    "copy": "copying",
    "read": "reading",
    "add": "adding",
    "multiply_add": "arithmetic_peak",
    "matmul": "library_peak",
}


def reference(name, words):
    """A reference by its name in the language."""
    return words(REFERENCES[name]) if name in REFERENCES else name


class Ratio(NamedTuple):
    value: float
    low: float
    high: float


def ratio(recorded):
    """An end without a number is the value."""
    value = recorded["value"]
    return Ratio(value, *(value if end is None else end for end in recorded["ci95"]))


def headlines(answers):
    """The largest size of each workload, precision, cache mode and number of bins or steps, and
    smaller ones that alone have something, such as transfers.
    """
    covered, kept = {}, []
    answers = list(answers)
    for one in sorted(answers, key=lambda one: -one["elements"]):
        facts = ("node", "run", "workload", "dtype", "cache", "bins")
        kind = (*(one[fact] for fact in facts), one.get("steps"))
        there = covered.setdefault(kind, set())
        new = {place for place, _ in places(one)} - there
        if new:
            kept.append(one)
            there |= new
    workloads = list(dict.fromkeys(one["workload"] for one in answers))
    kept.sort(key=lambda one: (workloads.index(one["workload"]), answers.index(one)))
    return kept


def places(one):
    """(place, entry) of what was measured."""
    return [(place, one[place]) for place in PLACES if one[place]]


def place_name(place, words):
    return words(PLACES[place], backend="Python")


def fastest(one):
    return min((entry for _, entry in places(one)), key=lambda entry: entry["seconds"])


def _size(one, words):
    size = one["size"].partition(":")[0]
    return words.count(size) if size.isdecimal() else size


def labels(answers, words):
    """Their workloads, each with as much as it takes to distinguish it from the others."""
    facts = (
        lambda one: one["dtype"],
        lambda one: _size(one, words),
        lambda one: one["bins"] and words("bins_count", n=one["bins"]),
        lambda one: words(f"{one['cache']}_cache"),
        lambda one: ", ".join(map("=".join, (fastest(one)["parameters"] or {}).items())),
    )
    labels = [one["workload"] for one in answers]
    for fact in facts:
        told = [fact(one) for one in answers]
        alike = {}
        for label, text in zip(labels, told):
            alike.setdefault(label, set()).add(text)
        labels = [
            f"{label} \u00b7 {text}" if text and len(alike[label]) > 1 else label
            for label, text in zip(labels, told)
        ]
    return labels
