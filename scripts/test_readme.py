"""What README.md and docs/results/ show is what the recorded runs say."""

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
    check = subprocess.run([sys.executable, ROOT / "scripts" / "readme.py", "--check"], check=False)
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


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """What readme.py reads and writes, up to date, to be spoiled."""
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copytree(ROOT / "results", tmp_path / "results")
    (tmp_path / INDEX).parent.mkdir(parents=True)
    shutil.copy(ROOT / INDEX, tmp_path / INDEX)
    monkeypatch.setattr(readme, "THEMES", ())  # drawing takes seconds
    readme.main([], tmp_path)
    assert readme.main(["--check"], tmp_path) == 0
    return tmp_path


def substitute(path, pattern, new):
    text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"), count=1)
    assert count == 1
    path.write_text(text, encoding="utf-8")


def first_row(path):
    return next(line for line in path.read_text().splitlines() if line.startswith("| ["))


def copied(checkout, name="1.0.0/other/run.json", document=None):
    """One more recorded run."""
    path = checkout / "results" / "reference" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document) if document else RECORDED[0].read_text())
    return path


TABLES, INDEX = "README.md", readme.INDEX_PAGE
WITHOUT_PICTURES = (
    ""
    if importlib.util.find_spec("matplotlib")
    else "no matplotlib: the pictures stay as they are\n"
)


@pytest.mark.parametrize(
    ("stale", "spoil"),
    [
        (TABLES, lambda root: substitute(root / TABLES, r"(serial/simd +)\d", r"\g<1>0")),
        (INDEX, lambda root: substitute(root / INDEX, r"energy \d", "energy 0")),
        (INDEX, lambda root: substitute(root / INDEX, r"\| \[.*\n", "")),
        (INDEX, copied),
        (INDEX, lambda root: (root / "results/reference/1.0.0/epyc-vm-2cores/peers.json").unlink()),
    ],
    ids=["a figure of the table", "a figure of the index", "a row", "a new run", "a run removed"],
)
def test_what_is_stale_is_named_and_mended(checkout, capsys, stale, spoil):
    spoil(checkout)
    before = (checkout / stale).read_text()
    assert readme.main(["--check"], checkout) == 1
    said = capsys.readouterr().err
    assert said == f"{stale} is stale: run scripts/readme.py\n" + WITHOUT_PICTURES
    assert (checkout / stale).read_text() == before, "--check changes nothing"
    assert readme.main([], checkout) == 0
    assert readme.main(["--check"], checkout) == 0


def test_the_index_says_what_the_document_says(checkout):
    document = json.loads(NAMED.read_text())
    rows = (checkout / INDEX).read_text().splitlines()
    row = next(row for row in rows if row.startswith("| [1.0.0/epyc-vm-2cores/default.json]"))
    best = max(
        s["over_serial"]["value"]
        for s, c in zip(document["speedups"], document["cases"])
        if s["workload"] == "energy" and s["over_serial"] and ",beside=" not in s["name"]
    )
    assert f"energy {best:.0f}" in row
    assert document["context"]["build"]["revision"][:7] in row
    assert document["context"]["machine"]["cpu_model"] in row
    assert " ".join(document["context"]["run"]["argv"]) in row


def with_gpu(workload):
    return synthetic.only(synthetic.with_gpu(), workload, beside=False)


def highest(document, key, *names):
    """The largest ratio of rows whose names begin so."""
    rows = [one for one in document["speedups"] if one["name"].startswith(names)]
    return max(one[key]["value"] for one in rows if one[key])


def test_a_gpu_that_wins_is_shown_over_the_best_cpu_variant_too(checkout):
    document = with_gpu("energy")
    copied(checkout, "0.0.1/a/gpu.json", document)
    readme.main([], checkout)
    row = first_row(checkout / INDEX)
    assert "cpus; Synthetic GPU |" in row
    plain, best = (
        highest(document, key, "energy/cuda") for key in ("over_serial", "over_best_cpu")
    )
    assert f"energy {plain:.0f}× ({best:.2f}× the best CPU variant)" in row  # noqa: RUF001
    assert row.count("best CPU variant") == 1


def test_transfers_libraries_and_references_beside_are_not_ours(checkout):
    document = synthetic.with_gpu()
    ours, library = (
        highest(document, "over_serial", f"copy/cuda/{one}/f32/10000000/kernel")
        for one in ("wide", "library")
    )
    assert ours < library
    copied(checkout, "0.0.1/a/gpu.json", document)
    readme.main([], checkout)
    row = first_row(checkout / INDEX)
    assert f"copy {ours:.2f}×" in row  # noqa: RUF001
    assert not {"read", "add"} & set(re.findall(r"(\w+) [\d.]+×", row))  # noqa: RUF001


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

    good = first_row(checkout / INDEX)
    copied(checkout, "0.0.1/a|`b/c d.json", document)
    readme.main([], checkout)
    assert readme.main(["--check"], checkout) == 0, "the markers are still found"
    text = (checkout / INDEX).read_text()
    row = first_row(checkout / INDEX)
    assert len(cells(row)) == len(cells(good)) == 6
    assert row.isprintable()
    # Outside of code, every backtick and angle bracket has a backslash, or is our own line break.
    name, machine, date, revision, command, results = cells(row)
    for cell in (name, machine, date, revision, results.replace("<br>", "")):
        assert not re.search(r"(?<!\\)(\\\\)*[`<]", cell), cell
    fence = re.match("`+", command)[0]
    assert command.startswith(f"{fence}bench ")
    assert command.endswith(fence)
    assert fence not in command[len(fence) : -len(fence)]
    assert good in text, "the other rows are as before"


def test_a_readme_without_markers_is_refused(checkout):
    (checkout / INDEX).write_text("nothing\n")
    with pytest.raises(SystemExit, match=r"docs/results/index\.md: .*markers"):
        readme.main([], checkout)


def test_a_foreign_file_is_named(checkout):
    copied(checkout, "1.0.0/a/foreign.json", {"context": {}})
    with pytest.raises(SystemExit, match=r"a/foreign\.json"):
        readme.main([], checkout)
