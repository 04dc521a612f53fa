"""Speedup and efficiency over the threads, next to the ideal."""

import numpy as np

from bench_hpc.answer import ratio
from bench_hpc.backends import runs_on

from . import facts, sheet
from .rows import work_of
from .style import LOOKS
from .ticks import even_ticks, log_ticks

PANEL = 62.0  # mm
LEFT = 8.0  # mm next to the numbers
BETWEEN = 18.0
AXIS = 8.5
FIRST = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9")
GREYS = ("#000000", "#909090", "#505050", "#b8b8b8", "#303030", "#707070")
MOST_TICKS = 10


def pictures(run, words):
    made = []
    for table in run.tables:
        rungs = {row.name for row in table.rows}
        entries = [
            (f"{one['backend']}/{one['variant']}", one)
            for one in run.document.json["scaling"]
            if work_of(one) == table.work
        ]
        entries = [(name, one) for name, one in entries if name in rungs]
        if entries:
            made.append(_picture(run, table, entries, words))
    return made


def _picture(run, table, entries, words):
    counts = sorted({point["threads"] for _, entry in entries for point in entry["points"]})
    figures = "; ".join(
        f"{name} {'~' * point['doubtful']}{words.factor(point['speedup']['value'])} "
        f"({words.percent(point['efficiency'])})"
        for name, entry in entries
        for point in entry["points"]
        if point["threads"] == counts[-1]
    )
    workload = table.work.workload
    doubts = any(point["doubtful"] for _, entry in entries for point in entry["points"])
    measured = [row for row in table.measured if runs_on(row.backend, "all_threads")]
    notes = [facts.interval_note(words, measured), *[words("legend_doubt")] * doubts]
    alt = words("scaling_alt", workload=workload, low=counts[0], high=counts[-1], figures=figures)
    return facts.picture_of_work(
        "scaling",
        run,
        table.work,
        words,
        measured,
        notes,
        subtitle=words("scaling_subtitle"),
        alt=alt,
        draw=lambda picture, style, width: _draw(picture, style, width, entries, counts, words),
    )


def _draw(picture, style, width, entries, counts, words):
    ends = [1.0, counts[-1] / counts[0]]
    for _, entry in entries:
        ends += [end for point in entry["points"] for end in ratio(point["speedup"])[1:]]
    heights = (min(ends) / 1.12, max(ends) * 1.12)
    margin = sheet.labels_width([words.short(one) for one in _ticks(*heights)]) + LEFT
    room = (width - 2 * sheet.MARGIN - margin - BETWEEN - 3) / 2
    ideal = {"color": style.muted, "linestyle": (0, (1, 1.5)), "linewidth": 1.0}
    looks = [_look(style, number) for number in range(len(entries))]
    handles = [sheet.handle(words("ideal"), room, **ideal)]
    handles += [sheet.handle(name, room, **look) for (name, _), look in zip(entries, looks)]
    page = sheet.Sheet(picture, style, width, PANEL + AXIS, handles, 2)
    beginnings = (sheet.MARGIN + margin, sheet.MARGIN + margin + room + BETWEEN)
    left, right = (page.panel(one, 1, room, PANEL - 1) for one in beginnings)
    ticks = counts if len(counts) <= MOST_TICKS else counts[:: -(-len(counts) // MOST_TICKS)]
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_xlim(counts[0] / 1.12, counts[-1] * 1.12)
        sheet.set_ticks(axes.xaxis, ticks, words.count, style.grid, words("threads_axis"))

    left.plot(counts, [count / counts[0] for count in counts], **ideal)
    right.axhline(1, **ideal)
    shares = [1.0]
    for number, ((name, entry), look) in enumerate(zip(entries, looks)):
        aside = 1 + 0.012 * (number - (len(entries) - 1) / 2)
        shares.append(_lines(left, right, style, look, name, entry, aside))
    left.set_yscale("log", base=2)
    left.set_ylim(*heights)
    sheet.set_ticks(left.yaxis, _ticks(*heights), words.short, style.grid)
    left.set_ylabel(words("scaling_axis", threads=facts.threads_text(counts[:1], words)))
    right.set_ylim(0, max(shares) * 1.06)
    sheet.set_ticks(right.yaxis, even_ticks(0, max(shares) * 1.06), words.percent, style.grid)
    right.set_ylabel(words("efficiency_axis"))
    return page.figure


def _ticks(low, high):
    """Powers of two, as threads come in them; other numbers where those are too few or odd."""
    powers = [2.0**power for power in range(12) if low <= 2.0**power <= high]
    return powers if len(powers) >= 3 and low > 0.5 else log_ticks(low, high, most=7)


def _look(style, number):
    palette = GREYS if style.grey else FIRST
    return style.line([*LOOKS][number % len(LOOKS)], color=palette[number % len(palette)])


def _lines(left, right, style, look, name, entry, aside):
    """Marks of one number of threads are a little apart, so that intervals stay visible."""
    threads = np.array([point["threads"] for point in entry["points"]])
    found = np.array([ratio(point["speedup"]) for point in entry["points"]])
    look = {**look, "ecolor": look["color"], "elinewidth": 1.0, "capsize": 1.8}
    for axes, scale in ((left, 1.0), (right, threads / threads[0])):
        values, low, high = found.T / scale
        ends = np.maximum((values - low, high - values), 0)
        axes.errorbar(threads * aside, values, yerr=ends, gid=f"line-{name}", **look)
        for x, y, point in zip(threads * aside, values, entry["points"]):
            if point["doubtful"]:
                sheet.note(axes, "~", (x, y), style, gid="doubt")
    return max(high)
