"""A page for one student: status, row, neighbours and points. It names nobody else."""

from bench_hpc.class_.services import told
from bench_hpc.page import template

OF_A_CLASS = ("variant", "rank", "guest", "status", "reason", "same_as", "waited")


def _neighbours(mark):
    """The built-in variants directly faster and slower, as far as they can be distinguished."""
    standing = mark.row["standing"] or {}
    by_name = {row["name"]: row for row in mark.table["rows"]}
    around = [standing.get(key) for key in ("slower_than", "faster_than")]
    faster, slower = (by_name.get(one["baseline"]) if one else None for one in around)
    return [row for row in (faster, mark.row, slower) if row]


def _part(mark, most, words):
    """One row of the student's, as the template shows it; in its table the fastest comes first."""
    columns = mark.table["columns"]
    shown = [i for i, one in enumerate(columns) if one["key"] not in OF_A_CLASS]
    rows = _neighbours(mark) if mark.row["status"] == "measured" else []
    got = mark.points
    return {
        "caption": mark.table["caption"],
        "text": told(mark, words),
        "points": "" if got is None else words("class_points", points=words.short(got), most=most),
        "headings": [words("variant"), *(columns[i]["heading"] for i in shown)],
        "rows": [
            (
                f"{row['backend']}/{row['variant']}",
                [row["cells"][i] for i in shown],
                row is mark.row,
            )
            for row in rows
        ],
        "compiler": mark.row["compiler"],  # what it warns of
        "why": mark.row["why"],  # sentences
    }


def write(path, hand_in, most, words):
    text = template.rendered(
        template.environment(words),
        "feedback.html",
        ["feedback.css"],
        title=words("class_title", name=hand_in.user),
        parts=[_part(mark, most, words) for mark in hand_in.marks],
        busy=any(mark.row["busy_node"] for mark in hand_in.marks),
        on_processor=any(mark.row.get("on_processor") for mark in hand_in.marks),
    )
    template.write(path, text, "--feedback")
