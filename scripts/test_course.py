"""The notebook: stored without outputs, and every cell of it runs."""

import pathlib

import nbclient
import nbformat
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "scripts" / "course.ipynb"


@pytest.fixture
def notebook():
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """Runs every cell at a small size; nothing is written outside of the test's folder."""
    monkeypatch.setenv("COURSE_ELEMENTS", "20000")
    for name in ("HOME", "TMPDIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path))

    def run(notebook):
        folder = {"metadata": {"path": str(NOTEBOOK.parent)}}
        nbclient.NotebookClient(notebook, timeout=300, resources=folder).execute()
        return {cell.id: output(cell) for cell in notebook.cells if cell.cell_type == "code"}

    return run


def output(cell):
    """What is below a cell."""
    texts = (one.get("text") or one["data"]["text/plain"] for one in cell.outputs)
    return "".join(texts)


def cell_of(notebook, name):
    return next(cell for cell in notebook.cells if cell.id == name)


def test_it_is_stored_without_outputs(notebook):
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_every_cell_runs_and_the_table_is_complete(notebook, execute):
    outputs = execute(notebook)
    for kind in ("Python loop", "NumPy", "Numba", "Numba, all cores"):
        assert f"{kind}: differs from C++ by" in outputs["agree"]
        assert f"{kind} " in outputs["table"]
    for kind in ("C++, naive loop", "C++, one core", "C++ with OpenMP, all cores"):
        assert f"{kind} " in outputs["table"]
    assert "NaN" not in outputs["table"], "what was not measured is left out"
    assert "energy/cuda/" in outputs["measure"], "and has its reason above"
    assert "serial/naive" in outputs["words"]


def test_the_numbers_are_those_of_bench(notebook, execute):
    cell_of(notebook, "inputs").source += "\nx += 1\n"
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="computes something else"):
        execute(notebook)
