"""Interrupted at any moment, the file is complete and holds every finished group."""
# CTest: release

import json
import os
import random
import signal
import subprocess
import time

import pytest

from conftest import BENCH

LONG = ["--size", "1e5", "--max-time", "30", "--min-time", "30", "--output", "a.json"]
SHORT = ["--size", "tiny,33,101", "--samples", "9", "--max-time", "0.01", "--output", "a.json"]


def start(tmp_path, arguments, before=None):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SLURM")}
    return subprocess.Popen(
        [BENCH, *arguments],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,  # noqa: PLW1509  (one thread)
    )


def wait_for_file(tmp_path, process):
    while not (tmp_path / "a.json").exists():
        assert process.poll() is None
        time.sleep(0.01)


def end_by(process, tmp_path, name):
    """Sends the signal, which ends the run with a complete result file; what it says on stderr."""
    process.send_signal(signal.Signals[name])
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 128 + signal.Signals[name]
    run = json.loads((tmp_path / "a.json").read_text())["context"]["run"]
    assert run["finished"] is False
    assert run["ended_by"] == name
    assert name in errors
    return errors


@pytest.mark.parametrize(
    "name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGXCPU", "SIGUSR1", "SIGUSR2"]
)
def test_signals_end_the_run_with_a_complete_document(tmp_path, name):
    process = start(tmp_path, LONG)
    wait_for_file(tmp_path, process)
    assert "a.json" in end_by(process, tmp_path, name)


def test_what_was_finished_is_shown(tmp_path):
    """The first group is quick; the second one lasts until somebody ends it."""
    process = start(tmp_path, ["copy/serial", "--size", "tiny,1e8", "--samples", "50", *LONG[2:]])
    file = tmp_path / "a.json"
    while not (file.exists() and json.loads(file.read_text())["cases"]):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGINT
    assert "copy · f32 · 1000" in output
    assert "result file: a.json" in output
    assert "1 of 2 groups finished; continue with: bench --resume a.json" in errors


def test_the_rounds_until_then_are_kept_and_measured_again(tmp_path):
    """One group, which lasts ten seconds or more: what it has is verified, and has its table."""
    process = start(tmp_path, ["energy/serial/naive", "--size", "3e6", *LONG[2:]])
    wait_for_file(tmp_path, process)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGINT
    assert "serial/naive" in output
    assert "0 of 1 groups finished; continue with: bench --resume a.json" in errors
    document = json.loads((tmp_path / "a.json").read_text())
    (naive,) = [one for one in document["cases"] if one["name"].startswith("energy/serial/naive/")]
    assert (naive["status"], naive["seconds"]["stop"]) == ("measured", "signal")
    assert naive["verification"] is not None
    process = start(tmp_path, ["--resume", "a.json"])
    while "0 of 1 groups are there" not in process.stderr.readline():
        assert process.poll() is None
    assert json.loads((tmp_path / "a.json").read_text())["cases"] == []
    process.kill()
    process.communicate(timeout=300)


def test_what_the_caller_ignores_stays_ignored(tmp_path):
    """The caller may be nohup."""
    process = start(tmp_path, LONG, before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for_file(tmp_path, process)
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=300)
    assert json.loads((tmp_path / "a.json").read_text())["context"]["run"]["ended_by"] == "SIGTERM"


def test_killed_at_random_moments(tmp_path):
    """100 times SIGKILL: never a broken file, never fewer groups than had been written before."""
    chance = random.Random(1)
    for _ in range(100):
        process = start(tmp_path, SHORT)
        seen = 0
        deadline = time.monotonic() + chance.uniform(0, 0.5)
        while time.monotonic() < deadline and process.poll() is None:
            if (tmp_path / "a.json").exists():
                seen = max(seen, len(json.loads((tmp_path / "a.json").read_text())["cases"]))
            time.sleep(0.001)
        process.kill()
        process.communicate(timeout=300)
        if (tmp_path / "a.json").exists():
            document = json.loads((tmp_path / "a.json").read_text())
            assert len(document["cases"]) >= seen
            (tmp_path / "a.json").unlink()
