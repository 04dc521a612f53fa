"""What README.md and docs/results/ show is what the recorded runs say."""
# CTest: full

import csv
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys

import jsonschema
import pytest
import quoted
import readme
import synthetic

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECORDED = sorted((ROOT / "results" / "reference").glob("*/*/*.json"))
CUT_H100 = {"default.json", "gpu-f32.json", "gpu-f64.json", "sweep.json"}
# By the deadline of its round; it says so itself.
CUT = {"h200/1-gpu-thin.json", *(f"h100/{name}" for name in CUT_H100)}


def name_of(path):
    return f"{path.parent.name}/{path.name}"


def test_readme_and_index_are_current():
    check = subprocess.run([sys.executable, ROOT / "dev" / "readme.py", "--check"], check=False)
    assert check.returncode == 0


@pytest.mark.parametrize("path", RECORDED, ids=name_of)
def test_recorded_runs_are_valid(path):
    document = json.loads(path.read_text())
    jsonschema.validate(document, json.loads((ROOT / "results" / "schema.json").read_text()))
    assert document["context"]["run"]["finished"] is (name_of(path) not in CUT)
    assert all(case["status"] != "failed" for case in document["cases"])


def test_there_is_a_recorded_run():
    assert RECORDED


# In those lines.
NAMED = ROOT / "results" / "reference" / "1.0.0" / "epyc-vm-2cores" / "default.json"


PAGE = (ROOT / "docs" / "teacher" / "hand-out.md").read_text(encoding="utf-8")


def documented(word):
    """The one line of the page that has the word."""
    (line,) = (line for line in PAGE.splitlines() if word in line)
    return line.removeprefix("$ ")


def test_the_line_for_pandas_gives_the_rows_of_the_tables(monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(ROOT)
    names = {}
    exec(documented("pandas.json_normalize"), names)
    rows = names["rows"].set_index("name")
    expected = json.loads(NAMED.read_text())["speedups"]
    assert list(rows.index) == [one["name"] for one in expected]
    one = next(one for one in expected if one["name"].startswith("energy/openmp/simd"))
    assert rows.loc[one["name"], "over_serial.value"] == one["over_serial"]["value"]
    assert rows.loc[one["name"], "seconds"] == one["seconds"]


@pytest.mark.skipif(not shutil.which("jq"), reason="no jq on this machine")
def test_the_line_for_jq_gives_a_row_for_each_case():
    out = subprocess.run(
        ["bash", "-c", documented("jq -r")], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    rows = list(csv.reader(out.splitlines()))
    expected = json.loads(NAMED.read_text())["speedups"]
    assert [row[0] for row in rows] == [one["name"] for one in expected]
    assert float(rows[0][1]) == expected[0]["seconds"]


PAGES = ("README.md", readme.INDEX_PAGE, readme.VERSIONS_PAGE, "docs/student/read-a-table.md")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """What readme.py reads and writes, up to date, to be spoiled."""
    for name in PAGES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "results", tmp_path / "results")
    (tmp_path / "course").mkdir()
    shutil.copy(ROOT / "course" / "class.json", tmp_path / "course")
    monkeypatch.setattr(readme, "THEMES", ())  # drawing takes seconds
    readme.main([], tmp_path)
    assert readme.main(["--check"], tmp_path) == 0
    return tmp_path


def substitute(path, pattern, new):
    text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"), count=1)
    assert count == 1
    path.write_text(text, encoding="utf-8")


def row_of(checkout, workload, machine="a"):
    """The row of a workload in the table of the runs in results/reference/0.0.1/MACHINE."""
    _, table = (checkout / INDEX).read_text().split(f"## 0.0.1/{machine}")
    return next(line for line in table.splitlines() if line.startswith(f"| {workload} "))


def copied(checkout, name="1.0.0/other/run.json", document=None):
    """One more recorded run."""
    path = checkout / "results" / "reference" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document) if document else RECORDED[0].read_text())
    return path


TABLES, INDEX, VERSIONS, QUOTING = PAGES
WITHOUT_PICTURES = (
    ""
    if importlib.util.find_spec("matplotlib")
    else "no matplotlib: the pictures stay as they are\n"
)
PEERS = "results/reference/1.0.0/epyc-vm-2cores/peers.json"


@pytest.mark.parametrize(
    ("stale", "spoil"),
    [
        ({TABLES}, lambda root: substitute(root / TABLES, r"(serial/simd +)\d", r"\g<1>0")),
        ({QUOTING}, lambda root: substitute(root / QUOTING, r"(the GPU wins .*?)\d", r"\g<1>x")),
        ({INDEX}, lambda root: substitute(root / INDEX, r"\| energy f32 \d", "| energy f32 x")),
        ({INDEX}, lambda root: substitute(root / INDEX, r"\| energy .*\n", "")),
        ({VERSIONS}, lambda root: substitute(root / VERSIONS, r"\n- several sockets", "")),
        ({INDEX, VERSIONS}, copied),
        ({INDEX, VERSIONS}, lambda root: (root / PEERS).unlink()),
    ],
    ids=["a table", "a line", "a size", "a row", "the status", "a new run", "a run removed"],
)
def test_what_is_stale_is_named_and_mended(checkout, capsys, stale, spoil):
    spoil(checkout)
    before = {name: (checkout / name).read_text() for name in PAGES}
    assert readme.main(["--check"], checkout) == 1
    said = capsys.readouterr().err.replace(WITHOUT_PICTURES or "\0", "")
    assert {*said.splitlines()} == {f"{one} is stale: run dev/readme.py" for one in stale}
    assert {name: (checkout / name).read_text() for name in PAGES} == before
    assert readme.main([], checkout) == 0
    assert readme.main(["--check"], checkout) == 0


def test_a_figure_that_no_run_has_is_named(checkout, capsys):
    substitute(checkout / QUOTING, r"`2\.634 ms`", "`2.734 ms`")
    assert readme.main([], checkout) == 1
    said = capsys.readouterr().err
    line = (checkout / QUOTING).read_text().partition("2.734")[0].count("\n") + 1
    assert f"{QUOTING}:{line}: 2.734 is not in the output" in said


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it takes 41.22 ms, or 41 ms", []),
        ("at 62 % of 3.07 TB/s, 0.41 GB/s", ["0.41"]),
        ("f32 on an H100, v1.0.0, 2 threads, `x-86`", []),
        ("10 600 elements, 10 700 not", ["10 700"]),
    ],
)
def test_figures_are_found_where_the_program_prints_them(tmp_path, text, found):
    printed = "echo 41.22 0.62 3071 10600"
    page = f"<!-- figures: {printed} -->\n{text}\n"
    assert [figure for _, figure in quoted.unfounded(page, tmp_path)] == found


def test_a_status_is_open_until_a_run_has_it(checkout):
    def status():
        return (checkout / VERSIONS).read_text().partition("Not among the recorded runs yet:")[2]

    assert "several sockets" in status()
    document = json.loads(NAMED.read_text())
    document["context"]["machine"]["sockets"] = 2
    copied(checkout, document=document)
    readme.main([], checkout)
    assert "several sockets" not in status()


def test_the_index_says_what_the_document_says(checkout):
    document = json.loads(NAMED.read_text())
    copied(checkout, "0.0.1/a/default.json", document)
    readme.main([], checkout)
    row = row_of(checkout, "energy f32")
    best = max(
        s["over_serial"]["value"]
        for s in document["speedups"]
        if s["workload"] == "energy" and s["over_serial"] and ",beside=" not in s["name"]
    )
    assert f"({best:.2f}×)" in row  # noqa: RUF001
    text = (checkout / INDEX).read_text()
    assert document["context"]["build"]["revision"][:7] in text
    assert document["context"]["machine"]["cpu_model"] in text
    assert " ".join(document["context"]["run"]["argv"]) in text


def fastest(document, scope):
    """The variant of the least time among the CUDA variants of bench."""
    rows = zip(document["cases"], document["speedups"])
    ours = [one for one in rows if one[0]["scope"] == scope and not one[0]["library"]]
    measured = [case for case, _ in ours if case["seconds"] and case["backend"] == "cuda"]
    return min(measured, key=lambda case: case["seconds"]["median"])["variant"]


def test_a_gpu_has_its_kernel_and_its_transfers_without_libraries(checkout):
    document = synthetic.only(synthetic.with_gpu(), "copy", beside=False)
    copied(checkout, "0.0.1/a/gpu.json", document)
    readme.main([], checkout)
    _, cpu, kernel, moved, file = cells(row_of(checkout, "copy f32"))
    assert cpu.startswith(("openmp/", "serial/"))
    assert kernel.startswith(f"cuda/{fastest(document, 'kernel')} ".replace("_", r"\_"))
    assert moved.startswith(f"cuda/{fastest(document, 'end_to_end')} ".replace("_", r"\_"))
    assert "gpu.json" in file
    assert "Synthetic GPU" in (checkout / INDEX).read_text()


def cells(row):
    """The cells of a row as GitHub splits it: at pipes that no backslash precedes."""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def test_hostile_strings_do_not_break_the_index(checkout):
    hostile = "a|b `c` ``d\n<!-- index end -->\n| e | <script> [x](y) *z* \x1b \\"

    document = synthetic.only(synthetic.reference(), "energy", beside=False)
    document["context"]["machine"]["cpu_model"] = hostile
    document["context"]["run"]["argv"] = ["bench", hostile, "`"]
    document["context"]["build"]["revision"] = "|`|`|"
    for one in document["cases"] + document["speedups"]:
        for key in ("workload", "name"):
            one[key] = "w|`" + one[key]
    for one in document["speedups"]:
        one["over_best_cpu"] = None

    good = (checkout / INDEX).read_text().partition("## 1.0.0/epyc")[2]
    copied(checkout, "0.0.1/a|`b/c d.json", document)
    readme.main([], checkout)
    assert readme.main(["--check"], checkout) == 0, "the markers are still found"
    text = (checkout / INDEX).read_text()
    assert good in text, "the other tables are as before"
    heading, _, _, row, *_, command = (
        line for line in text.partition("## 0.0.1")[2].partition("\n## ")[0].splitlines() if line
    )
    assert len(cells(row)) == 5
    for line in (heading, row, command):
        assert line.isprintable()
    # Outside of code, every backtick and angle bracket has a backslash.
    about, _, typed = command.partition("): ")
    for cell in (heading, *cells(row), about):
        assert not re.search(r"(?<!\\)(\\\\)*[`<]", cell), cell
    fence = re.match("`+", typed)[0]
    assert typed.startswith(f"{fence}bench ")
    assert typed.endswith(fence)
    assert fence not in typed[len(fence) : -len(fence)]


def test_a_readme_without_markers_is_refused(checkout):
    (checkout / INDEX).write_text("nothing\n")
    with pytest.raises(SystemExit, match=r"docs/results/index\.md: .*markers"):
        readme.main([], checkout)


def test_a_foreign_file_is_named(checkout):
    copied(checkout, "1.0.0/a/foreign.json", {"context": {}})
    with pytest.raises(SystemExit, match=r"a/foreign\.json"):
        readme.main([], checkout)


def test_the_front_page_is_short():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert len(text.split()) <= 1400
