"""The samples behind the medians: how they scatter, and whether they drift."""

import numpy as np

from . import facts, sheet
from .style import SMALL
from .text import printable, wrapped
from .ticks import even_ticks, log_ticks

ROW = 7.0  # mm of a measured variant
AXIS = 8.5
BETWEEN = 4.0
LOG_FROM = 2.5  # where the largest sample is this many times the smallest


def pictures(run, words):
    return [_picture(run, table, words) for table in run.tables if table.measured]


def _outliers(row):
    return row.case["seconds"]["outliers"]


def _picture(run, table, words):
    measured = table.measured
    widest = max(measured, key=lambda row: row.interval[1] / row.interval[0])
    low, high = (end / widest.seconds for end in widest.interval)
    began = [words("executions_begin")] * any(len(facts.executions(row)) > 1 for row in measured)
    alt = words(
        "samples_alt",
        n=len(measured),
        workload=table.work.workload,
        outliers=sum(len(_outliers(row)) for row in measured),
        widest=widest.label,
        low=words.percent(low),
        high=words.percent(high),
    )
    return facts.picture_of_work(
        "samples",
        run,
        table.work,
        words,
        measured,
        [*began, *facts.row_notes(words, measured, ("time",))],
        subtitle=words("samples_subtitle"),
        alt=alt,
        draw=lambda picture, style, width: _draw(picture, style, width, table.shown, words),
    )


def _draw(picture, style, width, shown, words):
    # Measured rows first, so that no row without samples is between axes.
    rows = sorted(shown, key=lambda row: not row.measured)
    samples = {
        row: [one / row.seconds for one in row.case["seconds"]["samples"]]
        for row in rows
        if row.measured
    }
    margin = min(sheet.labels_width([row.label for row in rows]) + 3, width / 3)
    usable = width - 2 * sheet.MARGIN - margin - BETWEEN - 2
    room = usable / 2
    reasons = [wrapped(printable(row.reason), usable, SMALL, 3) for row in rows if not row.measured]
    drawn = len(samples) * ROW
    below = sum(sheet.LINE * len(reason) + 0.8 for reason in reasons)
    page = sheet.Sheet(picture, style, width, drawn + below + AXIS)
    left = page.panel(sheet.MARGIN + margin, 0, room, drawn)
    right = page.panel(sheet.MARGIN + margin + room + BETWEEN, 0, room, drawn)
    _left_axes(left, style, samples, words)
    longest = max(len(values) for values in samples.values())
    for axes in (left, right):
        sheet.without_y(axes, len(samples))
        for number in range(1, len(samples)):
            axes.axhline(number, color=style.grid, linewidth=0.5)
    right.set_xlim(-0.02 * longest, longest * 1.02)
    ticks = even_ticks(1, longest) if longest > 1 else [1]
    sheet.set_ticks(right.xaxis, ticks, words.count, style.grid, words("round_axis"))

    for number, (row, values) in enumerate(samples.items()):
        middle = (number + 0.5) * ROW
        page.label(margin, middle - 1.6, row.label)
        page.label(margin, middle + 1.6, row.cells["time"], color=style.muted)
        _row(left, right, style, row, values, number)
    y = drawn + AXIS
    for row, reason in zip(rows[len(samples) :], reasons):
        height = sheet.LINE * len(reason) + 0.8
        page.label(margin, y + height / 2, row.label)
        text = "\n".join(reason)
        page.text(sheet.MARGIN + margin, y + height / 2, text, va="center", color=style.muted)
        y += height
    return page.figure


def _left_axes(axes, style, samples, words):
    values = [value for some in samples.values() for value in some]
    low, high = min(values), max(values)
    if high / low >= LOG_FROM:
        axes.set_xscale("log")
        low, high = low / 1.1, high * 1.1
        ticks = log_ticks(low, high, 6)
        text = words("samples_log_axis")
    else:
        edge = max(high - low, 0.02) * 0.05
        low, high = low - edge, high + edge
        ticks = even_ticks(low, high, 5)
        text = words("samples_axis")
    axes.set_xlim(low, high)
    sheet.set_ticks(axes.xaxis, ticks, words.short, style.grid, text)


def _row(left, right, style, row, values, number):
    series = row.series
    colour = style.colour(series)
    marks = style.muted if style.grey else colour  # light greys are too faint for small marks
    centre = number + 0.5
    values = np.array(values)
    far = np.array(_outliers(row), dtype=int)
    usual = np.delete(np.arange(len(values)), far)
    times = row.case["seconds"]
    quartiles = [times[key] / row.seconds for key in ("q1", "q3")]
    # Neighbours in time are at different heights: nothing random, and few marks cover others.
    heights = centre - 0.3 + 0.6 * (np.arange(len(values)) * 0.618034 % 1)
    left.fill_betweenx(
        (centre - 0.34, centre + 0.34), *quartiles, color=colour, alpha=0.35, linewidth=0
    )
    dots = {"marker": style.look(series).marker, "color": marks, "markeredgewidth": 0}
    crosses = {"marker": "x", "markersize": 3.5, "markeredgewidth": 0.9, "color": style.alarm}
    for which, kind, options in (
        (usual, "samples", {**dots, "markersize": 1.9}),
        (far, "outliers", crosses),
    ):
        name = f"{kind}-{row.case['name']}"
        left.plot(values[which], heights[which], linestyle="none", gid=name, **options)
    left.plot((1, 1), (centre - 0.4, centre + 0.4), color=style.ink, linewidth=1.1)

    low, high = values.min(), values.max()
    places = number + 0.86 - 0.72 * (values - low) / max(high - low, 1e-9)
    middle = number + 0.86 - 0.72 * (1 - low) / max(high - low, 1e-9)
    right.plot((1, len(values)), (middle, middle), color=style.ink, linewidth=0.5)
    rounds = np.arange(1, len(values) + 1)
    begins = np.cumsum(facts.executions(row))[:-1]
    for some in np.split(rounds, begins):
        right.plot(some, places[some - 1], linewidth=0.8, markersize=1.5, **dots)
    right.vlines(
        begins + 0.5, number, number + 1, style.muted, linewidth=0.7, gid=f"begins-{row.name}"
    )
    right.plot(far + 1, places[far], linestyle="none", **crosses)
