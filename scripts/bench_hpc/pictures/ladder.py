"""All variants of one workload, in the order of the ladder."""

import math

from . import facts, sheet
from .style import SMALL
from .text import POINTS_PER_MM, printable, width_mm, wrapped
from .ticks import log_ticks

ROW = 4.3  # mm
BAR = 0.66  # of a row
BELOW = 9.0  # mm for ticks and axis label
BETWEEN = 1.6  # mm between a bar and its value
MOST_REASON_LINES = 3


def pictures(run, words):
    return [_picture(run, table, words) for table in run.tables]


def fastest(rows):
    """Built in."""
    return min((row for row in rows if not row.library), key=lambda row: row.seconds, default=None)


def label(row, origin):
    """The label, with the library's mark and that of a baseline from another run."""
    if not row.measured or origin in (None, row.origin):
        return row.label
    marked = row.name + " \u2021" * row.library
    return f"{marked} \u2020{row.label[len(marked) :]}"


def value_text(row):
    time = row.cells["time"]
    return f"{row.cells['speedup']}\u00d7  {time}" if row.ratio else time


def _picture(run, table, words):
    rows, origin = table.measured, table.origin
    others = dict.fromkeys(row.origin for row in rows if origin and row.origin != origin)
    runs = [f"{facts.date(one)}, {facts.revision(one, words)}" for one in others]
    notes = [facts.interval_note(words, rows)]
    notes += facts.row_notes(words, rows, ("time", "speedup"), words.listed(runs) if runs else "")
    return facts.picture_of_work(
        "ladder",
        run,
        table.work,
        words,
        rows,
        notes,
        [origin or table.rows[0].origin],
        subtitle=_subtitle(table, words),
        alt=_alt(table, words),
        draw=lambda picture, style, width: _draw(picture, style, width, table, words),
    )


def _subtitle(table, words):
    if not table.work.dtype:  # another program's: benchmarks, and not variants of one
        return ""
    return words("ladder_speedup" if table.origin else "ladder_time", baseline=table.baseline)


def _factor(row):
    return row.cells["speedup"].lstrip("~") + "\u00d7"


def _alt(table, words):
    text = ""
    best = fastest(row for row in table.measured if row.case["scope"] == "kernel")
    if best:
        text = words(
            "ladder_alt" if table.origin else "ladder_alt_time",
            n=len(table.rows),
            workload=table.work.workload,
            best=best.label,
            time=best.cells["time"].lstrip("~"),
            factor=_factor(best),
            baseline=table.baseline,
        )
    best = fastest(row for row in table.measured if row.end_to_end)
    if best and table.origin:
        text += words("transfers_alt", best=best.name, factor=_factor(best))
    missing = len(table.rows) - len(table.measured)
    if missing:
        text += words("unmeasured_alt", n=missing)
    return text.strip()


def limits(ends, widths, room):
    """Ends of the axis, so that every text (mm) has room after its bar."""
    low, high = min(1.0, *(low for low, _ in ends)), max(1.0, *(high for _, high in ends))
    low /= max(1.15, (high / low) ** 0.015)  # room for a marker
    right = math.log(high * 1.1)
    left = math.log(low)
    for (_, high), width in zip(ends, widths):
        free = max(room - width - 2 * BETWEEN, room / 10)
        right = max(right, left + (math.log(max(high, 1.0)) - left) * room / free)
    return low, math.exp(right)


def _draw(picture, style, width, table, words):
    rows = table.shown
    labels = [label(row, table.origin) for row in rows]
    best = fastest(table.measured) if table.work.dtype else None
    margin = sheet.margin_of(labels, width)
    room = width - margin - 2 * sheet.MARGIN - 1
    reasons = [
        None if row.measured else wrapped(printable(row.reason), room - 2, SMALL, MOST_REASON_LINES)
        for row in rows
    ]
    heights = [max(ROW, sheet.LINE * len(reason or ()) + 0.6) for reason in reasons]
    body = sum(heights)
    page = sheet.Sheet(picture, style, width, body + BELOW)
    axes = sheet.without_y(page.panel(sheet.MARGIN + margin, 0, room, body), body)
    axes.set_xscale("log")

    spans = {row: _span(row, table) for row in table.measured}
    texts = {row: printable(value_text(row)) for row in spans}
    widths = [width_mm(text, SMALL, row is best) for row, text in texts.items()]
    _set_axis(axes, style, words, table, [span[1:] for span in spans.values()], widths, room)

    top = 0
    for i, (row, height) in enumerate(zip(rows, heights)):
        y = top + height / 2
        sheet.row_label(axes, room, y, labels[i], margin, row is best, gid=f"label-{i}")
        if row.measured:
            _bar(axes, style, row, y, spans[row], texts[row], "bold" if row is best else "normal")
        else:
            # Neither the grid nor the line at 1 runs through words.
            axes.axhspan(top, top + height, color=style.background, linewidth=0, zorder=2.1)
            text = "\n".join(reasons[i])
            sheet.beside(axes, 1 / room, y, text, color=style.muted, zorder=3, gid=f"reason-{i}")
        top += height
    return page.figure


def _span(row, table):
    """(value, low, high) on the axis."""
    return (row.ratio or (1, 1, 1)) if table.origin else (row.seconds, *row.interval)


def _set_axis(axes, style, words, table, spans, widths, room):
    if not spans:
        axes.set_xticks([])
        axes.minorticks_off()
        axes.spines["bottom"].set_visible(False)
        return
    if table.origin:
        low, high = limits(spans, widths, room)
        axes.axvline(1, color=style.ink, linewidth=0.8)
        text = words("speedup_axis", baseline=table.baseline)
    else:
        # The same room, for the text is after the interval here as well.
        smallest = min(low for low, _ in spans)
        low, high = limits([(a / smallest, b / smallest) for a, b in spans], widths, room)
        low, high = low * smallest, high * smallest
        text = words("time_axis")
    axes.set_xlim(low, high)
    data_end = max(end for _, end in spans)
    ticks = log_ticks(low, max(data_end, low * 1.5))
    sheet.set_ticks(axes.xaxis, ticks, words.short, style.grid, text)


def _bar(axes, style, row, y, span, text, weight):
    value, low, high = span
    name = f"bar-{row.case['name']}"
    if row.ratio:
        look = {"edgecolor": style.ink, "linewidth": 0.5, "hatch": style.look(row.series).hatch}
        look["facecolor"] = style.colour(row.series)
        axes.barh(y, value - 1, left=1, height=ROW * BAR, gid=name, **look)
    else:
        axes.plot(value, y, **style.point(row.series, markersize=5, gid=name))
    ends = [[max(value - low, 0)], [max(high - value, 0)]]
    look = {"fmt": "none", "ecolor": style.ink, "elinewidth": 0.9, "capsize": 1.8, "capthick": 0.7}
    axes.errorbar(value, y, xerr=ends, zorder=3 if row.ratio else 1.9, **look)
    place = (max(high, 1.0) if row.ratio else high, y)
    points = BETWEEN * POINTS_PER_MM
    name = f"value-{row.case['name']}"
    sheet.note(axes, text, place, style, points, fontweight=weight, gid=name)
