"""The board of a class as a page: ranks, intervals, and each student's own history."""

from types import SimpleNamespace

from bench_hpc.page import bars, template
from bench_hpc.page.measure import speed


def _race(race, words):
    best = [one.best for one in race.standings if one.best]
    how = speed([end for one in best for end in one.ratio], words)
    return SimpleNamespace(
        title=race.title,
        measure=how,
        ranked=bool(best),
        rows=[_row(one, how, words) for one in race.standings],
    )


def _row(standing, how, words):
    best = standing.best
    entries = [_shown(one, words) for one in standing.entries]
    return SimpleNamespace(
        name=standing.name,
        rank=standing.rank,
        best=best and _shown(best, words),
        bar=best and bars.bar(best.ratio, how, words),
        entries=entries,
        late=next((one for one in entries if one.late), None),
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


def write(folder, races, deadline, words, on_processor=False):
    text = template.rendered(
        template.environment(words),
        "board.html",
        ["bars.css", "board.css"],
        title=words("board_title"),
        races=[_race(one, words) for one in races],
        deadline=deadline and _day(deadline),
        on_processor=on_processor,
    )
    template.write(folder / "index.html", text, "--board")
