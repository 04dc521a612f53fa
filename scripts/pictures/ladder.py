"""All variants of one workload, in the order of the ladder."""

import math

from . import facts, sheet
from .picture import Picture
from .rows import Folded, doubtful, folded, ratio_of, recorded, tables
from .slug import hot, slug
from .style import SMALL, series_of
from .text import printable, shortened, width_mm, wrapped
from .ticks import log_ticks

ROW = 4.3  # mm
BAR = 0.66  # of a row
BELOW = 9.0  # mm for ticks and axis label
BETWEEN = 1.6  # mm between a bar and its value
MOST_REASON_LINES = 3


def ours(rows):
    return [row for row in rows if row.measured and not row.library]


def baseline_of(rows, name):
    """The row with that name; of several, that of the job's threads, then of the most."""
    found = [row for row in rows if row.measured and row.name == name and not row.end_to_end]
    return max(
        found,
        key=lambda row: ("threads" not in row.parameters, row.case.get("threads") or 0),
        default=None,
    )


def ratio(row, baseline):
    """As recorded where the baseline is the recorded one."""
    if row is baseline:
        return ratio_of(row, row)._replace(low=1.0, high=1.0)
    if baseline.name == "serial/naive":
        found = recorded(row.speedup.get("over_serial"))
        if found:
            return found
    return ratio_of(baseline, row)


def label(row, baseline):
    """With the mark of a row whose baseline was measured in another run, after the library's."""
    if not row.measured or baseline is None or row.origin == baseline.origin:
        return row.label
    marked = row.name + (" \u2021" if row.library else "")
    return f"{marked} \u2020{row.label[len(marked) :]}"


def value_text(row, found, baseline, words):
    time = marked(doubtful(row), words.duration(row.seconds))
    if not found:
        return time
    return f"{marked(doubtful(row, (found, baseline)), words.factor(found.value))}  {time}"


def marked(doubt, figure):
    return f"~{figure}" if doubt else figure


def reason_text(row, words):
    if isinstance(row, Folded):
        return words("folded", len(row.variants), words.recorded(row.reason))
    reason = words.recorded(row.case["reason"] or "?")
    return words("because", words(row.case["status"]), reason)


def pictures(run, words, selection, with_node):
    made = []
    for work, all_rows in tables(run).items():
        rows = [row for row in all_rows if selection.has_variant(row.name)]
        if selection.has_work(work) and rows:
            made.append(_picture(run, work, all_rows, rows, words, selection, with_node))
    return made


def _picture(run, work, all_rows, rows, words, selection, with_node):
    baseline = baseline_of(all_rows, selection.baseline)
    first = baseline.origin if baseline else rows[0].origin
    others = dict.fromkeys(row.origin for row in rows if row.measured and row.origin != first)
    runs = [f"{facts.date(one)}, {facts.revision(one, words)}" for one in others]
    other_runs = words.listed(runs) if runs else ""
    doubt = baseline and any(
        doubtful(row, (ratio(row, baseline), baseline)) for row in rows if row.measured
    )
    notes = facts.row_notes(words, rows, other_runs if baseline else "", doubt)
    subtitle = words("ladder_speedup" if baseline else "ladder_time", baseline=selection.baseline)
    return Picture(
        kind="ladder",
        slug=slug(
            "ladder", work.workload, work.dtype, work.size, hot(work.cache), run.node * with_node
        ),
        title=words("ladder_title", workload=f"{work.workload} \u00b7 {work.dtype}"),
        subtitle=subtitle,
        caption=facts.caption(words, [run], [first], facts.work(words, work), notes),
        alt=_alt(rows, baseline, work, words),
        workload=work.workload,
        dtype=work.dtype,
        size=work.size,
        node=run.node,
        draw=lambda picture, style, width: _draw(
            picture, style, width, folded(rows), baseline, words
        ),
    )


def _alt(rows, baseline, work, words):
    kernels = [row for row in ours(rows) if not row.end_to_end]
    text = ""
    if kernels:
        best = min(kernels, key=lambda row: row.seconds)
        text = words(
            "ladder_alt" if baseline else "ladder_alt_time",
            n=len(rows),
            workload=work.workload,
            best=best.label,
            time=words.duration(best.seconds),
            factor=words.factor(ratio(best, baseline).value) if baseline else "",
            baseline=baseline.name if baseline else "",
        )
    transfers = [row for row in ours(rows) if row.end_to_end]
    if transfers and baseline:
        best = min(transfers, key=lambda row: row.seconds)
        factor = words.factor(ratio(best, baseline).value)
        text += words("transfers_alt", best=best.name, factor=factor)
    missing = [row for row in rows if not row.measured]
    if missing:
        text += words("unmeasured_alt", n=len(missing))
    return text.strip()


def _limits(ends, widths, room):
    """Ends of the axis, so that every text (mm) has room behind its bar."""
    low = min(1.0, *(low for low, _ in ends)) / 1.15
    right = math.log(max(1.0, *(high for _, high in ends)) * 1.1)
    left = math.log(low)
    for (_, high), width in zip(ends, widths):
        free = max(room - width - 2 * BETWEEN, room / 10)
        right = max(right, left + (math.log(max(high, 1.0)) - left) * room / free)
    return low, math.exp(right)


def _draw(picture, style, width, rows, baseline, words):
    labels = [label(row, baseline) for row in rows]
    best = min(ours(rows), key=lambda row: row.seconds, default=None)
    margin = min(sheet.labels_width(labels, bold=True) + 3, width / 3)
    room = width - margin - 2 * sheet.MARGIN - 1
    reasons = [
        None
        if row.measured
        else wrapped(printable(reason_text(row, words)), room - 2, SMALL, MOST_REASON_LINES)
        for row in rows
    ]
    heights = [max(ROW, sheet.LINE * len(reason or ()) + 0.6) for reason in reasons]
    tops = [sum(heights[:i]) for i in range(len(rows))]
    body = sum(heights)
    page = sheet.Sheet(picture, style, width, body + BELOW)
    axes = page.panel(sheet.MARGIN + margin, 0, room, body)
    axes.set_ylim(body, 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xscale("log")

    measured = [i for i, row in enumerate(rows) if row.measured]
    ratios = {i: ratio(rows[i], baseline) if baseline else None for i in measured}
    spans = {i: (ratios[i].low, ratios[i].high) if baseline else rows[i].interval for i in measured}
    texts = {i: printable(value_text(rows[i], ratios[i], baseline, words)) for i in measured}
    widths = [width_mm(text, SMALL, rows[i] is best) for i, text in texts.items()]
    _set_axis(axes, style, words, baseline, list(spans.values()), widths, room)

    for i, row in enumerate(rows):
        y = tops[i] + heights[i] / 2
        strong = "bold" if row is best else "normal"
        axes.text(
            -1.5 / room,
            y,
            shortened(printable(labels[i]), margin - 2, SMALL, bold=row is best),
            transform=axes.get_yaxis_transform(),
            ha="right",
            va="center",
            fontweight=strong,
            parse_math=False,
            gid=f"label-{i}",
        )
        if reasons[i]:
            # Neither the grid nor the line at 1 runs through words.
            bottom = tops[i] + heights[i]
            axes.axhspan(tops[i], bottom, color=style.background, linewidth=0, zorder=2.1)
            axes.text(
                1 / room,
                y,
                "\n".join(reasons[i]),
                transform=axes.get_yaxis_transform(),
                va="center",
                color=style.muted,
                parse_math=False,
                zorder=3,
                gid=f"reason-{i}",
            )
        else:
            _bar(axes, style, row, y, ratios[i], spans[i], texts[i], strong)
    return page.figure


def _set_axis(axes, style, words, baseline, spans, widths, room):
    if not spans:
        axes.set_xticks([])
        axes.minorticks_off()
        axes.spines["bottom"].set_visible(False)
        return
    if baseline:
        low, high = _limits(spans, widths, room)
        axes.axvline(1, color=style.ink, linewidth=0.8)
        text = words("speedup_axis", baseline=baseline.name)
    else:
        # The same room, for the text stands behind the interval here as well.
        smallest = min(low for low, _ in spans)
        low, high = _limits([(a / smallest, b / smallest) for a, b in spans], widths, room)
        low, high = low * smallest, high * smallest
        text = words("time_axis")
    axes.set_xlim(low, high)
    data_end = max(end for _, end in spans)
    sheet.set_ticks(axes.xaxis, log_ticks(low, max(data_end, low * 1.5)), words.short, style.grid)
    axes.set_xlabel(printable(text), parse_math=False, labelpad=2)


def _bar(axes, style, row, y, found, span, text, strong):
    series = series_of(row)
    look = style.look(series)
    value = found.value if found else row.seconds
    low, high = span
    if found:
        axes.barh(
            y,
            value - 1,
            left=1,
            height=ROW * BAR,
            facecolor=style.colour(series),
            edgecolor=style.ink,
            linewidth=0.5,
            hatch=look.hatch,
            gid=f"bar-{row.case['name']}",
        )
    else:
        axes.plot(
            value,
            y,
            marker=look.marker,
            markersize=5,
            linestyle="none",
            markerfacecolor=style.colour(series),
            markeredgecolor=style.ink,
            markeredgewidth=0.5,
            gid=f"bar-{row.case['name']}",
        )
    axes.errorbar(
        value,
        y,
        xerr=[[max(value - low, 0)], [max(high - value, 0)]],
        fmt="none",
        ecolor=style.ink,
        elinewidth=0.9,
        capsize=1.8,
        capthick=0.7,
        zorder=3 if found else 1.9,
    )
    axes.annotate(
        text,
        (max(high, 1.0) if found else high, y),
        xytext=(BETWEEN * 72 / 25.4, 0),
        textcoords="offset points",
        va="center_baseline",
        fontweight=strong,
        bbox={"facecolor": style.background, "edgecolor": "none", "pad": 0.2},
        parse_math=False,
        gid=f"value-{row.case['name']}",
    )
