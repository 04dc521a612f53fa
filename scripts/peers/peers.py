"""The command: plan, measure group by group, write the document after each."""

import os
import pathlib
import signal
import sys

import arrays
import backends
import caches
import document
import gpu
import machine
import measure
import options
import table
from plan import plan
from workloads import WORKLOADS

FINE, WRONG, USAGE = 0, 1, 2


class Ended(BaseException):
    """A signal ends the run; what is finished stays in the file."""


def on_signal(number, _frame):
    raise Ended(number)


def warnings_of(request):
    found = []
    if request.job_threads == 1:
        found.append("one thread only: ask for more with srun --cpus-per-task or OMP_NUM_THREADS")
    if request.cache == "cold" and caches.flush() is None:
        found.append(
            "caches are emptied by reading other data, not line by line: that needs Numba on "
            "x86-64 or Arm"
        )
    return found


def numba_threads(loaded, request):
    """The threads counted in a parallel region, and the library that makes them."""
    if any(backend.name == "numba" and not backend.reason for backend in loaded):
        import numba
        import numba_

        return numba_.team(request.job_threads), numba.threading_layer()
    return 1, ""


def make_context(request, loaded, groups, argv, node):
    threads, layer = numba_threads(loaded, request)
    needs_gpu = any(case.on_gpu and not case.status for group in groups for case in group.cases)
    gpu_facts = gpu.facts() if needs_gpu else None
    gpu_reason = "" if gpu_facts else gpu.obstacle() or "no variant for a GPU can run"
    return {
        **machine.google_benchmark_context(),
        "executable": argv[0],
        "run": {
            "node": machine.node_name(),
            "started": machine.now(),
            "finished": False,
            "ended_by": None,
            "seed": request.seed,
            "input_hash": {},
            "input_files": [],
            "argv": argv,
            "threads": request.job_threads,
            "threads_measured": threads,
            "isa": machine.isa(),
            "cache": request.cache,
            "last_level_cache_bytes": node.last_level_cache_bytes,
            "max_samples": request.samples,
            "min_time_s": request.min_time,
            "max_time_s": request.max_time,
            "clock": "perf_counter_ns",
            "clock_floor_s": node.clock_floor,
            "allocation": arrays.ALLOCATION,
            "warnings": warnings_of(request),
        },
        "build": machine.build(layer),
        "machine": machine.machine(gpu_facts, gpu_reason),
        "slurm": machine.slurm(),
    }


def run(request, loaded, argv):
    groups = plan(request, loaded)
    node = measure.Node(machine.last_level_cache_bytes(), machine.clock_floor())
    path = pathlib.Path(request.output) if request.output else document.default_path()
    no_file = request.output == "-"
    report = document.Report(
        make_context(request, loaded, groups, argv, node), None if no_file else path
    )
    report.create(may_rename=not request.output)

    done, progress = 0, table.Progress(not request.quiet)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    try:
        for group in groups:

            def show(what, share, position=done + 1):
                progress.show(position, len(groups), what, share)

            measure.measure(group, request, node, show)
            report.add(group)
            done += 1
    except Ended as ended:
        signal.signal(ended.args[0], signal.SIG_IGN)
        name = signal.Signals(ended.args[0]).name
        progress.clear()
        report.finish(name)
        if no_file:
            print(report.text(), end="")
        print(f"peers: ended by {name}: {done} of {len(groups)} groups finished", file=sys.stderr)
        return 128 + ended.args[0]
    progress.clear()
    report.finish()
    if no_file:
        print(report.text(), end="")
    elif not request.quiet:
        print("\n".join(table.table(group) for group in groups))
        print(f"result file: {report.path}")
    cases = report.document["cases"]
    return WRONG if any(case["status"] == "failed" for case in cases) else FINE


def main(argv):
    job_threads = machine.job_threads()
    most = max(job_threads, len(machine.ALLOWED))
    try:
        request = options.parse(argv[1:], job_threads, most)
        if "numba" not in sys.modules:
            os.environ["NUMBA_NUM_THREADS"] = str(most)  # the most that it can ever have
        loaded = backends.load_all()
        if request.list:
            print(table.listing(WORKLOADS, loaded))
            return FINE
        return run(request, loaded, argv)
    except options.UsageError as error:
        print("peers: " + " ".join(str(error).split())[:600], file=sys.stderr)
        return USAGE
