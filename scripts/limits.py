#!/usr/bin/env python3
"""Every ladder's top held against its goal, and against Numba: scripts/limits.sh runs this.

limits.py [--passes N] [--quick] [--folder DIR]    measure into DIR, then print
limits.py --print DIR                              print what was measured into DIR before

Each pass runs bench and the peers one after the other, so that a drift of the node meets both; a
share is taken within one run of bench, a factor over Numba within one pass.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys

import numpy as np
import reading

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))

TOPS = [
    "copy/openmp",
    "energy/openmp/streaming",
    "gaussian_pdf/openmp/streaming",
    "hypot/openmp/streaming",
]
COUNTING = ["histogram/openmp/vector_bins", "histogram/openmp/compared"]
TURNING = ["transpose/openmp/registers", "transpose/openmp/streaming"]
NUMBA = {
    "energy": "prange",
    "gaussian_pdf": "vectorize_parallel",
    "hypot": "prange",
    "histogram": "njit",
    "transpose": "prange",
}


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Elements of the arrays, edge of the square matrix."""

    elements: int
    edge: int

    @property
    def thin(self):
        n = self.elements
        return [f"1x{n}", f"{n}x1", f"32x{n // 32}", f"{n // 32}x32"]

    @property
    def square(self):
        return f"{self.edge}x{self.edge}"

    @property
    def odd(self):
        return f"{self.edge - 1}x{self.edge + 1}"


FULL = Sizes(1 << 26, 8192)
QUICK = Sizes(1 << 16, 256)


def bench_runs(sizes, folder):
    """Name → arguments of bench; those of one pass in this order."""
    n = str(sizes.elements)
    bins = ["--size", n, "--bins", "10,256,4096"]
    shapes = ["--size", ",".join([sizes.square, sizes.odd])]
    runs = {
        "maps": [*TOPS, "--size", n],
        "counting": [*COUNTING, *bins],
        "turning": [*TURNING, *shapes],
        "thin": [*TURNING, "--size", ",".join(sizes.thin)],
    }
    for data in ("uniform", "one_bin"):
        file = ["--input", str(folder / f"{data}.npy")]
        runs[f"counting-{data}"] = [*COUNTING, *file, "--bins", "10,256,4096"]
    for name, option in (("f64", ["--dtype", "f64"]), ("avx2", ["--isa", "avx2"])):
        runs[f"maps-{name}"] = [*TOPS, "--size", n, *option]
        runs[f"counting-{name}"] = [*COUNTING, *bins, *option]
        runs[f"turning-{name}"] = [*TURNING, *shapes, *option]
    runs["maps-baseline"] = [*TOPS, "--size", n, "--isa", "baseline"]
    runs["counting-baseline"] = [*COUNTING, *bins, "--isa", "baseline"]
    runs["turning-baseline"] = [*TURNING, *shapes, "--isa", "baseline"]
    runs["one"] = ["copy/serial", "--size", "1", "--cache", "hot"]
    return runs


def gpu_runs(sizes, folder):
    """The same for the ladders on a device, at sizes that fill it."""
    n = str(4 * sizes.elements)
    edge = 2 * sizes.edge
    bins = ["--bins", "10,256,4096,65536"]
    shapes = f"{edge}x{edge},{edge - 1}x{edge + 1}"
    maps = ["copy/cuda*", "energy/cuda*", "gaussian_pdf/cuda*", "hypot/cuda*"]
    runs = {
        "gpu-maps": [*maps, "--size", n],
        "gpu-turning": ["transpose/cuda*", "--size", shapes],
        "gpu-counting": ["histogram/cuda*", "--size", n, *bins],
    }
    for data in ("uniform", "one_bin"):
        file = ["--input", str(folder / f"{data}.npy")]
        runs[f"gpu-counting-{data}"] = ["histogram/cuda*", *file, *bins]
    return runs


def has_device():
    """True where bench measures a CUDA variant."""
    command = [BENCH, "copy/cuda/wide", "--size", "tiny", "--format", "json", "--output", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"limits: {BENCH} ended with {done.returncode}: {done.stderr}")
    cases = json.loads(done.stdout)["cases"]
    return any(case["backend"] == "cuda" and case["status"] == "measured" for case in cases)


def peer_runs(sizes):
    n = str(sizes.elements)
    maps = [f"{name}/numba/{NUMBA[name]}" for name in ("energy", "gaussian_pdf", "hypot")]
    return {
        "peers-maps": [*maps, "--size", n],
        "peers-counting": ["histogram/numba/njit", "--size", n, "--bins", "10,256"],
        "peers-turning": ["transpose/numba/prange", "--size", sizes.square],
    }


def write_inputs(sizes, folder):
    random = np.random.RandomState(42)
    uniform = random.uniform(-4, 4, sizes.elements).astype(np.float32)
    np.save(folder / "uniform.npy", uniform)
    np.save(folder / "one_bin.npy", np.full(sizes.elements, 0.5, np.float32))


def measure(sizes, folder, passes, seconds):
    folder.mkdir(parents=True, exist_ok=True)
    write_inputs(sizes, folder)
    limits = ["--min-time", str(seconds), "--max-time", str(4 * seconds), "--quiet"]
    runs = {**bench_runs(sizes, folder), **peer_runs(sizes)}
    if has_device():
        runs.update(gpu_runs(sizes, folder))
    for number in range(1, passes + 1):
        for name, arguments in runs.items():
            peers = name.startswith("peers")
            program = [sys.executable, str(ROOT / "scripts" / "peers")] if peers else [BENCH]
            file = folder / f"{number}-{name}.json"
            if file.exists():
                continue
            print(f"limits: pass {number} of {passes}: {name}", file=sys.stderr, flush=True)
            done = subprocess.run([*program, *arguments, *limits, "--output", file], check=False)
            if done.returncode != 0:
                raise SystemExit(f"limits: {name} ended with {done.returncode}: see the line above")
    for data in ("uniform", "one_bin"):
        (folder / f"{data}.npy").unlink(missing_ok=True)


class Passes:
    """The documents of a folder: pass → run → cases that were measured, not beside another."""

    def __init__(self, folder):
        self.cases = {}
        self.machine = None
        for file in sorted(folder.glob("*-*.json")):
            number, name = file.stem.split("-", 1)
            document = json.loads(file.read_text())
            if name == "maps":
                self.machine = document["context"]
            cases = [
                case
                for case in document["cases"]
                if case["status"] == "measured" and not reading.complete(case)["beside"]
            ]
            self.cases.setdefault(int(number), {})[name] = cases
        if self.machine is None:
            raise SystemExit(f"limits: {folder}: no documents; measure first (scripts/limits.sh)")

    def best(self, number, run, workload, backend="openmp", size="", scope="kernel"):
        """The fastest case of a run, or None."""
        found = [
            case
            for case in self.cases[number].get(run, [])
            if (case["workload"], case["backend"], case["scope"]) == (workload, backend, scope)
            and case["size"].endswith(
                f":{size}" if case["workload"] == "histogram" and size else size
            )
        ]
        return min(found, key=lambda case: case["seconds"]["median"], default=None)

    def each(self, value):
        """What `value(pass)` gives in the passes where it gives anything."""
        values = [value(number) for number in self.cases]
        return [one for one in values if one is not None]


def share(passes, run, workload, of, size=""):
    def value(number):
        best = passes.best(number, run, workload, size=size)
        return best and best[f"share_of_{of}"]

    return passes.each(value)


def over_numba(passes, run, workload, size=""):
    def value(number):
        ours = passes.best(number, run, workload, size=size)
        theirs = passes.best(number, f"peers-{run}", workload, "numba", size)
        return ours and theirs and theirs["seconds"]["median"] / ours["seconds"]["median"]

    return passes.each(value)


def error(passes, run, workload):
    def value(number):
        best = passes.best(number, run, workload)
        return best and best["verification"]["max_error"]

    return passes.each(value)


def over_stream(passes):
    """The fastest copy over the plain loop divided among the threads, which is STREAM's copy."""

    def value(number):
        best = passes.best(number, "maps", "copy")
        for case in passes.cases[number].get("maps", []):
            if case["name"].startswith("copy/openmp/naive/"):
                return case["seconds"]["median"] / best["seconds"]["median"]
        return None

    return passes.each(value)


def harness_cost(passes):
    """Nanoseconds of a copy of one element, measured in batches: what is left is the harness."""

    def value(number):
        best = passes.best(number, "one", "copy", "serial")
        return best and 1e9 * best["seconds"]["median"]

    return passes.each(value)


def gpu_share(passes, run, workload, of="copy", size="", scope="kernel"):
    def value(number):
        best = passes.best(number, f"gpu-{run}", workload, "cuda", size, scope)
        return best and best[f"share_of_{of}"]

    return passes.each(value)


def over_library(passes, run, workload, size=""):
    """Time of the library's variant over that of our best one."""

    def value(number):
        best = passes.best(number, f"gpu-{run}", workload, "cuda", size)
        for case in passes.cases[number].get(f"gpu-{run}", []):
            of = (case["workload"], case.get("library"), case["scope"])
            if best and of == (workload, True, "kernel") and case["size"].endswith(size):
                return case["seconds"]["median"] / best["seconds"]["median"]
        return None

    return passes.each(value)


def gpu_goals(passes):
    rows = [("copy", "of library", 0.97, ">=", over_library(passes, "maps", "copy"))]
    for workload, wanted in (("hypot", 0.97), ("gaussian_pdf", 0.97), ("energy", 0.92)):
        rows.append((workload, "of copy", wanted, ">=", gpu_share(passes, "maps", workload)))
    for what, edge in (("16384x16384", "4"), ("16383x16385", "5")):
        values = gpu_share(passes, "turning", "transpose", size=edge)
        rows.append((f"transpose {what}", "of copy", 0.95, ">=", values))
    values = over_library(passes, "turning", "transpose")
    rows.append(("transpose", "cuBLAS", 1.0, ">=", values))
    for data in ("", "-uniform", "-one_bin"):
        for bins in ("10", "256", "4096", "65536"):
            values = gpu_share(passes, f"counting{data}", "histogram", "read", bins)
            what = f"histogram, {bins} bins{data.replace('-', ', ').replace('_', ' ')}"
            rows.append((what, "of read", 0.90, ">=", values))
        values = over_library(passes, f"counting{data}", "histogram")
        what = f"histogram{data.replace('-', ', ').replace('_', ' ')}"
        rows.append((what, "CUB", 1.0, ">=", values))
    for workload in ("energy", "gaussian_pdf", "hypot"):
        values = gpu_share(passes, "maps", workload, scope="end_to_end")
        rows.append((f"{workload}, with transfers", "of copy", 0.95, ">=", values))
    return rows


def cpu_goals(passes, suffix, less):
    """(what, unit, wanted, at least or at most, values) for one precision and instruction set."""
    maps, counting, turning = f"maps{suffix}", f"counting{suffix}", f"turning{suffix}"
    sizes = {
        case["size"]
        for runs in passes.cases.values()
        for case in runs.get(turning, [])
        if case["workload"] == "transpose"
    }
    edges = sorted(sizes, key=lambda size: size.split("x")[0] != size.split("x")[1])
    rows = [
        ("energy", "of copy", 0.85 - less, ">=", share(passes, maps, "energy", "copy")),
        ("gaussian_pdf", "of copy", 0.90 - less, ">=", share(passes, maps, "gaussian_pdf", "copy")),
        ("hypot", "of add", 0.98 - less, ">=", share(passes, maps, "hypot", "add")),
    ]
    for bins, wanted in (("10", 0.95), ("256", 0.58), ("4096", 0.58)):
        values = share(passes, counting, "histogram", "read", bins)
        rows.append((f"histogram, {bins} bins", "of read", wanted - less, ">=", values))
    for size, wanted in zip(edges, (0.78, 0.70), strict=False):
        values = share(passes, turning, "transpose", "copy", size)
        rows.append((f"transpose {size}", "of copy", wanted - less, ">=", values))
    return rows


def sections(passes):
    """Title → rows, in the order in which they are printed."""
    thin = []
    for runs in passes.cases.values():
        thin = [case["size"] for case in runs.get("thin", []) if case["workload"] == "transpose"]
    thin = list(dict.fromkeys(thin))
    main = cpu_goals(passes, "", 0)
    main.insert(0, ("copy", "of STREAM", 1.0, ">=", over_stream(passes)))
    for size in thin:
        values = share(passes, "thin", "transpose", "copy", size)
        main.append((f"transpose {size}", "of copy", 0.5, ">=", values))
    for data in ("uniform", "one_bin"):
        for bins, wanted in (("10", 0.95), ("256", 0.58), ("4096", 0.58)):
            values = share(passes, f"counting-{data}", "histogram", "read", bins)
            what = f"histogram, {bins} bins, {data.replace('_', ' ')}"
            main.append((what, "of read", wanted, ">=", values))
    numba = [
        ("energy", "prange", 60, ">=", over_numba(passes, "maps", "energy")),
        ("gaussian_pdf", "vectorize", 25, ">=", over_numba(passes, "maps", "gaussian_pdf")),
        ("hypot", "prange", 7, ">=", over_numba(passes, "maps", "hypot")),
        ("histogram, 10 bins", "njit", 12, ">=", over_numba(passes, "counting", "histogram", "10")),
        (
            "histogram, 256 bins",
            "njit",
            8,
            ">=",
            over_numba(passes, "counting", "histogram", "256"),
        ),
        ("transpose", "prange", 20, ">=", over_numba(passes, "turning", "transpose")),
    ]
    errors = [
        ("energy", "ulp", 4, "<=", error(passes, "maps", "energy")),
        ("gaussian_pdf", "ulp", 4, "<=", error(passes, "maps", "gaussian_pdf")),
        ("hypot", "ulp", 2, "<=", error(passes, "maps", "hypot")),
        ("copy of one element", "ns", 50, "<=", harness_cost(passes)),
    ]
    return {
        "CPU, f32, widest instruction set": main,
        "CPU, times as fast as Numba with the same threads": numba,
        "errors, and what the harness adds": errors,
        "CPU, f64": cpu_goals(passes, "-f64", 0.1),
        "CPU, f32, AVX2": cpu_goals(passes, "-avx2", 0.1),
        "CPU, f32, baseline x86-64": cpu_goals(passes, "-baseline", 0.4),
        "GPU, f32": gpu_goals(passes),
    }


def figure(value):
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.{2 if abs(value) < 9.95 else 1}f}"


def line(what, unit, wanted, sense, values):
    goal = f"{'≥' if sense == '>=' else '≤'} {figure(wanted)}"
    head = f"  {what:29} {unit:10}{goal:>7}  "
    if not values:
        return head + "not measured"
    middle = statistics.median(values)
    met = middle >= wanted if sense == ">=" else middle <= wanted
    spread = f"[{figure(min(values))}, {figure(max(values))}]"
    return head + f"{figure(middle):>5} {spread:15} {'met' if met else 'missed'}"


def report(folder):
    passes = Passes(folder)
    machine = passes.machine["machine"]
    run = passes.machine["run"]
    facts = [machine["cpu_model"], f"{run['threads']} threads", run["isa"]]
    print(", ".join([*facts, f"{len(passes.cases)} passes"]))
    print("median of the passes, with the least and the greatest\n")
    for title, rows in sections(passes).items():
        print(title)
        for row in rows:
            print(line(*row))
        print()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passes", type=int, default=3, metavar="N")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: to try it, not to quote")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "results" / "limits")
    parser.add_argument("--print", type=pathlib.Path, metavar="DIR", dest="printed")
    return parser.parse_args()


def main():
    given = arguments()
    if given.printed:
        report(given.printed)
        return
    if given.passes < 1:
        raise SystemExit("limits: --passes: a number from 1 on")
    seconds = 0.02 if given.quick else 0.5
    measure(QUICK if given.quick else FULL, given.folder, given.passes, seconds)
    report(given.folder)


if __name__ == "__main__":
    main()
