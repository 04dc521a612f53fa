"""The board of a class as a page: ranks, intervals, and each student's own history."""

from types import SimpleNamespace

from bench_hpc.page import template
from bench_hpc.page.measure import Measure
from bench_hpc.page.scale import Scale


def _race(race, words):
    best = [one.best for one in race.standings if one.best]
    scale = Scale([end for one in best for end in one.ratio])
    short = lambda value: words.short(value) + "\u00d7"  # noqa: E731
    return SimpleNamespace(
        title=race.title,
        measure=Measure("speed", (), None, words.factor, short, scale),
        rows=[_row(one, scale, words) for one in race.standings],
    )


def _row(standing, scale, words):
    best = standing.best
    return SimpleNamespace(
        name=standing.name,
        rank=standing.rank,
        best=best and _shown(best, words),
        bar=best and _bar(best.ratio, scale, words),
        entries=[_shown(one, words) for one in standing.entries],
    )


def _bar(ratio, scale, words):
    value, low, high = ratio
    texts = {"text": words.factor(value), "low": words.factor(low), "high": words.factor(high)}
    return SimpleNamespace(
        fill=scale.bar(value),
        whisker=(scale.at(low), scale.at(high)),
        end=scale.at(value),
        bound=None,
        alt=words("lesson_bar", **texts),
    )


def _interval(ratio, words):
    value, low, high = ratio
    return words.interval(low, high, 0 if value >= words.WHOLE else 2)


def _day(date):
    return date[:16].replace("T", "\u00a0")


def _shown(entry, words):
    ratio = entry.ratio
    return SimpleNamespace(
        date=_day(entry.date),
        late=entry.late,
        factor=words.factor(ratio[0]) if ratio else "",
        interval=_interval(ratio, words) if ratio else "",
        share=words.percent(entry.share) if entry.share else "",
        reason=entry.reason or ("" if entry.status == "measured" else words(entry.status)),
    )


def write(folder, races, deadline, words):
    text = template.rendered(
        template.environment(words),
        "board.html",
        ["bars.css", "board.css"],
        title=words("board_title"),
        races=[_race(one, words) for one in races],
        deadline=deadline and _day(deadline),
    )
    template.write(folder / "index.html", text, "--board")
