"""All workloads of a node in one picture: the best of the CPU, of the GPU without and with
transfers, and of Python."""

from bench_hpc import answer
from bench_hpc.answer import Ratio, ratio
from bench_hpc.program import plain

from . import facts, sheet
from .ladder import limits
from .rows import ask
from .style import SMALL
from .text import POINTS_PER_MM, width_mm
from .ticks import even_ticks, log_ticks

SERIES = {
    "best_cpu": "openmp",
    "gpu": "cuda",
    "gpu_with_transfers": "cuda_end_to_end",
    "python": "numba",
}
LANE = 2.2  # mm
GAP = 1.8  # between workloads
MOST_LABEL = 0.42  # of the width
AXIS = 9.5
BETWEEN = 2.0  # mm between the last mark and its value


def pictures(documents, words, selection):
    """One of each node."""
    by_node = {}
    for one in answer.headlines(ask(documents, words, selection)["answer"]):
        by_node.setdefault(plain(one["node"]), []).append(one)
    several = len(by_node) > 1
    return [
        _picture([one for one in documents if one.node == node], node, found, several, words)
        for node, found in by_node.items()
    ]


def _picture(documents, node, found, several, words):
    over = list(dict.fromkeys(one["baseline"]["variant"] for one in found if one["baseline"]))
    subtitle = [words("overview_speedup", baseline=over[0])] if over else []
    if not all(one["baseline"] for one in found):
        subtitle.append(words("overview_share"))
    entries = [(place, entry) for one in found for place, entry in answer.places(one)]
    notes = [words("interval_note")]
    if any(place == "gpu_with_transfers" for place, _ in entries):
        notes.append(words("overview_transfers"))
    if any(entry["doubtful"] for _, entry in entries):
        notes.append(words("legend_doubt"))
    threads = sorted({one.context["run"]["threads"] for one in documents})
    facts_of = [
        facts.threads_text(threads, words),
        ", ".join(dict.fromkeys(one["dtype"] for one in found)),
        facts.sizes(words, [(one["workload"], one["size"]) for one in found]),
    ]
    figures = (
        words("because", label, f"{answer.fastest(one)['variant']} {_text(one, words)}")
        for label, one in zip(answer.labels(found, words), found)
    )
    return facts.picture(
        "overview",
        words,
        documents,
        [one for document in documents for one in document.origins],
        facts_of,
        notes,
        [node if several else ""],
        title=words("overview_title", node=node),
        subtitle=" ".join(subtitle),
        alt=words("overview_alt", n=len(found), figures=words.listed(figures)),
        node=node,
        draw=lambda picture, style, width: _draw(picture, style, width, found, words),
    )


def _share(entry):
    """The share of a bandwidth reference whose time is given: its interval is the time's."""
    value = entry["share_of_copy"]
    ends = (value * entry["seconds"] / end for end in reversed(entry["ci95"]))
    return Ratio(value, *ends)


def _span(one, entry):
    """(value, low, high) on the axis, if there is one for it."""
    if one["baseline"]:
        return entry["over_baseline"] and ratio(entry["over_baseline"])
    return entry["share_of_copy"] and _share(entry)


def _text(one, words):
    """The value of the fastest."""
    entry = answer.fastest(one)
    span = _span(one, entry)
    if span:
        text = words.factor(span.value) if one["baseline"] else words.percent(span.value)
    else:
        text = words.duration(entry["seconds"])
    return "~" * entry["doubtful"] + text


def _height(one):
    return len(answer.places(one)) * LANE + GAP


def _draw(picture, style, width, found, words):
    labels = dict(zip(map(id, found), answer.labels(found, words)))
    margin = min(sheet.labels_width(labels.values()) + 3, width * MOST_LABEL)
    room = width - margin - 2 * sheet.MARGIN - 2
    panels = [[one for one in found if bool(one["baseline"]) == over] for over in (True, False)]
    panels = [panel for panel in panels if panel]
    used = [place for place in SERIES if any(one[place] for one in found)]
    names = {place: answer.place_name(place, words) for place in used}
    handles = [
        sheet.handle(name, width, **style.point(SERIES[place], markersize=5))
        for place, name in names.items()
    ]
    columns = len(used) if width > 120 else 2
    body = sum(map(_height, found)) + AXIS * len(panels)
    page = sheet.Sheet(picture, style, width, body, handles, columns, handle_length=1)
    top = 0
    for panel in panels:
        height = sum(map(_height, panel))
        axes = sheet.without_y(page.panel(sheet.MARGIN + margin, top, room, height), height)
        _panel(axes, style, panel, labels, margin, room, words)
        top += height + AXIS
    return page.figure


def _panel(axes, style, panel, labels, margin, room, words):
    spans = {
        (id(one), place): span
        for one in panel
        for place, entry in answer.places(one)
        for span in [_span(one, entry)]
        if span
    }
    over = panel[0]["baseline"]
    texts = {id(one): _text(one, words) for one in panel}
    start = _axis(axes, style, over, spans.values(), texts.values(), room, words)
    top = 0
    for one in panel:
        height = _height(one)
        middle = top + height / 2
        sheet.row_label(axes, room, middle, labels[id(one)], margin, gid="label")
        if top:
            axes.axhline(top, color=style.grid, linewidth=0.5)
        ends = [start]
        for lane, (place, _) in enumerate(answer.places(one)):
            if span := spans.get((id(one), place)):
                _mark(axes, style, place, start, span, top + GAP / 2 + (lane + 0.5) * LANE)
                ends.append(span.high)
        value, points = (max(ends), middle), BETWEEN * POINTS_PER_MM
        sheet.note(axes, texts[id(one)], value, style, points, fontweight="bold", gid="value")
        top += height


def _axis(axes, style, over, spans, texts, room, words):
    """Sets the scale; says where bars begin."""
    widths = [max(width_mm(text, SMALL, bold=True) for text in texts)] * len(spans)
    ends = [(span.low, span.high) for span in spans] or [(1.0, 1.0)]
    if over:
        axes.set_xscale("log")
        low, high = limits(ends, widths, room)
        data_end = max([2.0, *(end for _, end in ends)])
        ticks, label, start = log_ticks(low, data_end, 7), words.short, 1
        title = words("speedup_axis", baseline=over["variant"])
    else:
        low, most = 0, max([1.0, *(end for _, end in ends)])
        free = max(widths, default=0) + 2 * BETWEEN
        high = most * room / max(room - free, room / 2)
        ticks, label, start = even_ticks(0, most, 5), words.percent, 0
        title = words("share_of_copy_axis")
    axes.set_xlim(low, high)
    sheet.set_ticks(axes.xaxis, ticks, label, style.grid, title)
    axes.axvline(start, color=style.ink, linewidth=0.8)
    return start


def _mark(axes, style, place, start, span, y):
    colour, look = style.colour(SERIES[place]), style.point(SERIES[place], markersize=4.5)
    line = {"solid_capstyle": "butt"}
    axes.plot((start, span.value), (y, y), color=colour, linewidth=2.2, zorder=2, **line)
    axes.plot(span.value, y, gid=f"mark-{place}", zorder=3, **look)
    line |= {"color": style.ink, "linewidth": 0.9, "zorder": 2.5, "gid": f"interval-{place}"}
    axes.plot((span.low, span.high), (y, y), **line)
