"""What a caption has to say: where, when, with which build and on which data was measured."""

from bench_hpc.program import plain

from .picture import Picture
from .slug import hot, slug

MOST_NODES = 3
DIRTY = "-dirty"  # as `git describe` has it


def revision(origin, words):
    clean = origin.revision.removesuffix(DIRTY)
    return words("revision_is", clean[:8] + DIRTY * (clean != origin.revision))


def date(origin):
    return plain(origin.date[:10])


def machine(document, words):
    facts = document.context["machine"]
    parts = [facts.get("cpu_model") or words("unknown_processor")]
    gpu = facts.get("gpu")
    if gpu:
        parts.append(gpu["name"])
    return [plain(part) for part in parts]


def threads_text(counts, words):
    if counts == [1]:
        return words("one_thread")
    return words("threads_count", n=", ".join(map(str, counts)))


def threads(rows, words):
    """The threads of rows; where they differ, labels say which has not the job's."""
    cases = [row.case for row in rows if row.measured and row.case["threads"]]
    free = [one for one in cases if one["threads"] > 1 or "threads" in one["parameters"]]
    counts = sorted({one["threads"] for one in free or cases})
    return [threads_text(counts, words)] if counts else []


def _graded(document):
    return (document.context["run"].get("selection") or {}).get("graded", False)


def caption(words, documents, origins, what, notes=()):
    """`origins` are the runs, `what` is what was measured (threads, sizes, dtype, cache); notes
    are sentences."""
    nodes = list(dict.fromkeys(document.node for document in documents))
    where = [words("node_is", node=nodes[0])] if len(nodes) == 1 and nodes[0] else []
    if len(nodes) > 1:
        where = [words("nodes_count", len(nodes))]
    machines = dict.fromkeys(" \u00b7 ".join(machine(one, words)) for one in documents)
    revisions = dict.fromkeys(revision(one, words) for one in origins if one.revision)
    dates = dict.fromkeys(date(one) for one in origins)
    graded = any(map(_graded, documents))
    parts = [
        _few([*machines], words),
        *where,
        *[words("graded")] * graded,
        *what,
        _few(_without_doubles(revisions), words),
        _few([*dates], words),
    ]
    line = " \u00b7 ".join(plain(part) for part in parts if part)
    return " ".join([line + ".", *notes, *[words("legend_graded")] * graded])


def _without_doubles(revisions):
    """A revision with changes and without is one."""
    return [one for one in revisions if one + DIRTY not in revisions]


def _few(values, words):
    more = len(values) - MOST_NODES
    text = ", ".join(values[:MOST_NODES])
    return f"{text}, {words('and_more', more)}" if more > 0 else text


def sizes(words, works):
    """copy, energy: 10\u2077 elements; transpose: 4096 \u00d7 4096"""
    names = {}
    for workload, size in works:
        names.setdefault(words.size(size), {})[workload] = None
    return words.listed(words("because", ", ".join(of), size) for size, of in names.items())


def executions(row):
    """How many samples are of each execution of the program."""
    times = row.case["seconds"]
    return (times.get("executions") or {"samples": [len(times["samples"])]})["samples"]


def interval_note(words, measured):
    counts = sorted({len(executions(row)) for row in measured})
    if counts in ([], [1]):
        return words("interval_note")
    return words("interval_of_executions_note", n=", ".join(map(str, counts)))


def row_notes(words, measured, cells, other_runs=""):
    """Sentences for the marks that some of these rows have in the cells that are shown."""
    notes = []
    if any(row.end_to_end for row in measured):
        notes.append(words("legend_transfers"))
    if any(row.other_memory for row in measured):
        notes.append(words("legend_other_memory"))
    if any(row.library for row in measured):
        notes.append(words("legend_library"))
    if other_runs:
        notes.append(words("merged_note", runs=other_runs))
    if any(one in row.told["doubtful"] for row in measured for one in cells):
        notes.append(words("legend_doubt"))
    return notes


def picture(kind, words, documents, origins, what, notes, names, **others):
    """A picture with its caption; `names` are the parts of its file's name."""
    told = caption(words, documents, origins, what, notes)
    return Picture(kind=kind, slug=slug(kind, *names), caption=told, **others)


def picture_of_work(kind, run, work, words, rows, notes, origins=None, **others):
    """A picture of one work; its title is that of its kind."""
    what = threads(rows, words)
    what.append(work.workload)
    if work.dtype:  # files of other programs have none
        what += [work.dtype, words.size(work.size), words(f"{work.cache}_cache")]
    origins = origins or dict.fromkeys(row.origin for row in rows)
    about = {"workload": work.workload, "dtype": work.dtype, "size": work.size}
    names = [*about.values(), hot(work.cache), run.suffix]
    workload = " \u00b7 ".join(filter(None, [work.workload, work.dtype]))
    title = words(f"{kind}_title", workload=workload)
    others |= {**about, "title": title, "node": run.node}
    return picture(kind, words, [run.document], origins, what, notes, names, **others)
