"""Many nodes side by side: which is slow, and how sure that is."""

import re
from typing import NamedTuple

from bench_hpc import program
from bench_hpc.answer import Ratio, ratio
from bench_hpc.program import UsageError

from . import facts, sheet
from .rows import ask
from .style import SMALL
from .text import printable, shortened
from .ticks import log_ticks

FEW = 32  # nodes that have a row each; more of them are sorted by their ratio
ROW = 4.2  # mm
AXIS = 8.5
PANEL = 42.0
MOST_LABELS = 12
MOST_MARKS = 500  # of a panel, each drawn by itself; more of them are dots of one image
MOST_SLOW = 16  # named in the caption
NARROWEST = 34.0  # mm of a panel next to others
REMARKS = ("missing", "unfinished", "unreadable", "failed", "unlike", "notes")
MOST_REMARKS = 4
VERDICTS = ("slow", "unclear", "same", "fast", "alone")


class Mark(NamedTuple):
    node: str
    ratio: Ratio
    verdict: str


class Column(NamedTuple):
    workload: str
    size: str


def pictures(documents, words, selection, survey=None):
    """(pictures, remarks): a remark is one line on what is in no picture."""
    if len({document.node for document in documents}) < 2:
        raise UsageError("all result files are of one node")
    survey = survey or program.compare([file for document in documents for file in document.files])
    wanted = _works(documents, words, selection)
    groups = {}
    try:
        for number, kind in enumerate(survey["kinds"]):
            names = {node["node"] for node in kind["nodes"]}
            for cell in survey["cells"]:
                work = (cell["workload"], cell["dtype"], cell["size"])
                if cell["node"] not in names or (wanted is not None and work not in wanted):
                    continue
                key = (number, cell["what"], cell["dtype"], cell["parameters"])
                columns = groups.setdefault(key, {})
                marks = columns.setdefault(Column(cell["workload"], cell["size"]), [])
                marks.append(Mark(cell["node"], ratio(cell["ratio"]), cell["verdict"]))
        threshold = survey["threshold"]
        files = {node.get("file") for kind in survey["kinds"] for node in kind["nodes"]}
        remarks = [_remark(name, survey[name]) for name in REMARKS if survey.get(name)]
    except (KeyError, TypeError) as error:
        raise UsageError(f"bench compare: an answer of another version: {error}") from None
    # Of several runs of a node some may not count.
    counted = [one for one in documents if files & set(map(str, one.files))] or documents
    made = []
    for key, columns in groups.items():
        names = {mark.node for marks in columns.values() for mark in marks}
        if len(names) > 1:
            several_kinds = len(survey["kinds"]) > 1
            made.append(_picture(counted, key, columns, several_kinds, threshold, words))
        else:
            remarks.append(f"{min(names)}: no other node of its hardware has {key[1]} {key[2]}")
    if not made:
        raise UsageError("no two nodes of the same hardware were measured alike")
    return made, remarks


def _works(documents, words, selection):
    """What the user chose, or None for everything."""
    if not (selection.workload or selection.dtype or selection.size):
        return None
    tables = ask(documents, words, selection, "--columns=variant")["tables"]
    return {(table["workload"], table["dtype"], table["size"]) for table in tables}


def _remark(name, lines):
    more = f" (and {len(lines) - MOST_REMARKS} more)" if len(lines) > MOST_REMARKS else ""
    return f"{name}: {'; '.join(lines[:MOST_REMARKS])}{more}"


def _picture(documents, key, columns, several_kinds, threshold, words):
    kind, what, dtype, parameters = key
    nodes = sorted({mark.node for marks in columns.values() for mark in marks}, key=_natural)
    title = words.recorded(what)
    slow, unclear = (
        [node for node in nodes if verdict in _verdicts(node, columns)]
        for verdict in ("slow", "unclear")
    )
    named = ", ".join(slow[:MOST_SLOW])
    if len(slow) > MOST_SLOW:
        named += f" {words('and_more', len(slow) - MOST_SLOW)}"
    said = [words("slow_nodes", nodes=named) if slow else words("no_slow_nodes")]
    if unclear:
        said.append(words("unclear_nodes", n=len(unclear)))
    notes = list(said)
    unnamed = sum(max(0, len(_remarkable(marks)) - MOST_LABELS) for marks in columns.values())
    if len(nodes) > FEW and unnamed:
        notes.append(words("not_named", n=unnamed))
    if len(nodes) <= FEW and any(len(marks) < len(nodes) for marks in columns.values()):
        notes.append(words("gap_note"))
    used = [one for one in documents if one.node in set(nodes)] or documents
    cache = dict.fromkeys(document.context["run"]["cache"] for document in used)
    workloads = ", ".join(dict.fromkeys(column.workload for column in columns))
    what_of = [dtype, facts.sizes(words, columns)]
    what_of += [words(f"{one}_cache") for one in cache if one in ("cold", "hot")]
    draw = _draw_few if len(nodes) <= FEW else _draw_many
    return facts.picture(
        "nodes",
        words,
        used,
        [origin for document in used for origin in document.origins],
        what_of,
        notes,
        [what, dtype, parameters, f"hardware-{kind + 1}" if several_kinds else ""],
        title=words("nodes_title", n=len(nodes), what=f"{title} \u00b7 {dtype}{parameters}"),
        subtitle=words("nodes_subtitle", threshold=words.short(100 * threshold)),
        alt=" ".join([words("nodes_alt", n=len(nodes), workloads=workloads), *said]),
        workload=workloads if len({one.workload for one in columns}) == 1 else None,
        dtype=dtype,
        draw=lambda picture, style, width: draw(
            picture, style, width, nodes, columns, threshold, words
        ),
    )


def _natural(name):
    """n2 before n10: digits are at the odd places of what the pattern leaves."""
    parts = re.split(r"([0-9]+)", name)
    return [(len(part.lstrip("0")), part) if i % 2 else part for i, part in enumerate(parts)], name


def _verdicts(node, columns):
    return {mark.verdict for marks in columns.values() for mark in marks if mark.node == node}


def _remarkable(marks):
    """Slow and unclear ones, the most urgent first."""
    urgent = [mark for mark in marks if mark.verdict in ("slow", "unclear")]
    return sorted(urgent, key=lambda mark: (mark.verdict != "slow", -mark.ratio.value, mark.node))


def _marker(verdict, style):
    shape, size, face, edge = {
        "slow": ("s", 5.0, style.alarm, style.ink),
        "unclear": ("o", 4.0, style.background, style.ink),
        "fast": ("^", 4.5, style.background, style.ink),
        "alone": ("x", 4.0, style.ink, style.ink),
    }.get(verdict, ("o", 2.6, style.muted, style.muted))
    look = {"markersize": size, "markerfacecolor": face, "markeredgecolor": edge}
    return {"marker": shape, "linestyle": "none", **look}


def _page(picture, style, width, columns, body, words):
    """A page with what the marks mean."""
    present = {mark.verdict for marks in columns.values() for mark in marks}
    handles = [
        sheet.handle(words(verdict), width, **_marker(verdict, style))
        for verdict in VERDICTS
        if verdict in present
    ]
    return sheet.Sheet(picture, style, width, body, handles, len(VERDICTS), handle_length=1)


def _scale(axes, style, words, bounds, threshold, upright, most):
    """Ratios along one direction, with a band of those that are the same."""
    along, span, line = (
        ("y", axes.axhspan, axes.axhline) if upright else ("x", axes.axvspan, axes.axvline)
    )
    axes.set(**{f"{along}scale": "log", f"{along}lim": bounds})
    axis = axes.yaxis if upright else axes.xaxis
    sheet.set_ticks(axis, log_ticks(*bounds, most=most), words.short, style.grid)
    span(1 / (1 + threshold), 1 + threshold, color=style.grid, alpha=0.6, lw=0)
    line(1, color=style.ink, linewidth=0.6)


def _bounds(columns, threshold):
    marks = [mark for column in columns.values() for mark in column]
    low = min([1 / (1 + threshold), *(mark.ratio.low for mark in marks)])
    high = max([1 + threshold, *(mark.ratio.high for mark in marks)])
    room = (high / low) ** 0.05
    return low / room, high * room


def _mark(axes, style, mark, place, upright):
    def plot(places, ratios, **options):
        axes.plot(*((places, ratios) if upright else (ratios, places)), **options)

    # Hundreds of them are side by side where they are upright.
    thin = {"linewidth": 0.5, "alpha": 0.5} if upright else {"linewidth": 0.8}
    colour = style.alarm if mark.verdict == "slow" else style.muted
    plot((place, place), (mark.ratio.low, mark.ratio.high), color=colour, **thin)
    look = {**_marker(mark.verdict, style), "markeredgewidth": 0.5, "zorder": 3}
    plot(place, mark.ratio.value, gid=f"mark-{mark.verdict}", **look)


def _marks(axes, style, ranked):
    """The same of very many, upright: an image, with the slow ones over the others."""
    for verdict in reversed(VERDICTS):
        some = [(rank, mark.ratio) for rank, mark in enumerate(ranked) if mark.verdict == verdict]
        if not some:
            continue
        places = [rank for rank, _ in some]
        ends = [[getattr(ratio, end) for _, ratio in some] for end in ("low", "high")]
        colour = style.alarm if verdict == "slow" else style.muted
        axes.vlines(places, *ends, color=colour, linewidth=0.5, alpha=0.5, rasterized=True)
        look = {**_marker(verdict, style), "markeredgewidth": 0.5, "rasterized": True}
        axes.plot(places, [ratio.value for _, ratio in some], gid=f"mark-{verdict}", **look)


def _draw_few(picture, style, width, nodes, columns, threshold, words):
    """A row for each node, a panel for each workload; panels that have no room go below."""
    names = sheet.margin_of(nodes, width)
    usable = width - 2 * sheet.MARGIN - names - 1
    across = max(1, min(len(columns), int(usable // NARROWEST)))
    down = -(-len(columns) // across)
    across = -(-len(columns) // down)  # rows of about the same length
    band = sheet.LINE * 2 + len(nodes) * ROW + AXIS + 2
    page = _page(picture, style, width, columns, down * band, words)
    bounds = _bounds(columns, threshold)
    cell = usable / across
    slow = {node for node in nodes if "slow" in _verdicts(node, columns)}
    for number, (column, marks) in enumerate(columns.items()):
        x = sheet.MARGIN + names + number % across * cell
        y = number // across * band
        axes = page.panel(x, y + sheet.LINE * 2, cell - 4, len(nodes) * ROW)
        for line, text in enumerate((column.workload, words.size(column.size))):
            page.text(x, y + line * sheet.LINE, shortened(printable(text), cell - 2, SMALL))
        axes.set_ylim(len(nodes), 0)
        axes.set_yticks([])
        _scale(axes, style, words, bounds, threshold, upright=False, most=4)
        axes.set_xlabel(words("nodes_axis_short"), labelpad=2)
        found = {mark.node: mark for mark in marks}
        for i, node in enumerate(nodes):
            if node in found:
                _mark(axes, style, found[node], i + 0.5, upright=False)
            else:
                axes.text(1, i + 0.5, "\u2013", ha="center", va="center")
        if number % across == 0:
            for i, node in enumerate(nodes):
                middle = y + sheet.LINE * 2 + (i + 0.5) * ROW
                page.label(names, middle, node, bold=node in slow)
    return page.figure


def _draw_many(picture, style, width, nodes, columns, threshold, words):
    """A panel for each workload, nodes sorted by their ratio; names only where they matter."""
    left, band = 12.0, PANEL + sheet.LINE + AXIS + 1
    labelled = {column: _remarkable(marks)[:MOST_LABELS] for column, marks in columns.items()}
    names = [mark.node for marks in labelled.values() for mark in marks]
    side = min(sheet.labels_width(names, bold=True) + 6, width / 3) if names else 2
    room = width - 2 * sheet.MARGIN - left - side
    page = _page(picture, style, width, columns, len(columns) * band, words)
    bounds = _bounds(columns, threshold)
    for number, (column, marks) in enumerate(columns.items()):
        y = number * band
        text = f"{column.workload} \u00b7 {words.size(column.size)}"
        page.text(sheet.MARGIN + left, y, shortened(printable(text), room, SMALL))
        axes = page.panel(sheet.MARGIN + left, y + sheet.LINE + 1, room, PANEL)
        axes.set_xlim(-1, len(marks) * 1.01 + 1)
        axes.set_xticks([])
        _scale(axes, style, words, bounds, threshold, upright=True, most=8)
        axes.set_ylabel(words("nodes_axis"))
        axes.set_xlabel(words("rank_axis"), labelpad=3)
        ranked = sorted(marks, key=lambda mark: (mark.ratio.value, mark.node))
        if len(ranked) > MOST_MARKS:
            _marks(axes, style, ranked)
        else:
            for rank, mark in enumerate(ranked):
                _mark(axes, style, mark, rank, upright=True)
        _side_labels(axes, style, labelled[column], ranked, side)
    return page.figure


def _side_labels(axes, style, marks, ranked, side):
    """Names in the margin, in the order of the ratios, each with a thin line to its mark."""
    low, high = axes.get_ylim()
    ordered = sorted(marks, key=lambda mark: -mark.ratio.value)
    step = sheet.LINE / PANEL
    place = 1.0
    to_share = axes.transScale.transform
    bottom, top = to_share((1, low))[1], to_share((1, high))[1]
    for number, mark in enumerate(ordered):
        wanted = (to_share((1, mark.ratio.value))[1] - bottom) / (top - bottom)
        # As high as its mark where neighbours leave room above and below.
        place = max(min(place, wanted), step * (len(ordered) - number - 0.5))
        bold = mark.verdict == "slow"
        arrow = {"arrowstyle": "-", "color": style.muted, "linewidth": 0.4}
        axes.annotate(
            shortened(printable(mark.node), side - 5, SMALL, bold),
            (ranked.index(mark), mark.ratio.value),
            xytext=(1.015, place),
            textcoords="axes fraction",
            va="center",
            fontweight="bold" if bold else "normal",
            annotation_clip=False,
            arrowprops={**arrow, "shrinkA": 1, "shrinkB": 2},
            gid="named",
        )
        place -= step
