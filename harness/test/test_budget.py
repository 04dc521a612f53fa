"""A run that must end in time, and what is left when one is ended."""
# CTest: release

import json
import os
import pathlib
import signal
import subprocess
import time

import numpy as np
import pytest

from conftest import BENCH, QUICK

CPU = ["--backend", "serial,openmp"]
COPY = """
#include <stddef.h>
void copy_f32(const float* x, float* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = x[i];
}
"""


def test_what_does_not_fit_is_skipped_before_it_begins(bench):
    words = ["energy", *CPU, "--size", "1000,1e9", "--budget", "8s", "--max-time", "0.01"]
    made = bench(*words, "--output", "-")
    cases = [one for one in json.loads(made.stdout)["cases"] if one["size"] == "1000000000"]
    assert cases
    for one in cases:
        assert one["status"] == "skipped"
        assert one["reason"].startswith(("budget of 8 s", "memory: ")), one["reason"]
    assert json.loads(made.stdout)["context"]["run"]["finished"] is True


def test_a_budget_that_is_used_up_measures_nothing(bench):
    made = bench("copy", *CPU, *QUICK, "--budget", "0.0001", "--output", "none")
    assert made.returncode == 4
    assert "budget of 0.0001 s is used up" in " ".join(made.stdout.split())


@pytest.mark.parametrize("text", ["0", "5d", "-1s", "s", "1e999"])
def test_what_is_no_time_is_refused(bench, text):
    made = bench("copy", "--budget", text)
    assert made.returncode == 2
    assert f"bench: --budget {text}: must be a time of more than 0" in made.stderr


def test_a_plan_says_how_long_it_takes(bench):
    plan = bench("copy", "energy", "--dry-run", "--size", "1e5", "--max-time", "7")
    *groups, whole = plan.stdout.splitlines()
    assert all(line.endswith(", about 7.0 s") for line in groups)
    assert whole == "in all about 14 s on this node"


def files_of(folder):
    return sorted(path.name for path in folder.iterdir())


def begun(folder, words, **environment):
    """A run that has begun to measure."""
    process = subprocess.Popen(
        [BENCH, *words, "--output", "a.json"],
        cwd=folder,
        env={**os.environ, "OMP_WAIT_POLICY": "passive", **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (folder / "a.json").exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])
def test_a_graded_run_that_is_ended_leaves_no_folder(tmp_path, name):
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    (tmp_path / "x.c").write_text(COPY)
    words = ["try", "x.c", "--graded", "--size", "1000", "--min-time", "60", "--max-time", "60"]
    process = begun(tmp_path, words, TMPDIR=str(scratch))
    assert files_of(scratch), "the kernel has a folder"
    process.send_signal(signal.Signals[name])
    process.communicate(timeout=300)
    assert process.returncode == 128 + signal.Signals[name]
    assert files_of(scratch) == []


def test_folders_of_killed_runs_go_and_those_of_others_stay(bench, tmp_path):
    scratch = tmp_path / "tmp"
    for name in ("bench-run-dead00", "bench-run-new000", "somebodys"):
        (scratch / name).mkdir(parents=True)
    for name in ("bench-run-dead00", "somebodys"):
        os.utime(scratch / name, (0, 0))
    (tmp_path / "x.c").write_text(COPY)
    made = bench("verify", "copy/serial/naive", "--with", "x.c", *QUICK[:2], TMPDIR=scratch)
    assert made.returncode == 0, made.stderr
    assert files_of(scratch) == ["bench-run-new000", "somebodys"]


def children_of(process):
    return pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()


def test_an_execution_ends_with_the_run_that_is_killed(tmp_path):
    long = ["copy/serial", "--size", "1000", "--min-time", "60", "--max-time", "60"]
    process = begun(tmp_path, [*long, "--executions", "2"])
    while not (children := children_of(process.pid)):
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=300)
    give_up = time.monotonic() + 60
    while any(pathlib.Path(f"/proc/{child}/cmdline").exists() for child in children):
        assert time.monotonic() < give_up
        time.sleep(0.01)


def test_files_that_may_not_grow_are_named(bench, tmp_path):
    (tmp_path / "x.c").write_text(COPY)
    limited = ["bash", "-c", 'ulimit -f 20; exec "$@"', "bash"]
    made = subprocess.run(
        [*limited, BENCH, "try", "x.c", *QUICK],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 2
    (line,) = made.stderr.splitlines()
    assert line.startswith("bench: files may have 20 kB at most (ulimit -f)")


def test_the_hash_of_a_kernel_covers_its_headers(bench, tmp_path):
    (tmp_path / "x.c").write_text('#include "h.h"\n' + COPY)
    hashes = []
    for text in ("int a;", "int b;", "int a;"):
        (tmp_path / "h.h").write_text(text)
        made = bench("try", "x.c", *QUICK, "--output", "-")
        hashes.append(json.loads(made.stdout)["context"]["run"]["guests"][0]["hash"])
    assert hashes[0] == hashes[2] != hashes[1]


def test_a_file_with_too_many_variants_is_refused(bench, tmp_path):
    (tmp_path / "many.py").write_text(
        "import bench\n"
        "for i in range(129):\n"
        "    @bench.variant('copy', name=f'v{i}')\n"
        "    def f(x, out):\n"
        "        out[:] = x\n"
    )
    made = bench("try", "many.py", *QUICK)
    assert made.returncode == 2
    assert "many.py: offers 129 variants: 128 at most" in made.stderr


def test_a_submission_is_tried_on_a_users_data(bench, tmp_path):
    np.save(tmp_path / "x.npy", np.arange(1000, dtype=np.float32))
    (tmp_path / "x.c").write_text(COPY)
    made = bench("try", "x.c", "--input", "x.npy", *QUICK[2:], "--output", "-")
    assert made.returncode == 0, made.stderr
    (mine,) = [one for one in json.loads(made.stdout)["cases"] if one["backend"] == "guest"]
    assert mine["status"] == "measured"
    assert mine["elements"] == 1000


def test_a_name_with_a_quotation_mark(bench, tmp_path):
    bench("try", "--new", "copy", 'my "kernel".cu')
    made = bench("verify", "copy/serial/naive", "--with", 'my "kernel".cu', *QUICK[:2])
    assert made.returncode == 0, made.stderr
