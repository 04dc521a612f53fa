"""What Gradescope, Moodle, Canvas and nbgrader read."""

import csv
import io
import json
import re
import unicodedata

from bench_hpc.class_.grade import low, ratio_of
from bench_hpc.program import plain

FORMULA = re.compile(r"\s*[=+@-]")
LOGIN = re.compile(r"[=+@-][\w.-]*")  # of one word, which does nothing in a spreadsheet


def gradescope(hand_in, most, words):
    """results.json of an autograder. Without points yet the score is 0, since a file without one is
    a failure of the autograder; the output says so."""
    share = 1 / len(hand_in.marks)
    tests, leaderboard = [], []
    for mark in hand_in.marks:
        row = mark.row
        name = f"{row['workload']} {row['dtype']} {row['size']} {row['scope']}"
        test = {
            "score": round((mark.points or 0) * share, 2),
            "max_score": round(most * share, 2),
            "status": "failed" if row["status"] == "failed" else "passed",
            "name": name,
            "output": told(mark, words),
            "visibility": "visible",
        }
        if mark.points is None:
            del test["status"]
        tests.append(test)
        over = ratio_of(row, "over_baseline")
        if over and row["rank"] is not None:
            reached = round(over["value"], 2)
            leaderboard.append(
                {"name": f"speedup over the naive loop: {name}", "value": reached, "order": "desc"}
            )
    return json.dumps(
        {
            "score": hand_in.points or 0,
            "output": "\n".join(test["output"] for test in tests),
            "output_format": "text",
            "visibility": "visible",
            "tests": tests,
            "leaderboard": leaderboard,
        },
        ensure_ascii=False,
        indent=1,
    )


def moodle(hand_ins, words):
    """A table for Grades > Import > CSV file, or the offline grading worksheet where all folders
    are those of "Download all submissions". An import replaces a grade by an empty one: it has no
    line for who has no points yet. The worksheet has, for the feedback.
    """
    text = io.StringIO()
    feedback = {one.user: " ".join(told(mark, words) for mark in one.marks) for one in hand_ins}
    if not is_worksheet(hand_ins):
        rows = [(one.user, one.points, feedback[one.user]) for one in graded(hand_ins)]
        write_csv(text, ["username", "grade", "feedback"], rows, ["username"])
        return text.getvalue()
    # Moodle leaves a grade as it is that was given later than this says.
    rows = [
        (
            f"Participant {one.participant}",
            one.user,
            one.points,
            max(mark.row.get("date", "-") for mark in one.submissions),
            feedback[one.user],
        )
        for one in hand_ins
    ]
    write_csv(text, WORKSHEET, rows)
    return text.getvalue()


def is_worksheet(hand_ins):
    """True where Moodle has numbered all of them."""
    return all(one.participant for one in hand_ins)


WORKSHEET = ["Identifier", "Full name", "Grade", "Last modified (grade)", "Feedback comments"]


def graded(hand_ins):
    return [one for one in hand_ins if one.points is not None]


def canvas(hand_ins, most):
    """A table for Grades > Import. Canvas finds a student by its own ID, else by the login. An
    empty grade would delete the one that is there: who has no points yet has no line."""
    text = io.StringIO()
    possible = ("Points Possible", "", "", "", "", most)
    rows = [
        (one.user, one.canvas or "", "", "" if one.canvas else one.user, "", one.points)
        for one in graded(hand_ins)
    ]
    headings = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "bench"]
    write_csv(text, headings, [possible, *rows], ["SIS Login ID"])
    return text.getvalue()


def nbgrader(hand_ins, most):
    """The columns that `nbgrader export` writes: an assignment for each workload."""
    text = io.StringIO()
    headings = "assignment,duedate,timestamp,student_id,last_name,first_name,email"
    headings += ",raw_score,late_submission_penalty,score,max_score"
    rows = [
        (row["workload"], "", "", one.user, "", "", "", mark.points, 0, mark.points, most)
        for one in hand_ins
        for mark in one.marks
        for row in [mark.row]
    ]
    write_csv(text, headings.split(","), rows, ["student_id"])
    return text.getvalue()


def write_csv(file, headings, rows, logins=()):
    """No cell is a formula: students name their files. Below the headings `logins` a word stays as
    it is: a grader looks for it."""
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(headings)
    for row in rows:
        cells = (plain(one) if isinstance(one, str) else one for one in row)
        lines.writerow(
            one if heading in logins and LOGIN.fullmatch(str(one)) else _quoted(one)
            for heading, one in zip(headings, cells)
        )


def _quoted(cell):
    return f"'{cell}" if _is_formula(cell) else cell


def unquoted(cell):
    """A cell that write_csv() wrote, as it was."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def _is_formula(cell):
    """True for a formula; to spreadsheets the wide signs of East Asian keyboards are the same."""
    return isinstance(cell, str) and FORMULA.match(unicodedata.normalize("NFKC", cell))


def told(mark, words):
    """What a student reads of one row."""
    row = mark.row
    if mark.points is None:
        return words("class_no_points", reason=mark.reason(words) or words(row["status"]))
    if row["status"] == "failed":
        return words("because", words("failed"), mark.reason(words))
    return words("class_at_least", factor=words.factor(low(row, "over_baseline")))
