"""bench plot as it is called: files that are written, and one line where it cannot be."""

import os
import subprocess
import sys

import pytest
import synthetic
from some_pictures import REPOSITORY

import bench_hpc
from bench_hpc import own_python
from bench_hpc.pictures import picture
from bench_hpc.pictures.command import main
from bench_hpc.program import UsageError

PLOT = REPOSITORY / "scripts" / "plot.py"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refused(capsys, *arguments):
    """The one line that is said, with exit code 2 and nothing written."""
    before = sorted(os.listdir())
    assert main([str(one) for one in arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("bench plot: ")
    assert said.err.count("\n") == 1
    assert sorted(os.listdir()) == before
    return said.err


def test_one_picture(files, capsys):
    arguments = ["ladder", str(files["gpu"]), "--workload", "energy", "-o", "energy.svg"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == "energy.svg\n"
    assert os.listdir() == ["energy.svg"]


def test_everything(files, capsys):
    assert (
        main([str(files["gpu"]), "-o", "out", "--workload", "energy", "--format", "png,pdf"]) == 0
    )
    said = capsys.readouterr().out.splitlines()
    written = sorted(line for line in said if not line.startswith("not drawn: "))
    assert written == sorted(f"out/{name}" for name in os.listdir("out"))
    assert len(written) == 8
    reasons = [line for line in said if line.startswith("not drawn: ")]
    assert [line.split(":")[1].strip() for line in reasons] == ["nodes", "sweep", "scaling"]


def test_a_folder_with_other_files(files, capsys, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "gpu.json").write_bytes(files["gpu"].read_bytes())
    (tmp_path / "in" / "other.json").write_text("{}")
    assert main(["roofline", "in", "-o", "r.pdf"]) == 0
    assert "not drawn: in/other.json: is not a result file of bench" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("-o x.png", "arguments are required: FILE"),
        ("ladder {gpu}", "arguments are required: -o"),
        ("ladder -o x.png", "ladder: no result files given"),
        ("ladder none.json -o x.png", "none.json: cannot be read: No such file"),
        ("barchart {gpu} -o x", "barchart: cannot be read"),
        ("{gpu} -o x.png", "x.png: for all pictures give a folder (FOLDER/), or a kind first"),
        ("ladder {gpu} -o x.gif", "x.gif: the ending says the format, one of .png, .svg, .pdf"),
        ("{gpu} -o x --format gif", "--format gif: wanted some of png,svg,pdf"),
        ("ladder {gpu} -o x.png", "x.png: one file, but 4 pictures of this kind"),
        ("ladder {gpu} -o x.png --lang de", "--lang de: must be one of en, pt, es, fr"),
        (
            "ladder {gpu} -o x.png --workload energy --dtype f16",
            "--dtype f16: not in these result files; there is f32",
        ),
        (
            "ladder {gpu} -o x.png --workload enery",
            "--workload enery: not in these result files (did you mean energy?); there are ",
        ),
        (
            "ladder {gpu} -o x.png --workload energy --size 1e3",
            "--size 1e3: not in these result files; there are 10000000, ",
        ),
        ("ladder {gpu} -o x.png --node n9", "--node n9: not in these result files; there are vm"),
        (
            "ladder {gpu} -o x.png --workload energy --variant hip/*",
            "--variant energy/hip/*: not in these result files; there are energy/cuda/",
        ),
        (
            "ladder {gpu} -o x.png --baseline naive",
            "naive: not measured in these result files",
        ),
        (
            "ladder {gpu} -o x.png --baseline a/b --workload energy",
            "--baseline a/b: not measured in these result files; there are cuda/grid_stride, ",
        ),
        ("scaling {gpu} -o x.png", "scaling: nothing was measured with several numbers of threads"),
        ("sweep {gpu} -o x.png", "sweep: no workload was measured at several sizes"),
        (
            "roofline {sweep} -o x.png",
            "roofline: these rows have no % of copy",
        ),
        ("nodes {gpu} -o x.png", "nodes: all result files are of one node"),
        ("roofline {gpu} -o x.png --width-mm 10", "--width-mm 10: wanted 80 to 400"),
        ("roofline {gpu} -o x.png --width-mm wide", "invalid float value"),
        ("roofline {gpu} -o none/x.png", "none/x.png: cannot be written: No such file"),
        ("overview {gpu} -o x.png --theme sepia", "argument --theme: invalid choice: 'sepia'"),
        ("roofline {gpu} -o x.png --colour", "unrecognized arguments: --colour"),
    ],
)
def test_one_line_for_every_mistake(files, capsys, arguments, said):
    words = arguments.format(**files).split(" ")
    assert said in refused(capsys, *words)


def test_no_bench(files, capsys, monkeypatch, tmp_path):
    document = synthetic.only(synthetic.reference(), "energy")
    for node in ("a", "b"):
        synthetic.rename(document, node)
        synthetic.write(tmp_path, document, node)
    for value, said in (
        ("/no/bench", "/no/bench: cannot be run"),
        ("/bin/false", "/bin/false merge: ended with 1 and said nothing"),
        ("/bin/true", "/bin/true merge --format json gave no JSON"),
    ):
        monkeypatch.setenv("BENCH_BINARY", value)
        assert said in refused(capsys, "nodes", "a.json", "b.json", "-o", "x.png")
    monkeypatch.delenv("BENCH_BINARY")
    monkeypatch.setattr("bench_hpc.program.ROOT", tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "set BENCH_BINARY" in refused(capsys, "nodes", "a.json", "b.json", "-o", "x.png")


def test_a_target_is_whole_or_as_it_was(files, capsys, monkeypatch, tmp_path):
    target = tmp_path / "x.png"
    target.write_bytes(b"\x89PNG\r\nas it was")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(picture.os, "replace", full)
    said = refused(capsys, "roofline", files["gpu"], "-o", target)
    assert "cannot be written: No space left on device" in said
    assert target.read_bytes().endswith(b"as it was")
    assert os.listdir() == ["x.png"]


def test_help_has_the_form_of_the_program():
    done = subprocess.run(
        [sys.executable, PLOT, "--help"], capture_output=True, text=True, check=True
    )
    titles = [line.partition(":")[0] for line in done.stdout.splitlines() if line[:1].strip()]
    text = "Draws pictures of result files."
    assert titles == ["Usage", text, "Examples", "Options", "Exit codes"]
    assert "--baseline BACKEND/VARIANT" in done.stdout


def test_without_matplotlib():
    code = "import runpy, sys; sys.modules['matplotlib'] = None; del sys.argv[0]; "
    code += "runpy.run_path(sys.argv[0], run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code, PLOT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    remedy = own_python.REMEDY
    assert done.stderr == f"bench plot: matplotlib is not installed: {remedy}\n"


def test_an_unknown_kind_is_one_line_in_python():
    with pytest.raises(UsageError, match="must be one of nodes, overview, ladder"):
        bench_hpc.plot("run.json", kind="rooflin")
