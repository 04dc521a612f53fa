"""The peers as bench measures them: right in both precisions, reasons instead of crashes. What
needs a device runs in Numba's simulation and with NumPy in CuPy's place: that shows its logic."""
# CTest: full

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None,
    reason="numba is not installed (scripts/setup.sh all)",
)

HERE = pathlib.Path(__file__).resolve().parent
BENCH = os.environ.get("BENCH_BINARY", str(HERE.parents[2] / "build" / "bench"))
WORKLOADS = {
    *("copy", "read", "add", "energy", "gaussian_pdf", "hypot", "histogram", "transpose"),
    *("matrix_add", "sum_of_squares", "counter", "hidden_layer", "row_norms", "column_sums"),
    *("pulse_train", "standardize", "polar_distance", "sin_cos", "reverse", "sort"),
    *("zero_suppress", "broadcast_add", "multiply_add", "scan", "n_body"),
    *("matmul", "stencil"),
}  # and monte_carlo_pi, which has a precision of its own


def test_no_module_hides_a_package_or_is_hidden_by_one():
    packages = {"bench", "cupy", "jax", "mkl", "numba", "numba_cuda", "numexpr", "numpy", "torch"}
    assert packages & {path.stem for path in HERE.glob("*.py")} == set()


def run(folder, *arguments, expected=0, **environment):
    limits = ["--max-time", "0.01", "--quiet", "--output", "-"]
    limits += [] if "--samples" in arguments else ["--samples", "1"]
    done = subprocess.run(
        [BENCH, *arguments, *limits],
        cwd=folder,
        # What is run once is compiled for longer than it runs.
        env={**os.environ, "BENCH_PYTHON": sys.executable, "NUMBA_OPT": "0", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    cases = [case for case in json.loads(done.stdout)["cases"] if "guest" in case]
    assert done.returncode == expected, reasons(cases)
    return cases


def reasons(cases):
    return {case["name"]: case.get("reason") for case in cases if case["status"] != "measured"}


def named(cases):
    return {f"{case['backend']}/{case['variant']}" for case in cases}


def peer(name):
    """These alone: --peers asks all of them what they have, which takes longer than to try one."""
    return ["--with", str(HERE / f"guest_{name}.py")]


NEEDLESS = {"no CUDA device: no NVIDIA driver on this node", "cupy is not installed"}


@pytest.mark.parametrize(
    ("name", "size", "dtypes"),
    [("python", "3x9", "f32"), ("numpy", "40x50", "f32,f64"), ("numba", "40x50", "f32")],
)
def test_each_is_right(tmp_path, name, size, dtypes):
    options = ["--size", size, "--bins", "10", "--dtype", dtypes]
    cases = run(tmp_path, f"*/{name}", *peer(name), *options)
    assert {case["workload"] for case in cases} == WORKLOADS
    assert {case["dtype"] for case in cases} == set(dtypes.split(","))
    assert set(reasons(cases).values()) <= NEEDLESS


@pytest.mark.parametrize(
    ("name", "count"), [("numexpr", 10), ("boost", 1), ("openblas", 2), ("mkl", 7), ("torch", 19)]
)
def test_libraries_are_right_where_they_are_installed(tmp_path, name, count):
    file = {"boost": "boost_histogram"}.get(name, name)
    cases = run(tmp_path, f"*/{name}", *peer(file), "--size", "40x50", "--dtype", "f32,f64")
    assert len({case["workload"] for case in cases}) == count
    missing = set(reasons(cases).values())
    if name in ("numexpr", "boost"):
        assert missing == set(), "it is among the requirements"
    assert missing <= {f"{name} is not installed"}


def test_in_double_precision_and_in_words(tmp_path):
    chosen = ["energy/numba", "histogram/numba", "--dtype", "f64", "--size", "2000", "--bins", "10"]
    assert set(reasons(run(tmp_path, *chosen, *peer("numba"))).values()) <= NEEDLESS
    cases = run(tmp_path, "monte_carlo_pi/*", "--peers", "--size", "2001")
    assert set(reasons(cases).values()) <= NEEDLESS
    assert {"python/naive", "numpy/blocks", "numba/prange"} <= named(cases)


def test_filters_that_name_peers_choose_among_them(tmp_path):
    cases = run(tmp_path, "copy/numpy/out", "--peers", "--size", "100")
    assert named(cases) == {"numpy/out"}
    cases = run(tmp_path, "copy/serial", "--peers", "--size", "100")
    assert {"numpy/out", "python/naive", "numba/njit"} <= named(cases)


@pytest.mark.parametrize("package", ["numpy", "numba", "cupy"])
def test_what_is_not_installed_is_a_reason(tmp_path, package):
    (tmp_path / f"{package}.py").write_text(
        f"raise ModuleNotFoundError('No module named {package}', name='{package}')"
    )
    guest = str(HERE / f"guest_{package}.py")
    cases = run(tmp_path, "copy/serial", "--with", guest, "--size", "9", PYTHONPATH=str(tmp_path))
    reason = f"{package} is not installed"
    if package == "numpy":
        reason += ": apt install python3-numpy, or BENCH_PYTHON names a Python that has it"
    assert {case["reason"] for case in cases} == {reason}
    assert named(cases) == {f"{package}/*"}


def test_a_python_without_numpy_costs_its_rows_only(tmp_path):
    (tmp_path / "numpy.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')"
    )
    cases = run(tmp_path, "copy", "--peers", "--size", "9", PYTHONPATH=str(tmp_path))
    told = {case.get("reason") for case in cases}
    assert {case["status"] for case in cases} == {"skipped"}
    assert len(told) == 1
    assert "numpy is not installed: apt install python3-numpy, or" in told.pop()


def test_numba_that_compiles_nothing_is_not_measured(tmp_path):
    cases = run(tmp_path, "copy/numba", *peer("numba"), "--size", "9", NUMBA_DISABLE_JIT="1")
    told = reasons(cases)
    why = "NUMBA_DISABLE_JIT is set: Numba would compile nothing; unset it"
    assert why in told.values()
    assert not any(
        case["status"] == "measured" and not case["variant"].startswith("cuda") for case in cases
    )


WITHOUT_TRANSFERS = "it moves its data itself: it has no time without the transfers"


def assert_all_measured_in_both_scopes(cases, workloads=frozenset(WORKLOADS), moving=()):
    """Variants that move their data themselves have one scope."""
    rest = [case for case in cases if (case["variant"], case["scope"]) not in moving]
    assert reasons(rest) == {}
    assert set(reasons(cases).values()) == ({WITHOUT_TRANSFERS} if moving else set())
    assert {case["workload"] for case in cases} == workloads
    for scope in ("kernel", "end_to_end"):
        assert {case["workload"] for case in cases if case["scope"] == scope} == workloads
    assert not any(case["threads"] for case in cases), "they are on the device"


UFUNCS = {
    "add": ("host", "device", "out"),
    "pulse_train": ("host", "device"),
    "hidden_layer": ("host", "device"),
    **dict.fromkeys(
        ("gaussian_pdf", "polar_distance", "sin_cos", "zero_suppress"), ("host", "device")
    ),
}

SIMULATED = f"""
import sys, time
sys.path.append({str(HERE)!r})
import bench, numba_cuda_ as numba_cuda
from offer import offer
bench._obstacle = lambda device: None
bench._Driver.SIMULATED = True
numba_cuda.BLOCK, numba_cuda.TILE = 64, 4

class Event:  # those of the simulation have no clock
    def record(self): self.at = time.perf_counter()

bench._Numba.seconds_between = lambda device, begin, end: end.at - begin.at

# Numba's ufuncs for the GPU lack two things there: with these its own code calls simulated kernels.
from numba import cuda
cuda.event = Event
from numba.cuda.vectorizers import CUDAVectorize
cuda.is_cuda_array = cuda.cudadrv.devicearray.is_cuda_ndarray
CUDAVectorize._compile_core = lambda ufunc, sig: (
    cuda.jit(device=True)(ufunc.pyfunc), sig.return_type
)
offer("numba_cuda_", "numba", package="numba")
"""


def test_numba_kernels_are_right_in_the_simulation(tmp_path):
    """Each is tried at odd sizes, a simulated thread at a time: all of them take 20 minutes."""
    workloads = WORKLOADS if "BENCH_SIMULATE_ALL" in os.environ else {"add", "gaussian_pdf"}
    (tmp_path / "simulated.py").write_text(SIMULATED)
    cases = run(
        tmp_path, *(f"{one}/numba" for one in sorted(workloads)), "--with", "simulated.py",
        "--size", "3x9", "--patience", "300", NUMBA_ENABLE_CUDASIM="1",
    )  # fmt: skip
    assert_all_measured_in_both_scopes(cases, workloads, moving={("ufunc_host", "kernel")})
    ufuncs = {(case["workload"], case["variant"]) for case in cases if "uf" in case["variant"]}
    assert ufuncs == {
        (workload, f"ufunc_{kind}")
        for workload, kinds in UFUNCS.items()
        for kind in kinds
        if workload in workloads
    }


def test_numba_kernels_are_right_in_double_precision(tmp_path):
    (tmp_path / "simulated.py").write_text(SIMULATED)
    workloads, bins = {"sum_of_squares"}, []
    if "BENCH_SIMULATE_ALL" in os.environ:
        workloads, bins = {*workloads, "histogram", "transpose"}, ["--bins", "10"]
    cases = run(
        tmp_path, *(f"{one}/numba" for one in sorted(workloads)), "--with", "simulated.py",
        "--size", "3x9", *bins, "--dtype", "f64", "--patience", "300", NUMBA_ENABLE_CUDASIM="1",
    )  # fmt: skip
    assert_all_measured_in_both_scopes(cases, workloads)


# NumPy in CuPy's place: array expressions are NumPy's, and a kernel of one line is nearly Python.
STAND_IN = """
import time, types
import numpy
from numpy import *

class Array(numpy.ndarray):
    def set(self, host): self[...] = host
    def get(self, out): out[...] = self

def empty(shape, dtype): return numpy.empty(shape, dtype).view(Array)

def zeros(shape, dtype): return numpy.zeros(shape, dtype).view(Array)

def bincount(values, minlength): return numpy.bincount(values, minlength=minlength).view(Array)
def where(*arguments): return numpy.where(*arguments).view(Array)

class Event:
    def record(self): self.at = time.perf_counter()
    def synchronize(self): pass

def fuse(expression): return expression  # it does not say how many kernels there are

class Device:
    attributes = {"L2CacheSize": 4096}
    def __init__(self, number=0): pass
    def use(self): pass
    def synchronize(self): pass

cuda = types.SimpleNamespace(
    Event=Event, Device=Device, get_elapsed_time=lambda a, b: 1e3 * (b.at - a.at)
)

def ElementwiseKernel(inputs, outputs, operation, name):
    def run(*arguments):
        *values, out = arguments
        if "raw" in outputs:  # C++ beyond Python: the same by hand
            x, lo, hi, scale, bins = values
            inside = x[(x >= lo) & (x < hi)]
            found = minimum(((inside - lo) * scale).astype(int64), int(bins) - 1)
            out[...] = bincount(found, minlength=int(bins))
            return
        names = [word.split()[1] for word in inputs.split(",")]
        space = {**globals(), "T": out.dtype.type, **dict(zip(names, values))}
        space["i"] = arange(out.size)
        for statement in operation.split(";"):
            exec(statement.strip().replace("T ", "", 1), space)
        out[...] = space[outputs.split()[1]]
    return run
"""

WITH_STAND_IN = f"""
import sys
sys.path.append({str(HERE)!r})
import bench
from offer import offer
bench._obstacle = lambda device: None
bench._Driver.SIMULATED = True
offer("cupy_", "cupy", package="cupy")
"""


@pytest.mark.parametrize(
    ("cache", "dtypes", "workloads"),
    [("cold", "f32", WORKLOADS - {"read"}), ("hot", "f32,f64", {"energy", "histogram"})],
)
def test_cupy_expressions_are_right_with_a_stand_in(tmp_path, cache, dtypes, workloads):
    (tmp_path / "cupy.py").write_text(STAND_IN)
    (tmp_path / "stand_in.py").write_text(WITH_STAND_IN)
    chosen = ["*/cupy"] if cache == "cold" else [f"{one}/cupy" for one in sorted(workloads)]
    arguments = [*chosen, "--with", "stand_in.py", "--size", "40x50", "--dtype", dtypes]
    assert_all_measured_in_both_scopes(
        run(tmp_path, *arguments, "--cache", cache, PYTHONPATH=str(tmp_path)), workloads
    )


MOVING = """
import bench, numpy
bench._obstacle = lambda device: None
bench._Driver.SIMULATED = True

@bench.variant("copy", device="cupy", transfers=True)
def mine(x, out):
    {body}
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return numpy.asarray(x).copy()", None),
        ("out[...] = x", None),
        ("assert type(x) is type(out) is numpy.ndarray; out[...] = x", None),
        ("pass", "wrote nothing"),
        ("return x[1:]", "could not broadcast"),
        ("out[:9] = x[:9]", "wrong with 1013 elements: left out 1004 of 1013"),
    ],
)
def test_what_moves_its_data_itself_gets_those_of_the_host(tmp_path, body, reason):
    (tmp_path / "cupy.py").write_text(STAND_IN)
    (tmp_path / "mine.py").write_text(MOVING.format(body=body))
    arguments = ["copy/serial", "--with", "mine.py", "--size", "9"]
    cases = run(tmp_path, *arguments, expected=1 if reason else 0)
    found = {case["scope"]: (case["status"], case["reason"]) for case in cases}
    assert found.pop("kernel") == ("skipped", WITHOUT_TRANSFERS)
    status, why = found.pop("end_to_end")
    assert status == ("failed" if reason else "measured")
    assert (reason or "") in (why or "")
    assert not found


WRONG = """
import bench
bench._obstacle = lambda device: None
bench._Driver.SIMULATED = True

@bench.variant("copy", device="cupy")
def mine(x, out):
    {body}
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("pass", "wrote nothing"),
        ("return x[1:]", "returned an array of shape (8,)"),
        ("global y; y = globals().get('y', x.copy()); out[...] = y[:x.size]", "1013"),
        ("out[:9] = x[:9]", "of 1013 elements"),
        ("raise RuntimeError('too many blocks')", "mine.py:8: RuntimeError: too many blocks"),
    ],
)
def test_what_a_device_gets_wrong_is_seen(tmp_path, body, reason):
    (tmp_path / "cupy.py").write_text(STAND_IN)
    (tmp_path / "mine.py").write_text(WRONG.format(body=body))
    cases = run(tmp_path, "copy/serial", "--with", "mine.py", "--size", "9", expected=1)
    assert {case["status"] for case in cases} == {"failed"}
    assert all(reason in case["reason"] for case in cases), [case["reason"] for case in cases]


def test_work_beside_the_events_of_a_device_is_seen(tmp_path):
    # Waiting for the device takes longer than its events said.
    later = STAND_IN.replace(
        "def synchronize(self): pass\n\ncuda", "def synchronize(self): time.sleep(0.1)\n\ncuda"
    )
    assert later != STAND_IN
    (tmp_path / "cupy.py").write_text(later)
    (tmp_path / "mine.py").write_text(WRONG.format(body="out[...] = x"))
    cases = run(tmp_path, "copy/serial", "--with", "mine.py", "--size", "9", expected=1)
    reasons = {case["scope"]: case["reason"] for case in cases}
    assert "works where the device's events do not see it: " in reasons["kernel"]
    assert not reasons["end_to_end"], "there the clock is no event"


def test_no_room_on_a_device_is_no_fault(tmp_path):
    full = (
        STAND_IN
        + """
class OutOfMemoryError(Exception): pass

def empty(shape, dtype): raise OutOfMemoryError("Out of memory")
"""
    )
    (tmp_path / "cupy.py").write_text(full)
    (tmp_path / "mine.py").write_text(WRONG.format(body="out[...] = x"))
    cases = run(tmp_path, "copy/serial", "--with", "mine.py", "--size", "1000000")
    assert {(case["status"], case["reason"]) for case in cases} == {
        ("skipped", "memory: the device refused 8 MB")
    }


def test_memory_of_a_device_goes_back_with_its_problem(tmp_path):
    counting = (
        STAND_IN
        + """
import weakref
alive = weakref.WeakSet()

def empty(shape, dtype):
    array = numpy.empty(shape, dtype).view(Array)
    alive.add(array)
    return array
"""
    ).replace(
        "class Array(numpy.ndarray):", "class Array(numpy.ndarray):\n    __hash__ = object.__hash__"
    )
    (tmp_path / "cupy.py").write_text(counting)
    body = "import cupy; assert len(cupy.alive) == 2, len(cupy.alive); out[...] = x"
    (tmp_path / "mine.py").write_text(WRONG.format(body=body))
    cases = run(tmp_path, "copy/serial", "--with", "mine.py", "--size", "9,10,11,12")
    assert {case["status"] for case in cases} == {"measured"}, reasons(cases)


def test_nothing_on_a_device_is_graded(tmp_path):
    (tmp_path / "cupy.py").write_text(STAND_IN)
    (tmp_path / "mine.py").write_text(WRONG.format(body="out[...] = x"))
    (case,) = run(tmp_path, "copy/serial", "--with", "mine.py", "--size", "9", "--graded")
    assert case["reason"] == "what computes on a device by its own clock cannot be graded"


CONSTANT = """
import bench
@bench.variant("monte_carlo_pi", own_numbers=True)
def constant(key, inside, n):
    inside[0] = int(n * 0.7853981633974483)
"""


def test_own_numbers_are_checked_in_sigma_and_only_of_peers(tmp_path):
    cases = run(tmp_path, "monte_carlo_pi/*/*random", "--peers", "--size", "100000")
    assert named(cases) == {f"{of}/random" for of in ("python", "numpy", "numba")} | {
        "numba/prange_random"
    }
    assert {one["verification"]["metric"] for one in cases} == {"sigma"}
    assert {one["own_numbers"] for one in cases} == {True}
    (tmp_path / "constant.py").write_text(CONSTANT)
    (case,) = run(tmp_path, "try", "constant.py", "--size", "100000", expected=1)
    assert case["status"] == "failed"


def test_in_hot_caches_the_cost_of_one_call_is_the_mean_of_many(tmp_path):
    few = ("--peers", "--size", "1", "--cache", "hot", "--samples", "3")
    cases = run(tmp_path, "hypot/python/naive", "hypot/numpy/out", *few)
    assert len(cases) == 2
    for case in cases:
        # The first calls after a pause are slow: a batch lasts a millisecond.
        assert case["batch"] * max(case["seconds"]["samples"]) > 0.2e-3
        assert case["batch"] > 50


def test_types_given_before_are_all_that_numba_compiles_for():
    """A signature says it: not even the first call compiles."""
    said = in_python(
        "import numpy as np, numba_when as when; when.compile_eagerly()\n"
        "before = when.eager.signatures; x = np.ones(3, 'f4'); when.eager(x, x.copy())\n"
        "print(len(before), when.eager.signatures == before)"
    )
    assert said == "2 True"


def test_the_first_call_reads_what_a_process_before_has_compiled():
    said = in_python(
        "import numpy as np, os; from numba_when import cached; cached.get_ready(1)\n"
        "folder = cached.folder; x = np.ones(3, 'f4'); x.flags.writeable = False\n"
        "cached(x, np.empty(3, 'f4')); stats = cached.loop.stats; cached.get_ready(1)\n"
        "print(sum(stats.cache_hits.values()), len(stats.cache_misses), os.path.exists(folder))"
    )
    assert said == "1 0 False"


def in_python(program):
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(HERE)},  # without optimisation nothing is cached
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()
