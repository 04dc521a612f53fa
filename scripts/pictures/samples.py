"""The samples behind the medians: how they scatter, and whether they drift."""

from . import facts, sheet
from .ladder import reason_text
from .picture import Picture
from .rows import folded, tables
from .slug import hot, slug
from .style import SMALL, series_of
from .text import printable, shortened, wrapped
from .ticks import even_ticks, log_ticks

ROW = 7.0  # mm of a measured variant
AXIS = 8.5
BETWEEN = 4.0
LOG_FROM = 2.5  # where the largest sample is so many times the smallest


def pictures(run, words, selection, with_node):
    made = []
    for work, all_rows in tables(run).items():
        rows = [row for row in all_rows if selection.has_variant(row.name)]
        if selection.has_work(work) and any(row.measured for row in rows):
            made.append(_picture(run, work, rows, words, with_node))
    return made


def _outliers(row):
    return row.case["seconds"].get("outliers") or []


def _picture(run, work, rows, words, with_node):
    measured = [row for row in rows if row.measured]

    def scatter(row):
        low, high = row.interval
        return high / low

    widest = max(measured, key=scatter)
    low, high = (end / widest.seconds for end in widest.interval)
    alt = words(
        "samples_alt",
        n=len(measured),
        workload=work.workload,
        outliers=sum(len(_outliers(row)) for row in measured),
        widest=widest.label,
        low=words.percent(low),
        high=words.percent(high),
    )
    used = dict.fromkeys(row.origin for row in measured)
    return Picture(
        kind="samples",
        slug=slug(
            "samples", work.workload, work.dtype, work.size, hot(work.cache), run.node * with_node
        ),
        title=words("samples_title", workload=f"{work.workload} \u00b7 {work.dtype}"),
        subtitle=words("samples_subtitle"),
        caption=facts.caption(
            words, [run], used, facts.work(words, work), facts.row_notes(words, rows)[1:]
        ),
        alt=alt,
        workload=work.workload,
        dtype=work.dtype,
        size=work.size,
        node=run.node,
        draw=lambda picture, style, width: _draw(picture, style, width, folded(rows), words),
    )


def _draw(picture, style, width, rows, words):
    samples = {
        row: [one / row.seconds for one in row.document.samples(row.case["name"])]
        for row in rows
        if row.measured
    }
    labels = [row.label for row in rows]
    margin = min(sheet.labels_width(labels) + 3, width / 3)
    usable = width - 2 * sheet.MARGIN - margin - BETWEEN - 2
    room = usable / 2
    reasons = [
        None if row.measured else wrapped(printable(reason_text(row, words)), usable, SMALL, 3)
        for row in rows
    ]
    heights = [ROW if not reason else sheet.LINE * len(reason) + 0.8 for reason in reasons]
    # What was measured first, so that no row without samples stands between axes.
    order = sorted(range(len(rows)), key=lambda i: not rows[i].measured)
    page = sheet.Sheet(picture, style, width, sum(heights) + AXIS)
    drawn = len(samples) * ROW
    left = page.panel(sheet.MARGIN + margin, 0, room, drawn)
    right = page.panel(sheet.MARGIN + margin + room + BETWEEN, 0, room, drawn)
    _left_axes(left, style, samples, words)
    longest = max(len(values) for values in samples.values())
    for axes in (left, right):
        axes.set_ylim(len(samples), 0)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        for number in range(1, len(samples)):
            axes.axhline(number, color=style.grid, linewidth=0.5)
    right.set_xlim(-0.02 * longest, longest * 1.02)
    sheet.set_ticks(
        right.xaxis, even_ticks(1, longest) if longest > 1 else [1], words.count, style.grid
    )
    right.set_xlabel(words("round_axis"), parse_math=False, labelpad=2)
    y, number = 0.0, 0
    for i in order:
        row = rows[i]
        top = y if row.measured else y + AXIS
        text = shortened(printable(labels[i]), margin - 2, SMALL)
        middle = top + heights[i] / 2
        if row.measured:
            time = printable(words.duration(row.seconds))
            page.text(sheet.MARGIN + margin - 1.5, middle - 1.6, text, ha="right", va="center")
            page.text(
                sheet.MARGIN + margin - 1.5,
                middle + 1.6,
                time,
                ha="right",
                va="center",
                color=style.muted,
            )
            _row(left, right, style, row, samples[row], number)
            number += 1
        else:
            page.text(sheet.MARGIN + margin - 1.5, middle, text, ha="right", va="center")
            page.text(
                sheet.MARGIN + margin,
                middle,
                "\n".join(reasons[i]),
                va="center",
                color=style.muted,
            )
        y += heights[i]
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
    sheet.set_ticks(axes.xaxis, ticks, words.short, style.grid)
    axes.set_xlabel(text, parse_math=False, labelpad=2)


def _row(left, right, style, row, values, number):
    look, colour = style.look(series_of(row)), style.colour(series_of(row))
    marks = style.muted if style.grey else colour  # light greys are too faint for small marks
    centre = number + 0.5
    far = set(_outliers(row))
    usual = [i for i in range(len(values)) if i not in far]
    times = row.case["seconds"]
    quartiles = [times[key] / row.seconds for key in ("q1", "q3")]
    # Neighbours in time lie at different heights: nothing random, and few marks cover others.
    heights = [centre - 0.3 + 0.6 * (i * 0.618034 % 1) for i in range(len(values))]
    left.fill_betweenx(
        (centre - 0.34, centre + 0.34), *quartiles, color=colour, alpha=0.35, linewidth=0
    )
    options = {"linestyle": "none", "markeredgewidth": 0}
    left.plot(
        [values[i] for i in usual],
        [heights[i] for i in usual],
        marker=look.marker,
        markersize=1.9,
        color=marks,
        gid=f"samples-{row.case['name']}",
        **options,
    )
    crosses = {"marker": "x", "markersize": 3.5, "markeredgewidth": 0.9, "color": style.alarm}
    left.plot(
        [values[i] for i in sorted(far)],
        [heights[i] for i in sorted(far)],
        gid=f"outliers-{row.case['name']}",
        **{**options, **crosses},
    )
    left.plot((1, 1), (centre - 0.4, centre + 0.4), color=style.ink, linewidth=1.1)

    low, high = min(values), max(values)
    span = max(high - low, 1e-9)

    def place(value):
        return number + 0.86 - 0.72 * (value - low) / span

    right.plot((1, len(values)), (place(1), place(1)), color=style.ink, linewidth=0.5)
    right.plot(
        range(1, len(values) + 1),
        [place(value) for value in values],
        color=marks,
        linewidth=0.8,
        marker=look.marker,
        markersize=1.5,
        markeredgewidth=0,
    )
    right.plot(
        [i + 1 for i in sorted(far)],
        [place(values[i]) for i in sorted(far)],
        **{**options, **crosses},
    )
