"""A page for one student: status, row, neighbours and points. It names nobody else."""

from dataclasses import dataclass

from bench_hpc.class_.services import told
from bench_hpc.page import template

OF_A_CLASS = ("variant", "rank", "guest", "status", "reason", "same_as", "waited")


@dataclass(frozen=True)
class Part:
    """One row of the student's, as the template shows it."""

    caption: str
    text: str
    points: str
    headings: list
    rows: list  # label, cells and whether it is the student's: fastest first
    compiler: str  # what it warns of
    why: list  # sentences


def _neighbours(mark):
    """The built-in variants directly faster and slower, as far as they can be distinguished."""
    standing = mark.row["standing"] or {}
    by_name = {row["name"]: row for row in mark.table["rows"]}
    around = [standing.get(key) for key in ("slower_than", "faster_than")]
    faster, slower = (by_name.get(one["baseline"]) if one else None for one in around)
    return [row for row in (faster, mark.row, slower) if row]


def _part(mark, most, words):
    columns = mark.table["columns"]
    shown = [i for i, one in enumerate(columns) if one["key"] not in OF_A_CLASS]
    rows = _neighbours(mark) if mark.row["status"] == "measured" else []
    table = [
        (
            f"{row['backend']}/{row['variant']}",
            [row["cells"][i] for i in shown],
            row is mark.row,
        )
        for row in rows
    ]
    got = mark.points
    points = "" if got is None else words("class_points", points=f"{got:g}", most=most)
    headings = [words("variant"), *(columns[i]["heading"] for i in shown)]
    return Part(
        mark.table["caption"],
        told(mark, words),
        points,
        headings,
        table,
        mark.row["compiler"],
        mark.row["why"],
    )


def write(path, hand_in, most, words):
    text = template.rendered(
        template.environment(words),
        "feedback.html",
        "feedback.css",
        title=words("class_title", name=hand_in.user),
        parts=[_part(mark, most, words) for mark in hand_in.marks],
        busy=any(mark.row["busy_node"] for mark in hand_in.marks),
    )
    template.write(path, text, "--feedback")
