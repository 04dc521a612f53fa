"""A file that is not a result file ends with one line, at once, and never with a traceback."""

import errno
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bench_hpc import documents, program
from bench_hpc.program import UsageError

ROOT = Path(__file__).resolve().parents[1]
RECORDED = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores" / "default.json"


def refused(path):
    with pytest.raises(UsageError) as refusal:
        documents.load([path])
    assert str(refusal.value).startswith(f"{path}: ")
    return str(refusal.value)


def test_pipes_and_devices_are_no_files(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    assert refused(tmp_path / "pipe.json").endswith("is not a file")
    assert refused(tmp_path / "zero.json").endswith("is not a file")
    assert "cannot be read" in refused(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"schema": "bench-report/1", "schema": "bench-report/1"}', "'schema' is there twice"),
        ('{"schema": "bench-report/1", "a": {"b": "\\ud800"}}', "is not JSON"),
        ('{"schema": "bench-report/1", "a": NaN}', "is not JSON"),
        ('{"schema": "bench-report/1"}\0garbage', "is not JSON"),
        ('{"schema": "bench-report/1"', "was it cut off"),
        ("[" * 100000, "nested too deeply"),
        ("[]", "is not a result file"),
    ],
)
def test_what_is_no_document_is_refused(tmp_path, text, why):
    path = tmp_path / "a.json"
    path.write_text(text)
    assert why in refused(path)


def test_pairs_of_halves_are_characters(tmp_path):
    path = changed(tmp_path / "a.json", "context", "run", "node", value="\U0001f600")
    assert "\\ud83d\\ude00" in path.read_text()
    assert documents.load([path])[0].node == "\U0001f600"


def changed(path, *keys, value):
    document = json.loads(RECORDED.read_text())
    at = document
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = value
    path.write_text(json.dumps(document))
    return path


SCRIPTS = {
    "report.py": lambda file, out: [file, "-o", out / "page.html"],
    "plot.py": lambda file, out: ["ladder", file, "-o", out],
}
SPOILED = {
    "context is a list": (("context",), []),
    "context is text": (("context",), "x"),
    "context is a number": (("context",), 7),
    "a number of 400 digits": (("cases", 0, "seconds", "median"), 10**400),
    "a seed of 400 digits": (("context", "run", "seed"), 10**400),
}


NEEDS = {"report.py": "jinja2", "lesson.py": "jinja2", "plot.py": "matplotlib"}


def run(script, arguments):
    package = NEEDS[script]
    pytest.importorskip(package, reason=f"{package} is not installed (scripts/setup.sh all)")
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("what", SPOILED)
def test_a_spoiled_document_is_one_line_and_left_out_of_a_folder(tmp_path, script, what):
    keys, value = SPOILED[what]
    (tmp_path / "in").mkdir()
    bad = changed(tmp_path / "in" / "bad.json", *keys, value=value)
    done = run(script, SCRIPTS[script](bad, tmp_path / "out"))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert str(bad) in done.stderr
    shutil.copy(RECORDED, tmp_path / "in")
    (tmp_path / "out").mkdir()
    arguments = SCRIPTS[script](tmp_path / "in", tmp_path / "out")
    done = run(script, [*arguments, *["--no-pictures"] * (script == "report.py")])
    assert done.returncode == 0, done.stderr
    assert str(bad) in done.stdout + done.stderr


def test_what_is_hidden_is_what_the_program_hides(tmp_path):
    marks = [0x7F, 0x9F, 0xA0, 0xAD, 0xAE, 0x61B, 0x61C, 0x180E, 0x200A, 0x200B, 0x200F, 0x2010]
    marks += [0x2027, 0x2028, 0x202E, 0x202F, 0x2060, 0x206F, 0x2070, 0xFEFF, 0xFFF9, 0xFFFC]
    marks += [0xE0001, 0xE007F, 0xE0100, 0x7, 0x41, 0x5D0]
    name = "|".join(map(chr, marks))
    path = changed(tmp_path / "a.json", "context", "run", "node", value=name)
    told = program.ask(["table", "--format", "json", "--filter", "energy", str(path)])
    assert told["runs"][0]["node"] == program.plain(name)


@pytest.mark.parametrize("script", SCRIPTS)
def test_odd_but_sound_documents_are_shown(tmp_path, script):
    path = changed(tmp_path / "a.json", "context", "machine", "cpu_model", value="x y" * 5000)
    document = json.loads(path.read_text())
    del document["context"]["slurm"]
    path.write_text(json.dumps(document))
    (tmp_path / "out").mkdir()
    done = run(script, SCRIPTS[script](path, tmp_path / "out"))
    assert done.returncode == 0, done.stderr


WRITERS = {  # those with a file, and with a folder
    "report.py": ["page.html"],
    "lesson.py": ["folder", "folder/energy.html"],
    "plot.py": ["roofline.png"],
}


@pytest.mark.parametrize("script", WRITERS)
def test_what_a_script_does_not_write_it_does_not_replace(tmp_path, script):
    output, target = tmp_path / WRITERS[script][0], tmp_path / WRITERS[script][-1]
    words = [*["roofline"] * (script == "plot.py"), RECORDED, "-o"]
    target.parent.mkdir(exist_ok=True)
    target.write_text(RECORDED.read_text())
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = run(script, [*words, output])
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert f"{target}: is there already, and is not " in done.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    target.unlink()
    os.mkfifo(target)
    done = run(script, [*words, output])
    assert done.returncode == 2
    assert f"{target}: is not a regular file" in done.stderr
    assert target.is_fifo()
    done = run(script, [*words, "-"])
    assert done.returncode == 2
    assert not Path("-").exists()


@pytest.mark.parametrize("arguments", [["{0}", "-o", "{0}"], ["-o", "{0}", str(RECORDED)]])
def test_a_document_is_no_place_for_a_page(tmp_path, arguments):
    path = tmp_path / "a.json"
    shutil.copy(RECORDED, path)
    assert run("report.py", [one.format(path) for one in arguments]).returncode == 2
    assert path.read_bytes() == RECORDED.read_bytes()


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, 1), (errno.EPIPE, 0)])
def test_a_stdout_that_takes_no_more_is_one_line(monkeypatch, capsys, number, code):
    class Full(io.StringIO):
        def flush(self):
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(sys, "stdout", Full())
    assert program.ended("x", lambda: print("said")) == code
    said = f"x: stdout: {os.strerror(number)}\n" if code else ""
    assert capsys.readouterr().err == said
