"""Everything that some result files can be drawn as, and why some kinds cannot be drawn."""

from dataclasses import replace

from bench_hpc.program import UsageError
from bench_hpc.words import Words

from . import best, ladder, nodes, roofline, rows, samples, scaling, sweep
from .selection import Selection
from .slug import unique

OF_ONE_NODE = {
    "ladder": ladder.pictures,
    "sweep": sweep.pictures,
    "scaling": scaling.pictures,
    "roofline": roofline.pictures,
    "samples": samples.pictures,
}
KINDS = ("nodes", "overview", *OF_ONE_NODE)
MANY_NODES = 8  # beyond, pictures of single nodes are made only where one is chosen
NOTHING = "nothing here was measured"
MISSING = {
    "sweep": "no workload was measured at several sizes (bench --sweep 1e3:1e8)",
    "scaling": "nothing was measured with several numbers of threads (bench --threads 1,2,4,8)",
    "roofline": "these rows have no % of copy: memory is not their limit, or copy was not measured",
}


def overview(documents, lang="en", kinds=KINDS, survey=None, **selection):
    """(pictures, reasons): a reason is one line on what could not be drawn. `survey` is the answer
    of `bench compare --format json`, if it is known already."""
    words = Words(lang, "pictures")
    chosen = Selection(**selection)
    pictures, reasons = [], []
    single = chosen.of_node(documents)
    names = {document.node for document in single}
    too_many = f"{len(names)} nodes: choose one with --node, for instance {min(names)}"
    runs = rows.runs(single, words, chosen) if len(names) <= MANY_NODES else None
    measured = any(table.measured for run in runs or () for table in run.tables)
    for kind in kinds:
        if kind == "nodes":
            found, why = _nodes(documents, words, chosen, survey)
        elif runs is None:
            found, why = [], [too_many]
        else:
            if kind == "overview":
                found = best.pictures(single, words, chosen)
            else:
                found = [picture for run in runs for picture in OF_ONE_NODE[kind](run, words)]
            why = [] if found else [MISSING[kind] if kind in MISSING and measured else NOTHING]
        pictures += found
        reasons += [f"{kind}: {one}" for one in why]
    names = unique([picture.slug for picture in pictures])
    return [replace(one, slug=name) for one, name in zip(pictures, names)], reasons


def _nodes(documents, words, chosen, survey):
    try:
        return nodes.pictures(documents, words, chosen, survey)
    except UsageError as reason:
        return [], [str(reason)]


def catalogue(documents, lang="en", survey=None, **selection):
    """Everything that can be drawn."""
    return overview(documents, lang, survey=survey, **selection)[0]
