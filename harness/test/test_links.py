"""Links between GPUs of the stand-in, and between the processes of a job of Open MPI."""
# CTest: release

import json
import os
import shutil
import subprocess

import pytest

from conftest import BENCH

ON_STAND_IN = os.environ.get("BENCH_ON_STAND_IN", "")

# Open MPI asks root twice. It starts more processes here than there are processors.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
needs_mpi = pytest.mark.skipif(
    not (shutil.which("mpicc") and shutil.which("mpirun")), reason="Open MPI is not installed"
)


def job(processes, *arguments, **environment):
    launcher = ["mpirun", "--oversubscribe", "-np", str(processes)]
    return subprocess.run(
        [*launcher, BENCH, "links", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **MPI, **environment},
    )


def compiler(folder, more):
    """Names mpicc with a source of ours, which may stand in front of MPI's functions."""
    (folder / "more.c").write_text("#include <mpi.h>\n#include <unistd.h>\n" + more)
    script = folder / "mpicc"
    script.write_text(f'#!/bin/sh\nexec mpicc "$@" {folder}/more.c\n')
    script.chmod(0o755)
    return {"MPICC": str(script)}


def slow_where(condition):
    """Each message takes long enough for a busy machine to change little of it."""
    return f"""
int MPI_Sendrecv(const void* out, int n, MPI_Datatype a, int to, int tag, void* in, int m,
                 MPI_Datatype b, int from, int other, MPI_Comm all, MPI_Status* status) {{
  int rank;
  MPI_Comm_rank(all, &rank);
  if (n > 100) usleep({condition} ? 400000 : 20000);
  return PMPI_Sendrecv(out, n, a, to, tag, in, m, b, from, other, all, status);
}}
"""


def test_of_one_node_without_a_gpu_nothing_is_compared(bench):
    told = bench("links")
    assert told.returncode == 4, told.stderr
    assert "not measured: GPUs: " in told.stdout
    assert "not measured: between nodes: this is one process" in told.stdout


def test_each_copy_of_each_device_is_timed(bench, tmp_path):
    several = {**os.environ, "BENCH_STAND_IN_DEVICES": "2"}
    command = [ON_STAND_IN, "links", "--format", "json", "--output", str(tmp_path / "n.json")]
    told = subprocess.run(command, capture_output=True, text=True, check=False, env=several)
    links = json.loads(told.stdout)["links"]
    assert [(one["way"], one["from"][:5], one["to"][:5]) for one in links][:3] == [
        ("host to device", "GPU 0", ""),
        ("device to host", "GPU 0", ""),
        ("device to device", "GPU 0", "GPU 1"),
    ]
    assert len(links) == 6
    assert all(len(one["seconds"]) == 9 for one in links)
    table = bench("table", tmp_path / "n.json", "--format", "csv")
    assert "device to device/GPU 1/GPU 0" in table.stdout


@needs_mpi
@pytest.mark.parametrize("processes", [2, 3, 5])
def test_each_pair_meets_once(processes):
    told = job(processes, "--format", "json")
    links = json.loads(told.stdout)["links"]
    for way in ("node to node", "round trip"):
        pairs = {(one["from"], one["to"]) for one in links if one["way"] == way}
        assert len(pairs) == processes * (processes - 1) // 2, told.stdout
        assert {name.rpartition(":")[2] for pair in pairs for name in pair} == {
            str(number) for number in range(processes)
        }


@needs_mpi
def test_a_node_whose_links_are_slow_is_named(tmp_path):
    told = job(4, **compiler(tmp_path, slow_where("(rank == 2 || to == 2)")))
    slow = [line for line in told.stdout.splitlines() if "node to node at" in line]
    assert len(slow) == 1, told.stdout + told.stderr
    assert ":2: node to node at 0.0" in slow[0]
    assert told.returncode == 3


@needs_mpi
def test_a_slow_link_is_named(tmp_path):
    told = job(4, **compiler(tmp_path, slow_where("(rank == 1 && to == 3)")))
    slow = [line for line in told.stdout.splitlines() if "node to node at" in line]
    assert len(slow) == 1, told.stdout + told.stderr
    assert ":1 to " in slow[0]
    assert ":3: node to node at 0.0" in slow[0]


@needs_mpi
def test_processes_that_mpi_does_not_find_are_named(bench):
    told = bench("links", SLURM_STEP_NUM_TASKS="4", **MPI)
    assert told.returncode == 1
    assert "MPI found 1 of 4 processes; start the processes by its own mpirun" in told.stderr


def test_without_a_compiler_of_mpi_the_remedy_is_named(bench, tmp_path):
    told = bench("links", SLURM_STEP_NUM_TASKS="2", PATH=str(tmp_path))
    assert told.returncode == 4, told.stderr
    assert "between nodes: no mpicc is found; module load an MPI, or set MPICC" in told.stdout


@needs_mpi
def test_mpi_that_does_not_answer_is_not_waited_for(bench, tmp_path):
    more = "int MPI_Init(int* count, char*** words) { sleep(1000); return 0; }\n"
    told = bench(
        "links", "--timeout", "1", SLURM_STEP_NUM_TASKS="2", **compiler(tmp_path, more), **MPI
    )
    assert told.returncode == 1
    assert "MPI had no answer within 1 s" in told.stderr


def test_nodes_are_compared_by_their_files(bench, tmp_path):
    """Each case of any program is a column."""
    folder = tmp_path / "links"
    folder.mkdir()
    for number in range(1, 7):
        name = f"n{number:02}"
        seconds = [(1.6 if name == "n03" else 1) * (1 + 0.001 * (i + number % 3)) for i in range(9)]
        benchmarks = [{"fullname": "links::GPU 0", "stats": {"data": seconds}}]
        file = {"machine_info": {"node": name}, "datetime": "2026-01-31T12:00:00"}
        (folder / f"{name}.json").write_text(json.dumps({**file, "benchmarks": benchmarks}))
    told = bench("compare", folder)
    assert told.returncode == 3, told.stdout + told.stderr
    assert "SLOW n03: links 1.60" in told.stdout
