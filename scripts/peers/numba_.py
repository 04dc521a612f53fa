"""Numba: Python functions compiled at their first call, for the types that they are called with.

The first call takes as long as compiling does (`first_use_s`); those after it are machine code. The
rungs: a loop, a function of one element for Numba to loop over, and both divided among threads.
"""

import functools
import math

import numba
import numpy as np
from numba import njit, prange, vectorize
from variant import Variant


@njit(parallel=True)
def mark_threads(seen):
    for i in prange(seen.size):
        seen[numba.get_thread_id()] = i + 1


def team(threads):
    """Wakes so many threads for the calls that follow; returns how many there are."""
    numba.set_num_threads(threads)
    seen = np.zeros(numba.config.NUMBA_NUM_THREADS, np.int64)
    mark_threads(seen)
    return max(1, np.count_nonzero(seen))


# ---- functions of one element ----

# Written as np.float32 they leave the precision to x: float32 stays float32, float64 wins.
TWO, FIFTY = np.float32(2), np.float32(50)


def energy_of(x):
    return math.sin(x) ** 2 + math.sqrt(abs(x)) + math.exp(-x * x / FIFTY)


def gaussian_pdf_of(x, mu, sigma, scale):
    z = (x - mu) / sigma
    return math.exp(-z * z / TWO) * scale


def hypot_of(a, b):
    return math.hypot(a, b)


def copy_of(x):
    return x


def scale_of(sigma):
    return sigma.dtype.type(1 / (sigma * math.sqrt(2 * math.pi)))


energy_at, gaussian_pdf_at = njit(energy_of), njit(gaussian_pdf_of)

# ---- loops, on one thread and on all ----


@njit
def copy_njit(x, out):
    for i in range(x.size):
        out[i] = x[i]


@njit(parallel=True)
def copy_prange(x, out):
    for i in prange(x.size):
        out[i] = x[i]


@njit
def energy_njit(x, out):
    for i in range(x.size):
        out[i] = energy_at(x[i])


@njit(parallel=True)
def energy_prange(x, out):
    for i in prange(x.size):
        out[i] = energy_at(x[i])


@njit
def gaussian_pdf_loop(x, out, mu, sigma, scale):
    for i in range(x.size):
        out[i] = gaussian_pdf_at(x[i], mu, sigma, scale)


@njit(parallel=True)
def gaussian_pdf_parallel_loop(x, out, mu, sigma, scale):
    for i in prange(x.size):
        out[i] = gaussian_pdf_at(x[i], mu, sigma, scale)


def gaussian_pdf_njit(x, out, mu, sigma):
    gaussian_pdf_loop(x, out, mu, sigma, scale_of(sigma))


def gaussian_pdf_prange(x, out, mu, sigma):
    gaussian_pdf_parallel_loop(x, out, mu, sigma, scale_of(sigma))


@njit
def hypot_njit(a, b, out):
    for i in range(a.size):
        out[i] = math.hypot(a[i], b[i])


@njit(parallel=True)
def hypot_prange(a, b, out):
    for i in prange(a.size):
        out[i] = math.hypot(a[i], b[i])


@njit
def count(x, counts, lo, hi, scale):
    counts[:] = 0
    for i in range(x.size):
        if lo <= x[i] < hi:
            counts[min(int((x[i] - lo) * scale), counts.size - 1)] += 1


@njit(parallel=True)
def count_in_parts(x, tables, counts, lo, hi, scale):
    parts = tables.shape[0]
    for part in prange(parts):
        begin, end = part * x.size // parts, (part + 1) * x.size // parts
        count(x[begin:end], tables[part], lo, hi, scale)
    for b in range(counts.size):
        counts[b] = 0
        for part in range(parts):
            counts[b] += tables[part, b]


def histogram_njit(x, counts, lo, hi):
    count(x, counts, lo, hi, lo.dtype.type(counts.size) / (hi - lo))


def histogram_prange(x, counts, lo, hi):
    tables = np.empty((numba.get_num_threads(), counts.size), counts.dtype)
    count_in_parts(x, tables, counts, lo, hi, lo.dtype.type(counts.size) / (hi - lo))


@njit
def transpose_njit(matrix, out):
    rows, cols = matrix.shape
    for i in range(rows):
        for j in range(cols):
            out[j, i] = matrix[i, j]


@njit(parallel=True)
def transpose_prange(matrix, out):
    rows, cols = matrix.shape
    for i in prange(rows):
        for j in range(cols):
            out[j, i] = matrix[i, j]


# ---- universal functions, on one thread and on all ----


@functools.cache
def ufunc(element, arguments, real, target):
    """Compiled at its first use, not when this file is read."""
    kind = numba.from_dtype(real)
    return vectorize([kind(*[kind] * arguments)], target=target)(element)


def map_with(target, element):
    """A variant that computes `element` for all elements."""

    def run(*arguments):
        *inputs, out = arguments
        ufunc(element, len(inputs), out.dtype, target)(*inputs, out)

    return run


def gaussian_pdf_with(target):
    def run(x, out, mu, sigma):
        ufunc(gaussian_pdf_of, 4, out.dtype, target)(x, mu, sigma, scale_of(sigma), out)

    return run


LOOP = "the plain loop, compiled: @njit"
ELEMENT = "a function of one element, looped over by Numba: @vectorize"
ELEMENT_THREADS = "the same, divided among the threads: target='parallel'"
LOOP_THREADS = "the plain loop, divided among the threads: prange"


def ladder(loop, parallel_loop, maps=None):
    """`maps` makes a variant for a target of @vectorize, where the workload is a map."""
    on_one = [Variant("njit", LOOP, loop)]
    on_all = [Variant("prange", LOOP_THREADS, parallel_loop, threads="all")]
    if maps:
        on_one.append(Variant("vectorize", ELEMENT, maps("cpu")))
        parallel = maps("parallel")
        on_all.insert(0, Variant("vectorize_parallel", ELEMENT_THREADS, parallel, threads="all"))
    return (*on_one, *on_all)


LADDERS = {
    "copy": ladder(copy_njit, copy_prange, lambda target: map_with(target, copy_of)),
    "energy": ladder(energy_njit, energy_prange, lambda target: map_with(target, energy_of)),
    "gaussian_pdf": ladder(gaussian_pdf_njit, gaussian_pdf_prange, gaussian_pdf_with),
    "hypot": ladder(hypot_njit, hypot_prange, lambda target: map_with(target, hypot_of)),
    "histogram": ladder(histogram_njit, histogram_prange),
    "transpose": ladder(transpose_njit, transpose_prange),
}
