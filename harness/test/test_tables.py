"""`bench table` as a teacher calls it: every format, every language, files of several nodes."""
# CTest: release

import copy
import csv
import html.parser
import io
import json
import shutil
import subprocess

import pytest

from conftest import BENCH, QUICK, ROOT

RECORDED = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores"
HOSTILE = 'a_b & <c>,"=1+1'
LANGUAGES = ["en", "pt", "es", "fr"]


@pytest.fixture(scope="module")
def recorded():
    return json.loads((RECORDED / "default.json").read_text())


@pytest.fixture
def hostile(recorded, tmp_path):
    """A result file whose names try to be something else."""
    document = copy.deepcopy(recorded)
    document["context"]["run"]["node"] = HOSTILE
    document["context"]["machine"]["cpu_model"] = "\\input{/etc/passwd} $x_1$ 100 % 中"
    document["context"]["run"]["warnings"] = ["| ^ ~ # <script>alert(1)</script> `x` ''"]
    document["cases"][-1]["reason"] = "}\\end{tabular} & \\\\ # $"
    path = tmp_path / f"{HOSTILE}.json"
    path.write_text(json.dumps(document))
    return path.name


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_a_row_per_case_and_full_precision(bench, recorded):
    rows = rows_of(bench("table", RECORDED / "default.json", "--format", "csv").stdout)
    shown = [c for c in recorded["cases"] if ",beside=" not in c["name"]]
    measured = {c["name"]: c for c in shown if c["status"] == "measured"}
    assert len([r for r in rows if r["status"] == "measured"]) == len(measured)
    for row in rows:
        path = "/".join(row[key] for key in ("workload", "backend", "variant", "dtype", "size"))
        case = measured.get(f"{path}/{row['scope']}")
        if case:
            assert float(row["seconds"]) == case["seconds"]["median"]
            assert float(row["gb_per_s"]) == case["gb_per_s"]
        else:
            assert (row["seconds"], bool(row["reason"])) == ("", True)


def test_a_result_file_comes_through_a_pipe(bench):
    file = RECORDED / "default.json"
    tables = [
        subprocess.run(
            [BENCH, "table", name], input=file.read_bytes(), capture_output=True, check=False
        )
        for name in ("-", str(file))
    ]
    assert tables[0].returncode == 0, tables[0].stderr
    assert tables[0].stdout == tables[1].stdout
    cut = subprocess.run([BENCH, "table", "-"], input=b"{", capture_output=True, check=False)
    assert (cut.returncode, cut.stderr.count(b"\n")) == (2, 1)
    assert cut.stderr.startswith(b"bench: stdin: ends in the middle")


def test_ours_and_peers_and_two_dtypes_in_one_list(bench):
    files = [RECORDED / f"{name}.json" for name in ("default", "f64", "peers")]
    rows = rows_of(bench("table", *files, "--format", "csv", "--baseline", "numba/njit").stdout)
    energy = [r for r in rows if r["workload"] == "energy" and r["size"] == "10000000"]
    assert {r["backend"] for r in energy} >= {"serial", "openmp", "numpy", "numba"}
    assert {r["dtype"] for r in energy} == {"f32", "f64"}
    for row in energy:
        if row["speedup"]:
            assert row["dtype"] == "f32", "peers.json has no f64, and no ratio crosses precisions"
            assert row["baseline"].startswith("energy/numba/njit/f32/10000000/")
    (itself,) = (r for r in energy if (r["backend"], r["variant"]) == ("numba", "njit"))
    assert float(itself["speedup"]) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html", "csv", "json"])
def test_every_format_in_every_language(bench, language, form):
    result = bench("table", RECORDED / "default.json", "--format", form, "--lang", language)
    assert (result.returncode, result.stderr) == (0, "")
    assert "serial/naive" in result.stdout or form == "csv"
    if form == "text":
        assert max(map(len, result.stdout.splitlines())) <= 80


ALL_RECORDED = sorted((ROOT / "results" / "reference").glob("*/*/*.json"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", ["60", "80"])
@pytest.mark.parametrize("path", ALL_RECORDED, ids=lambda path: path.stem)
def test_the_last_lines_are_the_answer(bench, path, width, language):
    table = ["table", path, "--lang", language]
    answers = json.loads(bench(*table, "--format", "json").stdout)["answer"]
    text = bench(*table, COLUMNS=width).stdout
    last = text.rstrip().split("\n\n")[-1].splitlines()
    rows = last[-len(answers) :]
    for answer, row in zip(answers, rows, strict=True):
        assert answer["sentence"]
        assert answer["workload"] in row or answer["size"] in row
        best = answer["best_cpu"]
        # The figures of a GPU may take the room of its name.
        assert best is None or answer["gpu"] or best["variant"] in row
    assert max(map(len, last)) <= 80


def test_the_answer_needs_no_words(bench):
    (energy,) = (
        one
        for one in json.loads(bench("table", RECORDED / "default.json", "--format", "json").stdout)[
            "answer"
        ]
        if one["workload"] == "energy"
    )
    assert energy["baseline"]["variant"] == "serial/naive"
    best = energy["best_cpu"]
    assert best["over_baseline"]["value"] == pytest.approx(
        energy["baseline"]["seconds"] / best["seconds"]
    )
    assert best["over_baseline"]["ci95"][0] < best["over_baseline"]["value"]
    assert energy["limit"] == {
        "by": "memory",
        "of": "copy",
        "share": best["share_of_copy"],
        "ci95": energy["limit"]["ci95"],
    }
    assert energy["gpu"] is energy["gpu_with_transfers"] is energy["python"] is None


class Tags(html.parser.HTMLParser):
    """The names of all tags; those that need an end must have one."""

    def __init__(self):
        super().__init__()
        self.seen, self.open = set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_hostile_names_are_text_in_html(bench, hostile):
    page = bench("table", hostile, "--format", "html").stdout
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert tags.seen == {
        *("section", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "small")
    }
    assert "a_b &amp; &lt;c&gt;" in page


def test_hostile_names_stay_in_their_field_in_csv(bench, hostile):
    rows = rows_of(bench("table", hostile, "--format", "csv").stdout)
    assert {row["node"] for row in rows} == {HOSTILE}
    assert {row["file"] for row in rows} == {hostile}
    assert all(None not in row for row in rows)


def test_hostile_names_stay_in_their_cell_in_markdown(bench, hostile):
    text = bench("table", hostile, "--format", "markdown").stdout
    lines = text.split("fastest variants")[0].splitlines()
    tables = [line.replace("\\|", "") for line in lines if line.startswith("|")]
    assert {line.count("|") for line in tables} == {8}
    assert not any("<script>" in line for line in lines)


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_latex_compiles_as_it_is_and_inside_a_hand_out(bench, hostile, tmp_path, engine):
    if not shutil.which(engine):
        pytest.skip(f"{engine} is not installed")
    for name, options in {
        "whole": ["--lang", "pt"],
        "course": ["--preset", "course", "--lang", "fr", "--filter", "energy"],
        "columns": ["--columns", "interval,variant,node,file,cpu", "--lang", "es"],
    }.items():
        table = bench("table", hostile, "--format", "latex", *options)
        assert table.returncode == 0
        (tmp_path / f"{name}.tex").write_text(table.stdout)
    (tmp_path / "handout.tex").write_text(
        "\\documentclass[a4paper]{report}\n\\usepackage{booktabs}\n\\begin{document}\n"
        "Before.\n\\input{course}\nBetween.\n\\input{columns}\nAfter.\n\\end{document}\n"
    )
    for name in ("whole", "course", "columns", "handout"):
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
        assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
        assert (tmp_path / f"{name}.pdf").stat().st_size > 5000


def test_many_nodes_in_one_table(bench, recorded, tmp_path):
    for node in ("n1", "n2"):
        document = copy.deepcopy(recorded)
        document["context"]["run"]["node"] = node
        (tmp_path / f"{node}.json").write_text(json.dumps(document))
    result = bench(
        *("table", ".", "--columns", "node,variant,time,naive", "--filter", "energy/openmp"),
        *("--sort", "variant,node"),
    )
    assert result.returncode == 0, result.stderr
    table = result.stdout.split("\n\n")[1].splitlines()
    assert [line.split()[:2] for line in table[2:4]] == [
        ["n1", "openmp/naive"],
        ["n2", "openmp/naive"],
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lang", "de"], ["--lang de", "en, pt, es, fr"]),
        (["--format", "latx"], ["--format latx", "did you mean latex?"]),
        (["--preset", "school"], ["--preset school", "course"]),
        (["--columns", "time", "--preset", "course"], ["--columns and --preset", "leave one"]),
        (["--columns", "varient"], ["--columns varient", "did you mean variant?"]),
        (["--sort", "-tim"], ["--sort tim", "did you mean time?"]),
        (["--baseline", "openmp/tiles"], ["--baseline openmp/tiles", "not measured"]),
        (["--filter", "engery"], ["--filter engery", "not in these result files"]),
        (["--dtype", "f16"], ["--dtype f16", "there is f32"]),
        (["--columns", ""], ["--columns", "--columns needs a value: NAME"]),
        (["--sort", "time,,naive"], ["--sort", "between two commas"]),
    ],
)
def test_a_mistake_is_one_line_that_helps(bench, arguments, words):
    result = bench("table", RECORDED / "default.json", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    for word in words:
        assert word in result.stderr


def test_the_schema_beside_the_documents_is_none_of_them(bench, tmp_path):
    for name in ("schema.json", "a.json"):
        source = (
            ROOT / "results" / "schema.json" if name == "schema.json" else RECORDED / "f64.json"
        )
        (tmp_path / name).write_bytes(source.read_bytes())
    assert bench("table", "a.json", "schema.json").returncode == 0
    assert bench("table", ".").returncode == 0
    assert "is not a result file" in bench("table", "schema.json").stderr


def test_a_run_prints_in_the_language_too(bench):
    result = bench("copy/serial", *QUICK, "--lang", "pt")
    assert result.returncode == 0
    assert "variante" in result.stdout


def test_the_bound_is_a_column_and_its_shares_are_those_of_the_document(bench, tmp_path):
    """A run here: what the cores have for themselves may be unknown, or nothing."""
    written = tmp_path / "run.json"
    asked = ["energy", "--size", "1e6", "--backend", "serial", "--samples", "9"]
    run = bench(*asked, "--output", written)
    assert run.returncode == 0
    measured = json.loads(written.read_text())["cases"]
    cases = {one["variant"]: one for one in measured if one["workload"] == "energy"}
    shown = bench("table", written, "--columns", "variant,bound").stdout
    assert "It is at most 100" in " ".join(shown.split())
    lines = rows_of(bench("table", written, "--columns", "variant,bound", "--format", "csv").stdout)
    assert lines
    for line in lines:
        bound = cases[line["variant"]].get("bound")
        if bound is None:  # on a machine whose copies were too uneven for one
            assert (line["bound_by"], line["share_of_bound"]) == ("", "")
            continue
        assert bound["by"] == line["bound_by"]
        assert float(line["share_of_bound"]) == pytest.approx(bound["share"]["value"])
        assert bound["seconds"] == max(bound["memory_seconds"], bound["in_cache_seconds"] or 0)
    text = bench("table", written, "--columns", "variant,bound").stdout
    assert "bound: lower bound on the time" in " ".join(text.split())
