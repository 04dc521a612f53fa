"""bench points: points where they can be told, from the file's own interval."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from bench_hpc.words import LANGUAGES

POINTS = Path(__file__).resolve().parent / "points.py"
MONDAY, TUESDAY = "2026-11-02T08:00:00Z", "2026-11-03T08:00:00Z"


def ratio(low, over="serial/naive"):
    name = f"energy/{over}/f32/1000/kernel"
    return None if low is None else {"value": 2 * low, "ci95": [low, 4 * low], "baseline": name}


def row(path, naive=None, best=None, rank=1, **more):
    backend, variant = path.split("/")
    guest = f"class/{variant.removesuffix('-energy')}/energy.cpp" if backend == "guest" else None
    made = {
        "name": f"energy/{path}/f32/1000/kernel",
        "workload": "energy",
        "backend": backend,
        "variant": variant,
        "dtype": "f32",
        "size": "1000",
        "scope": "kernel",
        "threads": 2,
        "status": "measured",
        "library": False,
        "guest": guest,
        "over_baseline": ratio(naive),
        "reason": None,
        "reason_text": None,
        "cells": [f"time of {variant}", "-"],
        "date": MONDAY,
        "values": {"share": 0.5},
    }
    if guest:
        made |= {
            "over_best_cpu": ratio(best, "openmp/simd"),
            "rank": rank,
            "no_rank_because": None if rank else "measure again",
            "standing": {"slower_than": ratio(1, "openmp/simd"), "faster_than": ratio(1)},
            "same_as": None,
            "busy_node": False,
            "why": ["line 3: not vectorised"],
            "compiler": "unused variable",
        }
    return made | more


def failed(path, reason, status="failed"):
    return row(path, rank=None, status=status, no_rank_because=None, reason_text=reason)


CLASS = [
    row("serial/naive", 1),
    row("openmp/simd", 100),
    row("guest/ana-energy", 10, 0.09),
    row("guest/rui-energy", 9, 0.5, same_as="class/ana/energy.cpp", same_in="code"),
    row("guest/eva-energy", 1, 0.01, rank=2),
    failed("guest/leo-energy", "left out 1 of 1000 elements"),
    failed("guest/kai-energy", "No module named 'numpy'", "skipped"),
    failed("guest/lia-energy", "right on the CPU", "checked"),
    row("guest/joao-energy", 90, 0.9, rank=None),
    row("guest/max-energy", 900, 9, rank=None, no_rank_because="incredible"),
]


def tables(rows):
    columns = [{"key": "time", "heading": "time"}, {"key": "rank", "heading": "rank"}]
    table = {"run": 0, "caption": "energy · f32", "columns": columns, "rows": rows}
    return {"tables": [table], "runs": [{"node": "n1", "files": ["class.json"]}]}


def run(told, *options, **streams):
    text = told if isinstance(told, str) else json.dumps(told)
    streams = streams or {"capture_output": True}
    return subprocess.run(
        [sys.executable, POINTS, *map(str, options)], input=text, text=True, check=False, **streams
    )


def points_of(done):
    assert done.returncode == 0, done.stderr
    rows = csv.DictReader(io.StringIO(done.stdout))
    return {one["file"].split("/")[1]: one for one in rows}


def test_points_are_those_of_the_own_lower_bound():
    done = run(tables(CLASS))
    found = points_of(done)
    assert {name: one["points"] for name, one in found.items()} == {
        "ana": "15.0",
        "rui": "14.8",
        "eva": "10.0",
        "leo": "0",
        "kai": "",
        "lia": "",
        "joao": "",
        "max": "",
    }
    assert done.stderr == ""
    assert found["joao"]["reason"].startswith("measure again")
    assert "more data than memory allows" in found["max"]["reason"]
    assert found["kai"]["reason"] == "No module named 'numpy'"
    assert (found["rui"]["same_as"], found["ana"]["same_as"]) == ("class/ana/energy.cpp", "")


def test_a_wider_interval_never_gains():
    noisy = row("guest/rui-energy", 9)
    noisy["over_baseline"]["ci95"] = [3, 90]
    found = points_of(run(tables([*CLASS[:3], noisy])))
    assert float(found["rui"]["points"]) < 12.5 < float(found["ana"]["points"])


def test_thresholds_are_shares_of_the_best_variant():
    found = points_of(run(tables(CLASS), "--thresholds", "0.02,0.1,0.4,0.8,0.95"))
    points = {name: one["points"] for name, one in found.items()}
    assert (points["ana"], points["rui"], points["eva"]) == ("1", "3", "0")
    assert (points["leo"], points["joao"]) == ("0", "")
    gpu = [
        row("cuda/wide", 100, threads=None),
        row("guest/ana-energy", 90, 50, threads=None),
    ]
    found = points_of(run(tables([CLASS[1], *gpu]), "--thresholds", "0.4,1"))
    assert found["ana"]["points"] == "1", "of the best variant on the GPU"


@pytest.mark.parametrize("wrong", ["fast", "0.1,", "0", "nan"])
def test_a_wrong_threshold_is_named(wrong):
    done = run(tables(CLASS), "--thresholds", wrong)
    assert done.returncode == 2
    assert "--thresholds" in done.stderr


def test_results_of_a_busy_node_are_marked_or_refused():
    rows = [{**one, "busy_node": True} if one["guest"] else one for one in CLASS]
    done = run(tables(rows))
    assert {one["node"] for one in points_of(done).values()} == {"busy"}
    assert "class.json: others used n1" in done.stderr
    strict = run(tables(rows), "--strict")
    assert (strict.returncode, strict.stdout, strict.stderr.count("\n")) == (2, "", 1)
    assert run(tables(CLASS), "--strict").returncode == 0


def test_on_a_busy_node_points_are_by_processor_time(tmp_path):
    def on_processor(over_serial, over_best=None):
        return {"over_serial": ratio(over_serial), "over_best_cpu": ratio(over_best)}

    rows = [
        row("serial/naive", 1, on_processor=on_processor(1)),
        row("openmp/simd", 3, on_processor=on_processor(100)),
        row("guest/ana-energy", 50, 5, on_processor=on_processor(10, 0.5), busy_node=True),
    ]
    done = run(tables(rows))
    assert points_of(done)["ana"]["points"] == "15.0"
    assert "points are by processor time" in done.stderr
    run(tables(rows), "--moodle", tmp_path / "grades.csv")
    assert "at least 10.00" in (tmp_path / "grades.csv").read_text()
    shares = run(tables(rows), "--thresholds", "0.1,0.4,0.8")
    assert points_of(shares)["ana"]["points"] == "2"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_for_each_student_names_nobody_else(tmp_path, language):
    pytest.importorskip("jinja2")
    done = run(tables(CLASS), "--feedback", tmp_path / "pages", "--lang", language)
    assert done.returncode == 0, done.stderr
    pages = {path.stem: path.read_text() for path in (tmp_path / "pages").iterdir()}
    assert set(pages) == {"ana", "rui", "eva", "leo", "kai", "lia", "joao", "max"}
    for name, page in pages.items():
        body = page[page.index("<body>") :]
        others = [other for other in pages if other != name and f"{other}-energy" in body]
        assert others == []
        assert "class/ana" not in body
        assert "line 3: not vectorised" in body
        assert "unused variable" in body
    assert "left out 1 of 1000 elements" in pages["leo"]
    order = [pages["ana"].index(f"time of {one}") for one in ("simd", "ana-energy", "naive")]
    assert order == sorted(order)


def test_gradescope_reads_a_file_for_each(tmp_path):
    done = run(tables(CLASS), "--gradescope", tmp_path)
    assert done.returncode == 0
    files = {path.parent.name for path in tmp_path.rglob("results.json")}
    assert files == {"ana", "rui", "eva", "leo", "kai", "lia", "joao", "max"}
    assert "kai: no points yet" in done.stderr
    kai = json.loads((tmp_path / "kai" / "results.json").read_text())
    assert kai["score"] == 0, "without a score Gradescope shows a failure of the autograder"
    assert kai["output"] == "No points yet: No module named 'numpy'"
    assert "status" not in kai["tests"][0]
    ana = json.loads((tmp_path / "ana" / "results.json").read_text())
    assert ana["score"] == 15
    (test,) = ana["tests"]
    assert (test["score"], test["max_score"], test["status"]) == (15, 20, "passed")
    assert ana["leaderboard"][0]["value"] == 20
    leo = json.loads((tmp_path / "leo" / "results.json").read_text())
    assert (leo["score"], leo["leaderboard"]) == (0, [])
    assert "left out 1 of 1000 elements" in leo["output"]
    again = run(tables(CLASS[:3]), "--gradescope", tmp_path)
    assert again.returncode == 0
    assert json.loads((tmp_path / "results.json").read_text()) == ana, "of one hand-in, at the top"


def test_moodle_reads_a_line_for_each(tmp_path):
    file = tmp_path / "grades.csv"
    assert run(tables(CLASS), "--moodle", file).returncode == 0
    with file.open(encoding="utf-8") as opened:
        found = {one["username"]: one for one in csv.DictReader(opened)}
    assert found["ana"]["grade"] == "15.0"
    assert "at least 10.00" in found["ana"]["feedback"]
    assert found["leo"]["grade"] == "0.0"


def test_a_grade_is_the_mean_of_the_files_of_a_student(tmp_path):
    second = row("guest/ana-reverse", 100, guest="class/ana/reverse.cpp", workload="reverse")
    file = tmp_path / "grades.csv"
    run(tables([*CLASS[:4], second]), "--moodle", file)
    assert file.read_text().splitlines()[1].startswith("ana,17.5,")


def test_files_without_folders_are_named_by_themselves(tmp_path):
    rows = [{**CLASS[2], "guest": "ana.cpp"}, {**CLASS[3], "guest": "\uff1drui.cpp"}]
    run(tables([*CLASS[:2], *rows]), "--moodle", tmp_path / "grades.csv")
    users = [line.split(",")[0] for line in (tmp_path / "grades.csv").read_text().splitlines()]
    assert users == ["username", "ana", "'\uff1drui"], "no formula"


def test_equal_names_are_told_apart_by_what_differs(tmp_path):
    folders = ["g1/ana", "g2/ana", "g1/rui", "x/e/same", "y/e/same"]
    rows = [{**CLASS[2], "guest": f"handin/{one}/energy.cpp"} for one in folders]
    file = tmp_path / "grades.csv"
    run(tables([*CLASS[:2], *rows]), "--moodle", file, "--gradescope", tmp_path / "all")
    users = [line.split(",")[0] for line in file.read_text().splitlines()[1:]]
    assert users == ["g1/ana", "g2/ana", "rui", "x/e/same", "y/e/same"]
    written = {path.parent.name for path in (tmp_path / "all").rglob("results.json")}
    assert written == {"g1-ana", "g2-ana", "rui", "x-e-same", "y-e-same"}


def test_folders_of_moodle_become_its_worksheet(tmp_path):
    names = ["joão silva_12345", "ana_7", "ana_8"]
    folders = [f"handin/{one}_assignsubmission_file_" for one in names]
    rows = [{**CLASS[2], "guest": f"{one}/energy.cpp"} for one in folders]
    file = tmp_path / "grades.csv"
    for _ in range(2):  # what is of its own kind is replaced
        assert run(tables([*CLASS[:2], *rows]), "--moodle", file).returncode == 0
    with file.open(encoding="utf-8") as opened:
        found = list(csv.DictReader(opened))
    assert [one["Identifier"] for one in found] == [
        "Participant 12345",
        "Participant 7",
        "Participant 8",
    ]
    assert [one["Full name"] for one in found] == ["joão silva", "ana_7", "ana_8"]
    assert {one["Grade"] for one in found} == {"15.0"}
    assert all("at least 10.00" in one["Feedback comments"] for one in found)


def test_moodle_takes_its_worksheet(tmp_path):
    """What the importer asks for: mod/assign/feedback/offline/importgradeslib.php of Moodle."""
    guests = [f"handin/{name}_assignsubmission_file_/energy.cpp" for name in ("ana_7", "kai_8")]
    rows = [{**CLASS[2], "guest": guests[0]}, {**CLASS[8], "guest": guests[1]}]
    file = tmp_path / "grades.csv"
    assert run(tables([*CLASS[:2], *rows]), "--moodle", file).returncode == 0
    headings, ana, joao = csv.reader(file.read_text().splitlines())
    required = ("Identifier", "Grade", "Last modified (grade)")
    identifier, grade, modified = map(headings.index, required)
    feedback = headings.index("Feedback comments")
    assert feedback > 0, "the first column is never feedback"
    assert [one[identifier][len("Participant ") :] for one in (ana, joao)] == ["7", "8"]
    assert (float(ana[grade]), joao[grade]) == (15, ""), "an empty grade is skipped"
    assert "measure again" in joao[feedback]
    assert ana[modified] == MONDAY, "a grade that was given later stays"


def test_names_do_not_depend_on_who_is_faster(tmp_path):
    folders = [f"sub/Ana Silva_{number}_assignsubmission_file" for number in (70010, 70001)]
    slow, fast = ({"guest": f"{folder}/energy.c"} for folder in folders)
    file = tmp_path / "grades.csv"
    for first, second in ((slow, fast), (fast, slow)):
        rows = [CLASS[2] | first, CLASS[4] | second]
        assert run(tables([*CLASS[:2], *rows]), "--moodle", file).returncode == 0
        with file.open(encoding="utf-8") as opened:
            found = {one["Identifier"]: one["Full name"] for one in csv.DictReader(opened)}
        assert found == {f"Participant {one}": f"Ana Silva_{one}" for one in (70001, 70010)}


def test_a_download_without_folders_has_the_same_names(tmp_path):
    names = ["Eva_4_assignsubmission_file_energy.c", "Rui Lima_3_assignsubmission_file_my (1).c"]
    rows = [{**CLASS[2], "guest": f"sub/{one}"} for one in names]
    file = tmp_path / "grades.csv"
    assert run(tables([*CLASS[:2], *rows]), "--moodle", file).returncode == 0
    lines = [line.split(",")[:2] for line in file.read_text().splitlines()[1:]]
    assert lines == [["Participant 4", "Eva"], ["Participant 3", "Rui Lima"]]


def test_the_best_of_several_runs_counts(tmp_path):
    """Weeks have folders of their own; the grade is that of the submission on the board."""
    weeks = ["sub/ana_7_assignsubmission_file", "week2/ana_7_assignsubmission_file"]
    runs = [
        tables([*CLASS[:2], {**mine, "guest": f"{week}/energy.c", "date": date}])["tables"][0]
        for mine, week, date in zip((CLASS[2], CLASS[4]), weeks, (MONDAY, TUESDAY), strict=True)
    ]
    runs[1]["run"] = 1
    told = tables([]) | {"tables": runs}
    file = tmp_path / "grades.csv"
    assert run(told, "--moodle", file).returncode == 0
    (only,) = csv.DictReader(file.read_text().splitlines())
    assert (only["Full name"], only["Grade"], only["Last modified (grade)"]) == (
        "ana",
        "15.0",
        TUESDAY,
    )
    assert only["Feedback comments"].count("at least") == 1


def test_students_of_a_flat_folder_are_the_same_in_each_week(tmp_path):
    days = [
        (date, [*CLASS[:2], *({**CLASS[2], "guest": f"{week}/{one}.c"} for one in ("ana", "rui"))])
        for date, week in ((MONDAY, "week1"), (TUESDAY, "week2"))
    ]
    page = board(tmp_path, days)
    assert {name for name, _ in places(page)} == {"ana", "rui"}
    alone = [(MONDAY, [*CLASS[:2], CLASS[2]]), (TUESDAY, [*CLASS[:2], CLASS[3]])]
    assert {name for name, _ in places(board(tmp_path, alone))} == {"ana", "rui"}


def test_a_long_name_is_a_short_file(tmp_path):
    rows = [{**CLASS[2], "guest": f"{name * 200}/energy.cpp"} for name in ("a", "\u00e3")]
    done = run(tables([*CLASS[:2], *rows]), "--gradescope", tmp_path)
    assert done.returncode == 0, done.stderr
    assert max(len(path.name) for path in tmp_path.iterdir()) == 61


def test_a_run_without_user_kernels_has_no_points(tmp_path):
    done = run(tables(CLASS[:2]))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bench points: no user kernel in stdin\n"
    done = run({"tables": [], "runs": []})
    assert (done.returncode, done.stderr) == (2, "bench points: no user kernel in stdin\n")


def test_nothing_of_others_is_overwritten(tmp_path):
    (tmp_path / "grades.csv").write_text("my own list\n")
    done = run(tables(CLASS), "--moodle", tmp_path / "grades.csv")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--moodle" in done.stderr
    assert (tmp_path / "grades.csv").read_text() == "my own list\n"
    (tmp_path / "file").write_text("")
    done = run(tables(CLASS), "--gradescope", tmp_path / "file")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_result_files_are_read_by_bench(tmp_path):
    program = tmp_path / "bench"
    (tmp_path / "answer.json").write_text(json.dumps(tables(CLASS)))
    program.write_text(f'#!/bin/sh\necho "$@" >{tmp_path}/asked\ncat {tmp_path}/answer.json\n')
    program.chmod(0o755)
    environment = {**os.environ, "BENCH_BINARY": str(program)}
    done = run("", "class.json", "--lang", "pt", env=environment, capture_output=True)
    assert points_of(done)["ana"]["points"] == "15.0"
    asked = (tmp_path / "asked").read_text()
    assert asked.startswith("table --format json --lang pt")
    assert asked.endswith("-- class.json\n")


def board(tmp_path, days, *options):
    """The page of a class that was measured on these days, (date, rows) each."""
    files, told = [], {"tables": [], "runs": []}
    for number, (date, rows) in enumerate(days):
        files.append(f"{number}.json")
        dated = [{**one, "date": date} for one in rows]
        one = tables(dated)["tables"][0] | {"run": number, "workload": "energy", "dtype": "f32"}
        told["tables"].append(one | {"size": "1000"})
        told["runs"].append({"node": "n1", "files": [files[-1]]})
    program = tmp_path / "bench"
    (tmp_path / "answer.json").write_text(json.dumps(told))
    program.write_text(f"#!/bin/sh\ncat {tmp_path}/answer.json\n")
    program.chmod(0o755)
    pytest.importorskip("jinja2")
    environment = {**os.environ, "BENCH_BINARY": str(program)}
    folder = tmp_path / "board"
    done = run("", *files, "--board", folder, *options, env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    return (folder / "index.html").read_text()


def places(page):
    """(rank, name) of each row of a board."""
    found = re.findall(r'<td class="number">(\S+)</td>\n<th.*?<summary>(.*?)</summary>', page)
    return [(name, rank) for rank, name in found]


def test_a_board_ranks_by_whole_intervals(tmp_path):
    """row() has intervals from x to 4x: ana, 10 to 40, and rui, 9 to 36, share a rank."""
    page = board(tmp_path, [(MONDAY, CLASS)])
    assert places(page) == [
        ("ana", "1"),
        ("rui", "1"),
        ("eva", "3"),
        *((name, "\u2013") for name in ("joao", "kai", "leo", "lia", "max")),
    ]
    assert "left out 1 of 1000 elements" in page
    assert page == board(tmp_path, [(MONDAY, CLASS)]), "the same files give the same board"


def test_a_board_of_one_run_ranks_as_its_table(tmp_path):
    def narrow(student, value, rank):
        made = row(f"guest/{student}-energy", 1, rank=rank)
        made["over_baseline"] |= {"value": value, "ci95": [value - 0.01, value + 0.01]}
        return made

    ranked = [narrow("ana", 2.03, 1), narrow("rui", 2, 1), narrow("eva", 1.8, 3)]
    assert places(board(tmp_path, [(MONDAY, [*CLASS[:2], *ranked])])) == [
        ("ana", "1"),
        ("rui", "1"),
        ("eva", "3"),
    ]
    again = [narrow("eva", 1.99, 1)]
    page = board(tmp_path, [(MONDAY, [*CLASS[:2], *ranked]), (TUESDAY, again)])
    assert {rank for _, rank in places(page)} == {"1"}, "what is within 5 % shares a rank"


def test_the_best_submission_stays_on_the_board(tmp_path):
    better = [row("guest/eva-energy", 90, 0.9), row("guest/ana-energy", 2, 0.1)]
    page = board(tmp_path, [(TUESDAY, better), (MONDAY, CLASS)])
    assert places(page)[:3] == [("eva", "1"), ("ana", "2"), ("rui", "2")]
    own = page[page.index("<summary>eva") :]
    history = own[: own.index("</ol>")]
    assert history.index("2026-11-03") < history.index("2026-11-02"), "the newest first"


def test_what_came_after_the_deadline_has_no_rank(tmp_path):
    days = [(MONDAY, CLASS), (TUESDAY, [row("guest/eva-energy", 90, 0.9)])]
    page = board(tmp_path, days, "--deadline", "2026-11-03T07:59")
    assert places(page)[2] == ("eva", "3")
    assert page.count("(after the deadline)") == 1, "in her history"
    late = re.findall(r'<td class="late".*?>(.*?)</td>', page)
    assert [one for one in late if one] == ["<time>2026-11-03\u00a008:00</time>"]
    assert board(tmp_path, days, "--deadline", "2026-11-03").count("2026-11-03\u00a023:59") == 1
    # The same moment, in another time zone.
    assert page == board(tmp_path, days, "--deadline", "2026-11-03T08:59+01:00")


def test_pseudonyms_are_the_teachers(tmp_path):
    key = tmp_path / "key.csv"
    key.write_text("username,name\nana,Tucano\n")
    page = board(tmp_path, [(MONDAY, CLASS)], "--pseudonyms", key)
    assert places(page)[0] == ("Tucano", "1")
    names = dict(csv.reader(key.read_text().splitlines()))
    assert set(names) == {"username", "ana", "rui", "eva", "leo", "kai", "lia", "joao", "max"}
    assert len(set(names.values())) == len(names)
    assert not re.search(r"\b(ana|rui|eva)\b", page), "nobody's own name"
    assert page == board(tmp_path, [(MONDAY, CLASS)], "--pseudonyms", key), "they stay"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"username,name\nana,Tucano\nrui,Tucano\n", "line 3: Tucano is there twice"),
        (b"username,name\nana,Tucano\nana,Falke\n", "line 3: ana is there twice"),
        (b"username,name\nana,\n", "line 2 is not username,name"),
        (b"username,name,note\nana,Tucano,ill\n", "line 1 is not username,name"),
        (b"username,name\nana,Tucano,ill\n", "line 2 is not username,name"),
        ("username,name\nana,Grünfink\n".encode("latin-1"), "is not UTF-8"),
    ],
)
def test_a_key_that_would_lose_something_is_refused(tmp_path, text, why):
    key = tmp_path / "key.csv"
    board(tmp_path, [(MONDAY, CLASS)])
    key.write_bytes(text)
    environment = {**os.environ, "BENCH_BINARY": str(tmp_path / "bench")}
    options = ("0.json", "--board", tmp_path / "new", "--pseudonyms", key)
    done = run("", *options, env=environment, capture_output=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"key.csv: {why}: mend it" in done.stderr
    assert key.read_bytes() == text
    assert not (tmp_path / "new").exists()


def test_pseudonyms_without_a_rank_are_in_no_order_of_the_students(tmp_path):
    key = tmp_path / "key.csv"
    key.write_text("username,name\nleo,Tucano\nkai,Melro\nlia,Zebra\njoao,Pato\nmax,Arara\n")
    page = board(tmp_path, [(MONDAY, CLASS)], "--pseudonyms", key)
    others = [name for name, rank in places(page) if rank == "\u2013"]
    assert others == ["Arara", "Melro", "Pato", "Tucano", "Zebra"]


FOREIGN = {
    "--moodle": "Identifier,Full name,Email address,Status,Grade\nParticipant 1,Ana,a@x,,7\n",
    "--canvas": "Student,ID,SIS User ID,SIS Login ID,Section,Essay (17)\nAna,1,,ana,,7\n",
    "--nbgrader": "username,name\nana,Tucano\n",
    "--board": "<!DOCTYPE html>\n<html><head><title>Ana's homepage</title></head></html>\n",
}


@pytest.mark.parametrize("option", FOREIGN)
def test_what_others_wrote_is_not_replaced(tmp_path, option):
    file = tmp_path / ("index.html" if option == "--board" else "a.csv")
    file.write_text(FOREIGN[option])
    board(tmp_path, [(MONDAY, CLASS)])
    environment = {**os.environ, "BENCH_BINARY": str(tmp_path / "bench")}
    target = tmp_path if option == "--board" else file
    words = ("0.json", "--feedback", tmp_path / "pages", option, target)
    done = run("", *words, env=environment, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"{file}: is there already" in done.stderr
    assert option in done.stderr
    assert file.read_text() == FOREIGN[option]
    assert not (tmp_path / "pages").exists(), "nothing is written before"


@pytest.mark.parametrize("option", ["--moodle", "--canvas", "--nbgrader", "--pseudonyms"])
def test_a_folder_that_is_not_there_is_known_before_anything_is_written(tmp_path, option):
    board(tmp_path, [(MONDAY, CLASS)])
    environment = {**os.environ, "BENCH_BINARY": str(tmp_path / "bench")}
    words = ("0.json", "--board", tmp_path / "new", "--feedback", tmp_path / "pages")
    words += (option, tmp_path / "no" / "a.csv")
    done = run("", *words, env=environment, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"its folder is not there ({option})" in done.stderr
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "pages").exists()


def test_an_empty_name_is_no_folder(tmp_path):
    done = run(tables(CLASS), "--feedback", "", cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []


def test_cells_of_notebooks_are_named_by_their_result_files(tmp_path):
    told = {"tables": [], "runs": []}
    for number, student in enumerate(("ana", "rui", "ana")):
        why = f"does not compile: /tmp/bench-cell-{number}/cell.c:3:3: error"
        cell = failed("guest/cell", why) | {"guest": f"/tmp/bench-cell-{number}/cell.c"}
        told["tables"].append({**tables([cell])["tables"][0], "run": number})
        told["runs"].append({"node": "n1", "files": [f"{student}/e.json"]})
        cell["date"] = (MONDAY, MONDAY, TUESDAY)[number]
    done = run(told, "--moodle", tmp_path / "grades.csv")
    assert done.returncode == 0, done.stderr
    grades = list(csv.DictReader((tmp_path / "grades.csv").open()))
    assert [one["username"] for one in grades] == ["ana", "rui"]
    assert all("compile: cell.c:3:3" in one["feedback"] for one in grades)


def test_files_that_canvas_has_packed_are_of_its_students(tmp_path):
    def handed_in(file, low):
        made = row("guest/x-energy", low) | {"guest": f"submissions/{file}.cpp"}
        return made | {"variant": file}

    files = (
        ("silvaana_10001_678901_energy", 4),
        ("silvaana_10001_678902_energy-1", 9),
        ("silvaana_10002_678903_mein_code", 3),
        ("müllerrui_LATE_10003_678904_energy", 2),
    )
    rows = [handed_in(*one) for one in files]
    file = tmp_path / "canvas.csv"
    done = run(tables([*CLASS[:2], *rows]), "--canvas", file)
    assert done.returncode == 0, done.stderr
    _, *students = csv.DictReader(file.read_text().splitlines())
    assert [(one["Student"], one["ID"], one["SIS Login ID"]) for one in students] == [
        ("silvaana_10001", "10001", ""),
        ("silvaana_10002", "10002", ""),
        ("müllerrui", "10003", ""),
    ]
    assert float(students[0]["bench"]) > float(students[1]["bench"]), "the best one counts"


def test_an_encoding_with_few_letters_is_not_a_traceback():
    named = failed("guest/ana-energy", "left out 1") | {"guest": "class/\u0416/energy.cpp"}
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    done = run(tables([named]), env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "class/?/energy.cpp" in done.stdout


def test_a_key_is_not_for_the_class(tmp_path):
    key = tmp_path / "key.csv"
    board(tmp_path, [(MONDAY, CLASS)], "--pseudonyms", key)
    assert key.stat().st_mode & 0o777 == 0o600
    inside = ("--board", tmp_path / "board", "--pseudonyms", tmp_path / "board" / "key.csv")
    done = run("", "0.json", *inside)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--pseudonyms" in done.stderr
    assert {path.name for path in (tmp_path / "board").iterdir()} == {"index.html"}


def test_a_key_file_that_a_spreadsheet_saved_is_read(tmp_path):
    key = tmp_path / "key.csv"
    key.write_text("username;name\r\nana;Tucano\r\n", encoding="utf-8-sig")
    page = board(tmp_path, [(MONDAY, CLASS)], "--pseudonyms", key)
    assert places(page)[0] == ("Tucano", "1")


def test_a_board_names_no_place(tmp_path):
    """What compilers and interpreters say has names of files, and so of students."""
    folder = "sub/Rui Schmidt_70034_assignsubmission_file"
    reasons = {
        f"{folder}/energy.c": f"does not compile: {folder}/energy.c:5:5: error: expected",
        "sub/Eva_70035_assignsubmission_file/energy.py": "energy.py:4: NameError: no Braun",
        "sub/Leo_70036_assignsubmission_file/energy.py": "No module named 'x' (for /root/python)",
        "sub/Kai_70037_assignsubmission_file/energy.c": "line 5: reads element 1013 of x",
    }
    rows = [failed("guest/x-energy", why) | {"guest": file} for file, why in reasons.items()]
    page = board(tmp_path, [(MONDAY, [*CLASS[:2], *rows])], "--pseudonyms", tmp_path / "key.csv")
    for part in ("Rui", "Schmidt", "70034", "energy.c", "energy.py", "Braun", "/root", "sub/"):
        assert part not in page
    shown = re.findall(r'<td colspan="4" class="quiet">(.*?)</td>', page)
    assert sorted(shown) == [
        "does not compile",
        "failed",
        "failed",
        "line 5: reads element 1013 of x",
    ]


def test_a_key_file_opens_in_a_spreadsheet(tmp_path):
    key = tmp_path / "key.csv"
    rows = [*CLASS[:3], row("guest/x-energy", 9) | {"guest": "class/=1+1/energy.cpp"}]
    page = board(tmp_path, [(MONDAY, rows)], "--pseudonyms", key)
    assert "\n'=1+1," in key.read_text(), "not a formula"
    assert page == board(tmp_path, [(MONDAY, rows)], "--pseudonyms", key), "and still that name"


def test_scopes_of_a_gpu_are_races_of_their_own(tmp_path):
    gpu = [
        row(f"guest/{name}-energy", 9, threads=None, scope=scope)
        for scope in ("kernel", "end_to_end")
        for name in ("ana", "rui")
    ]
    page = board(tmp_path, [(MONDAY, [*CLASS[:3], *gpu])])
    titles = re.findall("<h2>(.*?)</h2>", page)
    assert len({*titles}) == 3
    assert titles[1].endswith("GPU kernel")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_does_nothing_that_a_name_says(tmp_path, language):
    hostile = [row("guest/x-energy", 9) | {"guest": "class/<img src=x onerror=alert(1)>/energy.c"}]
    page = board(tmp_path, [(MONDAY, [*CLASS[:2], *hostile])], "--lang", language)
    assert "<img" not in page
    assert "default-src &#39;none&#39;" in page


@pytest.mark.parametrize(
    "options",
    [("--deadline", "2026-12-01"), ("--board", "x"), ("x.json", "--board", "x", "--deadline", "1")],
)
def test_a_board_that_cannot_be_is_one_line(options):
    done = run(tables(CLASS), *options)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_graders_read_their_own_columns(tmp_path):
    canvas, nbgrader = tmp_path / "canvas.csv", tmp_path / "scores.csv"
    assert run(tables(CLASS), "--canvas", canvas, "--nbgrader", nbgrader).returncode == 0
    possible, *rows = csv.DictReader(canvas.read_text().splitlines())
    assert (possible["Student"], possible["bench"]) == ("Points Possible", "20")
    # Where Canvas looks for them: row_has_student_headers? and header? of gradebook_importer.rb.
    assert [*possible] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "bench"]
    grades = {one["SIS Login ID"]: one["bench"] for one in rows}
    assert (grades["ana"], grades["leo"]) == ("15.0", "0.0")
    scores = {one["student_id"]: one for one in csv.DictReader(nbgrader.read_text().splitlines())}
    assert ",".join(scores["ana"]) == NBGRADER
    assert scores["ana"]["assignment"] == "energy"
    numbers = ("raw_score", "late_submission_penalty", "score", "max_score")
    assert [float(scores["ana"][key]) for key in numbers] == [15, 0, 15, 20]


def test_a_login_stays_as_it_is(tmp_path):
    rows = [{**CLASS[2], "guest": f"class/{one}/energy.c"} for one in ("-rui", "@eva", "=1+1(2)")]
    files = {
        "canvas": "SIS Login ID",
        "nbgrader": "student_id",
        "moodle": "username",
    }
    options = [word for one in files for word in (f"--{one}", tmp_path / one)]
    assert run(tables([*CLASS[:2], *rows]), *options).returncode == 0
    for file, heading in files.items():
        found = [one[heading] for one in csv.DictReader((tmp_path / file).read_text().splitlines())]
        assert found[-3:] == ["-rui", "@eva", "'=1+1(2)"]


# What CsvExportPlugin of nbgrader writes, in this order.
NBGRADER = "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,"
NBGRADER += "late_submission_penalty,score,max_score"


def test_an_import_leaves_alone_who_has_no_points_yet(tmp_path):
    """Moodle and Canvas replace a grade by an empty one."""
    moodle, canvas = tmp_path / "moodle.csv", tmp_path / "canvas.csv"
    done = run(tables(CLASS), "--moodle", moodle, "--canvas", canvas)
    assert done.returncode == 0
    for file, key, grade in (
        (moodle, "username", "grade"),
        (canvas, "SIS Login ID", "bench"),
    ):
        found = {one[key]: one[grade] for one in csv.DictReader(file.read_text().splitlines())}
        assert {"ana", "rui", "eva", "leo"} == {*found} - {""}
        assert all(found.values())
        line = f"{file}: has no line for those without points yet: kai, lia, joao, max\n"
        assert line in done.stderr


# The keys and types of Gradescope's Autograder Specifications: "Output format", "Leaderboards".
TEST_OF_GRADESCOPE = {
    "score": (int, float),
    "max_score": (int, float),
    "status": ("passed", "failed"),
    "name": str,
    "output": str,
    "visibility": ("hidden", "after_due_date", "after_published", "visible"),
}
GRADESCOPE = {
    "score": (int, float),
    "output": str,
    "output_format": ("text", "simple_format", "html", "md", "ansi"),
    "visibility": TEST_OF_GRADESCOPE["visibility"],
    "tests": [TEST_OF_GRADESCOPE],
    "leaderboard": [{"name": str, "value": (int, float, str), "order": ("asc", "desc")}],
}


def fits(value, shape):
    """Whether each key is known, and each value of its kind."""
    if isinstance(shape, dict):
        return value.keys() <= shape.keys() and all(fits(value[key], shape[key]) for key in value)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(one, shape[0]) for one in value)
    named = isinstance(shape, tuple) and isinstance(shape[0], str)
    return value in shape if named else isinstance(value, shape)


@pytest.mark.parametrize("language", LANGUAGES)
def test_gradescope_knows_each_key(tmp_path, language):
    run(tables(CLASS), "--gradescope", tmp_path, "--lang", language)
    written = [json.loads(path.read_text()) for path in tmp_path.rglob("results.json")]
    assert len(written) == 8
    for one in written:
        assert fits(one, GRADESCOPE), one
        assert "score" in one, "required where a test has none"
        assert not fits({**one, "leaderboard": {}}, GRADESCOPE)


@pytest.mark.parametrize("lacks", ["everything", "a table", "a column"])
def test_what_is_not_a_table_is_one_line(lacks):
    old = {key: value for key, value in CLASS[2].items() if key != "rank"}
    text = {"everything": "", "a table": "[]", "a column": tables([old])}[lacks]
    done = run(text)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--columns naive,rank" in done.stderr


def test_a_reader_that_has_seen_enough_is_no_fault():
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "w") as closed:
        done = run(tables(CLASS), stdout=closed, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, "")
