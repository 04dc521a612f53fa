"""place, run once, verify, measure: the rules of harness/measure/runner.cpp, for every variant."""

import contextlib
import dataclasses
import gc
import math
import pathlib
import random
import time
import typing

import figures
import gpu
import machine
import referee
from arrays import Arrays
from places import EndToEndPlace, HostPlace, KernelPlace

MIN_SAMPLES = 9  # below this no U test has power
NOISE_TARGET = 0.01
ROUNDS_BEFORE_NOISE_COUNTS = 15
TOLERABLE_WAIT = 0.02  # of a sample, waiting for a processor
MANY_FLOORS = 10  # a sample shorter than this says more of the clock than of the work
MOST_IN_BATCH = 1 << 20
LATER = "right at first, but not while measured: "


@dataclasses.dataclass(frozen=True)
class Node:
    last_level_cache_bytes: int
    clock_floor: float
    fill: typing.Callable  # writes one value to all bytes of an array


def waited_for_processor():
    """Seconds that our threads stood ready without a processor; None where nobody says."""
    total = None
    for file in pathlib.Path("/proc/self/task").glob("*/schedstat"):
        words = (machine.read(file) or "").split()
        if len(words) >= 2:
            total = (total or 0) + int(words[1]) / 1e9
    return total


class Live:
    """One case while its group is on the machine."""

    def __init__(self, case):
        self.case, self.place = case, None

    @property
    def alive(self):
        return not self.case.status

    def end(self, status, reason):
        case = self.case
        case.status, case.reason, case.samples, case.preempted = status, reason, [], None
        case.too_short = 0
        if case.verdict:
            case.verdict = dataclasses.replace(case.verdict, passed=False)

    def fail(self, reason):
        self.end("failed", reason)

    @contextlib.contextmanager
    def survives(self, when):
        """What the variant throws, whatever it is, becomes the reason to fail."""
        try:
            yield
        except Exception as error:
            words = " ".join(str(error).split())[:300]
            self.fail(f"{when}threw: {type(error).__name__}: {words}")


class Session:
    """A group placed on the machine."""

    def __init__(self, group, options, node, progress):
        self.group, self.options, self.node, self.progress = group, options, node, progress
        self.stack = contextlib.ExitStack()  # what is pinned until the end
        self.lives = [Live(case) for case in group.cases]
        self.order = random.Random(options.seed)
        self.arrays = Arrays(group.workload, group.dtype, group.shape, node.fill)
        self.generate(options.seed)
        group.input_hash = self.hash
        for live in self.living():
            with live.survives(""):
                self.put(live)
        if any(live.case.on_gpu for live in self.living()):
            gpu.pin(self.stack, [buffer.bytes for buffer in self.arrays.buffers()])

    def living(self):
        return [live for live in self.lives if live.alive]

    def put(self, live):
        case = live.case
        if not case.on_gpu:
            live.place = HostPlace(case, self.arrays, self.node)
            case.threads = live.place.threads
            return
        case.variant.device.select(gpu.number())
        try:
            if case.scope == "kernel":
                live.place = KernelPlace(case, self.arrays)
            else:
                live.place = EndToEndPlace(case, self.arrays, self.node)
        except Exception as error:
            megabytes = case.footprint / 1e6
            words = " ".join(str(error).split())[:200]
            live.end("skipped", f"memory: the device refused {megabytes:.0f} MB ({words})")

    def generate(self, seed):
        self.arrays.generate(seed)
        self.seed, self.hash = seed, self.arrays.input_hash()
        self.expected = self.arrays.expected()
        for live in self.living():
            if live.place and live.case.on_gpu:
                with live.survives(""):
                    live.place.upload()

    # ---- verifying ----

    def run_and_check(self, live, when):
        """Runs once on poisoned output and checks."""
        with live.survives(when):
            live.place.poison_output()
            live.place.get_ready()
            begin = time.perf_counter()
            live.place.seconds(1)
            if live.case.first_use_s is None:
                live.case.first_use_s = time.perf_counter() - begin
        if live.alive:
            self.check(live, when)

    def check(self, live, when):
        """Checks what now stands in the arrays."""
        with live.survives(when):
            live.place.fetch()
            damage = self.arrays.repair_guards()
            if self.arrays.input_hash() != self.hash:
                damage = "wrote into its input"
                self.arrays.generate(self.seed)
            if damage:
                live.fail(when + damage)
                return
            beside = live.case.beside
            want = self.arrays.beside()[0][0] if beside else self.expected
            verdict = referee.check(live.place.output, want, live.case.workload.ulps)
            live.case.verdict = verdict
            if not verdict.passed:
                live.fail(when + verdict.reason)

    def verify(self):
        for live in self.living():
            self.progress(f"verifying {live.case.name}", 0)
            self.run_and_check(live, "")

    def verify_on_other_inputs(self):
        """This comes last, so that an answer kept from any call before is caught."""
        self.generate((self.options.seed + 1) % 2**32)
        for live in self.living():
            self.progress(f"verifying {live.case.name}", 1)
            verdict = live.case.verdict
            self.run_and_check(live, "on other inputs: ")
            if live.alive:
                live.case.verdict = verdict  # the record speaks of what was measured

    # ---- measuring ----

    def sample(self, live, closing):
        case, place = live.case, live.place
        waited_before = waited_for_processor()
        begin = time.perf_counter()
        # Poison lies in the output when the timed runs begin: a warm-up run must not write over it,
        # and in cold mode it must not stay in a cache.
        hot = self.options.cache == "hot"
        if hot:
            place.seconds(1)
        if closing:
            place.poison_output()
        if not hot:
            place.empty_caches()
        place.get_ready()
        seconds = place.seconds(case.batch)
        if waited_before is not None:
            waited = (waited_for_processor() or 0) - waited_before
            all_threads = (time.perf_counter() - begin) * max(1, case.threads)
            preempted = waited > TOLERABLE_WAIT * all_threads
            case.preempted = (case.preempted or 0) + int(preempted)
        case.too_short += seconds < MANY_FLOORS * place.clock_floor
        case.samples.append(max(seconds, 1e-9) / case.batch)

    def round(self, closing, begin):
        """Every live case once, in random order."""
        lives = self.living()
        self.order.shuffle(lives)
        for live in lives:
            share = (time.perf_counter() - begin) / max(self.options.max_time, 1e-9)
            self.progress(f"measuring {live.case.name}", min(share, 1))
            with live.survives(LATER):
                self.sample(live, closing)
            if not live.alive:
                continue
            if closing:
                self.check(live, LATER)
            else:
                damage = self.arrays.repair_guards()
                if damage:
                    live.fail(LATER + damage)

    def choose_batches(self):
        """Hot mode: as many runs per sample as make the clock's cost negligible."""
        for live in self.living():
            with live.survives(LATER):
                batch = 1
                while batch < MOST_IN_BATCH and (
                    live.place.seconds(batch) < live.place.BATCH_SECONDS
                ):
                    batch *= 2
                live.case.batch = batch

    def reason_to_stop(self, rounds, seconds):
        """Empty while the group should go on; the closing round is still to come."""
        with_closing = rounds + 1
        if with_closing >= self.options.samples:
            return "max_samples"
        if with_closing < MIN_SAMPLES:
            return ""
        if seconds + seconds / rounds >= self.options.max_time:
            return "max_time"
        if seconds < self.options.min_time or with_closing < ROUNDS_BEFORE_NOISE_COUNTS:
            return ""
        noises = [figures.relative_noise(live.case.samples) for live in self.living()]
        return "noise" if max(noises, default=0) <= NOISE_TARGET else ""

    def measure(self):
        """Rounds until the group is quiet enough or out of time, then one more on poisoned output,
        after which each case is checked again, and at last on other inputs: only then is it
        measured."""
        if self.options.cache == "hot":
            self.choose_batches()
        begin, rounds, stop = time.perf_counter(), 0, ""
        while not stop and self.options.samples > 1 and self.living():
            self.round(False, begin)
            rounds += 1
            stop = self.reason_to_stop(rounds, time.perf_counter() - begin)
        self.round(True, begin)
        self.verify_on_other_inputs()
        for live in self.living():
            live.case.status = "measured"
            live.case.stop = stop or "max_samples"


def skip_all(group, reason):
    for case in group.cases:
        if not case.status:
            case.status, case.reason = "skipped", reason


def reason_not_to_fit(group):
    """Empty where the arrays, the definition in float64 and temporaries fit into memory."""
    elements = group.shape.elements
    needed = 2 * group.workload.bytes(group.dtype, group.shape) + 48 * elements
    allowance = machine.memory_allowance()
    if allowance is None or needed <= allowance[0]:
        return ""
    return (
        f"memory: needs {needed / 1e6:.0f} MB, {allowance[0] / 1e6:.0f} MB available "
        f"({allowance[1]})"
    )


def measure(group, options, node, progress):
    """Verifies every case of a group, and measures those that are right."""
    reason = reason_not_to_fit(group)
    if group.workload.form == "binned" and group.shape.elements > 2**32 - 1:
        reason = "counts are 32-bit numbers: at most 4294967295 elements"
    if reason:
        skip_all(group, reason)
        return
    gc.disable()
    try:
        session = Session(group, options, node, progress)
        with session.stack:
            session.verify()
            session.measure()
    except MemoryError as error:
        skip_all(group, f"memory: the system refused it ({error})")
    finally:
        session = None  # its arrays are given back now
        gc.enable()
        gc.collect()
    for device in {case.variant.device for case in group.cases if case.on_gpu and case.measured}:
        device.free()
    assert all(case.status for case in group.cases)
    assert all(math.isfinite(sample) for case in group.cases for sample in case.samples)
