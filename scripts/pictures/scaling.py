"""Speedup and efficiency over the threads, beside the ideal."""

from matplotlib.lines import Line2D

from . import facts, sheet
from .picture import Picture
from .rows import Work, recorded, tables
from .slug import hot, slug
from .style import LOOKS, SMALL
from .text import printable, shortened
from .ticks import even_ticks, log_ticks

PANEL = 62.0  # mm
LEFT = 8.0  # mm beside the numbers
BETWEEN = 18.0
AXIS = 8.5
FIRST = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9")
GREYS = ("#000000", "#909090", "#505050", "#b8b8b8", "#303030", "#707070")
MOST_TICKS = 10


def pictures(run, words, selection, with_node):
    groups = {}
    for entry in run.json.get("scaling") or []:
        work = Work(*(entry[key] for key in Work._fields))
        name = f"{entry['backend']}/{entry['variant']}"
        if selection.has_work(work) and selection.has_variant(name):
            groups.setdefault(work, []).append((name, entry))
    return [_picture(run, work, entries, words, with_node) for work, entries in groups.items()]


def _picture(run, work, entries, words, with_node):
    counts = sorted({point["threads"] for _, entry in entries for point in entry["points"]})
    figures = "; ".join(
        f"{name} {words.factor(point['speedup']['value'])} ({words.percent(point['efficiency'])})"
        for name, entry in entries
        for point in entry["points"]
        if point["threads"] == counts[-1]
    )
    alt = words(
        "scaling_alt", workload=work.workload, low=counts[0], high=counts[-1], figures=figures
    )
    return Picture(
        kind="scaling",
        slug=slug(
            "scaling", work.workload, work.dtype, work.size, hot(work.cache), run.node * with_node
        ),
        title=words("scaling_title", workload=f"{work.workload} \u00b7 {work.dtype}"),
        subtitle=words("scaling_subtitle"),
        caption=facts.caption(
            words, [run], _origins(run, work), facts.work(words, work), [words("interval_note")]
        ),
        alt=alt,
        workload=work.workload,
        dtype=work.dtype,
        size=work.size,
        node=run.node,
        draw=lambda picture, style, width: _draw(picture, style, width, entries, counts, words),
    )


def _origins(run, work):
    """The runs that measured this work with several numbers of threads."""
    rows = (row for row in tables(run).get(work, []) if row.backend == "openmp" and row.measured)
    return dict.fromkeys(row.origin for row in rows)


def _draw(picture, style, width, entries, counts, words):
    ends = [1.0, counts[-1] / counts[0]]
    for _, entry in entries:
        ends += [end for point in entry["points"] for end in recorded(point["speedup"])[1:]]
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
        sheet.set_ticks(axes.xaxis, ticks, words.count, style.grid)
        axes.set_xlabel(words("threads_axis"), parse_math=False, labelpad=2)

    ideal = {"color": style.muted, "linestyle": (0, (1, 1.5)), "linewidth": 1.0}
    left.plot(counts, [count / counts[0] for count in counts], **ideal)
    right.axhline(1, **ideal)
    handles = [Line2D([], [], label=words("ideal"), **ideal)]
    shares = [1.0]
    for number, (name, entry) in enumerate(entries):
        aside = 1 + 0.012 * (number - (len(entries) - 1) / 2)
        handle, highest = _lines(left, right, style, number, name, entry, aside, room)
        handles.append(handle)
        shares.append(highest)
    left.set_yscale("log", base=2)
    left.set_ylim(*heights)
    sheet.set_ticks(left.yaxis, _ticks(*heights), words.short, style.grid)
    fewest = words("one_thread") if counts[0] == 1 else words("threads_count", n=counts[0])
    left.set_ylabel(words("scaling_axis", threads=fewest), parse_math=False)
    right.set_ylim(0, max(shares) * 1.06)
    sheet.set_ticks(right.yaxis, even_ticks(0, max(shares) * 1.06), words.percent, style.grid)
    right.set_ylabel(words("efficiency_axis"), parse_math=False)
    sheet.legend(page, handles, sheet.MARGIN, PANEL + AXIS, columns)
    return page.figure


def _ticks(low, high):
    """Powers of two, as threads come in them; other numbers where those are too few or odd."""
    powers = [2.0**power for power in range(12) if low <= 2.0**power <= high]
    return powers if len(powers) >= 3 and low > 0.5 else log_ticks(low, high, most=7)


def _lines(left, right, style, number, name, entry, aside, room):
    """The marks of each number of threads stand a little apart, so that intervals can be told."""
    looks = list(LOOKS.values())
    look = looks[number % len(looks)]
    palette = GREYS if style.grey else FIRST
    options = {
        "color": palette[number % len(palette)],
        "linestyle": look.line,
        "marker": look.marker,
        "markeredgecolor": style.ink,
        "markeredgewidth": 0.4,
    }
    points = sorted(entry["points"], key=lambda point: point["threads"])
    threads = [point["threads"] for point in points]
    found = [recorded(point["speedup"]) for point in points]
    ideal = [count / threads[0] for count in threads]
    for axes, scales in ((left, [1.0] * len(points)), (right, ideal)):
        values = [one.value / scale for one, scale in zip(found, scales)]
        low = [one.low / scale for one, scale in zip(found, scales)]
        high = [one.high / scale for one, scale in zip(found, scales)]
        spread = [
            [max(value - end, 0) for value, end in zip(values, low)],
            [max(end - value, 0) for value, end in zip(values, high)],
        ]
        axes.errorbar(
            [count * aside for count in threads],
            values,
            yerr=spread,
            ecolor=options["color"],
            elinewidth=1.0,
            capsize=1.8,
            gid=f"line-{name}",
            **options,
        )
    text = shortened(printable(name), room, SMALL)
    return Line2D([], [], label=text, **options), max(high)
