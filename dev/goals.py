#!/usr/bin/env python3
"""Each workload's fastest variant against its goal and against Numba.

goals.py [--passes N] [--quick] [--gpu] [--only RUNS] [--folder DIR]    measure into DIR, print
goals.py --print DIR                               print what was measured into DIR before

goals.json has the runs of a pass, and by title the goals: what, unit, goal, reference, run,
workload, and the end of its size, or its number among those of the run. A reference is in RIVALS, a
function of Passes, or a column of `bench table`; `bound` is the share of what this code can reach
at all: of the memory's bandwidth, or of its own speed on data in the nearest cache. Each pass is a
run of bench for each kind of work; a share, and a factor over Numba, is taken within one run. What
is in DIR already is not measured again, what is there in part is continued. The exit status is 1
where a result was wrong, or is missing. To measure, it builds bench and installs Numba into .venv,
unless BENCH_BINARY names a program.
"""

import argparse
import array
import fnmatch
import functools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "scripts")]

import whole  # noqa: E402
from bench_hpc import program  # noqa: E402

TABLE = json.loads((HERE / "goals.json").read_text(encoding="utf-8"))


def runs(n, edge, device):
    """Name → arguments of bench, those of one pass in this order. `n` elements in an array, `edge`
    of a square matrix; `device`: there is one. Sizes fill a device: what a map of n floats reads
    and writes is more than 8 times its L2, as are 2n floats where they are only read."""

    def thin(n, *sides):
        """Shapes with each of these numbers of rows, and of columns."""
        return ",".join(f"{side}x{n // side},{n // side}x{side}" for side in sides)

    sizes = {
        "n": n,
        "twice": 2 * n,
        "half": n // 2,
        "quarter": n // 4,
        "square": f"{edge}x{edge}",
        "odd": f"{edge - 1}x{edge + 1}",  # its rows begin at no vector
        "table": f"{2 * n // edge}x{edge}",
        "half_table": f"{n // edge}x{edge}",
        "thin": thin(n, 1, 32),
        "thinnest": thin(n, 1, 2, 8, 32),
        "half_thinnest": thin(n // 2, 1, 2, 8, 32),
    }
    wanted = {name: of for name, of in TABLE["runs"].items() if device or not of_gpu(name)}
    return {name: of.format(**sizes).split() for name, of in wanted.items()}


def of_gpu(run):
    return run.startswith("gpu-")


def save(file, n, count):
    """A vector of single precision as NumPy saves it; not every node has NumPy."""
    some = random.Random(42)
    piece = array.array("f", (some.uniform(-4, 4) for _ in range(min(n, 1 << 20))))
    if file.stem == "one_bin":
        piece = array.array("f", [0.5])
    values = piece * (count // len(piece))
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    magic = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little")
    file.write_bytes(magic + head.encode() + values.tobytes())


def measure(n, edge, folder, passes, seconds, chosen):
    """True where all has a whole result file now. `chosen`: by the name of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["BENCH_BINARY"] = str(pathlib.Path(program.binary()).absolute())
    # By what bench says of the node: a variant may be wrong.
    device = program.ask(["doctor", "--format", "json"])["context"]["machine"]["gpu"]
    limits = ["--min-time", str(seconds), "--max-time", str(4 * seconds)]
    all_runs = [(name, of) for name, of in runs(n, edge, device).items() if chosen(name)]
    left = [(number, *run) for number in range(1, passes + 1) for run in all_runs]
    complete = True
    # A run that was begun may hang again, so it comes last.
    left.sort(key=lambda run: (run[0], (folder / f"{run[0]}-{run[1]}.json").exists()))
    for number, name, arguments in left:
        print(f"goals: pass {number} of {passes}: {name}", file=sys.stderr, flush=True)
        data = [folder / word for word in arguments if word.endswith(".npy")]
        file = f"{number}-{name}.json"
        try:
            for one in data:
                save(one, n, 2 * n if device else n)
            code = whole.measure([*arguments, *limits], folder, file, "--quiet")
        finally:
            for one in data:
                one.unlink()
        if not whole.finished(whole.read(folder / file)):
            print(f"goals: {file}: ended with {code}", file=sys.stderr, flush=True)
            complete = False
    return complete


def rows_of(file):
    """What was measured, as `bench table` has it."""
    tables = program.tables([file], "--columns=variant,time,share,bound,error")["tables"]
    return [row for table in tables for row in table["rows"] if row["status"] == "measured"]


class Passes:
    """pass → run → rows."""

    def __init__(self, folder):
        self.rows = {}
        for file in sorted(folder.glob("*-*.json")):
            number, name = file.stem.removesuffix("-again").split("-", 1)
            self.rows.setdefault(int(number), {}).setdefault(name, []).extend(rows_of(file))
        if not self.rows:
            raise SystemExit(f"goals: {folder}: no result files; measure first (dev/goals.py)")

    def rows_in(self, number, run, workload, size="", **facts):
        """Of a run and workload, in its scope; not of a library, unless the facts say `library`."""
        scope = "end_to_end" if run == "gpu-transfers" else "kernel"
        wanted = {"workload": workload, "scope": scope, "library": False, **facts}
        wanted.setdefault("backend", "cuda" if of_gpu(run) else "openmp")
        rows = self.rows[number].get(run, [])
        return [row for row in rows if wanted.items() <= row.items() and row["size"].endswith(size)]

    def best(self, number, *of, **facts):
        """The fastest of these rows, or None."""
        return min(self.rows_in(number, *of, **facts), key=seconds, default=None)

    def each(self, value, *of, **facts):
        """The `value` of the best row, in the passes where there is one, if its limit is known."""
        found = (self.best(number, *of, **facts) for number in self.rows)
        return [row["values"][value] if limited(row, value) else None for row in found if row]

    def time(self, *of):
        """In ns, of what is measured in batches: what is left of a copy is the harness."""
        return [1e9 * one for one in self.each("time", *of, backend="serial")]

    def times(self, of, ours, theirs):
        """How many times as fast the best built-in row is as theirs."""
        pairs = [(self.best(n, *of, **ours), self.best(n, *of, **theirs)) for n in self.rows]
        return [seconds(b) / seconds(a) for a, b in pairs if a and b]

    def above(self, *of):
        """(variant, how many times as fast as the one above it) of a ladder, in its order."""
        rows = [row["variant"] for number in self.rows for row in self.rows_in(number, *of[:2])]
        ladder = list(dict.fromkeys(rows))
        for above, below in zip(ladder, ladder[1:]):
            yield below, self.times(of, {"variant": below}, {"variant": above})

    def on_gpu_only(self):
        return all(of_gpu(name) for runs in self.rows.values() for name in runs)

    def sizes(self, run):
        """In the order in which they were asked for; the name of the run where it was not made."""
        found = (row["size"] for rows in self.rows.values() for row in rows.get(run, []))
        return list(dict.fromkeys(found)) or [run]


def limited(row, value):
    """False where a reference is exceeded by so much that it is not a limit."""
    return value != "share" or not row["share_ci95"] or row["share_ci95"][1] <= MOST


RIVALS = {
    "numba": {"backend": "numba"},
    "stream": {"variant": "naive"},  # the plain loop divided among the threads is STREAM's copy
    "library": {"library": True},
}


def seconds(row):
    return row["values"]["time"]


MOST = 1.1  # no measurement exceeds a limit by more

# Of errors and times less is better, of all else more.
LESS = ("ulp", "ns")


def goals(passes, rows):
    """(what, unit, wanted, values) of each row of goals.json."""
    for what, unit, wanted, yardstick, run, workload, *more in rows:
        size, chosen = (*more, *("", {})[len(more) :])
        if isinstance(size, int):
            sizes = passes.sizes(run)
            if size >= len(sizes):
                continue
            size = sizes[size]
        of = run, workload, size
        if yardstick in RIVALS:
            values = passes.times(of, {}, RIVALS[yardstick])
        else:
            column = functools.partial(passes.each, yardstick)
            values = getattr(passes, yardstick, column)(*of)
        for variant, found in values if yardstick == "above" else [("", values)]:
            if variant in chosen.get("only", [variant]) and variant not in chosen.get("not", ()):
                yield what.format(size=size.strip(":"), variant=variant), unit, wanted, found


def figure(value):
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.{2 if abs(value) < 9.95 else 1}f}"


def line(what, unit, wanted, values):
    less = unit in LESS
    goal = f"{'≤' if less else '≥'} {figure(wanted)}"
    head = f"  {what:30} {unit:10}{goal:>7}  "
    if not values:
        return head + "not measured"
    values = [one for one in values if one is not None]
    if not values:
        return head + "unknown               missed"
    middle = statistics.median(values)
    met = middle <= wanted if less else middle >= wanted
    spread = f"[{figure(min(values))}, {figure(max(values))}]"
    return head + f"{figure(middle):>5} {spread:15} {'met' if met else 'missed'}"


def report(folder, chosen):
    """True where nothing is wrong with what was measured, nor missing of the chosen runs."""
    passes = Passes(folder)
    context = whole.read(min(folder.glob("*-*.json")))["context"]
    run, machine = context["run"], context["machine"]
    facts = [machine["cpu_model"], f"{run['threads']} threads", run["isa"]]
    facts += [machine["gpu"]["name"]] if machine["gpu"] else []
    print(", ".join([*facts, f"{len(passes.rows)} passes"]))
    print("median of the passes, with the least and the greatest\n")
    for title, rows in TABLE["goals"].items():
        if title.startswith("GPU") or not passes.on_gpu_only():
            print(title, *(line(*row) for row in goals(passes, rows)), sep="\n", end="\n\n")
    found = [*trouble(folder), *missing(passes, chosen)]
    if found:
        print("Wrong or missing", *found, sep="\n  ")
    return not found


def trouble(folder):
    """What is not as it should be in the result files, a sentence each."""
    for file in sorted(folder.glob("*-*.json")):
        document = whole.read(file)
        if not whole.finished(document):
            yield f"{file.stem}: not finished: the same command continues it"
        for case in whole.cases(document, "failed"):
            yield f"{file.stem}: {case['name']}: {program.plain(case['reason'])}"


def missing(passes, chosen):
    """The chosen runs that a pass has not, a sentence for each pass."""
    gpu_only = passes.on_gpu_only()
    on_gpu = any(of_gpu(name) for rows in passes.rows.values() for name in rows)
    wanted = [
        name for name in runs(0, 1, on_gpu) if chosen(name) and (of_gpu(name) or not gpu_only)
    ]
    for number, rows in passes.rows.items():
        if lacking := [name for name in wanted if name not in rows]:
            yield f"pass {number}: not measured: {', '.join(lacking)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passes", type=int, default=3, metavar="N", help="default: 3")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: to try it, not to quote")
    parser.add_argument("--gpu", action="store_true", help="only what runs on the GPU")
    only = "only runs of these names, with commas, * for any letters"
    parser.add_argument("--only", default="*", metavar="RUNS", help=only)
    folder = program.ROOT / "results" / "goals"
    parser.add_argument("--folder", type=pathlib.Path, default=folder, help="results/goals")
    again = "print what DIR has; measure nothing"
    parser.add_argument("--print", type=pathlib.Path, metavar="DIR", dest="printed", help=again)
    given = parser.parse_args()
    patterns = given.only.split(",")

    def chosen(name):
        ours = of_gpu(name) or not given.gpu
        return ours and any(fnmatch.fnmatch(name, pattern) for pattern in patterns)

    complete = True
    if not given.printed:
        if given.passes < 1:
            raise SystemExit("goals: --passes: a number from 1 on")
        if "BENCH_BINARY" not in os.environ:
            for command in (["setup.sh", "peers"], ["build.sh"]):
                script = [program.ROOT / "scripts" / command[0], *command[1:]]
                subprocess.run(script, check=True, stdout=sys.stderr)
            os.environ.setdefault("BENCH_PYTHON", str(program.ROOT / ".venv" / "bin" / "python"))
        n, edge = (1 << 16, 256) if given.quick else (1 << 26, 8192)
        least = 0.02 if given.quick else 0.2 if given.gpu else 0.5
        complete = measure(n, edge, given.folder, given.passes, least, chosen)
    return 0 if report(given.printed or given.folder, chosen) and complete else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except program.UsageError as error:
        raise SystemExit(f"goals: {error}") from None
