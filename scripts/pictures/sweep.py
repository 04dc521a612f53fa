"""Time per element over the size, and from which size on the GPU wins."""

import math
from itertools import groupby

from matplotlib.lines import Line2D

from . import facts, sheet
from .picture import Picture
from .rows import recorded, tables
from .slug import hot, slug
from .style import SMALL, series_of
from .text import printable, shortened, width_mm
from .ticks import log_ticks

TOP = 62.0  # mm of the panel with the times
RATIO = 36.0  # and of the one with the ratios
LEFT = 14.0
RIGHT = 3.0
AXIS = 8.5  # mm for ticks and axis label
OF_SCOPE = {"kernel": "cuda", "end_to_end": "cuda_end_to_end"}


def line_of(row):
    """Which line a row competes for; None where it is no one's."""
    if row.library:
        return None
    if row.name == "serial/naive":
        return "plain"
    if row.backend in ("serial", "openmp"):
        return "cpu"
    if row.backend == "cuda":
        return series_of(row)
    return row.backend + ("_end_to_end" if row.end_to_end else "")


OURS = ("plain", "cpu", "cuda", "cuda_end_to_end")
LOOK_OF = {"plain": "serial", "cpu": "openmp"}


def line_label(line, words):
    if line in OURS:
        return words(f"{line}_line")
    backend, _, transfers = line.partition("_")
    return words("peer_line", backend=backend + (" \u21c4" if transfers else ""))


def best_rows(rows):
    """line -> the fastest row of each size, the smallest size first."""
    lines = {}
    for row in rows:
        elements = row.case["elements"]
        if not row.measured or elements is None:
            continue
        for line in {line_of(row), "cpu" if row.name == "serial/naive" else None} - {None}:
            sizes = lines.setdefault(line, {})
            if elements not in sizes or row.seconds < sizes[elements].seconds:
                sizes[elements] = row
    ours = [line for line in OURS if line in lines]
    others = [line for line in lines if line not in OURS]
    return {line: dict(sorted(lines[line].items())) for line in (*ours, *others)}


def pictures(run, words, selection, with_node):
    groups = {}
    for work, rows in tables(run).items():
        if selection.has_work(work):
            key = (work.workload, work.dtype, work.cache, rows[0].case["bins"])
            groups.setdefault(key, []).extend(
                row for row in rows if selection.has_variant(row.name)
            )
    made = []
    for key, rows in groups.items():
        lines = best_rows(rows)
        if any(len(sizes) > 1 for sizes in lines.values()):
            made.append(_picture(run, key, rows, lines, words, with_node))
    return made


def _crossovers(run, key):
    return [
        entry
        for entry in run.json.get("crossovers") or []
        if (entry["workload"], entry["dtype"], entry["cache"], entry.get("bins")) == key
    ]


def sentence(entry, words):
    """Who wins from which size on, with the interval of that size where there is one."""
    first, last = (words.count(entry["points"][end]["elements"]) for end in (0, -1))
    low, high = entry["ci95"]
    verdict, interval = entry["verdict"], ""
    size = first if verdict == "always" else last
    if verdict == "from":
        size = words.about(entry["size"] or high)
        if entry["size"] is None:
            verdict = "at_the_latest"
        else:
            begin = words.about(low) if low else words("below", first)
            end = words.about(high) if high else words("above", last)
            interval = f" ({begin} \u2026 {end})"
    return words(
        f"wins_{verdict}", scope=words(f"of_{entry['scope']}"), size=size, interval=interval
    )


def _picture(run, key, rows, lines, words, with_node):
    workload, dtype, cache, bins = key
    crossovers = _crossovers(run, key)
    sizes = sorted({elements for line in lines.values() for elements in line})
    low, high = words.count(sizes[0]), words.count(sizes[-1])
    said = [sentence(entry, words) + "." for entry in crossovers]
    notes = [] if said else [_why_none(rows, lines, words)]
    what = [workload, dtype, words("sizes_from_to", low=low, high=high)]
    what += [words("bins_count", n=bins)] if bins else []
    what.append(words(f"{cache}_cache"))
    figures = words.listed(
        f"{line_label(line, words)} {words.number(_nanoseconds(best[sizes[-1]]), 3)}\u00a0ns"
        for line, best in lines.items()
        if sizes[-1] in best
    )
    alt = words("sweep_alt", workload=workload, n=len(sizes), low=low, high=high, figures=figures)
    used = dict.fromkeys(row.origin for row in rows)
    more = words("sweep_ratio_subtitle") if crossovers else ""
    return Picture(
        kind="sweep",
        slug=slug("sweep", workload, dtype, str(bins or ""), hot(cache), run.node * with_node),
        title=words(
            "sweep_title" if crossovers else "sweep_plain_title",
            workload=f"{workload} \u00b7 {dtype}",
        ),
        subtitle=words("sweep_subtitle") + more,
        caption=facts.caption(words, [run], used, what, [*notes, words("interval_note")]),
        alt=" ".join([alt, *said, *notes]),
        workload=workload,
        dtype=dtype,
        node=run.node,
        draw=lambda picture, style, width: _draw(picture, style, width, lines, crossovers, words),
    )


def _why_none(rows, lines, words):
    if "cuda" in lines or "cuda_end_to_end" in lines:
        return words("no_crossover")
    reasons = [row.case["reason"] for row in rows if row.backend == "cuda" and row.case["reason"]]
    common = max(dict.fromkeys(reasons), key=reasons.count, default=None)
    return words("no_gpu", reason=f" ({words.recorded(common)})" if common else "")


def _nanoseconds(row):
    return row.seconds / row.case["elements"] * 1e9


def _names(rows):
    """The variants of a line, in the order of the sizes, each change once."""
    return " \u2192 ".join(name for name, _ in groupby(row.name for row in rows))


def _draw(picture, style, width, lines, crossovers, words):
    room = width - 2 * sheet.MARGIN - LEFT - RIGHT
    below = len(lines) * 3.6
    panels = TOP + (RATIO + 3 if crossovers else 0)
    body = len(crossovers) * sheet.LINE + 1 + panels + AXIS + below
    page = sheet.Sheet(picture, style, width, body)
    strip = len(crossovers) * sheet.LINE
    top = page.panel(sheet.MARGIN + LEFT, strip + 1, room, TOP)
    ratios = None
    if crossovers:
        ratios = page.panel(sheet.MARGIN + LEFT, strip + TOP + 4, room, RATIO)
    sizes = sorted({elements for line in lines.values() for elements in line})
    bounds = (sizes[0] / 1.25, sizes[-1] * 1.25)

    handles = _times(top, style, lines, words, room)
    for axes in filter(None, (top, ratios)):
        axes.set_xscale("log")
        axes.set_xlim(*bounds)
        sheet.set_ticks(axes.xaxis, log_ticks(*bounds), words.elements, style.grid)
    if ratios:
        top.tick_params(labelbottom=False)
        _ratios(ratios, style, crossovers, words)
        _marks(page, top, ratios, style, crossovers, words, room, bounds)
    (ratios or top).set_xlabel(words("elements_axis"), parse_math=False, labelpad=2)
    sheet.legend(page, handles, sheet.MARGIN, body - below, 1)
    return page.figure


def _set_y(axes, low, high, words, style, label):
    axes.set_yscale("log")
    axes.set_ylim(low / 1.25, high * 1.25)
    sheet.set_ticks(axes.yaxis, log_ticks(low / 1.25, high * 1.25), words.short, style.grid)
    axes.set_ylabel(words(label), parse_math=False)


def _times(axes, style, lines, words, room):
    handles, ends = [], []
    for line, best in lines.items():
        look, colour = _look(style, line)
        sizes = list(best)
        low, high = (
            [row.interval[end] / size * 1e9 for size, row in best.items()] for end in (0, 1)
        )
        axes.fill_between(sizes, low, high, color=colour, alpha=0.25, linewidth=0)
        options = {
            "color": colour,
            "linestyle": look.line,
            "marker": look.marker,
            "markeredgecolor": style.ink,
            "markeredgewidth": 0.4,
        }
        times = [_nanoseconds(row) for row in best.values()]
        axes.plot(sizes, times, gid=f"line-{line}", **options)
        text = f"{line_label(line, words)} ({_names(best.values())})"
        text = shortened(printable(text), room, SMALL)
        handles.append(Line2D([], [], label=text, **options))
        ends += low + high
    _set_y(axes, min(ends), max(ends), words, style, "time_per_element_axis")
    return handles


def _look(style, line):
    series = LOOK_OF.get(line, line if line == "cuda_end_to_end" else line.partition("_")[0])
    return style.look(series), style.colour(series)


def _ratios(axes, style, crossovers, words):
    ends = [1.0]
    for entry in crossovers:
        look, colour = _look(style, OF_SCOPE[entry["scope"]])
        sizes = [point["elements"] for point in entry["points"]]
        found = [recorded(point["ratio"]) for point in entry["points"]]
        low, high = [one.low for one in found], [one.high for one in found]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.25, linewidth=0)
        axes.plot(
            sizes,
            [one.value for one in found],
            color=colour,
            linestyle=look.line,
            marker=look.marker,
            markeredgecolor=style.ink,
            markeredgewidth=0.4,
        )
        ends += low + high
    axes.axhline(1, color=style.ink, linewidth=0.8)
    _set_y(axes, min(ends), max(ends), words, style, "ratio_axis")


def _marks(page, top, ratios, style, crossovers, words, room, bounds):
    """The size from which on the GPU wins: a line, a band for its interval, and what it says. Each
    sentence has a row of its own above the panels, so that none covers another."""
    for number, entry in enumerate(crossovers):
        look, colour = _look(style, OF_SCOPE[entry["scope"]])
        text = shortened(printable(sentence(entry, words)), room, SMALL)
        half = width_mm(text, SMALL) / 2
        centre = half
        if entry["verdict"] == "from":
            low, high = entry.get("ci95") or (None, None)
            for axes in (top, ratios):
                axes.axvspan(low or bounds[0], high or bounds[1], color=colour, alpha=0.12, lw=0)
                axes.axvline(entry["size"], color=style.ink, linestyle=look.line, linewidth=0.9)
            share = math.log(entry["size"] / bounds[0]) / math.log(bounds[1] / bounds[0])
            centre = min(max(share * room, half), room - half)
        y = number * sheet.LINE
        page.text(sheet.MARGIN + LEFT + centre, y, text, ha="center")
