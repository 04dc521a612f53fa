"""Numba: Python functions compiled at their first call, for the types that they are called with.

The first call takes as long as compiling does (`first_use_s`); those after it are machine code. The
rungs: a loop, a function of one element for Numba to loop over, and both divided among threads.
"""

import functools
import math

import numba
import numpy as np
from numba import guvectorize, njit, prange, vectorize
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
TWO, FOUR, FIFTY, GRAYS = np.float32(2), np.float32(4), np.float32(50), np.float32(255)
FACTOR, SUMMAND = np.float32(511 / 512), np.float32(1 / 256)  # exact


def energy_of(x):
    return math.sin(x) ** 2 + math.sqrt(abs(x)) + math.exp(-x * x / FIFTY)


def gaussian_pdf_of(x, mu, sigma, scale):
    z = (x - mu) / sigma
    return math.exp(-z * z / TWO) * scale


def hypot_of(a, b):
    return math.hypot(a, b)


def add_of(a, b):
    return a + b


def hidden_layer_of(gray, weight):
    return math.tanh(gray / GRAYS * weight)


def zero_suppress_of(x, threshold):
    return 0 if x < threshold else x


def polar_distance_of(rho_1, theta_1, rho_2, theta_2):
    sine = math.sin((theta_1 - theta_2) / TWO)
    difference = rho_1 - rho_2
    return math.sqrt(difference * difference + FOUR * rho_1 * rho_2 * (sine * sine))


def sin_cos_of(x, y):
    return math.sin(x) * math.cos(y)


def multiply_add_of(x):
    for _ in range(512):
        x = x * FACTOR + SUMMAND
    return x


def copy_of(x):
    return x


def scale_of(sigma):
    return sigma.dtype.type(1 / (sigma * math.sqrt(2 * math.pi)))


energy_at, gaussian_pdf_at = njit(energy_of), njit(gaussian_pdf_of)
hidden_layer_at, sin_cos_at = njit(hidden_layer_of), njit(sin_cos_of)
polar_distance_at, multiply_add_at = njit(polar_distance_of), njit(multiply_add_of)

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


def energy_scalar(x, out):
    out[:] = [energy_at(value) for value in x]


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


@njit
def add_njit(a, b, out):
    for i in range(a.size):
        out[i] = a[i] + b[i]


@njit(parallel=True)
def add_prange(a, b, out):
    for i in prange(a.size):
        out[i] = a[i] + b[i]


@njit
def matrix_add_njit(a, b, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] + b[i, j]


@njit(parallel=True)
def matrix_add_prange(a, b, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] + b[i, j]


@njit
def broadcast_add_njit(matrix, v, out):
    for i in range(matrix.shape[0]):
        for j in range(v.size):
            out[i, j] = matrix[i, j] + v[j]


@njit(parallel=True)
def broadcast_add_prange(matrix, v, out):
    for i in prange(matrix.shape[0]):
        for j in range(v.size):
            out[i, j] = matrix[i, j] + v[j]


@njit
def sum_of_squares_njit(x, total):
    found = 0.0
    for i in range(x.size):
        found += np.float64(x[i]) * x[i]
    total[0] = found


@njit(parallel=True)
def sum_of_squares_prange(x, total):
    found = 0.0
    for i in prange(x.size):
        found += np.float64(x[i]) * x[i]
    total[0] = found


@njit(parallel=True, fastmath=True)
def sum_of_squares_fastmath(x, total):
    found = 0.0
    for i in prange(x.size):
        found += np.float64(x[i]) * x[i]
    total[0] = found


@njit
def counter_njit(x, count, threshold):
    found = 0
    for i in range(x.size):
        if x[i] < threshold:
            found += 1
    count[0] = found


@njit(parallel=True)
def counter_prange(x, count, threshold):
    found = 0
    for i in prange(x.size):
        if x[i] < threshold:
            found += 1
    count[0] = found


@njit
def hidden_layer_njit(gray, weight, out):
    for i in range(gray.size):
        out[i] = hidden_layer_at(gray[i], weight[i])


@njit(parallel=True)
def hidden_layer_prange(gray, weight, out):
    for i in prange(gray.size):
        out[i] = hidden_layer_at(gray[i], weight[i])


@njit
def polar_distance_njit(rho_1, theta_1, rho_2, theta_2, out):
    for i in range(rho_1.size):
        out[i] = polar_distance_at(rho_1[i], theta_1[i], rho_2[i], theta_2[i])


@njit(parallel=True)
def polar_distance_prange(rho_1, theta_1, rho_2, theta_2, out):
    for i in prange(rho_1.size):
        out[i] = polar_distance_at(rho_1[i], theta_1[i], rho_2[i], theta_2[i])


@njit
def sin_cos_njit(x, y, out):
    for i in range(x.size):
        out[i] = sin_cos_at(x[i], y[i])


@njit(parallel=True)
def sin_cos_prange(x, y, out):
    for i in prange(x.size):
        out[i] = sin_cos_at(x[i], y[i])


@njit
def reverse_njit(x, out):
    for i in range(x.size):
        out[i] = x[x.size - 1 - i]


@njit(parallel=True)
def reverse_prange(x, out):
    for i in prange(x.size):
        out[i] = x[x.size - 1 - i]


# A conditional expression of x and 0 would be a wider type than x.
@njit
def zero_suppress_njit(x, out, threshold):
    for i in range(x.size):
        out[i] = x[i]
        if x[i] < threshold:
            out[i] = 0


@njit(parallel=True)
def zero_suppress_prange(x, out, threshold):
    for i in prange(x.size):
        out[i] = x[i]
        if x[i] < threshold:
            out[i] = 0


@njit
def sort_bubble(x, out):
    out[:] = x
    for end in range(x.size - 1, 0, -1):
        for j in range(end):
            if out[j + 1] < out[j]:
                out[j], out[j + 1] = out[j + 1], out[j]


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
@njit
def pulse_at(t, amplitude, period, threshold):
    height = math.sin(t / period) - threshold
    return amplitude * height if height > 0 else t - t


@njit
def pulse_train_loop(noise, wave, amplitude, period, threshold):
    for i in range(noise.size):
        wave[i] = pulse_at(noise.dtype.type(i), amplitude, period, threshold) + noise[i]


@njit(parallel=True)
def pulse_train_parallel_loop(noise, wave, amplitude, period, threshold):
    for i in prange(noise.size):
        wave[i] = pulse_at(noise.dtype.type(i), amplitude, period, threshold) + noise[i]


def pulse_train_njit(noise, wave, amplitude, period):
    pulse_train_loop(noise, wave, amplitude, period, noise.dtype.type(0.3))


def pulse_train_prange(noise, wave, amplitude, period):
    pulse_train_parallel_loop(noise, wave, amplitude, period, noise.dtype.type(0.3))


@njit
def standardize_njit(x, z):
    shift, first, second = np.float64(x[0]), 0.0, 0.0
    for i in range(x.size):
        deviation = x[i] - shift
        first += deviation
        second += deviation * deviation
    mean = first / x.size
    sigma = math.sqrt(second / x.size - mean * mean)
    for i in range(x.size):
        z[i] = (x[i] - shift - mean) / sigma


@njit(parallel=True)
def standardize_prange(x, z):
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
    """Of the two points that Philox4x32-10 makes of a block of words, how many lie inside."""
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


@njit
def monte_carlo_pi_njit(key, inside, n):
    k0, k1, found = np.uint64(key[0]), np.uint64(key[1]), 0
    for b in range((n + 1) // 2):
        found += points_inside(np.uint64(b), k0, k1, 2 * b + 1 < n)
    inside[0] = found


@njit(parallel=True)
def monte_carlo_pi_prange(key, inside, n):
    k0, k1, found = np.uint64(key[0]), np.uint64(key[1]), 0
    for b in prange((n + 1) // 2):
        found += points_inside(np.uint64(b), k0, k1, 2 * b + 1 < n)
    inside[0] = found


@njit
def row_norms_njit(matrix, norms):
    for i in range(matrix.shape[0]):
        total = 0.0
        for j in range(matrix.shape[1]):
            total += np.float64(matrix[i, j]) * matrix[i, j]
        norms[i] = math.sqrt(total)


@njit(parallel=True)
def row_norms_prange(matrix, norms):
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
        sums[j] = totals[:, j].sum()


@njit
def multiply_add_njit(x, out):
    for i in range(x.size):
        out[i] = multiply_add_at(x[i])


@njit(parallel=True)
def multiply_add_prange(x, out):
    for i in prange(x.size):
        out[i] = multiply_add_at(x[i])


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


def zero_suppress_with(target):
    def run(x, out, threshold):
        ufunc(zero_suppress_of, 2, out.dtype, target)(x, threshold, out)

    return run


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
    def run(matrix, norms):
        generalised(norms.dtype, target)(matrix, norms)

    return run


SCALAR = "a compiled function, called from Python for each element"
LOOP = "the naive loop, compiled: @njit"
ELEMENT = "a function of one element, looped over by Numba: @vectorize"
ELEMENT_THREADS = "the same, divided among the threads: target='parallel'"
FASTMATH = "in whatever order the compiler likes to add: fastmath=True"
ROW = "a function of one row, looped over by Numba: @guvectorize"
LOOP_THREADS = "the naive loop, divided among the threads: prange"


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
    "energy": (
        Variant("njit_scalar", SCALAR, energy_scalar, most_elements=100_000),
        *ladder(energy_njit, energy_prange, lambda target: map_with(target, energy_of)),
    ),
    "gaussian_pdf": ladder(gaussian_pdf_njit, gaussian_pdf_prange, gaussian_pdf_with),
    "hypot": ladder(hypot_njit, hypot_prange, lambda target: map_with(target, hypot_of)),
    "histogram": ladder(histogram_njit, histogram_prange),
    "transpose": ladder(transpose_njit, transpose_prange),
    "read": ladder(read_njit, read_prange),
    "add": ladder(add_njit, add_prange, lambda target: map_with(target, add_of)),
    "matrix_add": ladder(matrix_add_njit, matrix_add_prange),
    "broadcast_add": ladder(broadcast_add_njit, broadcast_add_prange),
    "sum_of_squares": (
        *ladder(sum_of_squares_njit, sum_of_squares_prange),
        Variant("prange_fastmath", FASTMATH, sum_of_squares_fastmath, threads="all"),
    ),
    "counter": ladder(counter_njit, counter_prange),
    "hidden_layer": ladder(
        hidden_layer_njit, hidden_layer_prange, lambda target: map_with(target, hidden_layer_of)
    ),
    "pulse_train": ladder(pulse_train_njit, pulse_train_prange),
    "zero_suppress": ladder(zero_suppress_njit, zero_suppress_prange, zero_suppress_with),
    "standardize": ladder(standardize_njit, standardize_prange),
    "polar_distance": ladder(
        polar_distance_njit,
        polar_distance_prange,
        lambda target: map_with(target, polar_distance_of),
    ),
    "sin_cos": ladder(sin_cos_njit, sin_cos_prange, lambda target: map_with(target, sin_cos_of)),
    "reverse": ladder(reverse_njit, reverse_prange),
    "sort": (
        Variant("njit", "bubble sort, compiled: @njit", sort_bubble, most_elements=20_000),
        Variant(
            "prange",
            "odd-even transposition: neighbours at even, then at odd places: prange",
            sort_odd_even,
            threads="all",
            most_elements=20_000,
        ),
    ),
    "monte_carlo_pi": ladder(monte_carlo_pi_njit, monte_carlo_pi_prange),
    "row_norms": (
        *ladder(row_norms_njit, row_norms_prange),
        Variant("guvectorize", ROW, row_norms_with("cpu")),
        Variant("guvectorize_parallel", ELEMENT_THREADS, row_norms_with("parallel"), threads="all"),
    ),
    "column_sums": ladder(column_sums_njit, column_sums_prange),
    "multiply_add": ladder(
        multiply_add_njit,
        multiply_add_prange,
        lambda target: map_with(target, multiply_add_of),
    ),
}
