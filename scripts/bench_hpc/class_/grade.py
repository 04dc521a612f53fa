"""Points of each row of a class, and the hand-ins that rows belong to. Change it as you like."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True)
class Mark:
    """What one row is worth. Without points, `none_yet` says why: a key of the phrases, or empty
    where the row has its own reason."""

    table: dict
    row: dict
    points: float | None
    none_yet: str = ""

    def reason(self, words):
        return words(self.none_yet) if self.none_yet else self.row["reason_text"] or ""


# On a busy node ratios are of what the busiest thread had of a processor, not of the time.
ON_PROCESSOR = {"over_baseline": "over_serial", "over_best_cpu": "over_best_cpu"}


def ratio_of(row, ratio):
    on_processor = row.get("on_processor")
    return on_processor.get(ON_PROCESSOR[ratio]) if on_processor else row[ratio]


def low(row, ratio):
    """What the row reaches for sure: the lower end of its own paired interval. Noise widens the
    interval, so that it costs points."""
    found = ratio_of(row, ratio)
    return found["ci95"][0] if found else None


def by_logarithm(rows):
    """10 points for a right result, and up to 10 for speed: from the naive loop to the fastest row
    on the same hardware, each factor of two counts the same."""
    fastest = max((low(row, "over_baseline") or 1 for row in rows), default=1)

    def points(row):
        mine = low(row, "over_baseline")
        if mine is None:
            return None
        speed = math.log(mine) / math.log(fastest) if mine > 1 and fastest > 1 else 0.0
        return round(10 + 10 * speed, 1)

    return points


def by_thresholds(thresholds):
    """A point for each share of the speed of the best built-in variant that the row reaches. The
    share changes less from machine to machine than seconds do."""

    def scale(rows):
        ours = [
            ratio_of(row, "over_baseline")
            for row in rows
            if not row["guest"] and not row["library"]
        ]
        best = max((one["value"] for one in ours if one), default=None)

        def points(row):
            share = low(row, "over_best_cpu")
            if row["threads"] is None:  # on a GPU: of the best variant there
                mine = low(row, "over_baseline")
                share = mine / best if mine and best else None
            return None if share is None else sum(share >= one for one in thresholds)

        return points

    return scale


def believable(row):
    """It was measured. A submission also needs a rank: without one, a person looks at it first."""
    return row["status"] == "measured" and (not row["guest"] or row["rank"] is not None)


def _mark(table, row, points):
    if row["status"] == "failed":
        return Mark(table, row, 0)
    if row["status"] != "measured":  # a package or a GPU is missing here: that is not their fault
        return Mark(table, row, None)
    if not believable(row):
        incredible = row["no_rank_because"] == "incredible"
        return Mark(table, row, None, "class_incredible" if incredible else "class_again")
    found = points(row)
    return Mark(table, row, found, "" if found is not None else "class_no_baseline")


def marks(tables, scale):
    """The marks of each row of a user kernel, among those of its hardware and scope."""
    for table in tables:
        races = {}
        for row in table["rows"]:
            races.setdefault((row["threads"] is None, row["scope"]), []).append(row)
        points = {
            race: scale([row for row in rows if believable(row)]) for race, rows in races.items()
        }
        for row in table["rows"]:
            if row["guest"]:
                of_race = points[row["threads"] is None, row["scope"]]
                yield _mark(table, row, of_race)


@dataclass(frozen=True)
class HandIn:
    """The files of one student. `participant` is the number that Moodle gave the hand-in."""

    user: str
    marks: list
    participant: str | None = None

    @property
    def points(self):
        """The mean of its rows; nothing while one of them has none yet."""
        found = [mark.points for mark in self.marks]
        return None if None in found else round(sum(found) / len(found), 1)

    @property
    def file(self):
        """The user as the name of a file."""
        name = self.user.replace("/", "-")
        return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]}…{name[-LONGEST // 2 :]}"


LONGEST = 60  # four bytes a letter: a name has 255 at most
MOODLE = re.compile(r"(.+)_(\d+)_assignsubmission_\w+")  # a folder of "Download all submissions"


def _labels(where):
    """The folders of a path as people call them."""
    found = (MOODLE.fullmatch(part) for part in where.parts)
    return [one[1] if one else part for one, part in zip(found, where.parts, strict=True)]


def _told_apart(places):
    """Each by the fewest last folders that no other has; where nothing else helps, by a number."""
    labels = {where: _labels(where) for where in places}
    ends = Counter(
        tuple(all_of[-depth:]) for all_of in labels.values() for depth in range(1, len(all_of) + 1)
    )
    names, taken = {}, Counter()
    for where, all_of in labels.items():
        depths = range(1, len(all_of) + 1)
        depth = next((one for one in depths if ends[tuple(all_of[-one:])] == 1), 1)
        name = "/".join(all_of[-depth:])
        taken[name] += 1
        names[where] = name if taken[name] == 1 else f"{name}-{taken[name]}"
    return names


def hand_ins(found):
    """Files of one name in several folders are named by their folder, others by themselves."""
    found = list(found)
    files = {PurePath(mark.row["guest"]) for mark in found}
    stems = Counter(file.stem for file in files)
    several = max(stems.values(), default=0) > 1
    students = {}
    for mark in found:
        file = PurePath(mark.row["guest"])
        folder = file.parent if several and file.parent.name not in ("", "..") else None
        students.setdefault(folder or file.with_suffix(""), []).append(mark)
    names = _told_apart(students)
    numbers = {where: MOODLE.fullmatch(where.name) for where in students}
    return [
        HandIn(names[where], of_one, numbers[where] and numbers[where][2])
        for where, of_one in students.items()
    ]
