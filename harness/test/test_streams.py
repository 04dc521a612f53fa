"""Standard streams that are closed or full, foreign variables, files that others have prepared."""

import json
import os
import stat
import subprocess

import pytest

from conftest import BENCH, QUICK

RUN = [BENCH, "copy", *QUICK, "--no-progress", "--output", "f.json"]


def shell(tmp_path, line, **environment):
    """Runs a line of bash; $@ is a quick run of bench that writes f.json."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "BENCH_"))}
    return subprocess.run(
        ["bash", "-c", line, "bash", *RUN],
        cwd=tmp_path,
        env={**env, "OMP_WAIT_POLICY": "passive", **environment},
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("streams", [">&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-", "2>&-"])
def test_a_closed_stream_is_no_place_for_the_table(tmp_path, streams):
    result = shell(tmp_path, f'"$@" {streams}')
    document = json.loads((tmp_path / "f.json").read_text())
    assert document["context"]["run"]["finished"] is True
    # What nobody could read has not been printed.
    assert result.returncode == (1 if ">&-" in streams.replace("2>&-", "") else 0)
    resumed = shell(tmp_path, f'"$1" --resume f.json {streams}')
    assert json.loads((tmp_path / "f.json").read_text()) == document
    assert resumed.returncode == result.returncode


def test_a_stderr_that_cannot_be_written_ends_nothing(tmp_path):
    assert shell(tmp_path, '"$1" table nofile 2>/dev/full').returncode == 2
    assert shell(tmp_path, '"$@" 2>/dev/full').returncode == 0
    assert shell(tmp_path, '"$1" --resume f.json 2>/dev/full').returncode == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BENCHMARK_FORMAT", "zzz"),
        ("BENCHMARK_OUT_FORMAT", "zzz"),
        ("BENCHMARK_TIME_UNIT", "zzz"),
        ("BENCHMARK_MIN_WARMUP_TIME", "0.001"),
        ("BENCHMARK_FILTER", "nothing"),
    ],
)
def test_variables_of_the_engine_change_nothing(tmp_path, name, value):
    result = shell(tmp_path, '"$@"', **{name: value})
    assert result.returncode == 0, result.stderr
    document = json.loads((tmp_path / "f.json").read_text())
    assert document["context"]["run"]["finished"] is True
    assert any(case["status"] == "measured" for case in document["cases"])


def test_a_file_that_may_not_grow_is_an_error_and_no_signal(tmp_path):
    result = shell(tmp_path, 'ulimit -f 8; TMPDIR=/nowhere "$@"')
    assert result.returncode in (1, 2)
    assert "File too large" in result.stderr
    assert not list(tmp_path.glob(".*"))


def test_a_name_that_is_too_long_is_refused_in_one_line(tmp_path):
    result = shell(tmp_path, '"$1" copy --size tiny --output ' + "x" * 300)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert "File name too long" in result.stderr


def test_a_prepared_link_leads_nowhere(tmp_path):
    (tmp_path / "foreign").write_text("foreign")
    for pid in range(20):
        (tmp_path / f".f.json.{os.getpid() + pid}.tmp").symlink_to("foreign")
    assert shell(tmp_path, '"$@"').returncode == 0
    assert shell(tmp_path, '"$1" verify copy/serial/naive --output-npy x.npy').returncode == 0
    assert (tmp_path / "foreign").read_text() == "foreign"


def test_a_resumed_document_keeps_its_mode_and_the_link_to_it(tmp_path):
    assert shell(tmp_path, '"$@"').returncode == 0
    document = json.loads((tmp_path / "f.json").read_text())
    document["context"]["run"]["finished"] = False
    (tmp_path / "f.json").write_text(json.dumps(document))
    (tmp_path / "f.json").chmod(0o600)
    (tmp_path / "link.json").symlink_to("f.json")
    assert shell(tmp_path, '"$1" --resume link.json').returncode == 0
    assert (tmp_path / "link.json").is_symlink()
    document = json.loads((tmp_path / "f.json").read_text())
    assert len(document["context"]["run"]["resumed"]) == 1
    assert stat.S_IMODE((tmp_path / "f.json").stat().st_mode) == 0o600


def test_a_document_with_half_a_group_is_not_gone_on_with(tmp_path):
    assert shell(tmp_path, '"$@"').returncode == 0
    document = json.loads((tmp_path / "f.json").read_text())
    names = {document["cases"].pop()["name"]}
    document["speedups"].pop()
    document["benchmarks"] = [row for row in document["benchmarks"] if row["name"] not in names]
    (tmp_path / "f.json").write_text(json.dumps(document))
    result = shell(tmp_path, '"$1" --resume f.json')
    assert result.returncode == 2
    assert "holds a part of" in result.stderr


@pytest.mark.parametrize("name", ["\x1b]0;pwn\x07", "a\u202eb", "a\u200bb", "\ufeff", "a\udcff"])
def test_what_a_terminal_would_obey_does_not_reach_it(tmp_path, name):
    file = os.fsencode(f"{name}.json")
    (tmp_path / "folder").mkdir()
    assert shell(tmp_path, '"$@"').returncode == 0
    document = json.loads((tmp_path / "f.json").read_text())
    document["context"]["run"]["input_hash"] = {name.replace("\udcff", "\x9b"): {"f32/1": "x"}}
    document["context"]["run"]["finished"] = False
    for folder, node in (("a", "n1"), ("b", "n2")):
        document["context"]["run"]["node"] = node + name.replace("\udcff", "\x9b")
        path = os.path.join(os.fsencode(tmp_path), b"folder", folder.encode() + file)
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(document, stream)
    for line in ('"$1" compare folder', '"$1" table folder --columns node,variant,file'):
        result = shell(tmp_path, line)
        assert result.stdout
        for text in (result.stdout, result.stderr):
            assert not set(text) & set("\x1b\x07\x9b\u202e\u200b\ufeff\udcff")
    assert shell(tmp_path, '"$@"').returncode == 2
    (tmp_path / "f.json").unlink()
    ours = shell(tmp_path, '"$@"', SLURMD_NODENAME="n" + name)
    assert not set(ours.stdout) & set("\x1b\x07\x9b\u202e\u200b\ufeff\udcff")
