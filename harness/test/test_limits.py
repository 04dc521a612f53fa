"""Memory that does not suffice, disks that are full, systems that hide their facts."""
# CTest: release full

import json
import os
import pathlib
import resource
import signal
import subprocess

import pytest
from made_up import retimed

from conftest import BENCH, QUICK

MEGA = 10**6


def run_limited(folder, arguments, **limits):
    """Runs bench under limits; returns exit code, stdout, stderr and peak memory in bytes."""

    def set_limits():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, name), (value, value))

    with open(folder / "stderr", "w+") as errors:
        process = subprocess.Popen(
            [BENCH, *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=errors,
            preexec_fn=set_limits,  # noqa: PLW1509 (no threads here)
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
        )
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, output.decode(), errors.read(), usage.ru_maxrss * 1024


RECORDED = pathlib.Path(__file__).parents[2] / "results/reference/1.0.0/epyc-vm-2cores/default.json"
NOT_OURS = max(os.sched_getaffinity(0)) + 1


@pytest.mark.parametrize(
    ("name", "value", "limits"),
    [
        ("GOMP_CPU_AFFINITY", str(NOT_OURS), {}),
        ("GOMP_CPU_AFFINITY", f"0 {NOT_OURS}-{NOT_OURS + 2}", {}),
        ("OMP_STACKSIZE", "40G", {"RLIMIT_AS": 2000 * MEGA}),
    ],
)
def test_only_what_runs_kernels_needs_threads(name, value, limits, tmp_path, monkeypatch):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("a team of one starts no thread")
    monkeypatch.delenv("OMP_PROC_BIND", raising=False)  # where it is false, nothing is bound
    monkeypatch.setenv(name, value)
    code, _, errors, _ = run_limited(tmp_path, ["energy/serial/naive", *QUICK], **limits)
    assert code == 2
    (line,) = errors.splitlines()
    assert line.startswith("bench: OpenMP cannot start ")
    assert line.endswith(f": unset {name}={value}")
    for reading in (["table", RECORDED], ["list"], ["merge", RECORDED], ["--help"]):
        code, output, errors, _ = run_limited(tmp_path, reading, **limits)
        assert (code, errors) == (0, "")
        assert output
    code, output, errors, _ = run_limited(tmp_path, ["doctor"], **limits)
    assert (code, errors) == (0, "")
    assert f"unset {name}={value}" in " ".join(output.split())


def test_the_limit_of_processor_time_is_said_before_it_kills(tmp_path):
    arguments = ["energy/serial/naive", "--size", "1e6", "--min-time", "100", "--max-time", "100"]
    code, _, errors, _ = run_limited(tmp_path, arguments, RLIMIT_CPU=4)
    assert code == 128 + signal.SIGXCPU
    assert "SIGXCPU" in errors


def test_doctor_names_the_limit_of_processor_time(tmp_path):
    _, output, _, _ = run_limited(tmp_path, ["doctor"], RLIMIT_CPU=1000)
    assert "1000 s of processor time here (ulimit -t)" in " ".join(output.split())


def test_a_number_of_slurm_that_no_number_holds_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "1")
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "99999999999999")
    _, output, _, _ = run_limited(tmp_path, ["doctor"])
    assert "cpus per task" not in output


def test_a_result_folder_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "results").symlink_to("/scratch/gone")
    code, _, errors, _ = run_limited(tmp_path, ["energy/serial/naive", *QUICK])
    assert code == 2
    assert "results is a link to /scratch/gone, which does not exist" in errors


def test_a_foreign_topology_is_a_warning(tmp_path, monkeypatch):
    monkeypatch.setenv("HWLOC_SYNTHETIC", "pack:2 core:4 pu:2")
    code, output, _, _ = run_limited(tmp_path, ["doctor"])
    assert code == 0
    assert "HWLOC_SYNTHETIC describes another machine" in output


def test_a_temporary_folder_that_does_not_exist_is_named(tmp_path, monkeypatch):
    (tmp_path / "x.cpp").write_text(
        "#include <stddef.h>\nvoid copy_f32(const float*, float*, size_t) {}\n"
    )
    monkeypatch.setenv("TMPDIR", "/scratch/1234")
    code, _, errors, _ = run_limited(tmp_path, ["verify", "copy/serial/naive", "--with", "x.cpp"])
    assert code != 0
    assert "TMPDIR=/scratch/1234" in errors


@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_small_sizes_are_measured_and_large_ones_skipped(limit, tmp_path):
    arguments = ["energy/serial", *QUICK, "--size", "tiny,course", "--output", "-"]
    code, output, errors, _ = run_limited(tmp_path, arguments, **{limit: 600 * MEGA})
    assert code == 0, errors
    status = {}
    for case in json.loads(output)["cases"]:
        status.setdefault(case["size"], set()).add(case["status"])
        if case["size"] == "100000000" and case["backend"] == "serial":
            assert case["reason"].startswith("memory: needs 800 MB, ")
            assert "ulimit" in case["reason"]
            largest = int(case["reason"].rsplit(" ", 1)[1])
            assert 1_000_000 < largest < 100_000_000
    assert "measured" in status["1000"]
    assert status["100000000"] == {"skipped"}


def test_the_size_that_is_said_to_fit_does(tmp_path):
    limit = {"RLIMIT_AS": 600 * MEGA}
    arguments = ["verify", "copy/serial/naive", "--size", "1e9"]
    _, output, _, _ = run_limited(tmp_path, arguments, **limit)
    largest = output.strip().rsplit(" ", 1)[1]
    code, output, errors, _ = run_limited(
        tmp_path, ["verify", "copy/serial/naive", "--size", largest], **limit
    )
    assert code == 0, errors
    assert output.startswith("ok "), output


def test_peak_memory_is_the_arrays_and_a_little(tmp_path):
    n = 3 * 10**7
    arguments = [
        "hypot/serial",
        "hypot/openmp",
        "--size",
        str(n),
        "--samples",
        "1",
        "--max-time",
        "0",
        "--quiet",
    ]
    code, _, errors, peak = run_limited(tmp_path, arguments)
    assert code == 0, errors
    references = 2 * 8 * n  # in float64, of two sets of inputs
    assert peak < 3 * 4 * n + references + 100 * MEGA


def in_namespace(folder, script):
    """Runs a shell script as root with mounts of its own."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0:
        pytest.skip("mounts need root")
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_WAIT_POLICY": "passive", "TMPDIR": str(folder)},
    )


def test_a_disk_that_fills_up_loses_nothing(tmp_path):
    (tmp_path / "small").mkdir()
    done = in_namespace(
        tmp_path,
        "mount -t tmpfs -o size=16k none small || exit 99; "
        f"{BENCH} copy energy {' '.join(QUICK)} --output small/a.json; code=$?; "
        "cp small/a.json first.json; exit $code",
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("bench: cannot write small/a.json: No space left on device")
    assert "the whole result file is in" in line
    assert "energy · f32 · 1000" in done.stdout
    # What the full disk holds is complete as well, only older.
    assert json.loads((tmp_path / "first.json").read_text())["cases"] == []
    rescued = json.loads((tmp_path / "a.json").read_text())
    assert {case["workload"] for case in rescued["cases"]} == {"copy", "energy"}
    assert rescued["context"]["run"]["finished"]


def test_a_read_only_disk_is_refused_before_anything_is_measured(tmp_path):
    (tmp_path / "ro").mkdir()
    done = in_namespace(
        tmp_path,
        "mount -t tmpfs -o ro none ro || exit 99; "
        f"{BENCH} energy {' '.join(QUICK)} --output ro/a.json",
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "ro/a.json: Read-only file system (--output FILE for another, - for none)" in line


def test_without_proc_and_sys_the_run_goes_on(tmp_path):
    done = in_namespace(
        tmp_path,
        "umount -l /sys && umount -l /proc || exit 99; "
        f"{BENCH} energy {' '.join(QUICK)} --output a.json",
    )
    assert done.returncode == 0
    document = json.loads((tmp_path / "a.json").read_text())
    assert document["context"]["machine"]["cpu_model"] is None
    assert document["context"]["run"]["last_level_cache_bytes"] == 0
    assert any(case["status"] == "measured" for case in document["cases"])
    table = subprocess.run([BENCH, "table", tmp_path / "a.json"], capture_output=True, check=False)
    assert table.returncode == 0


# Samples and rows for Google Benchmark are not kept: memory does not grow with them.
def test_comparing_many_nodes_takes_bounded_memory(document, tmp_path):
    large = document("energy", "copy", *QUICK)
    large = retimed(large, lambda _: 1, steady=True)
    for case in large["cases"]:
        if case["status"] == "measured":
            case["seconds"]["samples"] *= 9
            case["rounds"] *= 9
    large["benchmarks"] = large["benchmarks"] * 100
    large["context"]["run"]["node"] = "NODE"
    text = json.dumps(large)
    peaks = []
    for count in (20, 200):
        folder = tmp_path / str(count)
        folder.mkdir()
        for i in range(count):
            (folder / f"{i:04}.json").write_text(text.replace('"NODE"', f'"n{i:04}"'))
        child = subprocess.Popen([BENCH, "compare", folder], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        assert os.waitstatus_to_exitcode(status) in (0, 4)
        peaks.append(usage.ru_maxrss * 1024)
    size = len(text)
    assert size > 500_000
    assert peaks[1] - peaks[0] < 180 * size / 10, f"peaks {peaks}, a document has {size} bytes"


# As a container's --cpus or Slurm's CPU limits set it.
def test_a_quota_of_cpu_time_is_noticed(tmp_path):
    group = pathlib.Path(f"/sys/fs/cgroup/cpu/bench-test-{os.getpid()}")
    try:
        group.mkdir()
        (group / "cpu.cfs_quota_us").write_text("50000")
    except OSError as error:
        if group.exists():
            group.rmdir()
        pytest.skip(f"no cgroup (version 1) for a quota: {error}")
    try:
        inside = f'echo $$ >{group}/cgroup.procs; exec "$@"'
        command = [BENCH, "copy/serial/naive", *QUICK, "--size", "tiny", "--output", "-"]
        output = subprocess.run(
            ["bash", "-c", inside, "bash", *command], cwd=tmp_path, capture_output=True, check=True
        ).stdout
    finally:
        group.rmdir()
    context = json.loads(output)["context"]
    assert context["machine"]["cpu_quota"] == 0.5
    assert "the cgroup allows the time of 0.5 cpus" in " ".join(context["run"]["warnings"])
