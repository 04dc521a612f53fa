"""What the bars of a page show: how many times faster than the baseline; where that was not
measured, bandwidth in % of a reference; where memory is not the limit, the time."""

from dataclasses import dataclass
from typing import Callable

from bench_hpc import answer
from bench_hpc.page.scale import Scale, Shares


@dataclass(frozen=True)
class Measure:
    key: str
    columns: tuple  # of the table, whose cells say the value
    span: Callable  # row -> (value, low, high), or None
    text: Callable  # value -> text
    tick: Callable
    scale: object


def ratio(row):
    over = row["over_baseline"]
    return answer.ratio(over) if over and over["value"] > 0 else None


def time(row):
    return (row["values"]["time"], *row["values"]["interval"])


def share(row):
    value = row["values"].get("share")
    if not value:
        return None
    seconds, low, high = time(row)
    return value, value * seconds / high, value * seconds / low


def bound(row):
    """Where the bandwidth reference would be: the same bytes, only moved."""
    over, of = ratio(row), row["values"].get("share")
    return over[0] / of if over and of else None


def speed(ends, words):
    """The measure of how many times faster, on a scale that has these ends."""
    short = lambda value: words.short(value) + "\u00d7"  # noqa: E731
    return Measure("speed", ("naive", "speedup"), ratio, words.factor, short, Scale(ends))


def measure(rows, words):
    """One for all of these rows, which were measured."""
    if any(map(ratio, rows)):
        ends = [end for row in rows for end in (*(ratio(row) or ()), bound(row)) if end]
        return speed(ends, words)
    if rows and all(map(share, rows)):
        ends = [end for row in rows for end in share(row)]
        return Measure("share", ("share",), share, words.percent, words.percent, Shares(ends))
    ends = [end for row in rows for end in time(row)]
    return Measure("time", ("time",), time, words.duration, words.whole, Scale(ends, start=None))
