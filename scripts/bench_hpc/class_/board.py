"""The board of a class: who is fastest, from the result files of all its measurements. Nothing else
is kept: the same files give the same board."""

import csv
import io
import re
import secrets
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import PurePath

from bench_hpc.class_.grade import believable, hand_ins, ratio_of
from bench_hpc.class_.services import unquoted, write_csv
from bench_hpc.program import UsageError, printable, write_whole

CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
HEADINGS = ["username", "name"]  # of the file with pseudonyms
# What shares a rank, also in tables (harness/document/record.cpp); the second of a busy node.
ALIKE, ALIKE_WHEN_BUSY = 1.05, 1.1


@dataclass(frozen=True)
class Entry:
    """A measurement of a submission. Without a ratio, `status` and `reason` say why."""

    date: str
    late: bool
    status: str
    reason: str
    ratio: tuple | None  # (value, low, high): times faster than the naive loop, in the same rounds
    share: float | None  # of copy
    run: tuple = ()
    place: int | None = None  # the rank in the table of its run
    alike: float = ALIKE


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


def _public(reason, file, user):
    """The parts of a reason that come before a place or a name: the feedback has all of it."""
    private = re.compile(rf"/|{re.escape(file.name)}|\b{re.escape(PurePath(user).name)}\b", re.I)
    kept = takewhile(lambda part: not private.search(part), reason.split(": "))
    return ": ".join(kept).rstrip("\u00a0")


def _entry(mark, user, deadline, words):
    row = mark.row
    date = row["date"]  # of its run
    over = ratio_of(row, "over_baseline") if believable(row) else None
    return Entry(
        date,
        bool(deadline) and date > deadline,
        row["status"],
        _public(mark.reason(words), mark.file, user),
        (over["value"], *over["ci95"]) if over else None,
        row["values"].get("share"),
        mark.run,
        row["rank"],
        ALIKE_WHEN_BUSY if row.get("on_processor") else ALIKE,
    )


def _slower(one, other):
    """True if it is certainly slower by more than files of a rank; of one run its table knows."""
    if one.run == other.run:
        return one.place > other.place
    return other.ratio[1] > max(one.alike, other.alike) * one.ratio[2]


def _ranked(standings):
    """A rank is shared, as in tables, with all that are not certainly slower than the middle one
    before."""
    counted = [one for one in standings if one.best]
    of_one_run = len({one.best.run for one in counted}) == 1
    counted.sort(key=lambda one: (one.best.place if of_one_run else 0, -one.best.ratio[0]))
    sharing = []
    for before, one in enumerate(counted):
        if sharing and not _slower(one.best, sharing[(len(sharing) - 1) // 2].best):
            one.rank = sharing[0].rank
        else:
            one.rank = before + 1
            sharing = []
        sharing.append(one)
    others = [one for one in standings if not one.best]
    # Not in the order of the files, which are named by the students.
    return counted + sorted(others, key=lambda one: one.name.casefold())


def races(found, deadline, names, words):
    """The races that these marks are of."""
    all_of = {}
    for student in hand_ins(found):
        name = names[student.user] if names else student.user
        for mark in student.submissions:
            table, row = mark.table, mark.row
            device = row["threads"] is None
            place = words(f"of_{row['scope']}") if device else ""
            title = (*(table[key] for key in ("workload", "dtype", "size")), place)
            standing = all_of.setdefault(title, {}).setdefault(name, Standing(name))
            standing.entries.append(_entry(mark, student.user, deadline, words))
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


def _known(path):
    """The names in the file, by user. Throws ValueError, which says what is wrong."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    # A spreadsheet may have saved it.
    separator = next((one for one in ";\t" if one in "".join(lines[:1])), ",")
    known = {}
    for number, row in enumerate(csv.reader(lines, delimiter=separator), 1):
        if row != HEADINGS if number == 1 else row and (len(row) != 2 or not all(row)):
            raise ValueError(f"line {number} is not username,name")
        if number == 1 or not row:
            continue
        user, name = map(unquoted, row)
        for one, others in ((user, known.keys()), (name, known.values())):
            if one in others:
                raise ValueError(f"line {number}: {one} is there twice")
        known[user] = name
    return known


def pseudonyms(path, users):
    """The names by which users are shown, of a file that the teacher keeps; who has none gets one
    there."""
    try:
        known = _known(path) if path.exists() else {}
    except (ValueError, OSError, csv.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(
            f"{printable(path)}: {why}: mend it, or name another file (--pseudonyms)"
        ) from None
    missing = sorted({*users} - {*known})
    for user in missing:
        known[user] = _pseudonym({*known.values(), *known})
    if missing:
        text = io.StringIO()
        write_csv(text, HEADINGS, sorted(known.items()))
        write_whole(path, text.getvalue().encode(), "csv", "--pseudonyms", private=True)
    return known
