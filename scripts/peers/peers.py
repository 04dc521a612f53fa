"""The command: plan, measure group by group, write the document after each."""

import functools
import os
import pathlib
import signal
import sys

import arrays
import backends
import caches
import document
import gpu
import interrupt
import machine
import measure
import numpy as np
import options
import table
from plan import plan
from workloads import WORKLOADS

FINE, WRONG, USAGE = 0, 1, 2


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


def with_numba(loaded):
    return any(backend.name == "numba" and not backend.reason for backend in loaded)


def numba_threads(loaded, request):
    """The threads counted in a parallel region, and the library that makes them."""
    if with_numba(loaded):
        import numba
        import numba_

        return numba_.team(request.job_threads), numba.threading_layer()
    return 1, ""


def fill_for(loaded, request):
    """What touches arrays first: all threads of the job, where Numba is there."""
    if not with_numba(loaded):
        return arrays.fill_alone
    import numba_

    def fill(array, value):
        numba_.team(request.job_threads)
        numba_.fill(array, np.uint8(value))

    return fill


def make_context(request, loaded, groups, argv, node):
    threads, layer = numba_threads(loaded, request)
    first_touch = "parallel first touch" if with_numba(loaded) else "first touch by one thread"
    needs_gpu = any(case.on_gpu and not case.status for group in groups for case in group.cases)
    gpu_facts = gpu.facts() if needs_gpu and not gpu.obstacle() else None
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
            "allocation": f"anonymous pages, MADV_HUGEPAGE, {first_touch}",
            "warnings": warnings_of(request),
        },
        "build": machine.build(layer),
        "machine": machine.machine(gpu_facts, gpu_reason),
        "slurm": machine.slurm(),
    }


class Run:
    """One run, from the plan to the document."""

    def __init__(self, request, loaded, argv):
        self.request, self.loaded, self.argv = request, loaded, argv
        self.groups = plan(request, loaded)
        self.progress = table.Progress(not request.quiet)
        self.report = None

    def ended_by(self, number):
        """Everything finished so far stays in the file."""
        name, done = signal.Signals(number).name, 0
        if self.report is not None:
            if not self.report.finish(name):
                return  # the run has just ended by itself
            done = self.report.groups
            if self.report.path is None:
                print(self.report.text(), end="", flush=True)
        self.progress.clear()
        words = f"peers: ended by {name}: {done} of {len(self.groups)} groups finished"
        print(words, file=sys.stderr, flush=True)
        os._exit(128 + number)  # a sample cannot be aborted otherwise

    def measure(self):
        node = measure.Node(
            machine.last_level_cache_bytes(),
            machine.clock_floor(),
            fill_for(self.loaded, self.request),
        )
        output = self.request.output
        path = pathlib.Path(output) if output else document.default_path()
        context = make_context(self.request, self.loaded, self.groups, self.argv, node)
        report = document.Report(context, None if output == "-" else path)
        self.report = report
        report.create(may_rename=not output)
        for position, group in enumerate(self.groups, 1):
            show = functools.partial(self.progress.show, position, len(self.groups))
            measure.measure(group, self.request, node, show)
            report.add(group)
        report.finish()
        self.progress.clear()

    def show(self):
        if self.report.path is None:
            print(self.report.text(), end="")
        elif os.environ.get("SLURM_PROCID", "0") != "0":
            measured = sum(case.measured for group in self.groups for case in group.cases)
            print(f"{machine.node_name()}: {measured} measured, {self.report.path}")
        elif not self.request.quiet:
            print("\n".join(table.table(group) for group in self.groups))
            print(f"result file: {self.report.path}")

    def __call__(self):
        with interrupt.Watch(self.ended_by):
            self.measure()
        self.show()
        failed = any(case.status == "failed" for group in self.groups for case in group.cases)
        return WRONG if failed else FINE


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
        return Run(request, loaded, argv)()
    except options.UsageError as error:
        print("peers: " + " ".join(str(error).split())[:600], file=sys.stderr)
        return USAGE
