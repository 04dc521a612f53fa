"""Numba: Python functions compiled at their first call, for the types that they are called with.

The first call takes as long as compiling does (`first_use_s`); those after it are machine code. The
variants: a loop, a function of one element for Numba to loop over, and both divided among threads.
"""

import functools
import math

import numba
import numpy as np
from numba import guvectorize, njit, prange, vectorize
from numba_elements import ELEMENTS, energy_of, gaussian_pdf_of, zero_suppress_of
from numba_when import cached, compile_eagerly, eager
from python_ import each, hypot_formula, sort_bubble
from variant import UnusableError, ladders

if numba.config.DISABLE_JIT:
    raise UnusableError("NUMBA_DISABLE_JIT is set: Numba would compile nothing; unset it")


@njit(parallel=True)
def mark_threads(seen):
    for i in prange(seen.size):
        seen[numba.get_thread_id()] = i + 1


def team(threads):
    """Wakes the threads for the calls that follow; returns how many there are."""
    numba.set_num_threads(threads)
    seen = np.zeros(numba.config.NUMBA_NUM_THREADS, np.int64)
    mark_threads(seen)
    return max(1, np.count_nonzero(seen))


def scale_of(sigma):
    return sigma.dtype.type(1 / (sigma * math.sqrt(2 * math.pi)))


energy_at, gaussian_pdf_at = njit(energy_of), njit(gaussian_pdf_of)

# ---- loops, on one thread and on all ----


def both(loop):
    """The loop compiled for one thread, where prange is range, and for all."""
    return njit(loop), njit(parallel=True)(loop)


def loops_over(element):
    at = njit(element)

    def of_one(x, out):
        for i in prange(x.size):
            out[i] = at(x[i])

    def of_two(a, b, out):
        for i in prange(a.size):
            out[i] = at(a[i], b[i])

    def of_four(a, b, c, d, out):
        for i in prange(a.size):
            out[i] = at(a[i], b[i], c[i], d[i])

    return both({1: of_one, 2: of_two, 4: of_four}[element.__code__.co_argcount])


def energy_scalar(x, out):
    out[:] = [energy_at(value) for value in x]


def gaussian_pdf_loop(x, out, mu, sigma, scale):
    for i in prange(x.size):
        out[i] = gaussian_pdf_at(x[i], mu, sigma, scale)


def gaussian_pdf(loop):
    return lambda x, out, mu, sigma: loop(x, out, mu, sigma, scale_of(sigma))


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


@both
def transpose(matrix, out):
    rows, cols = matrix.shape
    for i in prange(rows):
        for j in range(cols):
            out[j, i] = matrix[i, j]


@njit
def combine(x, out):
    bits = np.uint32(0)
    for i in range(x.size):
        bits ^= x[i]
    out[0] = bits


@njit(parallel=True)
def combine_parts(x, out):
    parts = np.zeros(numba.get_num_threads(), np.uint32)
    for part in prange(parts.size):
        begin, end = part * x.size // parts.size, (part + 1) * x.size // parts.size
        bits = np.uint32(0)
        for i in range(begin, end):
            bits ^= x[i]
        parts[part] = bits
    combine(parts, out)


def read_njit(x, out):
    combine(x.view(np.uint32), out)


def read_prange(x, out):
    combine_parts(x.view(np.uint32), out)


@both
def matrix_add(a, b, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] + b[i, j]


@both
def broadcast_add(matrix, v, out):
    for i in prange(matrix.shape[0]):
        for j in range(v.size):
            out[i, j] = matrix[i, j] + v[j]


def sum_of_squares(x, total):
    found = 0.0
    for i in prange(x.size):
        found += np.float64(x[i]) * x[i]
    total[0] = found


@both
def counter(x, count, threshold):
    found = 0
    for i in prange(x.size):
        if x[i] < threshold:
            found += 1
    count[0] = found


@both
def reverse(x, out):
    for i in prange(x.size):
        out[i] = x[x.size - 1 - i]


# A conditional expression of x and 0 would be a wider type than x.
@both
def zero_suppress(x, out, threshold):
    for i in prange(x.size):
        out[i] = x[i]
        if x[i] < threshold:
            out[i] = 0


@njit(parallel=True)
def sort_odd_even(x, out):
    for i in prange(x.size):
        out[i] = x[i]
    for phase in range(x.size):
        for pair in prange((x.size - phase % 2) // 2):
            j = 2 * pair + phase % 2
            if out[j + 1] < out[j]:
                out[j], out[j + 1] = out[j + 1], out[j]


# A literal 0.3 would be a double, and take the sine along to f64: it comes in the type of the data.
@both
def pulse_train(noise, wave, amplitude, period):
    threshold = noise.dtype.type(0.3)
    for i in prange(noise.size):
        t = noise.dtype.type(i)
        height = math.sin(t / period) - threshold
        wave[i] = (amplitude * height if height > 0 else t - t) + noise[i]


@both
def standardize(x, z):
    shift, first, second = np.float64(x[0]), 0.0, 0.0
    for i in prange(x.size):
        deviation = x[i] - shift
        first += deviation
        second += deviation * deviation
    mean = first / x.size
    sigma = math.sqrt(second / x.size - mean * mean)
    for i in prange(x.size):
        z[i] = (x[i] - shift - mean) / sigma


@njit
def points_inside(block, k0, k1, second):
    """How many of the two points that Philox4x32-10 makes of a block of words are inside."""
    low, bits = np.uint64(0xFFFFFFFF), np.uint64(32)
    c0, c1, c2, c3 = block & low, block >> bits, np.uint64(0), np.uint64(0)
    for _ in range(10):
        first, other = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1 = (other >> bits) ^ c1 ^ k0, other & low
        c2, c3 = (first >> bits) ^ c3 ^ k1, first & low
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & low, (k1 + np.uint64(0xBB67AE85)) & low
    found = 1 if c1 * c1 <= ~(c0 * c0) else 0
    if second and c3 * c3 <= ~(c2 * c2):
        found += 1
    return found


@both
def monte_carlo_pi(key, inside, n):
    k0, k1, found = np.uint64(key[0]), np.uint64(key[1]), 0
    for b in prange((n + 1) // 2):
        found += points_inside(np.uint64(b), k0, k1, 2 * b + 1 < n)
    inside[0] = found


@both
def monte_carlo_pi_random(_key, inside, n):
    found = 0
    for _ in prange(n):
        found += np.random.random() ** 2 + np.random.random() ** 2 < 1
    inside[0] = found


@both
def row_norms(matrix, norms):
    for i in prange(matrix.shape[0]):
        total = 0.0
        for j in range(matrix.shape[1]):
            total += np.float64(matrix[i, j]) * matrix[i, j]
        norms[i] = math.sqrt(total)


@njit
def column_sums_njit(matrix, sums):
    totals = np.zeros(sums.size)
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            totals[j] += matrix[i, j]
    sums[:] = totals


@njit(parallel=True)
def column_sums_prange(matrix, sums):
    parts = numba.get_num_threads()
    totals = np.zeros((parts, sums.size))
    for part in prange(parts):
        begin, end = part * matrix.shape[0] // parts, (part + 1) * matrix.shape[0] // parts
        for i in range(begin, end):
            for j in range(matrix.shape[1]):
                totals[part, j] += matrix[i, j]
    for j in range(sums.size):
        total = 0.0  # Numba would start all threads for a .sum() of these few
        for part in range(parts):
            total += totals[part, j]
        sums[j] = total


@njit
def sums_of(x, out, before):
    """The scan of a part; returns the sum that it ends with."""
    for i in range(x.size):
        before += x[i]
        out[i] = before
    return before


@njit(parallel=True)
def sums_of_parts(x, out, totals):
    parts = totals.size - 1
    for part in prange(parts):
        for i in range(part * x.size // parts, (part + 1) * x.size // parts):
            totals[part + 1] += x[i]
    for part in range(parts):
        totals[part + 1] += totals[part]
    for part in prange(parts):
        begin, end = part * x.size // parts, (part + 1) * x.size // parts
        sums_of(x[begin:end], out[begin:end], totals[part])


def zeros_for(x, count):
    """Sums of many elements: a float would lose what is added to it."""
    return np.zeros(count, np.float64 if x.dtype.kind == "f" else np.uint64)


def scan_njit(x, out):
    sums_of(x, out, zeros_for(x, 1)[0])


def scan_prange(x, out):
    sums_of_parts(x, out, zeros_for(x, numba.get_num_threads() + 1))


@both
def matmul(a, b, c):
    for i in prange(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
        for p in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, p] * b[p, j]


def n_body(x, y, z, m, a):
    soft = x.dtype.type(1e-3)
    for i in prange(x.size):
        ax = ay = az = x.dtype.type(0)
        for j in range(x.size):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            square = dx * dx + dy * dy + dz * dz + soft
            pull = m[j] / (square * math.sqrt(square))
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        a[0, i] = ax
        a[1, i] = ay
        a[2, i] = az


def stencil_step(u, later, c):
    rows, cols = u.shape
    for i in prange(1, rows - 1):
        for j in range(1, cols - 1):
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            later[i, j] = u[i, j] + c * (around - 4 * u[i, j])


def stencil(step):
    """The plates change places after each step; their edges are there from the beginning."""

    def run(u, out, steps):
        spare, steps = u.copy(), int(steps)
        out[:] = u
        for done in range(steps):
            into = out if (steps - done) % 2 else spare
            step(u, into, u.dtype.type(0.2))
            u = into

    return run


# ---- universal functions, on one thread and on all ----


@functools.cache
def ufunc(element, real, target):
    """Compiled at its first use, not when this file is read."""
    kind = numba.from_dtype(real)
    return vectorize([kind(*[kind] * element.__code__.co_argcount)], target=target)(element)


def map_with(element, inputs=0, constants=lambda *_: ()):
    """A variant for each target that computes `element` of these arrays, which are all of its
    arguments unless they are given, of the parameters, and of constants of these. It returns a new
    array where it is not to write `into` the one that is there.
    """
    inputs = inputs or element.__code__.co_argcount

    def of_target(target, into=True):
        def run(*arguments):
            out, scalars = arguments[inputs], arguments[inputs + 1 :]
            given = (*arguments[:inputs], *scalars, *constants(*scalars))
            result = ufunc(element, out.dtype, target)(*given, *[out] * into)
            return None if into else result

        return run

    return of_target


MAPS = {
    **{name: map_with(of) for name, of in ELEMENTS.items()},
    "gaussian_pdf": map_with(gaussian_pdf_of, 1, lambda mu, sigma: [scale_of(sigma)]),
    "zero_suppress": map_with(zero_suppress_of, 1),
}


def norm_of(row, norm):
    total = 0.0
    for j in range(row.size):
        total += np.float64(row[j]) * row[j]
    norm[0] = math.sqrt(total)


@functools.cache
def generalised(real, target):
    kind = numba.from_dtype(real)
    return guvectorize([(kind[:], kind[:])], "(n)->()", target=target)(norm_of)


def row_norms_with(target):
    return lambda matrix, norms: generalised(norms.dtype, target)(matrix, norms)


SCALAR = "a compiled function, called from Python for each element"
OWN = "the loop, with points of Numba's generator"
ELEMENT = "a function of one element, looped over by Numba: @vectorize"
ELEMENT_THREADS = "the same, divided among the threads: target='parallel'"
FASTMATH = "in whatever order the compiler likes to add: fastmath=True"
ROW = "a function of one row, looped over by Numba: @guvectorize"
ODD_EVEN = "odd-even transposition: neighbours at even, then at odd places: prange"
EAGER = "the naive loop, compiled before the first call, for given types: @njit(signature)"
CACHED = "the naive loop, compiled by a process before, read in the first call: cache=True"
ALL, FEW, OWN_NUMBERS = {"alone": False}, {"most_elements": 20_000}, {"own_numbers": True}


def rungs(workload, loops, maps=None):
    """`maps` makes a variant for a target of @vectorize, where the workload is a map."""
    yield workload, "njit", "the naive loop, compiled: @njit", loops[0]
    if maps:
        yield workload, "vectorize", ELEMENT, maps("cpu")
        yield workload, "vectorize_parallel", ELEMENT_THREADS, maps("parallel"), ALL
    yield workload, "prange", "the naive loop, divided among the threads: prange", loops[1], ALL


LOOPS = {
    "gaussian_pdf": tuple(map(gaussian_pdf, both(gaussian_pdf_loop))),
    "histogram": (histogram_njit, histogram_prange),
    "transpose": transpose,
    "read": (read_njit, read_prange),
    "matrix_add": matrix_add,
    "broadcast_add": broadcast_add,
    "sum_of_squares": both(sum_of_squares),
    "counter": counter,
    "pulse_train": pulse_train,
    "zero_suppress": zero_suppress,
    "standardize": standardize,
    "reverse": reverse,
    "row_norms": row_norms,
    "column_sums": (column_sums_njit, column_sums_prange),
    "scan": (scan_njit, scan_prange),
    "matmul": matmul,
    "n_body": both(n_body),
    "stencil": tuple(map(stencil, both(stencil_step))),
    **{name: loops_over(of) for name, of in ELEMENTS.items()},
}
fastmath, n_body_fastmath = map(njit(parallel=True, fastmath=True), (sum_of_squares, n_body))
random, random_threads = monte_carlo_pi_random

LADDERS = ladders(
    [
        ("energy", "njit_scalar", SCALAR, energy_scalar, {"most_elements": 100_000}),
        ("energy", "njit_eager", EAGER, eager, {"before": lambda _threads: compile_eagerly()}),
        ("energy", "njit_cached", CACHED, cached, {"before": cached.get_ready}),
        ("hypot", "njit_call", SCALAR, each(njit(hypot_formula)), {"most_elements": 100_000}),
        *(rung for name, loops in LOOPS.items() for rung in rungs(name, loops, MAPS.get(name))),
        ("sum_of_squares", "prange_fastmath", FASTMATH, fastmath, ALL),
        ("n_body", "prange_fastmath", FASTMATH, n_body_fastmath, ALL),
        ("sort", "njit", "bubble sort, compiled: @njit", njit(sort_bubble), FEW),
        ("sort", "prange", ODD_EVEN, sort_odd_even, {**ALL, **FEW}),
        ("monte_carlo_pi", "random", OWN, random, OWN_NUMBERS),
        ("monte_carlo_pi", "prange_random", OWN, random_threads, {**ALL, **OWN_NUMBERS}),
        *rungs("monte_carlo_pi", monte_carlo_pi),
        ("row_norms", "guvectorize", ROW, row_norms_with("cpu")),
        ("row_norms", "guvectorize_parallel", ELEMENT_THREADS, row_norms_with("parallel"), ALL),
    ]
)
