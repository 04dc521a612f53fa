"""The peers: the data of bench, its document, its referee, and reasons in place of crashes."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import figures
import jsonschema
import numpy as np
import peers
import pytest
from variant import Backend, Variant

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
SCHEMA = json.loads((ROOT / "results" / "schema.json").read_text())
QUICK = ["--samples", "9", "--max-time", "0.02"]


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "BENCH_", "NUMBA"))}
    # Waiting threads sleep: the machine may be busy.
    return {**kept, "OMP_WAIT_POLICY": "passive", **more}


def run(*arguments, folder, program=(HERE,), **more):
    return subprocess.run(
        [sys.executable, *map(str, program), *map(str, arguments)],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def document_of(*arguments, folder, **more):
    result = run(*arguments, "--output", "-", folder=folder, **more)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def bench(*arguments):
    return subprocess.run(
        [BENCH, *map(str, arguments)],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def hashes_of_bench(*arguments):
    result = bench(*arguments, "--samples", 1, "--max-time", 0.01, "--output", "-")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["context"]["run"]["input_hash"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A run of everything at the smallest size: its file, and what is in it."""
    folder = tmp_path_factory.mktemp("tiny")
    result = run("--size", "tiny", *QUICK, folder=folder)
    assert result.returncode == 0, result.stderr
    (file,) = (folder / "results").glob("peers-*.json")
    assert f"result file: results/{file.name}" in result.stdout
    return file, json.loads(file.read_text())


def test_the_document_is_that_of_bench(tiny):
    file, document = tiny
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    table = bench("table", file)
    assert table.returncode == 0, table.stderr
    assert "numba/prange" in table.stdout


def test_names_are_unique_and_tables_agree(tiny):
    _, document = tiny
    names = [case["name"] for case in document["cases"]]
    assert len(names) == len(set(names))
    assert names == [row["name"] for row in document["speedups"]]
    measured = {case["name"] for case in document["cases"] if case["status"] == "measured"}
    assert measured == {row["name"] for row in document["benchmarks"]}
    assert all(row["over_serial"] is None and row["reason"] for row in document["speedups"])


def test_every_variant_was_verified(tiny):
    _, document = tiny
    found = {}
    for case in document["cases"]:
        if case["status"] == "measured":
            assert case["verification"]["passed"], case["name"]
            assert case["seconds"]["samples"], case["name"]
        else:
            assert case["reason"].startswith(("no CUDA", "CuPy is not")), case["name"]
        if not case["reference"]:
            found.setdefault((case["backend"], case["workload"]), set()).add(case["variant"])
    for backend in ("python", "numpy", "numba"):
        for workload, ladder in peers.backends.load(backend).ladders.items():
            assert found[backend, workload] == {variant.name for variant in ladder}
    assert {"cupy"} <= {backend for backend, _ in found}
    hosts = [c for c in document["cases"] if c["status"] == "measured" and c["backend"] == "numba"]
    assert {case["threads"] for case in hosts} >= {1}
    assert all(case["share_of_copy"] for case in hosts)


def test_inputs_are_those_of_bench(tiny, tmp_path):
    _, document = tiny
    assert document["context"]["run"]["input_hash"] == hashes_of_bench("--size", "tiny")
    options = ["--size", "1,7x150", "--bins", "10,999", "--dtype", "f32,f64", "--seed", 4294967295]
    other = document_of("*/numpy/[eh]*", *options, "--samples", 1, folder=tmp_path)
    assert other["context"]["run"]["input_hash"] == hashes_of_bench(*options)
    assert all(",seed=4294967295" in case["name"] for case in other["cases"])
    assert all(case["status"] == "measured" for case in other["cases"])


def test_options_mean_what_they_mean_for_bench(tmp_path):
    document = document_of(
        "copy/numba/prange", "--size", "0,3e3", "--threads", "1", "--cache", "hot", *QUICK,
        folder=tmp_path, OMP_NUM_THREADS="2",
    )  # fmt: skip
    assert [case["name"] for case in document["cases"]] == [
        f"copy/numba/prange/f32/{n}/kernel,cache=hot,threads=1" for n in (0, 3000)
    ]
    assert all(case["status"] == "measured" for case in document["cases"])
    # How many runs a sample holds is a matter of time, which no test depends on.
    assert all(case["threads"] == 1 and case["batch"] >= 1 for case in document["cases"])


def test_pure_python_has_its_own_size(tmp_path):
    document = document_of("copy/python/lists", "--size", 123_456, "--samples", 1, folder=tmp_path)
    too_large, own = document["cases"]
    assert (too_large["size"], too_large["status"]) == ("123456", "skipped")
    assert (own["size"], own["status"]) == ("100000", "measured")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--size", "many"], "--size: 'many' is not a number"),
        (["--size", "1,,2"], "--size 1,,2: there is nothing between two commas"),
        (["--size", ""], "nothing follows --size"),
        (["--dtype", "f16"], "--dtype f16: must be one of f32, f64"),
        (["--bins", "70000", "histogram"], "--bins: 70000 are too many"),
        (["--threads", "99999"], "--threads 99999: this process may use"),
        (["--seed", "-1"], "--seed"),
        (["--samples", "0"], "--samples 0: must be between 1 and 100"),
        (["--min-time", "9", "--max-time", "1"], "--min-time 9: is longer than --max-time"),
        (["--max-time", "soon"], "--max-time soon: must be a number of seconds"),
        (["--cache", "cool"], "did you mean cold?"),
        (["--sise", "1"], "--sise"),
        (["energi"], "no variant matches 'energi' (nearest name: energy)"),
    ],
)
def test_bad_options_are_one_line(capsys, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert peers.main(["peers", *arguments]) == peers.USAGE
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert words in captured.err
    assert not captured.out
    assert not list(tmp_path.iterdir())


def test_a_file_of_another_run_stays(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text("precious")
    result = run("copy/numpy", "--size", "tiny", *QUICK, "--output", file, folder=tmp_path)
    assert result.returncode == 2
    assert (
        result.stderr
        == f"peers: --output {file}: exists already; choose another name or remove it\n"
    )
    assert file.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_not_installed_is_a_reason(tmp_path):
    for name in ("numba", "scipy"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('no', name='{name}')")
    document = document_of(
        "gaussian_pdf/numba/njit", "gaussian_pdf/numpy", "--size", "tiny", *QUICK,
        folder=tmp_path, PYTHONPATH=str(tmp_path),
    )  # fmt: skip
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    reasons = {c["variant"]: c["reason"] for c in document["cases"] if c["status"] == "skipped"}
    assert reasons == {"*": "Numba is not installed", "scipy": "SciPy is not installed"}
    assert any("caches" in warning for warning in document["context"]["run"]["warnings"])


def test_a_signal_leaves_a_document(tmp_path):
    arguments = ["energy/python", "--size", "1e5", "--max-time", "100", "--output", "run.json"]
    with subprocess.Popen(
        [sys.executable, HERE, *arguments], cwd=tmp_path, env=environment()
    ) as one:
        while not (tmp_path / "run.json").exists():
            assert one.poll() is None
            time.sleep(0.01)
        one.send_signal(signal.SIGTERM)
        assert one.wait(60) == 128 + signal.SIGTERM
    document = json.loads((tmp_path / "run.json").read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["context"]["run"]["finished"] is False
    assert document["context"]["run"]["ended_by"] == "SIGTERM"


# ---- the referee: each of these must be refused, with its own reason ----


def right(x, out):
    np.copyto(out, x)


def nothing(x, out):
    pass


def leaves_out(x, out):
    out[:-1] = x[:-1]


def wrong(x, out):
    right(x, out)
    out[7] += 1


def not_a_number(x, out):
    right(x, out)
    out[7] = np.nan


def throws(x, out):
    raise ValueError("two lines\nof text")


def scalar(x, out):
    return x[0]


def writes_past_the_end(x, out):
    right(x, out)
    np.lib.stride_tricks.as_strided(out, (out.size + 1,))[-1] = 0


def writes_its_input(x, out):
    right(x, out)
    x.flags.writeable = True
    x[0] = 2


class Remembers:
    """Right, but the answer is the first one for ever."""

    def __init__(self):
        self.answer = None

    def __call__(self, x, out):
        if self.answer is None:
            self.answer = x.copy()
        np.copyto(out, self.answer)


class Tires:
    """Right at first only."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x, out):
        self.calls += 1
        if self.calls < 2:
            right(x, out)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (nothing, "wrote nothing: the output still holds the poison"),
        (leaves_out, "left out 1 of 1000 elements, the first at index 999"),
        (wrong, "1 of 1000 elements are wrong, the first at index 7"),
        (wrong, "ulp, tolerance 0)"),
        (not_a_number, "NaN instead of"),
        (throws, "threw: ValueError: two lines of text"),
        (scalar, "returned an array of shape ()"),
        (writes_past_the_end, "wrote past the end of an array"),
        (writes_its_input, "wrote into its input"),
        (Remembers(), "on other inputs: "),
        (Tires(), "right at first, but not while measured: wrote nothing"),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_a_wrong_variant_is_refused(monkeypatch, capsys, function, reason):
    ladder = (Variant("planted", "wrong", function), Variant("right", "right", right))
    monkeypatch.setattr(peers.backends, "load_all", lambda: [Backend("numpy", {"copy": ladder})])
    code = peers.main(["peers", "copy", "--size", "tiny", "--samples", "3", "--output", "-"])
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    planted, other = document["cases"]
    assert code == peers.WRONG
    assert (planted["status"], planted["seconds"]) == ("failed", None)
    assert reason in planted["reason"]
    assert other["status"] == "measured", other["reason"]


def test_figures_are_those_of_bench():
    (file, *_) = sorted((ROOT / "results" / "reference").glob("*/*.json"))
    for case in json.loads(file.read_text())["cases"]:
        if case["status"] != "measured":
            continue
        seconds = case["seconds"]
        samples = seconds["samples"]
        assert figures.median(samples) == pytest.approx(seconds["median"])
        assert figures.quantile(samples, 0.25) == pytest.approx(seconds["q1"])
        assert figures.quantile(samples, 0.75) == pytest.approx(seconds["q3"])
        assert figures.relative_noise(samples) == pytest.approx(seconds["noise"])
        assert figures.outliers(samples) == seconds["outliers"]
        # Other random numbers: the ends of the interval are neighbouring samples, or nearly so.
        width = seconds["ci95"][1] - seconds["ci95"][0]
        assert figures.bootstrap_median(samples) == pytest.approx(seconds["ci95"], abs=0.5 * width)
        drift = figures.drift(samples, seconds["ci95"])
        assert drift == pytest.approx(seconds["drift"], abs=1e-9)


# ---- the GPU's code, without one ----


def assert_all_measured_in_both_scopes(result):
    assert result.stdout, result.stderr
    cases = json.loads(result.stdout)["cases"]
    assert not {case["name"]: case["reason"] for case in cases if case["status"] != "measured"}
    assert {case["scope"] for case in cases} == {"kernel", "end_to_end"}
    assert result.returncode == 0


SIMULATED = """
import sys
sys.path.insert(0, sys.argv.pop(1))
import numba_cuda, peers
numba_cuda.obstacle = lambda: ""
numba_cuda.BLOCK, numba_cuda.TILE = 8, 4
sys.exit(peers.main(sys.argv))
"""


def test_numba_kernels_are_right_in_the_simulation(tmp_path):
    (tmp_path / "simulated.py").write_text(SIMULATED)
    result = run(
        "*/numba/cuda*", "--size", "3x9", "--bins", "10", "--samples", "1", "--output", "-",
        program=(tmp_path / "simulated.py", HERE), folder=tmp_path, NUMBA_ENABLE_CUDASIM="1",
    )  # fmt: skip
    assert_all_measured_in_both_scopes(result)


# NumPy in CuPy's place: array expressions are NumPy's, and a kernel of one line is nearly Python.
STAND_IN = """
import time, types
import numpy
from numpy import *

class Array(numpy.ndarray):
    def set(self, host): self[...] = host
    def get(self, out): out[...] = self

def empty(shape, dtype): return numpy.empty(shape, dtype).view(Array)

def bincount(values, minlength): return numpy.bincount(values, minlength=minlength).view(Array)

class Event:
    def record(self): self.at = time.perf_counter()
    def synchronize(self): pass

class Device:
    def __init__(self, number=0): pass
    def use(self): pass
    def synchronize(self): pass

cuda = types.SimpleNamespace(
    Event=Event, Device=Device, get_elapsed_time=lambda a, b: 1e3 * (b.at - a.at)
)

def get_default_memory_pool(): return types.SimpleNamespace(free_all_blocks=lambda: None)

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
        for statement in operation.split(";"):
            exec(statement.strip().replace("T ", "", 1), space)
        out[...] = space[outputs.split()[1]]
    return run
"""

WITH_STAND_IN = """
import sys
sys.path.insert(0, sys.argv.pop(1))
import cupy_, peers
cupy_.obstacle = lambda: ""
sys.exit(peers.main(sys.argv))
"""


def test_cupy_expressions_are_right_with_a_stand_in(tmp_path):
    (tmp_path / "cupy.py").write_text(STAND_IN)
    (tmp_path / "main.py").write_text(WITH_STAND_IN)
    result = run(
        "*/cupy", "--size", "40x50", "--dtype", "f32,f64", "--samples", "1", "--output", "-",
        program=(tmp_path / "main.py", HERE), folder=tmp_path, PYTHONPATH=str(tmp_path),
    )  # fmt: skip
    assert_all_measured_in_both_scopes(result)
