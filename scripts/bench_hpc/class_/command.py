"""The command line of bench points."""

import json
import sys
from datetime import datetime, time, timezone
from pathlib import Path

from bench_hpc.class_ import board, services
from bench_hpc.class_.grade import by_logarithm, by_thresholds, hand_ins, marks
from bench_hpc.command_line import Parser
from bench_hpc.program import (
    UsageError,
    ended,
    expect_own,
    expect_room,
    plain,
    printable,
    tables,
    write_whole,
)
from bench_hpc.words import DEFAULT, Words, language

NAME = "bench points"
EXAMPLES = """bench points class.json  points for a spreadsheet
bench points class.json --thresholds 0.1,0.4,0.8  3 points: shares of the best variant
bench points class.json --feedback pages --lang pt  and a page for each student
bench points class.json --moodle grades.csv  and a file for Grades > Import
bench points results/*.json --board board  and a page with ranks, of all runs
bench table class.json --format json --columns naive,rank | bench points  from a table
"""


def _thresholds(text):
    found = [float(one) for one in text.split(",")]
    if not all(0 < one < 10 for one in found):
        raise ValueError
    return found


def _path(text):
    """A name; an empty one is that of a variable of the shell which is not set."""
    if not text:
        raise ValueError
    return Path(text)


_path.__name__ = "name"


def _time(text):
    """A time as in result files; it is UTC where it has no time zone. A day is over at its end."""
    when = datetime.fromisoformat(text)
    if len(text) <= len("2026-12-01"):
        when = datetime.combine(when, time.max)
    utc = when.astimezone(timezone.utc) if when.tzinfo else when
    return utc.strftime("%Y-%m-%dT%H:%M:%SZ")


_time.__name__ = "time such as 2026-12-01T23:59"
_thresholds.__name__ = "list of shares such as 0.1,0.4,0.8"  # as argparse names it


def _arguments(argv):
    text = "Turns a table of user kernels into points, for a spreadsheet or a grader, and ranks."
    made = Parser("points", "[FILE...] [OPTIONS]", text, EXAMPLES)
    made.add_argument("files", metavar="FILE", nargs="*", help="result file; none: JSON on stdin")
    what = "language of the feedback"
    made.add_argument("--lang", metavar="LANG", type=language, default=DEFAULT, help=what)
    made.add_argument(
        "--thresholds",
        metavar="SHARE,...",
        type=_thresholds,
        help="a point for each share of the best variant's speed that is reached",
    )
    made.add_argument("--strict", action="store_true", help="refuse results of a busy node")
    made.add_argument("--feedback", metavar="FOLDER", type=_path, help="a page for each student")
    made.add_argument("--gradescope", metavar="FOLDER", type=_path, help="a results.json for each")
    for name, what in (("moodle", "grades"), ("canvas", "grades"), ("nbgrader", "scores")):
        made.add_argument(f"--{name}", metavar="FILE.csv", type=_path, help=f"{what} to import")
    made.add_argument("--board", metavar="FOLDER", type=_path, help="index.html with all ranks")
    what = "--board: submissions measured later have no rank: 2026-12-01T23:59 (UTC)"
    made.add_argument("--deadline", metavar="TIME", type=_time, help=what)
    what = "--board: shows these names; who is not in the file gets a name there"
    made.add_argument("--pseudonyms", metavar="FILE.csv", type=_path, help=what)
    return made.parse_args(argv)


def _told(options):
    if options.files:
        columns = "variant,time,interval,share,naive,best"
        return tables(options.files, "--lang", options.lang, "--columns", columns)
    if sys.stdin.isatty():
        raise UsageError("name the result file of a class (bench points --help)")
    try:
        return json.load(sys.stdin)
    except ValueError:
        return {}


def _graded(told, scale):
    try:
        of_runs = dict(enumerate(told["runs"]))
        for one in told["tables"]:
            one["files"] = of_runs.get(one["run"], {}).get("files")
        return list(marks(told["tables"], scale))
    except (KeyError, TypeError):
        raise UsageError(
            "stdin is not a table of this version of bench: name the result file, or: "
            "bench table class.json --format json --columns naive,rank | bench points"
        ) from None


def _busy_runs(told, strict):
    """A line for each result file that was measured while others worked."""
    for number, run in enumerate(told["runs"]):
        rows = [row for one in told["tables"] if one["run"] == number for row in one["rows"]]
        if not any(row.get("busy_node") for row in rows):
            continue
        by_processor = any(row.get("on_processor") for row in rows)
        so = "points are by processor time" if by_processor else "measure again when it is quiet"
        line = f"{', '.join(run['files'])}: others used {run['node']} during the measurement: {so}"
        if strict:
            raise UsageError(f"{line} (or leave out --strict)")
        print(f"{NAME}: {line}; its rows are marked 'busy'", file=sys.stderr)


def _folder(path, option):
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{option} {printable(path)}: cannot be made: {error.strerror}: name another folder"
        ) from None


def _gradescope(folder, students, most, words):
    for one in students:
        if one.points is None:
            line = "no points yet: the score in its results.json is 0"
            print(f"{NAME}: {one.user}: {line}", file=sys.stderr)
        where = folder if len(students) == 1 else folder / one.file
        _folder(where, "--gradescope")
        text = services.gradescope(one, most, words)
        write_whole(where / "results.json", text.encode(), "json", "--gradescope")


def _left_out(path, students):
    """A line on those whose grade an import is to leave as it is."""
    names = [plain(one.user) for one in students if one.points is None]
    if names:
        line = f"has no line for those without points yet: {', '.join(names)}"
        print(f"{NAME}: {printable(path)}: {line}", file=sys.stderr)


def _feedback(folder, students, most, words):
    from bench_hpc.page import feedback  # Jinja2 is needed here alone

    _folder(folder, "--feedback")
    for one in students:
        feedback.write(folder / f"{one.file}.html", one, most, words)


def _board(options, found, words):
    from bench_hpc.page import board as page  # Jinja2 is needed here, too

    users = [one.user for one in hand_ins(found)]
    names = board.pseudonyms(options.pseudonyms, users) if options.pseudonyms else None
    _folder(options.board, "--board")
    races = board.races(found, options.deadline, names, words)
    on_processor = any(mark.row.get("on_processor") for mark in found)
    page.write(options.board, races, options.deadline, words, on_processor)


def _tables(options, students, most, words):
    """(path, text, option) of the files that are to be imported."""
    if options.moodle:
        yield options.moodle, services.moodle(students, words), "--moodle"
    if options.canvas:
        yield options.canvas, services.canvas(students, most), "--canvas"
    if options.nbgrader:
        yield options.nbgrader, services.nbgrader(students, most), "--nbgrader"


def _expect_all(options, files):
    """Before anything is written."""
    for path, text, option in files:
        expect_own(path, "csv", option, text.encode())
        if not path.parent.is_dir():
            raise UsageError(f"{printable(path)}: its folder is not there ({option})")
    for name in ("feedback", "gradescope", "board"):
        if path := getattr(options, name):
            expect_room(path, f"--{name}")
    if options.board:
        expect_own(options.board / "index.html", "html", "--board")
    key = options.pseudonyms
    if key and not key.parent.is_dir():
        raise UsageError(f"{printable(key)}: its folder is not there (--pseudonyms)")


def _run(options):
    if not options.board and (options.deadline or options.pseudonyms):
        raise UsageError("--deadline and --pseudonyms are of the board: add --board FOLDER")
    if options.board and not options.files:
        raise UsageError("--board needs result files: their dates are not in a table")
    key = options.pseudonyms
    if key and options.board.resolve() in key.resolve().parents:
        line = "is in the folder that the class reads: name a file elsewhere (--pseudonyms)"
        raise UsageError(f"{printable(key)}: {line}")
    told = _told(options)
    chosen = options.thresholds
    found = _graded(told, by_thresholds(chosen) if chosen else by_logarithm)
    if not found:
        raise UsageError(f"no user kernel in {', '.join(options.files) or 'stdin'}")
    most = len(chosen) if chosen else 20
    _busy_runs(told, options.strict)
    words = Words(options.lang, "class")
    students = hand_ins(found)
    files = list(_tables(options, students, most, words))
    _expect_all(options, files)
    if options.board:
        _board(options, found, Words(options.lang, "tables", "class", "lesson", "pictures"))
    if options.feedback:
        _feedback(options.feedback, students, most, words)
    if options.gradescope:
        _gradescope(options.gradescope, students, most, words)
    for path, text, option in files:
        write_whole(path, text.encode(), "csv", option)
        worksheet = option == "--moodle" and services.is_worksheet(students)
        if option != "--nbgrader" and not worksheet:
            _left_out(path, students)
    services.write_csv(sys.stdout, HEADINGS, [_line(mark, words) for mark in found])
    return 0


HEADINGS = ["workload", "file", "points", "reason", "same_as", "node"]


def _line(mark, words):
    row = mark.row
    busy = "busy" if row["busy_node"] else ""
    file = row["workload"], row["guest"]
    return [*file, mark.points, mark.reason(words), row["same_as"], busy]


def main(argv):
    return ended(NAME, lambda: _run(_arguments(argv)))
