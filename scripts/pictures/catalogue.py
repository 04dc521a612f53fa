"""Everything that some documents can be drawn as, and why some kinds cannot be drawn."""

from dataclasses import replace

from program import UsageError

from . import ladder, nodes, roofline, samples, scaling, sweep
from .language import Words
from .selection import Selection
from .slug import unique

OF_ONE_NODE = {
    "ladder": ladder.pictures,
    "sweep": sweep.pictures,
    "scaling": scaling.pictures,
    "roofline": roofline.pictures,
    "samples": samples.pictures,
}
KINDS = ("nodes", *OF_ONE_NODE)
MANY_NODES = 8  # beyond, pictures of single nodes are made only where one is chosen
MISSING = {
    "ladder": "nothing here was measured",
    "sweep": "no workload was measured at several sizes (bench --sweep 1e3:1e8)",
    "scaling": "nothing was measured with several numbers of threads (bench --threads 1,2,4,8)",
    "roofline": "nothing here was measured",
    "samples": "nothing here was measured",
}


def overview(documents, lang="en", kinds=KINDS, survey=None, **selection):
    """(pictures, reasons): a reason is one line on what could not be drawn. Who has the answer of
    `bench compare --format json` already gives it as `survey`."""
    words = Words(lang)
    chosen = Selection(**selection)
    chosen.check(documents)
    pictures, reasons = [], []
    for kind in kinds:
        found, why = _pictures(kind, documents, words, chosen, survey)
        pictures += found
        reasons += [f"{kind}: {one}" for one in why]
    names = unique([picture.slug for picture in pictures])
    return [replace(one, slug=name) for one, name in zip(pictures, names)], reasons


def _pictures(kind, documents, words, chosen, survey):
    if kind == "nodes":
        try:
            return nodes.pictures(documents, words, chosen, survey)
        except UsageError as reason:
            return [], [str(reason)]
    names = {document.node for document in documents}
    if chosen.node is None and len(names) > MANY_NODES:
        return [], [f"{len(names)} nodes: choose one with --node, for instance {min(names)}"]
    found = []
    for document in documents:
        if chosen.has_node(document.node):
            found += OF_ONE_NODE[kind](document, words, chosen, len(names) > 1)
    return found, [] if found else [MISSING[kind]]


def catalogue(documents, lang="en", survey=None, **selection):
    """Everything that can be drawn."""
    return overview(documents, lang, survey=survey, **selection)[0]
