"""All workloads of a node against the speed of its memory, and of its arithmetic units."""

from bench_hpc import answer
from bench_hpc.backends import END_TO_END, ladder_of

from . import facts, sheet
from .rows import of_other_memory
from .slug import hot
from .style import SMALL, series_of
from .text import printable, width_mm
from .ticks import even_ticks, log_ticks

PANEL = 66.0  # mm; the right one grows with its rows
ROW = 3.6
LEFT = 12.0
AXIS = 8.5
TWO_COLUMNS = 130.0  # mm of a page that has room for them in the legend


def series_label(series):
    return "cuda \u21c4" if series == "cuda_end_to_end" else series


def pictures(run, words):
    groups = {}
    for table in run.tables:
        found = [row for row in table.measured if not (row.library or row.other_memory)]
        largest = groups.setdefault((table.work.dtype, table.work.cache), {})
        size = max((row.case["elements"] for row in found), default=0)
        if found and size >= largest.get(table.work.workload, (0, None))[0]:
            largest[table.work.workload] = (size, found)
    made = []
    for (dtype, cache), largest in groups.items():
        rows = [row for _, found in largest.values() for row in found]
        if best_of(rows, shared):
            made.append(_picture(run, dtype, cache, rows, words))
    return made


def shared(row):
    """It has a share of a bandwidth."""
    return row.share is not None and row.case["memory_bound"]


def share_text(row, words):
    """The share with the mark of an uncertain row, as in tables."""
    return "~" * ("share" in row.told["doubtful"]) + words.percent(row.share)


def best_of(rows, counts=lambda row: True):
    """(workload, series) -> the fastest row that counts."""
    best = {}
    for row in filter(counts, rows):
        key = (row.work.workload, row.series)
        if key not in best or row.seconds < best[key].seconds:
            best[key] = row
    return best


def roofs(run, rows):
    """series -> GB/s of the fastest copy that was measured with these rows or as one of them."""
    works = {(row.work.dtype, row.work.workload, row.work.size) for row in rows}
    fastest = {}
    for case in run.document.cases.values():
        of = case["beside"] or case
        copied = case["workload"] == "copy" and case["gb_per_s"] and not case["library"]
        copied = copied and not of_other_memory(case)
        if copied and (case["dtype"], of["workload"], of["size"]) in works:
            series = ladder_of(series_of(case))
            fastest[series] = max(fastest.get(series, 0), case["gb_per_s"])
    present = dict.fromkeys(row.series for row in rows)
    return {one: speed for of, speed in fastest.items() for one in present if ladder_of(one) == of}


def flat_roofs(run, rows):
    """series -> GFLOP/s of the arithmetic reference's fastest variant, of those that ran as some of
    these rows did: in that precision, on as many threads, with the same instructions."""
    ways = {_way(row.case) for row in rows if not row.case["arithmetic_reference"]}
    fastest = {}
    for case in run.document.cases.values():
        ours = case["arithmetic_reference"] and not (case["library"] or case.get("guest"))
        alone = case["scope"] == "kernel"  # transfers add no arithmetic
        if ours and alone and case["seconds"] and case["flops"] and _way(case) in ways:
            series = ladder_of(series_of(case))
            fastest[series] = max(fastest.get(series, 0), rate_of(case))
    return fastest


def _way(case):
    return ladder_of(series_of(case)), case["dtype"], case["threads"], case["isa"]


def rate_of(case):
    """GFLOP/s"""
    return case["flops"] / case["seconds"]["median"] / 1e9


def ridges(roof, flat):
    """series -> flops per byte from which on arithmetic is the limit."""
    return {
        one: flat[ladder_of(one)] / speed for one, speed in roof.items() if ladder_of(one) in flat
    }


def _picture(run, dtype, cache, rows, words):
    shares = best_of(rows, shared)
    figures = words.listed(
        f"{workload} {row.label} {share_text(row, words)}" for (workload, _), row in shares.items()
    )
    works = [(row.work.workload, row.work.size) for row in rows]
    notes = [
        words("roofline_sizes", sizes=facts.sizes(words, works)),
        words("roofline_note"),
    ]
    roof, flat = roofs(run, rows), flat_roofs(run, rows)
    met = ridges(roof, flat)
    if met:
        notes.append(words("ridges", figures=_figures(met, words)))
    notes += facts.row_notes(words, {**best_of(rows), **shares}.values(), ("share",))
    alt = words("roofline_alt", node=run.node, dtype=dtype, figures=figures)
    if flat:
        alt += words("roofline_alt_flat", figures=_figures(flat, words))
    used = dict.fromkeys(row.origin for row in rows)
    what = [*facts.threads(rows, words), dtype, words(f"{cache}_cache")]
    return facts.picture(
        "roofline",
        words,
        [run.document],
        used,
        what,
        notes,
        [dtype, hot(cache), run.suffix],
        title=words("roofline_title", node=f"{run.node} \u00b7 {dtype}"),
        subtitle=words("roofline_subtitle", roof=words("flat_roof" if flat else "no_flat_roof")),
        alt=alt,
        dtype=dtype,
        node=run.node,
        draw=lambda picture, style, width: _draw(picture, style, width, rows, roof, flat, words),
    )


def _figures(by_series, words):
    return words.listed(
        f"{series_label(series)} {words.number(value, 1)}" for series, value in by_series.items()
    )


def _draw(picture, style, width, rows, roof, flat, words):
    shares = best_of(rows, shared)
    workloads = list(dict.fromkeys(workload for workload, _ in shares))
    labels = {workload: _share_label(workload, shares, words) for workload in workloads}
    entries = [
        (workload, series) for workload in workloads for w, series in shares if w == workload
    ]
    height = max(PANEL, len(entries) * ROW + (len(workloads) - 1) * ROW / 2)
    names = min(sheet.labels_width(list(labels.values())) + 2.5, width / 3)
    usable = width - 2 * sheet.MARGIN - LEFT - names - 8
    room = usable * 0.55
    handles = _handles(style, rows, roof, flat, words, width - 10)
    columns = 2 if width >= TWO_COLUMNS else 1
    page = sheet.Sheet(picture, style, width, height + AXIS, handles, columns)
    left = page.panel(sheet.MARGIN + LEFT, 0, room, height)
    right = page.panel(sheet.MARGIN + LEFT + room + names + 5, 0, usable - room, height)
    _rates(left, style, rows, roof, flat, height, words)
    _shares(right, style, shares, entries, labels, names, usable - room, words)
    return page.figure


def _handles(style, rows, roof, flat, words, room):
    handles = []
    for series in dict.fromkeys(row.series for row in rows):
        text, look = series_label(series), style.point(series)
        if series in roof:
            text = words("roof", backend=text, rate=words.number(roof[series], 1))
            look["linestyle"] = style.look(series).line
        handles.append(sheet.handle(text, room / 2, **look))
    for series, rate in flat.items():
        text = words("peak", backend=series_label(series), rate=words.number(rate, 1))
        handles.append(sheet.handle(text, room / 2, **_roof_look(style, series)))
    highest = max(rate_of(row.case) for row in rows)
    if not flat and highest > 0:
        text = words("highest_rate", rate=words.number(highest, 1))
        handles.append(sheet.handle(text, room, **_highest_look(style)))
    return handles


def _roof_look(style, series):
    return {"color": style.colour(series), "linestyle": style.look(series).line}


def _highest_look(style):
    return {"color": style.muted, "linestyle": (0, (1, 2)), "linewidth": 0.9}


def _rates(axes, style, rows, roof, flat, height, words):
    rated = [row for row in rows if row.case["flops"] > 0 and row.case["bytes"] > 0]
    if not rated:
        axes.set_xticks([])
        axes.set_yticks([])
        axes.text(0.5, 0.5, words("no_flops"), ha="center", va="center", transform=axes.transAxes)
        return
    points = [(row, row.case["flops"] / row.case["bytes"], rate_of(row.case)) for row in rated]
    seen = [intensity for _, intensity, _ in points] + [*ridges(roof, flat).values()]
    low, high = min(seen) / 3, max(seen) * 3
    lines = {series: _roof(series, roof, flat, low, high) for series in {**roof, **flat}}
    highest = max(rate for _, _, rate in points)
    top = max(highest, *(rates[-1] for _, rates in lines.values())) * 2
    least = min(rate for _, _, rate in points) / 1.5
    # Room for the names at the foot.
    foot = min(0.5, (max(width_mm(name, SMALL) for name in _names(points).values()) + 3) / height)
    bottom = least / (top / least) ** (foot / (1 - foot))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(low, high)
    axes.set_ylim(bottom, top)
    ticks = log_ticks(low, high, 5)
    sheet.set_ticks(axes.xaxis, ticks, words.short, style.grid, words("intensity_axis"))
    sheet.set_ticks(axes.yaxis, log_ticks(least, top), words.short, style.grid)
    axes.set_ylabel(words("rate_axis"))
    for series, line in lines.items():
        axes.plot(*line, gid=f"roof-{series}", **_roof_look(style, series))
    if not flat:  # no roof, only how far anything came
        axes.axhline(highest, **_highest_look(style))
    best = best_of(rated).values()
    for row, intensity, rate in points:
        size = 5.5 if row in best else 2.8
        look = style.point(row.series, markersize=size, gid=f"point-{row.case['name']}")
        axes.plot(intensity, rate, zorder=3, **look)
    _columns(axes, points, bottom)


def _roof(series, roof, flat, low, high):
    """Intensities and GFLOP/s along the roof, which is flat from the ridge on. Transfers do not
    change what the device can do."""
    peak = flat.get(ladder_of(series).removesuffix(END_TO_END))
    if series not in roof:
        return (low, high), (peak, peak)
    speed = roof[series]
    if not peak or peak >= speed * high:
        return (low, high), (speed * low, speed * high)
    ridge = max(peak / speed, low)
    return (low, ridge, high), (min(speed * low, peak), peak, peak)


def _columns(axes, points, bottom):
    """Names upright at the foot of the panel, below the marks of their intensity."""
    for intensity, text in _names(points).items():
        how = {"rotation": 90, "ha": "center", "va": "bottom", "textcoords": "offset points"}
        box = {"facecolor": axes.get_facecolor(), "edgecolor": "none", "pad": 0.5}
        axes.annotate(text, (intensity, bottom), xytext=(0, 4), bbox=box, **how)


def _names(points):
    names = {}
    for row, intensity, _ in points:
        names.setdefault(intensity, {})[row.work.workload] = None
    return {intensity: printable(", ".join(workloads)) for intensity, workloads in names.items()}


def _share_label(workload, shares, words):
    reference = next(row.told["share_of"] for (one, _), row in shares.items() if one == workload)
    if workload == reference:
        return workload
    return words("over_reference", workload=workload, reference=answer.reference(reference, words))


def _shares(axes, style, shares, entries, labels, names, room, words):
    position, y, centres = {}, 0.5, {}
    for number, (workload, series) in enumerate(entries):
        if number and entries[number - 1][0] != workload:
            y += 0.5
        position[workload, series] = y
        centres.setdefault(workload, []).append(y)
        y += 1
    sheet.without_y(axes, y - 0.5)
    most = max(1.0, *(row.share for row in shares.values()))
    # A value is next to each mark.
    free = width_mm("~100 %", SMALL) + 3
    high = most * room / max(room - free, room / 2)
    axes.set_xlim(0, high)
    ticks = even_ticks(0, most, max(1, min(4, int(room // 14))))
    sheet.set_ticks(axes.xaxis, ticks, words.percent, style.grid, words("share_axis"))
    if width_mm(words("share_axis"), SMALL) > room:  # wider than the panel, at the edge of the page
        axes.xaxis.label.set(x=1, ha="right")
    axes.axvline(1, color=style.ink, linewidth=0.8)
    for key, row in shares.items():
        _share_mark(axes, style, row, position[key], words)
    for workload, places in centres.items():
        middle = sum(places) / len(places)
        sheet.row_label(axes, room, middle, labels[workload], names + 2)


def _share_mark(axes, style, row, y, words):
    axes.plot((0, row.share), (y, y), color=style.grid, linewidth=1.0)
    look = style.point(row.series, markersize=5, clip_on=False, gid=f"share-{row.series}")
    axes.plot(row.share, y, **look)
    sheet.note(axes, share_text(row, words), (row.share, y), style, points=5, pad=0.3)
