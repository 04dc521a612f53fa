"""Points of each row of a class, and the hand-ins that rows belong to. Change it as you like."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

CELL = "bench-cell-"  # the folder of a notebook's cell while it is measured


@dataclass(frozen=True)
class Mark:
    """What one row is worth. Without points, `none_yet` says why: a key of the phrases, or empty
    where the row has its own reason."""

    table: dict
    row: dict
    points: float | None
    none_yet: str = ""

    @property
    def run(self):
        """A result file may hold several runs."""
        return self.table["run"], self.row.get("date")

    @property
    def file(self):
        """What was handed in; of a cell, whose own file is gone, its result file."""
        own = PurePath(self.row["guest"])
        of_run = self.table.get("files")
        return PurePath(of_run[0]) if of_run and own.parent.name.startswith(CELL) else own

    def reason(self, words):
        """It has no folder of a file in it."""
        if self.none_yet:
            return words(self.none_yet)
        guest = self.row["guest"]
        return (self.row["reason_text"] or "").replace(guest, PurePath(guest).name)


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


# Why a row has none, and the phrase of it.
WITHOUT_RANK = {"incredible": "class_incredible", "too short": "class_too_short"}


def _mark(table, row, points):
    if row["status"] == "failed":
        return Mark(table, row, 0)
    if row["status"] != "measured":  # a package or a GPU is missing here: that is not their fault
        return Mark(table, row, None)
    if not believable(row):
        why = WITHOUT_RANK.get(row["no_rank_because"], "class_again")
        return Mark(table, row, None, why)
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
    """The submissions of one student. `participant` is the number that Moodle gave the hand-in,
    `canvas` the one that Canvas gave the student."""

    user: str
    submissions: list  # marks
    participant: str | None = None
    canvas: str | None = None

    @cached_property
    def marks(self):
        """The best mark of each task. None yet is better than a failure: it may become more."""
        tasks = {}
        for mark in self.submissions:
            tasks.setdefault(_task(mark.row), []).append(mark)
        return [max(of_one, key=_worth) for of_one in tasks.values()]

    @property
    def points(self):
        """The mean of its tasks; nothing while one of them has none yet."""
        found = [mark.points for mark in self.marks]
        return None if None in found else round(sum(found) / len(found), 1)

    @property
    def file(self):
        """The user as the name of a file."""
        name = self.user.replace("/", "-")
        return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]}…{name[-LONGEST // 2 :]}"


def _task(row):
    facts = [row.get(key) for key in ("workload", "dtype", "size", "cache", "scope")]
    return (*facts, row["threads"] is None)


def _worth(mark):
    return 0.5 if mark.points is None else mark.points, mark.row.get("date") or ""


LONGEST = 60  # four bytes a letter: a name has 255 at most
# A folder or a file of "Download all submissions".
MOODLE = re.compile(r"(.+)_(\d+)_assignsubmission_.+")
# A file of "Download Submissions": student, ID of the student, ID of the submission, own name.
CANVAS = re.compile(r"([^\W\d_]+)_(?:LATE_)?(\d+)_\d+_.+")


def _named_by_folder(found):
    """Files of one name in several folders are named by their folder, others by themselves. The
    files of a flat folder come again in other runs."""
    files = {(mark.run, mark.file) for mark in found}
    in_a_run = Counter((run, file.stem) for run, file in files)
    stems = Counter(file.stem for file in {file for _, file in files})
    tasks = {(_task(mark.row), mark.file.with_suffix("")) for mark in found}
    flat = Counter((task, file.parent) for task, file in tasks)
    return max(in_a_run.values(), default=0) > 1 or (
        max(stems.values(), default=0) > 1 and max(flat.values(), default=0) == 1
    )


@dataclass(frozen=True)
class _Place:
    """The names that a student can have, the shortest first."""

    names: tuple
    participant: str | None = None
    canvas: str | None = None


def _place(file, by_folder):
    file = file.with_suffix("")
    if of_canvas := CANVAS.fullmatch(file.name):
        label, number = of_canvas.groups()
        return _Place((label, f"{label}_{number}"), canvas=number)
    of_moodle = next(filter(None, map(MOODLE.fullmatch, reversed(file.parts))), None)
    if of_moodle:
        label, number = of_moodle.groups()
        return _Place((label, f"{label}_{number}"), number)
    parts = (file.parent if by_folder and file.parent.name not in ("", "..") else file).parts
    return _Place(tuple("/".join(parts[-depth:]) for depth in range(1, len(parts) + 1)))


def _names(seen):
    """The shortest name of each place that is another's in no run. Moodle numbers the students of
    a task: two numbers there are two students."""
    others = {}
    for mark, place in seen:
        groups = [mark.run, *([mark.row["workload"]] if place.participant else [])]
        for group in groups:
            for name in place.names:
                others.setdefault((group, name), set()).add(place)
    shared = {name for (_, name), places in others.items() if len(places) > 1}
    return {
        place: next((name for name in place.names if name not in shared), place.names[-1])
        for _, place in seen
    }


def hand_ins(found):
    """The students of these marks: the same name in several runs is the same student."""
    found = list(found)
    by_folder = _named_by_folder(found)
    seen = [(mark, _place(mark.file, by_folder)) for mark in found]
    names = _names(seen)
    students, places = {}, {}
    for mark, place in seen:
        students.setdefault(names[place], []).append(mark)
        places[names[place]] = place
    return [
        HandIn(user, marks, places[user].participant, places[user].canvas)
        for user, marks in students.items()
    ]
