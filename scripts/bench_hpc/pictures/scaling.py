"""Speedup and efficiency over the threads, next to the ideal."""

import numpy as np

from bench_hpc.answer import ratio

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
    measured = [row for row in table.measured if row.backend == "openmp"]
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
    columns = 2
    below = -(-(len(entries) + 1) // columns) * 3.6
    page = sheet.Sheet(picture, style, width, PANEL + AXIS + below)
    left = page.panel(sheet.MARGIN + margin, 1, room, PANEL - 1)
    right = page.panel(sheet.MARGIN + margin + room + BETWEEN, 1, room, PANEL - 1)
    bounds = (counts[0] / 1.12, counts[-1] * 1.12)
    ticks = counts if len(counts) <= MOST_TICKS else counts[:: -(-len(counts) // MOST_TICKS)]
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_xlim(*bounds)
        sheet.set_ticks(axes.xaxis, ticks, words.count, style.grid, words("threads_axis"))

    ideal = {"color": style.muted, "linestyle": (0, (1, 1.5)), "linewidth": 1.0}
    left.plot(counts, [count / counts[0] for count in counts], **ideal)
    right.axhline(1, **ideal)
    handles = [sheet.handle(words("ideal"), room, **ideal)]
    shares = [1.0]
    for number, (name, entry) in enumerate(entries):
        aside = 1 + 0.012 * (number - (len(entries) - 1) / 2)
        handle, highest = _lines(left, right, style, number, name, entry, aside, room)
        handles.append(handle)
        shares.append(highest)
    left.set_yscale("log", base=2)
    left.set_ylim(*heights)
    sheet.set_ticks(left.yaxis, _ticks(*heights), words.short, style.grid)
    fewest = facts.threads_text(counts[:1], words)
    left.set_ylabel(words("scaling_axis", threads=fewest))
    right.set_ylim(0, max(shares) * 1.06)
    sheet.set_ticks(right.yaxis, even_ticks(0, max(shares) * 1.06), words.percent, style.grid)
    right.set_ylabel(words("efficiency_axis"))
    sheet.legend(page, handles, sheet.MARGIN, PANEL + AXIS, columns)
    return page.figure


def _ticks(low, high):
    """Powers of two, as threads come in them; other numbers where those are too few or odd."""
    powers = [2.0**power for power in range(12) if low <= 2.0**power <= high]
    return powers if len(powers) >= 3 and low > 0.5 else log_ticks(low, high, most=7)


def _lines(left, right, style, number, name, entry, aside, room):
    """Marks of one number of threads are a little apart, so that intervals stay visible."""
    palette = GREYS if style.grey else FIRST
    look = list(LOOKS)[number % len(LOOKS)]
    options = style.line(look, color=palette[number % len(palette)])
    threads = np.array([point["threads"] for point in entry["points"]])
    found = np.array([ratio(point["speedup"]) for point in entry["points"]])
    for axes, scale in ((left, 1.0), (right, threads / threads[0])):
        values, low, high = found.T / scale
        axes.errorbar(
            threads * aside,
            values,
            yerr=np.maximum((values - low, high - values), 0),
            ecolor=options["color"],
            elinewidth=1.0,
            capsize=1.8,
            gid=f"line-{name}",
            **options,
        )
        for x, y, point in zip(threads * aside, values, entry["points"]):
            if point["doubtful"]:
                sheet.note(axes, "~", (x, y), 4, 0.2, style, gid="doubt")
    return sheet.handle(name, room, **options), max(high)
