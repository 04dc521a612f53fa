"""%bench and %%bench: a cell is verified and measured; and the course's notebook runs with them."""
# CTest: full

import os
import pathlib
import re
import subprocess
import sys

import nbclient
import nbformat
import pytest
from bench_hpc.notebook import ENDINGS, language_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "examples" / "course.ipynb"
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
FILES = [
    *(ROOT / "kernels").glob("*/starter.*"),
    *(ROOT / "examples").glob("energy.*"),
    *(ROOT / "examples" / "class").iterdir(),
]
# What is C and C++ at the same time is compiled as C.
BOTH = {"c++": {"c", "c++"}}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_language_of_a_cell_is_told_by_its_words(file):
    language = next(name for name, ending in ENDINGS.items() if ending == file.suffix)
    assert language_of(file.read_text()) in BOTH.get(language, {language})


@pytest.mark.parametrize(
    ("cell", "language"),
    [
        ("/* The loop\nfrom x, to y: @x */\nvoid f() {}", "c"),
        ("// one loop using restrict, with auto <<<\nvoid f() {}", "c"),
        ("# calls kernel<<<blocks, threads>>>\nimport bench\n", "python"),
        ('def f():\n    """As k<<<1, 2>>> would."""\n', "python"),
        ('extern "C" void f() {}', "c++"),
        ("# include <vector>\n", "c++"),
    ],
)
def test_a_comment_does_not_decide(cell, language):
    assert language_of(cell) == language


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """Runs the cells of a notebook: their outputs. Nothing is written outside of the folder."""
    for name in ("HOME", "TMPDIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("BENCH_BINARY", BENCH)
    monkeypatch.setenv("BENCH_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "scripts"))

    def run(notebook, **options):
        folder = {"metadata": {"path": str(tmp_path)}}
        nbclient.NotebookClient(notebook, timeout=600, resources=folder, **options).execute()
        return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]

    return run


def cells(*sources):
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(one) for one in ("%load_ext bench_hpc", *sources)]
    return notebook


def text(outputs, kind="text/plain"):
    """What is below a cell, as one of its representations."""
    found = [one.get("text") or one.get("data", {}).get(kind, "") for one in outputs]
    return "".join(found + [f"{one.ename}: {one.evalue}" for one in outputs if "ename" in one])


SHORT = "--size 1000 --max-time 0.05"
RIGHT = "void energy_f32(const float* x, float* e, size_t n) { for (size_t i = 0; i < n; ++i) "
RIGHT += "e[i] = sinf(x[i]) * sinf(x[i]) + sqrtf(fabsf(x[i])) + expf(-x[i] * x[i] / 50); }"
HEAD = "#include <math.h>\n#include <stddef.h>\n"


def test_a_cell_stands_among_the_variants(execute):
    _, outputs = execute(cells(f"%%bench energy/serial/naive {SHORT}\n{HEAD}{RIGHT}"))
    page = text(outputs, "text/html")
    assert 'class="bench-hpc"' in page
    assert "guest/cell" in page
    assert page.count('<svg class="bar"') >= 2, "the ladder is drawn"
    assert re.search(r"guest/cell +\d", text(outputs)), "the same as text"


def test_what_makes_a_cell_slow_is_shown_once(execute):
    """The line that a sentence names, and what the compiler warns of."""
    cell = HEAD + RIGHT.replace("{ for", "{ int unused;\nfor")
    _, outputs = execute(cells(f"%%bench energy/serial {SHORT}\n{cell}"))
    page = text(outputs, "text/html")
    assert page.count("unused variable") == 1
    assert page.count("<pre>5: for (size_t i = 0;") == 1


def test_a_wrong_cell_has_its_reason_and_its_line(execute):
    short = RIGHT.replace("i < n", "i + 1 < n")
    beyond = RIGHT.replace("sqrtf(", "/* <b> */ 0 * x[i + 1000000000] + sqrtf(")
    _, first, second, third = execute(
        cells(
            *(f"%%bench energy/serial/naive {SHORT}\n{HEAD}{one}" for one in (short, beyond)),
            f"%%bench energy/serial/naive {SHORT}\n{HEAD}\n{RIGHT[:-1]}",
        ),
        allow_errors=True,
    )
    assert "left out 1 of" in text(first, "text/html")
    page = text(second, "text/html")
    assert "<pre>4: void energy_f32" in page, "its number in an editor"
    assert "<b>" not in page, "nothing of a cell is markup"
    assert re.match(r"UsageError: cell\.c: does not compile: cell\.c:5:\d+: error", text(third))
    assert text(third).splitlines()[1].startswith("5: void energy_f32")
    assert "taken for c: --language" in text(third)


def test_the_line_that_an_interpreter_names_is_shown(execute):
    wrong = "import bench\n\n@bench.variant('energy')\ndef f(x, out):\n    out[:] = nothing(x)\n"
    _, outputs = execute(cells(f"%%bench energy/serial/naive {SHORT}\n{wrong}"))
    assert "<pre>6:     out[:] = nothing(x)</pre>" in text(outputs, "text/html")


@pytest.mark.parametrize(
    ("cell", "said"),
    [(HEAD + RIGHT[:-1], "does not compile"), ("void no(void) {}", "exports no"), ("\n", "empty")],
)
def test_a_grader_reads_why_a_cell_cannot_be_used(execute, cell, said):
    graded = f"%%bench energy --graded {SHORT} --output e.json\n{cell}\n"
    read = "row = __import__('bench_hpc').read('e.json').query('guest.notna()').iloc[0]\n"
    read += "assert row['status'] == 'measured', row['reason']"
    _, table, outputs = execute(cells(graded, read), allow_errors=True)
    assert "guest/cell" in text(table, "text/html")
    assert text(outputs).startswith("AssertionError: ")
    assert said in text(outputs)


def test_a_cell_replaces_its_own_result(execute):
    """A cell that does not compile has none: a grader would read the one before."""
    there = "__import__('os').path.exists('e.json')"
    line = f"%%bench energy/serial/naive {SHORT} --output e.json\n{HEAD}"
    cells_of = (line + RIGHT, line + RIGHT, there, line + RIGHT[:-1], there)
    _, _, again, kept, _, gone = execute(cells(*cells_of), allow_errors=True)
    assert "guest/cell" in text(again, "text/html")
    assert (text(kept), text(gone)) == ("True", "False")
    foreign = "open('e.json', 'w').write('mine')"
    *_, refused, left = execute(
        cells(foreign, line + RIGHT, "open('e.json').read()"), allow_errors=True
    )
    assert "e.json exists already" in text(refused)
    assert text(left) == "'mine'"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("energyy", "UsageError: no variant matches 'energyy' (nearest name: energy)"),
        ("energy --sise 5", "unknown option '--sise'"),
        ("energy --language pascal", "invalid choice: 'pascal'"),
        ("energy 'x", "No closing quotation"),
    ],
)
def test_a_line_that_cannot_be_is_one_sentence(execute, line, said):
    _, outputs = execute(cells(f"%%bench {line}\n{HEAD}{RIGHT}"), allow_errors=True)
    assert said in text(outputs)
    assert "Traceback" not in text(outputs)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("list --bogus", "UsageError: unknown option '--bogus'"),
        ("energy --help", "Usage: bench"),
        ("energy/serial/naive --size 1000 --dry-run", "energy f32 1000: 3 cases"),
    ],
)
def test_a_line_says_what_the_command_says(execute, line, said):
    _, outputs = execute(cells(f"%bench {line}"), allow_errors=True)
    assert said in text(outputs)


def test_any_command_has_a_line(execute):
    _, listed, run, table = execute(
        cells(
            "%bench list energy",
            f"%bench energy/serial/naive {SHORT} --output run.json",
            "%bench table run.json",
        )
    )
    assert "sin(x)" in text(listed) or "sin" in text(listed)
    for outputs in (run, table):
        assert "serial/naive" in text(outputs, "text/html")


def test_a_table_in_another_format_is_text(execute):
    run = f"%bench energy/serial/naive {SHORT} --output run.json"
    _, _, table, none = execute(
        cells(run, "%bench table run.json --format csv", "%bench table none.json"),
        allow_errors=True,
    )
    assert text(table).startswith("node,workload,")
    assert "Error" not in text(table)
    assert text(none).startswith("UsageError: none.json: cannot be read")


def test_the_language_may_be_chosen_later(execute):
    run = f"%bench energy/serial/naive {SHORT}"
    *_, outputs = execute(cells("%env BENCH_LANG=fr", run))
    assert "cache froid" in text(outputs)


INTERRUPTED = """
import _thread, threading
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "bench_hpc")
threading.Timer(6, _thread.interrupt_main).start()
shell.run_cell("%bench energy histogram --size 1e7 --min-time 30 --max-time 60 --output run.json")
shell.run_cell("print(len(__import__('bench_hpc').read('run.json')), 'rows')")
"""


def test_an_interruption_keeps_what_was_measured(tmp_path):
    environment = {
        "BENCH_BINARY": BENCH,
        "PYTHONPATH": str(ROOT / "scripts"),
        "HOME": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        cwd=tmp_path,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert re.search(r"^\d+ rows$", done.stdout, re.M), done.stdout + done.stderr


def test_the_notebook_is_stored_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_every_cell_of_the_notebook_runs(execute, monkeypatch):
    monkeypatch.setenv("COURSE_SIZE", "20000")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    execute(notebook)
    pages = {one.id: text(one.outputs, "text/html") for one in notebook.cells if "outputs" in one}
    for name in ("loop", "numpy", "numba", "c"):
        assert "guest/cell" in pages[name], name
        assert "skipped" not in pages[name], pages[name]
    assert "left out 1 of 20000" in pages["wrong"]
    assert "guest/cell" in pages["cuda"]
    for variant in ("serial/naive", "openmp/simd", "numpy/", "numba/", "python/"):
        assert variant in pages["all"]
    shown = {one.id: one.outputs for one in notebook.cells if "outputs" in one}
    assert "serial" in text(shown["frame"])
    assert "<svg" in text(shown["picture"], "image/svg+xml")
