#!/usr/bin/env python3
"""Every ladder's top held against its goal, and against Numba: scripts/limits.sh runs this.

limits.py [--passes N] [--quick] [--gpu] [--only RUNS] [--folder DIR]    measure into DIR, print
limits.py --print DIR                             print what was measured into DIR before

Each pass is a run of bench for each kind of work; a share, and a factor over Numba, is taken within
one run. What is in DIR already is not measured again, what is there in part is gone on with. The
exit status is 1 where a result was wrong, or is missing.
"""

import argparse
import array
import fnmatch
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile

import program
import whole

PYTHON = {"BENCH_PYTHON": sys.executable}  # of the peers
DATA = ("uniform", "one_bin")
# What each map is held against.
MAPS = [("energy", "copy"), ("gaussian_pdf", "copy"), ("hypot", "add")]
TOPS = ["copy", *(name for name, _ in MAPS)]
# What each lesson is held against, by the shape of its data.
LESSONS = {
    "lines": {"sum_of_squares": "read", "counter": "read", "hidden_layer": "add"},
    "tables": {"matrix_add": "add", "column_sums": "read", "row_norms": "read"},
}
GPU_BINS = (10, 256, 4096, 65536)
THIN = (1, 2, 8, 32)  # rows or columns
# Rungs that teach something else than speed, or that are faster on other data or shapes only.
NO_FASTER = {
    "histogram": {"private_bins", "packed"},
    "transpose": {"aligned", "fitted"},
    "counter": {"warp_votes"},
    "hidden_layer": {"one_exponential"},
    "sum_of_squares": {"warp_shuffle", "fixed_order"},
    "column_sums": {"column_per_thread", "joined"},
    "row_norms": {"row_per_block"},
}
COUNTING = ["histogram/openmp/vector_bins", "histogram/openmp/byte_compare"]
TURNING = ["transpose/openmp/in_register", "transpose/openmp/streaming"]
NUMBA = ["energy/numba/prange", "gaussian_pdf/numba/vectorize_parallel", "hypot/numba/prange"]


def shapes(edge):
    """A square matrix, and one whose rows begin at no vector."""
    return ["--size", f"{edge}x{edge},{edge - 1}x{edge + 1}"]


def thin_shapes(n, sides):
    return ["--size", ",".join(f"{side}x{n // side},{n // side}x{side}" for side in sides)]


def runs(n, edge, device):
    """Name → arguments of bench, those of one pass in this order. `n` elements in an array, `edge`
    of a square matrix; `device`: there is one."""

    def inputs(data):
        return ["--input", f"{data}.npy"]

    length, bins = ["--size", str(n)], ["--bins", "10,256,4096"]
    streaming = [f"{name}/openmp{'/streaming' * (name != 'copy')}" for name in TOPS]
    ladders = {
        "maps": [*streaming, *length],
        "counting": [*COUNTING, *length, *bins],
        "turning": [*TURNING, *shapes(edge)],
    }
    all_runs = {**ladders, "thin": [*TURNING, *thin_shapes(n, (1, 32))]}
    square = ["--size", f"{edge}x{edge}"]
    all_runs["lines"] = [*(f"{name}/openmp*" for name in LESSONS["lines"]), *length]
    all_runs["tables"] = [*(f"{name}/openmp*" for name in LESSONS["tables"]), *square]
    for data in DATA:
        all_runs[f"counting-{data}"] = [*COUNTING, *inputs(data), *bins]
    others = {"f64": "--dtype", "avx2": "--isa", "baseline": "--isa"}
    for value, option in others.items():
        for name, arguments in ladders.items():
            all_runs[f"{name}-{value}"] = [*arguments, option, value]
    all_runs["one"] = ["copy/serial", "--size", "1", "--cache", "hot"]
    counting_peer, few = ["histogram/numba/njit", "--peers"], ["--bins", "10,256"]
    all_runs["peers-maps"] = [*streaming, *NUMBA, "--peers", *length]
    all_runs["peers-counting"] = [*COUNTING, *counting_peer, *length, *few]
    all_runs["peers-turning"] = [*TURNING, "transpose/numba/prange", "--peers", *square]
    return all_runs | (gpu_runs(n, edge, inputs) if device else {})


def gpu_runs(n, edge, inputs):
    """At sizes that fill a device: what a map of n floats reads and writes is more than 8 times its
    L2, as are 2n floats where they are only read. The CPU's baseline would take longer than all of
    it."""
    bins = ["--bins", ",".join(map(str, GPU_BINS))]
    alone = ["--no-baseline", "--scope", "kernel"]
    # The others take up to ten times as long there.
    for_thin = [f"transpose/cuda/{rung}" for rung in ("aligned", "fitted", "wide", "library")]

    def cases(names):
        return [f"{name}/cuda*" for name in names]

    def ladders(n):
        return {
            "maps": [*cases(TOPS), *alone, "--size", str(n)],
            "turning": [*cases(["transpose"]), *alone, *shapes(edge)],
            "lines": [*cases(LESSONS["lines"]), *alone, "--size", str(2 * n)],
            "tables": [*cases(LESSONS["tables"]), *alone, "--size", f"{2 * n // edge}x{edge}"],
            "thin": [*for_thin, *alone, *thin_shapes(n, THIN)],
        }

    counting = [*cases(["histogram"]), *alone, *bins]
    runs = {f"gpu-{name}": of for name, of in ladders(n).items()}
    runs["gpu-counting"] = [*counting, "--size", str(2 * n)]
    runs |= {f"gpu-counting-{data}": [*counting, *inputs(data)] for data in DATA}
    transfers = ["--no-baseline", "--scope", "end_to_end", "--size", str(n // 4)]
    runs["gpu-transfers"] = [*cases(TOPS), *transfers]
    return runs | {
        f"gpu-{name}-f64": [*of, "--dtype", "f64"] for name, of in ladders(n // 2).items()
    }


def has_device():
    """By what bench says of the node: a variant may be wrong."""
    return bool(program.ask(["doctor", "--format", "json"])["context"]["machine"]["gpu"])


def save(file, values):
    """A vector of single precision as NumPy saves it; not every node has NumPy."""
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    magic = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little")
    file.write_bytes(magic + head.encode() + values.tobytes())


def save_data(file, n, count):
    if file.stem == "one_bin":
        return save(file, array.array("f", [0.5]) * count)
    some = random.Random(42)
    piece = array.array("f", (some.uniform(-4, 4) for _ in range(min(n, 1 << 20))))
    return save(file, piece * (count // len(piece)))


def measure(n, edge, folder, passes, seconds, chosen):
    """True where all has a whole document now. `chosen`: by the name of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # leaves no data
    device = has_device()
    all_runs = runs(n, edge, device)
    limits = ["--min-time", str(seconds), "--max-time", str(4 * seconds)]
    binary = pathlib.Path(program.binary()).absolute()
    complete = True
    # By names that are the same the next time, and do not tell where this was.
    with tempfile.TemporaryDirectory() as temporary:
        here = pathlib.Path(temporary)
        (here / "documents").symlink_to(folder.absolute())

        def bench(*arguments):
            print(f"limits: {what}", file=sys.stderr, flush=True)
            for file in (here / f"{data}.npy" for data in DATA):
                if file.name in of_run and not file.exists():
                    save_data(file, n, 2 * n if device else n)
            command = ["bench", *arguments, "--quiet"]
            environment = PYTHON | os.environ
            with subprocess.Popen(command, executable=binary, env=environment, cwd=here) as running:
                try:
                    return running.wait()
                except SystemExit:  # what ends this ends bench, too, which writes its document then
                    running.terminate()
                    raise

        for number in range(1, passes + 1):
            names = {f"documents/{number}-{name}.json": name for name in all_runs if chosen(name)}
            # What was begun may hang once more: it comes last.
            for file in sorted(names, key=lambda file: (here / file).exists()):
                name = names[file]
                what, of_run = f"pass {number} of {passes}: {name}", all_runs[name]
                code = whole.measure(bench, [*of_run, *limits], here, file)
                if not whole.finished(whole.read(here / file)):
                    print(f"limits: {what}: ended with {code}", file=sys.stderr, flush=True)
                    complete = False
    return complete


def rows_of(file):
    """What was measured, as `bench table` has it."""
    asked = ["table", "--format=json", "--columns=variant,time,share,bound,error", str(file)]
    tables = program.ask(asked)["tables"]
    return [row for table in tables for row in table["rows"] if row["status"] == "measured"]


class Passes:
    """pass → run → rows."""

    def __init__(self, folder):
        self.rows = {}
        for file in sorted(folder.glob("*-*.json")):
            number, name = file.stem.removesuffix("-again").split("-", 1)
            self.rows.setdefault(int(number), {}).setdefault(name, []).extend(rows_of(file))
        if not self.rows:
            raise SystemExit(f"limits: {folder}: no documents; measure first (scripts/limits.sh)")

    def best(self, number, run, workload, size="", backend="openmp", scope="kernel", **facts):
        """The fastest row of a run that is ours unless the facts say `library`, or None; a
        histogram's size ends in its bins."""
        wanted = {"workload": workload, "backend": backend, "scope": scope, "library": False}
        wanted |= facts
        found = [
            row
            for row in self.rows[number].get(run, [])
            if wanted.items() <= row.items() and row["size"].endswith(size)
        ]
        return min(found, key=seconds, default=None)

    def each(self, value, *of, **facts):
        """`value` of the best row, in the passes where there is one."""
        found = [self.best(number, *of, **facts) for number in self.rows]
        return [value(row) for row in found if row]

    def share(self, *of, **facts):
        return self.each(lambda row: row["values"]["share"], *of, **facts)

    def bound(self, *of):
        """The share of what this code can reach at all: of the memory's bandwidth, or of its own
        speed on data in the nearest cache."""
        shares = self.each(lambda row: row["values"]["bound"], *of)
        return [share for share in shares if share is not None]

    def error(self, *of):
        return self.each(lambda row: row["values"]["error"], *of)

    def times(self, ours, theirs):
        """How many times as fast our best row is as theirs: each is a function of the pass."""
        pairs = [(ours(number), theirs(number)) for number in self.rows]
        return [seconds(b) / seconds(a) for a, b in pairs if a and b]

    def over_numba(self, run, *of):
        return self.times(
            lambda number: self.best(number, f"peers-{run}", *of),
            lambda number: self.best(number, f"peers-{run}", *of, backend="numba"),
        )

    def over_stream(self):
        """The plain loop divided among the threads is STREAM's copy."""
        return self.times(
            lambda number: self.best(number, "maps", "copy"),
            lambda number: self.best(number, "maps", "copy", variant="naive"),
        )

    def over_library(self, run, workload, size=""):
        return self.times(
            lambda number: self.best(number, run, workload, size, backend="cuda"),
            lambda number: self.best(number, run, workload, size, backend="cuda", library=True),
        )

    def over_rung_above(self, run, workload, size=""):
        """(variant, how many times as fast as the one above it) of a CUDA ladder, in its order."""
        rows = [
            row["variant"]
            for rows in self.rows.values()
            for row in rows.get(run, [])
            if row["workload"] == workload and row["backend"] == "cuda"
            if row["scope"] == "kernel" and not row["library"]
        ]
        ladder = list(dict.fromkeys(rows))

        def rung(variant):
            return lambda number: self.best(
                number, run, workload, size, backend="cuda", variant=variant
            )

        for above, below in zip(ladder, ladder[1:]):
            yield below, self.times(rung(below), rung(above))

    def on_gpu_only(self):
        return all(name.startswith("gpu-") for runs in self.rows.values() for name in runs)

    def sizes(self, run):
        """Those of a run's transposes, in the order in which they were asked for."""
        found = (row["size"] for rows in self.rows.values() for row in rows.get(run, []))
        return list(dict.fromkeys(found))


def seconds(row):
    return row["values"]["time"]


# Goals: (what, unit, wanted, values). Of errors and times less is better, of all else more.
LESS = ("ulp", "ns")


def cpu_goals(passes, suffix, less):
    """For one precision and instruction set."""
    maps, counting, turning = (f"{run}{suffix}" for run in ("maps", "counting", "turning"))
    rows = [(of, "of bound", 0.95, passes.bound(maps, of)) for of in TOPS[1:]]
    rows += counted(passes, counting, "", less)
    for size, goal in zip(passes.sizes(turning), (0.78, 0.70)):
        values = passes.share(turning, "transpose", size)
        rows.append((f"transpose {size}", "of copy", goal - less, values))
    return rows


def counted(passes, run, data, less=0.0):
    return [
        (
            f"histogram, {bins} bins{data}",
            "of read",
            goal - less,
            passes.share(run, "histogram", f":{bins}"),
        )
        for bins, goal in ((10, 0.95), (256, 0.65), (4096, 0.58))
    ]


def gpu_goals(passes, suffix, maps):
    """For one precision; `maps`: the share that a map is to reach."""
    run = f"gpu-maps{suffix}"
    rows = [("copy", "of library", 0.98, passes.over_library(run, "copy"))]
    for workload, of in MAPS:
        values = passes.share(run, workload, backend="cuda")
        rows.append((workload, f"of {of}", maps, values))
    for shapes, goals in (("turning", (0.95, 0.85)), ("thin", (0.90,) * 2 * len(THIN))):
        run = f"gpu-{shapes}{suffix}"
        for size, goal in zip(passes.sizes(run) or (shapes,), goals):
            of = "" if size == shapes else size
            values = passes.share(run, "transpose", of, backend="cuda")
            rows.append((f"transpose {size}", "of copy", goal, values))
            values = passes.over_library(run, "transpose", of)
            rows.append((f"transpose {size}", "of cuBLAS", 1.0, values))
    return rows


def lessons(unit, values):
    """The tops of the ladders that are measured where they are named. `unit` of what each is held
    against, `values` of its run and its name."""
    return [
        (name, unit(of), 0.95, values(shape, name))
        for shape, names in LESSONS.items()
        for name, of in names.items()
    ]


def gpu_lessons(passes, suffix):
    def share(shape, name):
        return passes.share(f"gpu-{shape}{suffix}", name, backend="cuda")

    return lessons("of {}".format, share) + [
        (name, "of CUB", 1.0, passes.over_library(f"gpu-{shape}{suffix}", name))
        for shape, name in (
            ("lines", "sum_of_squares"),
            ("lines", "counter"),
            ("tables", "row_norms"),
        )
    ]


def gpu_counting(passes):
    rows = []
    for data in ("", *DATA):
        run = f"gpu-counting{'-' * bool(data)}{data}"
        named = f", {data.replace('_', ' ')}" * bool(data)
        for bins, goal in zip(GPU_BINS, (0.95, 0.95, 0.85, 0.60)):
            what = f"histogram, {bins} bins{named}"
            values = passes.share(run, "histogram", f":{bins}", backend="cuda")
            rows.append((what, "of read", goal, values))
            # Against the faster of the two that CUB has.
            rows.append((what, "of CUB", 1.0, passes.over_library(run, "histogram", f":{bins}")))
    return rows


def gpu_order(passes):
    """Each rung against the one above it."""
    ladders = [("gpu-maps", workload, "") for workload in TOPS]
    ladders += [("gpu-turning", "transpose", size) for size in passes.sizes("gpu-turning")[:1]]
    ladders += [("gpu-counting", "histogram", ":256")]
    ladders += [(f"gpu-{shape}", name, "") for shape, names in LESSONS.items() for name in names]
    rows = [
        (f"{workload}: {variant}", "of above", 1.0, values)
        for run, workload, size in ladders
        for variant, values in passes.over_rung_above(run, workload, size)
        if variant not in NO_FASTER.get(workload, ())
    ]
    # Where those are meant that are for special cases.
    special = [("gpu-counting", "histogram", f":{GPU_BINS[-1]}", "packed")]
    special += [
        ("gpu-turning", "transpose", odd, "aligned") for odd in passes.sizes("gpu-turning")[1:]
    ]
    special += [("gpu-thin", "transpose", size, "fitted") for size in passes.sizes("gpu-thin")[2:4]]
    rows += [
        (f"{workload} {size.strip(':')}: {variant}", "of above", 1.0, values)
        for run, workload, size, wanted in special
        for variant, values in passes.over_rung_above(run, workload, size)
        if variant == wanted
    ]
    return rows


def gpu_transfers(passes):
    return [
        (
            f"{workload}, with transfers",
            f"of {of}",
            0.95,
            passes.share("gpu-transfers", workload, backend="cuda", scope="end_to_end"),
        )
        for workload, of in MAPS
    ]


def sections(passes):
    """Title → rows, in the order in which they are printed."""
    main = [("copy", "of STREAM", 1.0, passes.over_stream()), *cpu_goals(passes, "", 0)]
    for size in passes.sizes("thin"):
        main.append((f"transpose {size}", "of copy", 0.5, passes.share("thin", "transpose", size)))
    for data in DATA:
        main += counted(passes, f"counting-{data}", f", {data.replace('_', ' ')}")
    main += lessons(lambda _: "of bound", passes.bound)
    numba = [
        ("energy", "prange", 60, passes.over_numba("maps", "energy")),
        ("gaussian_pdf", "vectorize", 25, passes.over_numba("maps", "gaussian_pdf")),
        ("hypot", "prange", 7, passes.over_numba("maps", "hypot")),
        ("histogram, 10 bins", "njit", 12, passes.over_numba("counting", "histogram", ":10")),
        ("histogram, 256 bins", "njit", 8, passes.over_numba("counting", "histogram", ":256")),
        ("transpose", "prange", 20, passes.over_numba("turning", "transpose")),
    ]
    errors = [
        (workload, "ulp", goal, passes.error("maps", workload))
        for workload, goal in (("energy", 4), ("gaussian_pdf", 4), ("hypot", 2))
    ]
    # Measured in batches: what is left of a copy of one element is the harness.
    cost = passes.each(lambda row: 1e9 * seconds(row), "one", "copy", backend="serial")
    return {
        "CPU, f32, widest instruction set": main,
        "CPU, times as fast as Numba with the same threads": numba,
        "errors, and what the harness adds": [*errors, ("copy of one element", "ns", 50, cost)],
        "CPU, f64": cpu_goals(passes, "-f64", 0.1),
        "CPU, f32, AVX2": cpu_goals(passes, "-avx2", 0.1),
        "CPU, f32, baseline x86-64": cpu_goals(passes, "-baseline", 0.4),
        "GPU, f32": [
            *gpu_goals(passes, "", 0.97),
            *gpu_counting(passes),
            *gpu_lessons(passes, ""),
            *gpu_transfers(passes),
        ],
        "GPU, f64": [
            *gpu_goals(passes, "-f64", 0.95),
            *gpu_lessons(passes, "-f64"),
        ],
        "GPU, f32, each rung against the one above": gpu_order(passes),
    }


def figure(value):
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.{2 if abs(value) < 9.95 else 1}f}"


def line(what, unit, wanted, values):
    less = unit in LESS
    goal = f"{'≤' if less else '≥'} {figure(wanted)}"
    head = f"  {what:30} {unit:10}{goal:>7}  "
    if not values:
        return head + "not measured"
    middle = statistics.median(values)
    met = middle <= wanted if less else middle >= wanted
    spread = f"[{figure(min(values))}, {figure(max(values))}]"
    return head + f"{figure(middle):>5} {spread:15} {'met' if met else 'missed'}"


def report(folder, chosen):
    """True where nothing is wrong with what was measured, nor missing of the chosen runs."""
    passes = Passes(folder)
    first = min(folder.glob("*-*.json"))
    context = json.loads(first.read_text(encoding="utf-8"))["context"]
    run = context["run"]
    facts = [context["machine"]["cpu_model"], f"{run['threads']} threads", run["isa"]]
    gpu = context["machine"]["gpu"]
    facts += [gpu["name"]] if gpu else []
    print(", ".join([*facts, f"{len(passes.rows)} passes"]))
    print("median of the passes, with the least and the greatest\n")
    gpu_only = passes.on_gpu_only()
    for title, rows in sections(passes).items():
        if gpu_only and not title.startswith("GPU"):
            continue
        print(title)
        for row in rows:
            print(line(*row))
        print()
    found = [*trouble(folder), *missing(passes, chosen)]
    if found:
        print("What is wrong or missing", *found, sep="\n  ")
    return not found


def trouble(folder):
    """What is not as it should be in the documents, a sentence each."""
    for file in sorted(folder.glob("*-*.json")):
        document = whole.read(file)
        if not whole.finished(document):
            yield f"{file.stem}: not finished: the same command goes on"
        for case in whole.cases(document, "failed"):
            yield f"{file.stem}: {case['name']}: {program.plain(case['reason'])}"


def missing(passes, chosen):
    """The chosen runs that a pass has not, a sentence for each pass."""
    gpu_only = passes.on_gpu_only()
    on_gpu = any(name.startswith("gpu-") for rows in passes.rows.values() for name in rows)
    wanted = [
        name
        for name in runs(0, 1, on_gpu)
        if chosen(name) and (name.startswith("gpu-") or not gpu_only)
    ]
    for number, rows in passes.rows.items():
        lacking = [name for name in wanted if name not in rows]
        if lacking:
            yield f"pass {number}: not measured: {', '.join(lacking)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passes", type=int, default=3, metavar="N")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: to try it, not to quote")
    parser.add_argument("--gpu", action="store_true", help="only what runs on the GPU")
    only = "only runs of these names, with commas, * for any letters"
    parser.add_argument("--only", default="*", metavar="RUNS", help=only)
    folder = program.ROOT / "results" / "limits"
    parser.add_argument("--folder", type=pathlib.Path, default=folder)
    parser.add_argument("--print", type=pathlib.Path, metavar="DIR", dest="printed")
    given = parser.parse_args()
    patterns = given.only.split(",")

    def chosen(name):
        ours = name.startswith("gpu-") or not given.gpu
        return ours and any(fnmatch.fnmatch(name, pattern) for pattern in patterns)

    complete = True
    if not given.printed:
        if given.passes < 1:
            raise SystemExit("limits: --passes: a number from 1 on")
        n, edge = (1 << 16, 256) if given.quick else (1 << 26, 8192)
        least = 0.02 if given.quick else 0.2 if given.gpu else 0.5
        complete = measure(n, edge, given.folder, given.passes, least, chosen)
    return 0 if report(given.printed or given.folder, chosen) and complete else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except program.UsageError as error:
        raise SystemExit(f"limits: {error}") from None
