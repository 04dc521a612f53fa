"""The JSON document, as harness/document/ writes it: the only thing that leaves the process."""

import contextlib
import errno
import json
import math
import os
import pathlib
import re
import threading

import figures
import gpu
import machine
from options import UsageError

TOLERABLE_SHARE = 0.2  # of the samples, preempted
MOST_ROWS = 30  # Google Benchmark rows per case
NO_BASELINE = "serial/naive is in another document: bench measures it"


def number(value):
    """JSON has no NaN and no infinity: null stands for them."""
    return value if math.isfinite(value) else None


def gigabytes_per_second(case):
    return case.bytes / figures.median(case.samples) / 1e9


def share_of_copy(case, group):
    """GB/s relative to the fastest copy of the same backend, threads and scope in the group."""
    copies = [
        gigabytes_per_second(other)
        for other in group.cases
        if other.workload.name == "copy"
        and other.measured
        and (other.backend, other.on_gpu, other.threads, other.scope)
        == (case.backend, case.on_gpu, case.threads, case.scope)
    ]
    best = max(copies, default=0)
    return gigabytes_per_second(case) / best if best else None


def seconds_json(case):
    samples = case.samples
    ci95 = figures.bootstrap_median(samples)
    return {
        "samples": samples,
        "median": figures.median(samples),
        "q1": figures.quantile(samples, 0.25),
        "q3": figures.quantile(samples, 0.75),
        "min": min(samples),
        "ci95": ci95,
        "noise": number(figures.relative_noise(samples)),
        "drift": number(figures.drift(samples, ci95)),
        "outliers": figures.outliers(samples),
        "preempted": case.preempted,
        "too_short": int(case.too_short),
        "stop": case.stop,
    }


def verification_json(verdict):
    return {
        "metric": verdict.metric,
        "max_error": number(verdict.max_error),
        "tolerance": verdict.tolerance,
        "passed": verdict.passed,
    }


def case_json(case, group, isa):
    measured = case.measured
    facts = gpu.facts() if case.on_gpu and measured else None
    return {
        "name": case.name,
        "workload": case.workload.name,
        "backend": case.backend,
        "variant": case.variant.name if case.variant else "*",
        "idea": case.variant.idea if case.variant else f"every variant of {case.backend}",
        "dtype": case.dtype,
        "size": case.size,
        "scope": case.scope,
        "status": case.status,
        "reason": case.reason or None,
        "reference": case.reference,
        "threads": case.threads or None,
        "isa": isa if case.backend == "numba" and not case.on_gpu else None,
        "bytes": case.bytes,
        "flops": case.flops,
        "cache": case.cache,
        "footprint_bytes": case.footprint,
        "batch": case.batch if measured else None,
        "rounds": len(case.samples) if measured else None,
        "first_use_s": case.first_use_s,
        "seconds": seconds_json(case) if measured else None,
        "verification": verification_json(case.verdict) if case.verdict else None,
        "gb_per_s": gigabytes_per_second(case) if measured else None,
        "share_of_copy": share_of_copy(case, group) if measured else None,
        "launch": None,
        "gpu": {"uuid": facts["uuid"], "sm_clock_mhz": None, "throttled_samples": None}
        if facts
        else None,
    }


def best_cpu(case, group):
    """The fastest CPU variant of the same workload in the group, if there is one."""
    others = [
        other
        for other in group.cases
        if other.workload is case.workload and other.measured and not other.on_gpu
    ]
    return min(others, key=lambda other: figures.median(other.samples), default=None)


def ratio_json(case, baseline):
    if baseline is None or not case.measured:
        return None
    value, ci95 = 1.0, [1.0, 1.0]
    if case is not baseline:
        value, ci95 = figures.bootstrap_ratio(baseline.samples, case.samples)
    return {
        "value": number(value),
        "ci95": [number(one) for one in ci95],
        "baseline": baseline.name,
    }


def speedup_json(case, group, as_case):
    keys = ("name", "workload", "backend", "variant", "dtype", "size", "scope")
    return {
        **{key: as_case[key] for key in keys},
        "seconds": figures.median(case.samples) if case.measured else None,
        "over_serial": None,
        "over_best_cpu": ratio_json(case, best_cpu(case, group)),
        "share_of_copy": as_case["share_of_copy"],
        "status": case.status,
        "reason": NO_BASELINE if case.measured else case.reason,
    }


def rows_json(case):
    """The samples as Google Benchmark repetitions: means of equal runs of consecutive ones."""
    n = len(case.samples)
    rows = min(n, MOST_ROWS)
    for row in range(rows):
        part = case.samples[row * n // rows : (row + 1) * n // rows]
        nanoseconds = sum(part) / len(part) * 1e9
        yield {
            "name": case.name,
            "run_name": case.name,
            "run_type": "iteration",
            "repetitions": rows,
            "repetition_index": row,
            "threads": 1,
            "iterations": case.batch,
            "real_time": nanoseconds,
            "cpu_time": nanoseconds,
            "time_unit": "ns",
        }


def default_path():
    """A name of its own: a requeued job of bench looks for that of its own document."""
    folder = pathlib.Path(os.environ.get("BENCH_RESULTS_DIR") or "results")
    node = machine.node_name()
    name = f"{machine.now('%Y%m%dT%H%M%SZ')}-{node}"
    if os.environ.get("SLURM_JOB_ID"):
        job = {
            key: os.environ.get(f"SLURM_{key}") or otherwise
            for key, otherwise in (
                ("CLUSTER_NAME", "cluster"),
                ("JOB_ID", "0"),
                ("STEP_ID", "0"),
                ("PROCID", "0"),
            )
        }
        name = "{CLUSTER_NAME}-{JOB_ID}.{STEP_ID}-{node}-{PROCID}".format(node=node, **job)
    return folder / re.sub(r"[^A-Za-z0-9._-]", "_", f"peers-{name}.json")


class Report:
    """A document on its way to a file. Every write leaves a complete one. Two threads may call."""

    def __init__(self, context, path):
        self.path, self._isa = path, context["run"]["isa"]
        self._lock, self._concluded = threading.RLock(), False
        self.groups = 0
        self.document = {
            "schema": "bench-report/1",
            "context": context,
            "cases": [],
            "speedups": [],
            "scaling": [],
            "benchmarks": [],
        }

    def create(self, may_rename):
        """Claims the path. An existing file is another run's, and stays."""
        with self._lock:
            wanted, attempt = self.path, 1
            while self.path is not None and not self._claim():
                if not may_rename:
                    raise UsageError(
                        f"--output {self.path}: exists already; choose another name or remove it"
                    )
                attempt += 1
                self.path = wanted.with_name(f"{wanted.stem}-{attempt}{wanted.suffix}")

    def add(self, group):
        with self._lock:
            if group.input_hash:
                hashes = self.document["context"]["run"]["input_hash"]
                which = f"{group.dtype}/{group.size}"
                hashes.setdefault(group.workload.name, {})[which] = group.input_hash
            for case in group.cases:
                as_case = case_json(case, group, self._isa)
                self.document["cases"].append(as_case)
                self.document["speedups"].append(speedup_json(case, group, as_case))
                if case.measured:
                    self.document["benchmarks"] += rows_json(case)
            self.groups += 1
            self.write()

    def finish(self, ended_by=None):
        """The first call counts: False for one that comes later."""
        with self._lock:
            if self._concluded:
                return False
            self._concluded = True
            run = self.document["context"]["run"]
            run["warnings"] += self._disturbed()
            run["finished"], run["ended_by"] = ended_by is None, ended_by
            self.write()
            return True

    def _disturbed(self):
        """A warning where others were working here."""
        cases = [case for case in self.document["cases"] if case["status"] == "measured"]

        def share(case):
            return (case["seconds"]["preempted"] or 0) / case["rounds"]

        disturbed = [case for case in cases if share(case) > TOLERABLE_SHARE]
        if disturbed:
            most = max(disturbed, key=share)
            in_job = self.document["context"].get("slurm")
            yield (
                f"in {len(disturbed)} of {len(cases)} cases our threads waited for a processor in "
                f"more than a fifth of the samples (most: {most['name']}, "
                f"{most['seconds']['preempted']} of {most['rounds']}): others were working here; "
                + (
                    "ask for the node alone (--exclusive)"
                    if in_job
                    else "measure when nobody else works here"
                )
            )

    def text(self):
        return json.dumps(self.document, allow_nan=False, separators=(",", ":")) + "\n"

    def write(self):
        if self.path is not None:
            with self._temporary() as name:
                os.replace(name, self.path)
            self._synchronise_folder()

    @contextlib.contextmanager
    def _temporary(self):
        """A complete, synchronised file beside ours; removed unless renamed away."""
        name = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        try:
            with open(name, "w", encoding="utf-8") as file:
                file.write(self.text())
                file.flush()
                os.fsync(file.fileno())
            yield name
        finally:
            with contextlib.suppress(FileNotFoundError):
                name.unlink()

    def _claim(self):
        """Puts the document there if the name is free; False if it is not."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._temporary() as name:
                try:
                    os.link(name, self.path)
                except FileExistsError:
                    return False
                except OSError as error:
                    if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
                        raise
                    # No hard links here: an empty file under a name that was free.
                    try:
                        os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
                    except FileExistsError:
                        return False
                    os.replace(name, self.path)
        except OSError as error:
            raise UsageError(
                f"--output {self.path}: cannot be written: {error.strerror} (- for none)"
            ) from error
        self._synchronise_folder()
        return True

    def _synchronise_folder(self):
        """Makes the rename survive a crash; some file systems cannot, and need not."""
        with contextlib.suppress(OSError):
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
