"""Time per element over the size, and from which size on the GPU wins."""

import math
from itertools import groupby

from bench_hpc.answer import ratio
from bench_hpc.backends import END_TO_END, backends, ladder_of, runs_on

from . import facts, sheet
from .slug import hot
from .style import SMALL
from .text import printable, shortened, width_mm
from .ticks import log_ticks

TOP = 62.0  # mm of the panel with the times
RATIO = 36.0  # and of the one with the ratios
LEFT = 14.0
RIGHT = 3.0
AXIS = 8.5  # mm for ticks and axis label
OF_SCOPE = {"kernel": "cuda", "end_to_end": "cuda_end_to_end"}


def line_of(row):
    """Which line a row competes for; None where it competes for none."""
    if row.library or row.other_memory:
        return None
    if row.name == "serial/naive":
        return "naive"
    if row.backend in backends() and not runs_on(row.backend, "device"):
        return "cpu"
    return ladder_of(row.backend) + (END_TO_END if row.end_to_end else "")


OURS = ("naive", "cpu", "cuda", "cuda_end_to_end")
LOOK_OF = {"naive": "serial", "cpu": "openmp"}


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
        if not row.measured:
            continue
        for line in {line_of(row), "cpu" if row.name == "serial/naive" else None} - {None}:
            sizes = lines.setdefault(line, {})
            if elements not in sizes or row.seconds < sizes[elements].seconds:
                sizes[elements] = row
    ours = [line for line in OURS if line in lines]
    others = [line for line in lines if line not in OURS]
    return {line: dict(sorted(lines[line].items())) for line in (*ours, *others)}


def pictures(run, words):
    groups = {}
    for table in run.tables:
        key = _series(table.rows[0].case)
        groups.setdefault(key, []).extend(table.rows)
    made = []
    for key, rows in groups.items():
        lines = best_rows(rows)
        if any(len(sizes) > 1 for sizes in lines.values()):
            made.append(_picture(run, key, rows, lines, words))
    return made


def _series(facts_of):
    return tuple(facts_of.get(key) for key in ("workload", "dtype", "cache", "bins", "steps"))


def sentence(entry, words):
    """Which one wins from which size on, with the interval of that size where there is one."""
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


def _picture(run, key, rows, lines, words):
    workload, dtype, cache, bins, steps = key
    crossovers = [one for one in run.document.json["crossovers"] if _series(one) == key]
    sizes = sorted({elements for line in lines.values() for elements in line})
    low, high = words.count(sizes[0]), words.count(sizes[-1])
    said = [sentence(entry, words) + "." for entry in crossovers]
    notes = [] if said else [_why_none(rows, lines, words)]
    drawn = [row for best in lines.values() for row in best.values()]
    marks = [words("legend_doubt")] * any(map(_in_doubt, drawn))
    what = [*facts.threads(drawn, words), workload, dtype]
    what.append(words("sizes_from_to", low=low, high=high))
    what += [words("bins_count", n=bins)] if bins else []
    what += [words("steps_count", n=steps)] if steps else []
    what.append(words(f"{cache}_cache"))
    figures = words.listed(
        f"{line_label(line, words)} {_time_text(best[sizes[-1]], words)}"
        for line, best in lines.items()
        if sizes[-1] in best
    )
    alt = words("sweep_alt", workload=workload, n=len(sizes), low=low, high=high, figures=figures)
    used = dict.fromkeys(row.origin for row in rows)
    more = words("sweep_ratio_subtitle") if crossovers else ""
    title = "sweep_title" if crossovers else "sweep_only_title"
    return facts.picture(
        "sweep",
        words,
        [run.document],
        used,
        what,
        [*notes, facts.interval_note(words, drawn), *marks],
        [workload, dtype, str(bins or steps or ""), hot(cache), run.suffix],
        title=words(title, workload=f"{workload} \u00b7 {dtype}"),
        subtitle=words("sweep_subtitle") + more,
        alt=" ".join([alt, *said, *notes]),
        workload=workload,
        dtype=dtype,
        node=run.node,
        draw=lambda picture, style, width: _draw(picture, style, width, lines, crossovers, words),
    )


def _why_none(rows, lines, words):
    if "cuda" in lines or "cuda_end_to_end" in lines:
        return words("no_crossover")
    reasons = [row.told["reason_text"] for row in rows if runs_on(row.backend, "device")]
    common = max(dict.fromkeys(filter(None, reasons)), key=reasons.count, default=None)
    return words("no_gpu", reason=f" ({common})" if common else "")


def _in_doubt(row):
    """The mark of an uncertain row, as tables have it."""
    return "time" in row.told["doubtful"]


def _time_text(row, words):
    nanoseconds = row.seconds / row.case["elements"] * 1e9
    return f"{'~' * _in_doubt(row)}{words.number(nanoseconds, 3)}\u00a0ns"


def _names(rows):
    """The variants of a line, in the order of the sizes, each change once."""
    return " \u2192 ".join(name for name, _ in groupby(row.name for row in rows))


def _draw(picture, style, width, lines, crossovers, words):
    room = width - 2 * sheet.MARGIN - LEFT - RIGHT
    strip = len(crossovers) * sheet.LINE
    body = strip + 1 + TOP + (RATIO + 3 if crossovers else 0) + AXIS
    handles = [
        sheet.handle(
            f"{line_label(line, words)} ({_names(best.values())})",
            room,
            **style.line(_series_of(line)),
        )
        for line, best in lines.items()
    ]
    page = sheet.Sheet(picture, style, width, body, handles)
    top = page.panel(sheet.MARGIN + LEFT, strip + 1, room, TOP)
    ratios = None
    if crossovers:
        ratios = page.panel(sheet.MARGIN + LEFT, strip + TOP + 4, room, RATIO)
    sizes = sorted({elements for line in lines.values() for elements in line})
    bounds = (sizes[0] / 1.25, sizes[-1] * 1.25)

    _times(top, style, lines, words)
    for axes in filter(None, (top, ratios)):
        axes.set_xscale("log")
        axes.set_xlim(*bounds)
        sheet.set_ticks(axes.xaxis, log_ticks(*bounds), words.elements, style.grid)
    if ratios:
        top.tick_params(labelbottom=False)
        _ratios(ratios, style, lines, crossovers, words)
        _marks(page, top, ratios, style, crossovers, words, room, bounds)
    (ratios or top).set_xlabel(words("elements_axis"), labelpad=2)
    return page.figure


def _set_y(axes, low, high, words, style, label):
    axes.set_yscale("log")
    axes.set_ylim(low / 1.25, high * 1.25)
    sheet.set_ticks(axes.yaxis, log_ticks(low / 1.25, high * 1.25), words.short, style.grid)
    axes.set_ylabel(words(label))


def _curve(axes, style, line, sizes, spans, doubts, **options):
    """(value, low, high) at each size, as a line in a band; ~ after uncertain ones."""
    values, low, high = zip(*spans)
    look = style.line(_series_of(line), **options)
    axes.fill_between(sizes, low, high, color=look["color"], alpha=0.25, linewidth=0)
    for *place, doubt in zip(sizes, values, doubts):
        if doubt:
            sheet.note(axes, "~", place, style, gid="doubt")
    axes.plot(sizes, values, **look)
    return [*low, *high]


def _times(axes, style, lines, words):
    ends = []
    for line, best in lines.items():
        spans = [
            tuple(one / size * 1e9 for one in (row.seconds, *row.interval))
            for size, row in best.items()
        ]
        doubts = map(_in_doubt, best.values())
        ends += _curve(axes, style, line, [*best], spans, doubts, gid=f"line-{line}")
    _set_y(axes, min(ends), max(ends), words, style, "time_per_element_axis")


def _series_of(line):
    return LOOK_OF.get(line, line if line == "cuda_end_to_end" else line.partition("_")[0])


def _ratios(axes, style, lines, crossovers, words):
    ends = [1.0]
    for entry in crossovers:
        line = OF_SCOPE[entry["scope"]]
        sizes = [point["elements"] for point in entry["points"]]
        spans = [ratio(point["ratio"]) for point in entry["points"]]
        both = [lines.get(one, {}) for one in ("cpu", line)]
        doubts = [any(size in best and _in_doubt(best[size]) for best in both) for size in sizes]
        ends += _curve(axes, style, line, sizes, spans, doubts)
    axes.axhline(1, color=style.ink, linewidth=0.8)
    _set_y(axes, min(ends), max(ends), words, style, "ratio_axis")


def _marks(page, top, ratios, style, crossovers, words, room, bounds):
    """The size from which on the GPU wins: a line, a band for its interval, and what it says. Each
    sentence has a row of its own above the panels, so that none covers another."""
    for number, entry in enumerate(crossovers):
        series = OF_SCOPE[entry["scope"]]
        look, colour = style.look(series), style.colour(series)
        text = shortened(printable(sentence(entry, words)), room, SMALL)
        half = width_mm(text, SMALL) / 2
        centre = half
        if entry["verdict"] == "from":
            low, high = entry["ci95"]
            size = entry["size"] or high  # at the latest
            for axes in (top, ratios):
                axes.axvspan(low or bounds[0], high or bounds[1], color=colour, alpha=0.12, lw=0)
                axes.axvline(size, color=style.ink, linestyle=look.line, linewidth=0.9)
            share = math.log(size / bounds[0]) / math.log(bounds[1] / bounds[0])
            centre = min(max(share * room, half), room - half)
        y = number * sheet.LINE
        page.text(sheet.MARGIN + LEFT + centre, y, text, ha="center")
