#!/usr/bin/env python3
"""Each workload's fastest variant against its goal and against Numba.

goals.py [--passes N] [--quick] [--gpu] [--only RUNS] [--folder DIR]    measure into DIR, print
goals.py --print DIR                               print what was measured into DIR before

goals.json has the sizes, each also for --quick, and the runs of a pass in their order. Sizes fill a
device: a map of n floats reads and writes more than 8 times its L2. Below are the goals by title:
what, unit, goal, reference, run, workload, and the end of its size, or its number among those of
the run. A reference is in RIVALS, `above`, or a column of `bench table`; `bound` is the share of
what this code can reach at all: of the memory's bandwidth, or of its own speed on data in the
nearest cache. A share, and a factor over Numba, is taken within one run. What is in DIR already is
not measured again, what is there in part is continued. The exit status is 1 where a result was
wrong, or is missing. To measure, it builds bench and installs Numba into .venv, unless BENCH_BINARY
names a program.
"""

import argparse
import array
import fnmatch
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
RIVALS = {
    "numba": {"backend": "numba"},
    "stream": {"variant": "naive"},  # the plain loop divided among the threads is STREAM's copy
    "library": {"library": True},
}
MOST = 1.1  # no measurement exceeds a limit by more
LESS = ("ulp", "ns")  # of errors and times less is better, of all else more


def of_gpu(run):
    return run.startswith("gpu-")


def save(file, count):
    """A vector of single precision as NumPy saves it; not every node has NumPy."""
    some = random.Random(42)
    piece = array.array("f", (some.uniform(-4, 4) for _ in range(min(count, 1 << 20))))
    if file.stem == "one_bin":
        piece = array.array("f", [0.5])
    values = piece * (count // len(piece))
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    magic = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little")
    file.write_bytes(magic + head.encode() + values.tobytes())


def measure(folder, passes, quick, seconds, chosen):
    """True where all has a whole result file now. `chosen`: by the name of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["BENCH_BINARY"] = str(pathlib.Path(program.binary()).absolute())
    # By what bench says of the node: a variant may be wrong.
    device = program.ask(["doctor", "--format", "json"])["context"]["machine"]["gpu"]
    sizes = {name: both[quick] for name, both in TABLE["sizes"].items()}
    limits = ["--min-time", str(seconds), "--max-time", str(4 * seconds)]
    names = [name for name in TABLE["runs"] if chosen(name) and (device or not of_gpu(name))]
    complete = True
    for number in range(1, passes + 1):
        # A run that was begun may hang again, so it comes last.
        for name in sorted(names, key=lambda name: (folder / f"{number}-{name}.json").exists()):
            print(f"goals: pass {number} of {passes}: {name}", file=sys.stderr, flush=True)
            arguments = TABLE["runs"][name].format(**sizes).split()
            data = [folder / word for word in arguments if word.endswith(".npy")]
            file = f"{number}-{name}.json"
            try:
                for one in data:
                    save(one, int(sizes["twice" if device else "n"]))
                code = whole.measure([*arguments, *limits], folder, file, "--quiet")
            finally:
                for one in data:
                    one.unlink()
            if not whole.finished(whole.read(folder / file)):
                print(f"goals: {file}: ended with {code}", file=sys.stderr, flush=True)
                complete = False
    return complete


def measured(folder):
    """The rows of `bench table`, each with its pass and run."""
    rows = []
    for file in sorted(folder.glob("*-*.json")):
        number, name = file.stem.removesuffix("-again").split("-", 1)
        for table in program.tables([file], "--columns=variant,time,share,bound,error")["tables"]:
            found = (row for row in table["rows"] if row["status"] == "measured")
            rows += [{**row, "pass": int(number), "of": name} for row in found]
    if not rows:
        raise SystemExit(f"goals: {folder}: no result files; measure first (dev/goals.py)")
    return rows


def time(row):
    return row["values"]["time"]


def rows_of(rows, run, workload, size="", **facts):
    """The rows of a run and workload, in its scope; not of a library, unless the facts say so."""
    wanted = {"of": run, "workload": workload, "library": False}
    wanted["scope"] = "end_to_end" if run == "gpu-transfers" else "kernel"
    wanted["backend"] = "cuda" if of_gpu(run) else "openmp"
    wanted.update(facts)
    return [row for row in rows if wanted.items() <= row.items() and row["size"].endswith(size)]


def fastest(*of, **facts):
    """pass → the fastest of these rows."""
    slowest_first = sorted(rows_of(*of, **facts), key=time, reverse=True)
    return {row["pass"]: row for row in slowest_first}


def times(ours, theirs):
    """How many times as fast ours are."""
    return [time(theirs[number]) / time(row) for number, row in ours.items() if number in theirs]


def value(row, column):
    """None where a reference is exceeded by so much that it is not a limit."""
    limit = column != "share" or not row["share_ci95"] or row["share_ci95"][1] <= MOST
    return row["values"][column] if limit else None


def values(rows, yardstick, of):
    """(variant, values) of a goal: of the fastest, or of each that has one above in its ladder."""
    if yardstick == "above":
        ladder = list(dict.fromkeys(row["variant"] for row in rows_of(rows, *of[:2])))
        for above, below in zip(ladder, ladder[1:]):
            both = (fastest(rows, *of, variant=one) for one in (below, above))
            yield below, times(*both)
    elif yardstick in RIVALS:
        yield "", times(fastest(rows, *of), fastest(rows, *of, **RIVALS[yardstick]))
    elif yardstick == "time":  # in ns, of what is measured in batches: what is left is the harness
        yield "", [1e9 * time(row) for row in fastest(rows, *of, backend="serial").values()]
    else:
        yield "", [value(row, yardstick) for row in fastest(rows, *of).values()]


def goals(rows, table):
    """(what, unit, wanted, values) of each row of goals.json."""
    for what, unit, wanted, yardstick, run, workload, *more in table:
        size, chosen = (*more, *("", {})[len(more) :])
        if isinstance(size, int):
            # In the order in which they were asked for; the name of the run where it was not made.
            sizes = list(dict.fromkeys(row["size"] for row in rows if row["of"] == run)) or [run]
            if size >= len(sizes):
                continue
            size = sizes[size]
        for variant, found in values(rows, yardstick, (run, workload, size)):
            if variant in chosen.get("only", [variant]) and variant not in chosen.get("not", ()):
                yield what.format(size=size.strip(":"), variant=variant), unit, wanted, found


def figure(number):
    decimals = 0 if abs(number) >= 99.5 else 1 if abs(number) >= 9.95 else 2
    return f"{number:.{decimals}f}"


def line(what, unit, wanted, found):
    less = unit in LESS
    goal = f"{'≤' if less else '≥'} {figure(wanted)}"
    head = f"  {what:30} {unit:10}{goal:>7}  "
    if not found:
        return head + "not measured"
    found = [one for one in found if one is not None]
    if not found:
        return head + "unknown               missed"
    middle = statistics.median(found)
    met = middle <= wanted if less else middle >= wanted
    spread = f"[{figure(min(found))}, {figure(max(found))}]"
    return head + f"{figure(middle):>5} {spread:15} {'met' if met else 'missed'}"


def report(folder, chosen):
    """True where nothing is wrong with what was measured, nor missing of the chosen runs."""
    rows = measured(folder)
    passes = sorted({row["pass"] for row in rows})
    context = whole.read(min(folder.glob("*-*.json")))["context"]
    run, machine = context["run"], context["machine"]
    facts = [machine["cpu_model"], f"{run['threads']} threads", run["isa"]]
    facts += [machine["gpu"]["name"]] if machine["gpu"] else []
    print(", ".join([*facts, f"{len(passes)} passes"]))
    print("median of the passes, with the least and the greatest\n")
    kinds = {of_gpu(row["of"]) for row in rows}
    for title, table in TABLE["goals"].items():
        if title.startswith("GPU") or False in kinds:
            print(title, *(line(*goal) for goal in goals(rows, table)), sep="\n", end="\n\n")
    found = [*trouble(folder)]
    wanted = [name for name in TABLE["runs"] if chosen(name) and of_gpu(name) in kinds]
    for number in passes:
        made = {row["of"] for row in rows if row["pass"] == number}
        if lacking := [name for name in wanted if name not in made]:
            found.append(f"pass {number}: not measured: {', '.join(lacking)}")
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

    def chosen(name):
        ours = of_gpu(name) or not given.gpu
        return ours and any(fnmatch.fnmatch(name, one) for one in given.only.split(","))

    if given.printed:
        return 0 if report(given.printed, chosen) else 1
    if given.passes < 1:
        raise SystemExit("goals: --passes: a number from 1 on")
    if "BENCH_BINARY" not in os.environ:
        for script, *words in (["setup.sh", "peers"], ["build.sh"]):
            command = [program.ROOT / "scripts" / script, *words]
            subprocess.run(command, check=True, stdout=sys.stderr)
        os.environ.setdefault("BENCH_PYTHON", str(program.ROOT / ".venv" / "bin" / "python"))
    least = 0.02 if given.quick else 0.2 if given.gpu else 0.5
    complete = measure(given.folder, given.passes, given.quick, least, chosen)
    return 0 if report(given.folder, chosen) and complete else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except program.UsageError as error:
        raise SystemExit(f"goals: {error}") from None
