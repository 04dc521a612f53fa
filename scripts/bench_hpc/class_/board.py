"""The board of a class: who is fastest, from the result files of all its measurements. Nothing else
is kept: the same files give the same board."""

import csv
import io
import secrets
from dataclasses import dataclass, field

from bench_hpc.class_.grade import believable, hand_ins, ratio_of
from bench_hpc.class_.services import unquoted, write_csv
from bench_hpc.program import UsageError, printable, write_whole

CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
HEADINGS = ["username", "name"]  # of the file with pseudonyms


@dataclass(frozen=True)
class Entry:
    """A measurement of a submission. Without a ratio, `status` and `reason` say why."""

    date: str
    late: bool
    status: str
    reason: str
    ratio: tuple | None  # (value, low, high): times faster than the naive loop, in the same rounds
    share: float | None  # of copy


@dataclass
class Standing:
    """A student in one race. The best submission is the one that reaches most for sure."""

    name: str
    entries: list = field(default_factory=list)  # the newest first
    rank: int | None = None

    @property
    def best(self):
        counted = [one for one in self.entries if one.ratio and not one.late]
        return max(counted, key=lambda one: one.ratio[1], default=None)


@dataclass
class Race:
    title: str
    standings: list


def _entry(mark, deadline, words):
    row = mark.row
    date = row["date"]  # of its run
    over = ratio_of(row, "over_baseline") if believable(row) else None
    return Entry(
        date,
        bool(deadline) and date > deadline,
        row["status"],
        mark.reason(words),
        (over["value"], *over["ci95"]) if over else None,
        row["values"].get("share"),
    )


def _ranked(standings):
    """The rank counts those whose whole interval is above one's own: others share it."""
    for one in standings:
        if one.best:
            high = one.best.ratio[2]
            one.rank = 1 + sum(bool(it.best) and it.best.ratio[1] > high for it in standings)
    return sorted(
        standings,
        key=lambda one: (one.rank or len(standings) + 1, -(one.best.ratio[0] if one.best else 0)),
    )


def races(found, deadline, names, words):
    """The races that these marks are of."""
    all_of = {}
    for student in hand_ins(found):
        name = names[student.user] if names else student.user
        for mark in student.marks:
            table, row = mark.table, mark.row
            device = row["threads"] is None
            place = words(f"of_{row['scope']}") if device else ""
            title = (*(table[key] for key in ("workload", "dtype", "size")), place)
            standing = all_of.setdefault(title, {}).setdefault(name, Standing(name))
            standing.entries.append(_entry(mark, deadline, words))
    for race in all_of.values():
        for one in race.values():
            one.entries.sort(key=lambda entry: entry.date, reverse=True)
    return [
        Race(
            " · ".join(filter(None, (workload, dtype, words.size(size), place))),
            _ranked(list(race.values())),
        )
        for (workload, dtype, size, place), race in all_of.items()
    ]


def _pseudonym(taken):
    while True:
        parts = (secrets.choice(CONSONANTS) + secrets.choice(VOWELS) for _ in range(4))
        name = "".join(parts).capitalize()
        if name not in taken:
            return name


def pseudonyms(path, users):
    """The names by which users are shown, of a file that the teacher keeps; who has none gets one
    there."""
    known = {}
    if path.exists():
        try:
            with path.open(encoding="utf-8", newline="") as file:
                rows = csv.DictReader(file)
                known = {unquoted(row["username"]): row["name"] for row in rows}
        except (OSError, UnicodeDecodeError, KeyError, csv.Error):
            known = None
        if known is None or not all(known.values()) or len({*known.values()}) < len(known):
            raise UsageError(
                f"{printable(path)}: is not a list of username,name with different names: "
                "mend it, or name another file (--pseudonyms)"
            )
    for user in sorted({*users} - {*known}):
        known[user] = _pseudonym({*known.values(), *known})
    text = io.StringIO()
    write_csv(text, HEADINGS, sorted(known.items()))
    write_whole(path, text.getvalue().encode(), "csv", "--pseudonyms")
    return known
