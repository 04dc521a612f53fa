"""The command line: the options of bench, by the same rules and with the same exit code."""

import argparse
import dataclasses
import difflib
import math
import re

from workloads import MAX_BINS, REAL, Shape

MOST_SAMPLES = 100  # what the document holds per case


class UsageError(Exception):
    """A sentence for the user: the option, what is wrong with it, the remedy."""


@dataclasses.dataclass
class Options:
    filters: list
    sizes: list
    dtypes: list
    bins: list
    threads: list  # empty: what the job was given
    job_threads: int
    seed: int
    samples: int
    min_time: float
    max_time: float
    cache: str
    output: str  # empty: a name of its own; -: the document on stdout
    quiet: bool
    list: bool


def parse_count(text):
    """A count as people write it: 1000, 1e8, 2.5e6."""
    if re.fullmatch(r"\d+", text):
        return int(text)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise UsageError(f"'{text}' is not a number; write for example 1000000 or 1e6")
    if value < 0:
        raise UsageError(f"'{text}' is negative; give 0 or more")
    if value > 1e15:
        raise UsageError(f"'{text}' is too large")
    if value != int(value):
        raise UsageError(f"'{text}' is not a whole number")
    return int(value)


def count(option, text, lowest, highest):
    try:
        value = parse_count(text)
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from error
    if not lowest <= value <= highest:
        raise UsageError(f"{option} {text}: must be between {lowest} and {highest}")
    return value


def seconds(option, text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise UsageError(f"{option} {text}: must be a number of seconds, 0 or more")
    return value


def choice(option, text, choices):
    if text in choices:
        return text
    near = difflib.get_close_matches(text, choices, 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise UsageError(f"{option} {text}: must be one of {', '.join(choices)}{hint}")


def parse_size(workload, text, bins=0):
    """A name (tiny, default, course), a number (1e8 too) or RxC. `bins` replaces the workload's."""
    try:
        shape = dimensions(workload, text)
    except UsageError as error:
        raise UsageError(f"--size: {error} (tiny, default, course, N or RxC)") from error
    if workload.form == "binned":
        shape = dataclasses.replace(shape, bins=bins or shape.bins or workload.default.bins)
        if shape.bins > MAX_BINS:
            raise UsageError(
                f"--bins: {shape.bins} are too many for {workload.name}: at most {MAX_BINS}"
            )
    return shape


def dimensions(workload, text):
    if text in ("tiny", "default", "course"):
        return getattr(workload, text)
    rows, cross, cols = text.partition("x")
    rows, cols = parse_count(rows), parse_count(cols) if cross else None
    elements = rows * cols if cross else rows
    if max(elements, rows, cols or 0) > 10**15:
        raise UsageError(f"'{text}' is too large")
    if workload.form != "matrix":
        return Shape(1, elements)
    side = math.isqrt(elements)
    return Shape(rows, cols) if cross else Shape(side, side)


def words(option, text):
    """The parts of a list; a forgotten one shall not look like none."""
    parts = text.split(",")
    if not all(parts):
        raise UsageError(f"{option} {text}: there is nothing between two commas, or at an end")
    return parts


def unique(values):
    return list(dict.fromkeys(values))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(f"{message}; --help shows all options")


def parser():
    one = Parser(
        prog="scripts/peers",
        description="The workloads of bench in Python, NumPy, Numba and CuPy.",
        allow_abbrev=False,
    )
    one.add_argument(
        "filters", nargs="*", metavar="FILTER", help="globs on workload/backend/variant"
    )
    for name, metavar, text in (
        ("--size", "SIZE", "tiny, default, course, N (1e8 too) or RxC; a list is fine"),
        ("--dtype", "TYPE", "f32 (default), f64 or both"),
        ("--bins", "N", "bins of the histogram; a list is fine"),
        ("--threads", "N", "threads of the parallel variants; a list is fine"),
        ("--seed", "N", "seed of the inputs (default 42, the course's)"),
        ("--samples", "N", "at most so many samples per variant (default 100)"),
        ("--min-time", "SECONDS", "seconds to measure each group at least (0.5)"),
        ("--max-time", "SECONDS", "seconds after which a group with 9 samples ends (5)"),
        ("--cache", "MODE", "cold (default): caches emptied before each sample; or hot"),
        ("--output", "FILE", "result file; - for none, the document on stdout"),
    ):
        one.add_argument(name, metavar=metavar, help=text)
    one.add_argument("--quiet", action="store_true", help="print nothing but errors")
    one.add_argument("--list", action="store_true", help="workloads, variants and their ideas")
    return one


def thread_list(text, allowed_cpus):
    threads = []
    for one in words("--threads", text):
        threads.append(count("--threads", one, 1, 2**31 - 1))
        if threads[-1] > allowed_cpus:
            raise UsageError(
                f"--threads {one}: this process may use {allowed_cpus} cpus only; ask for more "
                "with srun --cpus-per-task"
            )
    return sorted(set(threads))


def parse(arguments, job_threads, allowed_cpus):
    # Filters may stand anywhere between the options.
    typed = parser().parse_intermixed_args(arguments)
    for name, value in vars(typed).items():
        if value == "" or value == [""]:
            raise UsageError(f"nothing follows --{name.replace('_', '-')}: give a value")
    max_time = seconds("--max-time", typed.max_time) if typed.max_time else 5.0
    min_time = seconds("--min-time", typed.min_time) if typed.min_time else min(0.5, max_time)
    if min_time > max_time:
        raise UsageError(f"--min-time {typed.min_time}: is longer than --max-time; give both")
    dtypes = words("--dtype", typed.dtype) if typed.dtype else ["f32"]
    bins = words("--bins", typed.bins) if typed.bins else []
    return Options(
        filters=typed.filters,
        sizes=unique(words("--size", typed.size)) if typed.size else ["default"],
        dtypes=sorted({choice("--dtype", one, list(REAL)) for one in dtypes}),
        bins=sorted({count("--bins", one, 1, 2**63) for one in bins}),
        threads=thread_list(typed.threads, allowed_cpus) if typed.threads else [],
        job_threads=job_threads,
        seed=count("--seed", typed.seed, 0, 2**32 - 1) if typed.seed else 42,
        samples=count("--samples", typed.samples, 1, MOST_SAMPLES) if typed.samples else 100,
        min_time=min_time,
        max_time=max_time,
        cache=choice("--cache", typed.cache, ["cold", "hot"]) if typed.cache else "cold",
        output=typed.output or "",
        quiet=typed.quiet,
        list=typed.list,
    )
