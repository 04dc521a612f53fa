"""Where threads run: bound by bench, unless the user says otherwise, and user kernels with them."""
# CTest: release

import ctypes
import json
import os
import platform
import struct
import subprocess
import sys

import pytest

from conftest import BENCH, QUICK

CPUS = sorted(os.sched_getaffinity(0))
TOLD = ("OMP_", "GOMP_", "KMP_", "SLURM", "BENCH_", "HWLOC_")
several = pytest.mark.skipif(len(CPUS) < 2, reason="one CPU only")


def run(*arguments, cwd=None, before=None, **variables):
    """bench, with these variables and no others that say how threads are bound."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(TOLD)}
    return subprocess.run(
        [BENCH, *map(str, arguments)],
        cwd=cwd,
        env={**env, "OMP_WAIT_POLICY": "passive", **variables},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=before,
    )


def context(before=None, **variables):
    result = run("doctor", "--format", "json", before=before, **variables)
    assert (result.returncode, result.stderr) == (0, "")
    return json.loads(result.stdout)["context"]


def flat(threads):
    return sorted(cpu for cpus in threads for cpu in cpus.split(","))


@several
def test_each_thread_has_a_core_of_its_own(tmp_path):
    result = run("copy", *QUICK, "--output", "-", cwd=tmp_path)
    facts = json.loads(result.stdout)["context"]
    assert facts["run"]["bound_by"] == "bench"
    assert facts["run"]["threads_measured"] == facts["machine"]["allowed_cores"]
    assert sorted(facts["run"]["thread_cpus"]) == sorted(facts["machine"]["allowed_core_cpus"])
    assert not {"OMP_PLACES", "OMP_PROC_BIND"} & set(facts["machine"]["omp"])


@several
@pytest.mark.parametrize("threads", [1, 2])
def test_fewer_threads_are_bound_too(threads):
    run_facts = context(OMP_NUM_THREADS=str(threads))["run"]
    assert len(set(run_facts["thread_cpus"])) == threads
    assert run_facts["bound_by"] == "bench"


@several
def test_the_doctor_says_so():
    assert "bench bound the threads to cores" in run("doctor").stdout
    assert "the threads are not bound" in run("doctor", OMP_PROC_BIND="false").stdout


@several
def test_the_users_choice_stays():
    free = context(OMP_PROC_BIND="false")
    assert free["run"]["bound_by"] is None
    assert set(free["run"]["thread_cpus"]) == {free["machine"]["cpuset"]}
    assert free["machine"]["omp"]["OMP_PROC_BIND"] == "false"
    places = f"{{{CPUS[1]}}},{{{CPUS[0]}}}"
    own = context(OMP_PLACES=places, OMP_PROC_BIND="close", OMP_NUM_THREADS="2")
    assert own["run"]["bound_by"] == "user"
    assert own["run"]["thread_cpus"] == [str(CPUS[1]), str(CPUS[0])]
    assert own["machine"]["omp"]["OMP_PLACES"] == places
    one = context(GOMP_CPU_AFFINITY=str(CPUS[1]))
    assert set(one["run"]["thread_cpus"]) == {str(CPUS[1])}


@several
def test_a_process_of_one_cpu_has_no_choice():
    facts = context(before=lambda: os.sched_setaffinity(0, CPUS[1:2]))
    assert facts["run"]["thread_cpus"] == [str(CPUS[1])]
    assert facts["run"]["bound_by"] is None


@several
def test_the_mask_is_kept():
    facts = context(before=lambda: os.sched_setaffinity(0, CPUS[:2]))
    assert set(flat(facts["run"]["thread_cpus"])) <= set(map(str, CPUS[:2]))
    assert facts["machine"]["allowed_cpus"] == 2


@several
def test_tasks_that_share_cpus_are_not_bound():
    step = {"SLURM_JOB_ID": "7", "SLURM_CPUS_ON_NODE": str(len(CPUS))}
    alone = context(**step, SLURM_STEP_TASKS_PER_NODE="1")
    assert alone["run"]["bound_by"] == "bench"
    shared = context(**step, SLURM_STEP_TASKS_PER_NODE="2")
    assert shared["run"]["bound_by"] is None
    warnings = " ".join(shared["run"]["warnings"])
    assert "2 tasks on this node share cpus" in warnings
    assert "may move" not in warnings, "binding is no remedy"


def forbid_binding():
    """A filter as in containers, that refuses sched_setaffinity."""
    load, equal, answer, number, refused, allowed = 0x20, 0x15, 0x06, 203, 0x50001, 0x7FFF0000
    program = b"".join(
        struct.pack("HBBI", *one)
        for one in [
            (load, 0, 0, 0),
            (equal, 0, 1, number),
            (answer, 0, 0, refused),
            (answer, 0, 0, allowed),
        ]
    )
    filters = ctypes.create_string_buffer(program)
    whole = struct.pack("HxxxxxxP", 4, ctypes.addressof(filters))
    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)
    if libc.prctl(22, 2, ctypes.c_char_p(whole), 0, 0) != 0:
        os._exit(77)


@several
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the filter has its numbers")
def test_where_nothing_can_be_bound_nothing_breaks():
    facts = context(before=forbid_binding)
    assert facts["run"]["bound_by"] is None
    assert set(facts["run"]["thread_cpus"]) == {facts["machine"]["cpuset"]}


@pytest.mark.skipif(CPUS[:2] != [0, 1], reason="the made-up node has CPUs 0 and 1")
def test_hardware_threads_of_a_core_are_no_cores(tmp_path):
    one_core = {"HWLOC_SYNTHETIC": "Package:1 Core:1 PU:2"}
    pair = lambda: os.sched_setaffinity(0, [0, 1])  # noqa: E731
    facts = context(before=pair, **one_core)
    assert facts["machine"]["allowed_core_cpus"] == ["0-1"]
    assert facts["run"]["threads"] == 1
    assert facts["run"]["bound_by"] is None, "there is one core only"
    arguments = ["copy/openmp/naive", *QUICK, "--threads", "1,2", "--output", "-"]
    result = run(*arguments, cwd=tmp_path, before=pair, **one_core)
    assert result.returncode == 0, result.stderr
    cases = json.loads(result.stdout)["cases"]
    measured = {c["threads"] for c in cases if c["backend"] == "openmp"}
    assert {1, 2} <= measured


@pytest.mark.skipif(CPUS[:2] != [0, 1], reason="the made-up node has CPUs 0 and 1")
def test_a_thread_that_may_leave_its_memory_is_noticed():
    node = {"HWLOC_SYNTHETIC": "Package:2 NUMANode:1 Core:1 PU:1"}
    pair = lambda: os.sched_setaffinity(0, [0, 1])  # noqa: E731
    moving = " ".join(context(before=pair, OMP_PROC_BIND="false", **node)["run"]["warnings"])
    assert "may move between NUMA nodes 0-1" in moving
    assert "unset OMP_PROC_BIND=false, and bench binds them" in moving
    assert "may move" not in " ".join(context(before=pair, **node)["run"]["warnings"])


# User kernels say by their result what their threads may use: a wrong one is shown.
COPY = 'extern "C" void copy_f32(const float* x, float* out, size_t n) {\n'
OPENMP = (
    "#include <omp.h>\n#include <sched.h>\n"
    + COPY
    + """  int one_cpu = 1;
#pragma omp parallel reduction(&& : one_cpu)
  {
    cpu_set_t cpus;
    sched_getaffinity(0, sizeof cpus, &cpus);
    one_cpu = CPU_COUNT(&cpus) == CORE && omp_get_num_threads() == THREADS;
  }
#pragma omp parallel for
  for (size_t i = 0; i < n; ++i) out[i] = one_cpu ? x[i] : 7;
}
"""
)
THREAD = (
    "#include <sched.h>\n#include <thread>\n"
    + COPY
    + """  bool all = false;
  std::thread([&] {
    cpu_set_t cpus;
    sched_getaffinity(0, sizeof cpus, &cpus);
    all = CPU_COUNT(&cpus) == CPUS;
  }).join();
  for (size_t i = 0; i < n; ++i) out[i] = all ? x[i] : 7;
}
"""
)
PYTHON = """
import ctypes, os, threading
import bench
ctypes.CDLL("libgomp.so.1")
assert len(os.sched_getaffinity(0)) < CPUS, "the runtime binds the process that loads it"

@bench.variant("copy")
def mine(x, out):
    seen = []
    thread = threading.Thread(target=lambda: seen.append(len(os.sched_getaffinity(0))))
    thread.start()
    thread.join()
    assert seen == [CPUS], seen
    out[:] = x
"""
GUESTS = {"team.cpp": OPENMP, "thread.cpp": THREAD, "mine.py": PYTHON}


@several
@pytest.mark.parametrize("name", GUESTS)
def test_guests_have_the_cpus_that_are_theirs(tmp_path, name):
    text = GUESTS[name]
    machine = context()["machine"]
    core = len(CPUS) // machine["allowed_cores"]
    for word, value in (("CORE", core), ("CPUS", len(CPUS)), ("THREADS", machine["allowed_cores"])):
        text = text.replace(word, str(value))
    (tmp_path / name).write_text(text)
    result = run(
        "verify",
        "copy",
        "--size",
        "tiny",
        "--with",
        name,
        cwd=tmp_path,
        BENCH_PYTHON=sys.executable,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@several
def test_a_compiler_may_use_all_cpus(tmp_path):
    compiler = tmp_path / "compiler"
    compiler.write_text(
        "#!/bin/sh\ngrep Cpus_allowed_list /proc/self/status >cpus\nexec c++ " + '"$@"\n'
    )
    compiler.chmod(0o755)
    (tmp_path / "mine.cpp").write_text(COPY + "for (size_t i = 0; i < n; ++i) out[i] = x[i]; }\n")
    arguments = ["verify", "copy", "--size", "tiny", "--with", "mine.cpp"]
    result = run(*arguments, cwd=tmp_path, CXX=str(compiler))
    assert result.returncode == 0, result.stdout + result.stderr
    cpuset = context()["machine"]["cpuset"]
    assert (tmp_path / "cpus").read_text().split() == ["Cpus_allowed_list:", cpuset]
