"""CuPy: NumPy's expressions on a GPU, each operation a kernel over all elements.

A formula of six operations launches six kernels and moves every intermediate result through memory;
an ElementwiseKernel computes it in one, from a line of C++, and cupy.fuse makes such a kernel of
the expression. Variants launch and return: the harness waits.
"""

import functools
import math

import cupy
import numpy as np
from expressions import n_body, rows
from variant import ladders

# ---- array expressions ----


def histogram_bincount(x, counts, lo, hi):
    inside = x[(x >= lo) & (x < hi)]
    scale = lo.dtype.type(counts.size) / (hi - lo)
    indices = ((inside - lo) * scale).astype(np.int64)
    found = cupy.bincount(cupy.minimum(indices, counts.size - 1), minlength=counts.size)
    return found.astype(counts.dtype)


def sum_of_squares_expression(x, _total):
    return cupy.square(x.astype(np.float64)).sum().reshape(1)


def zero_suppress_expression(x, _out, threshold):
    return cupy.where(x < threshold, x.dtype.type(0), x)


def counter_expression(x, count, threshold):
    return (x < threshold).sum(dtype=count.dtype).reshape(1)


def standardize_expression(x, _z):
    return (x - x.mean(dtype=np.float64)) / x.std(dtype=np.float64)


def row_norms_expression(matrix, norms):
    return cupy.sqrt(cupy.square(matrix.astype(np.float64)).sum(axis=1)).astype(norms.dtype)


def column_sums_expression(matrix, sums):
    return matrix.sum(axis=0, dtype=np.float64).astype(sums.dtype)


def scan_cumsum(x, out):
    return cupy.cumsum(x, dtype=np.float64 if x.dtype.kind == "f" else x.dtype).astype(out.dtype)


# ---- kernels of one line; T is the type of the data ----


kernel = functools.cache(cupy.ElementwiseKernel)


def scale_of(_mu, sigma):
    return sigma.dtype.type(1 / (sigma * math.sqrt(2 * math.pi)))


def elementwise(name, arrays, scalars, output, operation, *constants):
    """A variant of arrays, of parameters, and of constants of these."""
    inputs = ", ".join(filter(None, (arrays, scalars)))
    count = len(arrays.split(","))

    def run(*arguments):
        out, given = arguments[count], arguments[count + 1 :]
        more = [constant(*given) for constant in constants]
        kernel(inputs, output, operation, f"{name}_of")(*arguments[:count], *given, *more, out)

    return run


def histogram_elementwise(x, counts, lo, hi):
    formula = """
        if (x >= lo && x < hi) {
          const unsigned bin = static_cast<unsigned>((x - lo) * scale);
          atomicAdd(&counts[bin < bins ? bin : bins - 1], 1U);
        }"""
    inputs = "T x, T lo, T hi, T scale, uint32 bins"
    run = kernel(inputs, "raw uint32 counts", formula, "histogram_of")
    counts.fill(0)
    scale = lo.dtype.type(counts.size) / (hi - lo)
    run(x, lo, hi, scale, np.uint32(counts.size), counts)


# ---- expressions that become one kernel; a constant comes in the type of the data ----


fused = functools.cache(cupy.fuse)  # at its first use, not when this file is read


def activated(gray, grays, weight):
    return cupy.tanh(gray / grays * weight)


def hidden_layer_fuse(gray, weight, _out):
    return fused(activated)(gray, gray.dtype.type(255), weight)


def pulses_and_noise(t, noise, amplitude, period, threshold, zero):
    return amplitude * cupy.maximum(cupy.sin(t / period) - threshold, zero) + noise


def pulse_train_fuse(noise, _wave, amplitude, period):
    real = noise.dtype.type
    t = cupy.arange(noise.size).astype(real)
    return fused(pulses_and_noise)(t, noise, amplitude, period, real(0.3), real(0))


PDF = "T z = (x - mu) / sigma; pdf = exp(-z * z / T(2)) * scale"
DISTANCE = "T s = sin((t1 - t2) / T(2)); d = sqrt((r1 - r2) * (r1 - r2) + T(4) * r1 * r2 * s * s)"
PULSES = "T s = sin(T(i) / P) - T(0.3); w = A * fmax(s, T(0)) + noise"
# By workload: arrays, parameters, and output of its kernel, and its formula.
KERNELS = {
    "energy": ("T x", "", "T e", "T s = sin(x); e = s * s + sqrt(fabs(x)) + exp(-x * x / T(50))"),
    "gaussian_pdf": ("T x", "T mu, T sigma, T scale", "T pdf", PDF, scale_of),
    "hypot": ("T a, T b", "", "T c", "c = hypot(a, b)"),
    "add": ("T a, T b", "", "T c", "c = a + b"),
    "matrix_add": ("T a, T b", "", "T c", "c = a + b"),
    "broadcast_add": ("T a, T b", "", "T c", "c = a + b"),
    "hidden_layer": ("T g, T w", "", "T h", "h = tanh(g / T(255) * w)"),
    "pulse_train": ("T noise", "T A, T P", "T w", PULSES),
    "zero_suppress": ("T x", "T threshold", "T y", "y = x * T(x >= threshold)"),
    "polar_distance": ("T r1, T t1, T r2, T t2", "", "T d", DISTANCE),
    "sin_cos": ("T x, T y", "", "T p", "p = sin(x) * cos(y)"),
}

MOST_DISTANCES = 1 << 24  # 64 MB each
EXPRESSION = "array expressions: a kernel and a new array for each operation"
ELEMENTWISE = "one ElementwiseKernel for the whole formula"
BINCOUNT = "positions as integers, counted by cupy.bincount"
FUSE = "one kernel made of the expression: cupy.fuse"


LADDERS = ladders(
    [
        *rows(cupy, "cupy", EXPRESSION),
        ("histogram", "bincount", BINCOUNT, histogram_bincount),
        ("histogram", "elementwise", "one kernel with atomic counters", histogram_elementwise),
        ("sum_of_squares", "expression", EXPRESSION, sum_of_squares_expression),
        ("counter", "expression", EXPRESSION, counter_expression),
        ("hidden_layer", "fuse", FUSE, hidden_layer_fuse),
        ("pulse_train", "fuse", f"{FUSE}, after the array of times", pulse_train_fuse),
        ("zero_suppress", "expression", EXPRESSION, zero_suppress_expression),
        ("standardize", "expression", EXPRESSION, standardize_expression),
        ("scan", "cumsum", "cupy.cumsum in float64, and a copy in the type of x", scan_cumsum),
        ("row_norms", "expression", EXPRESSION, row_norms_expression),
        ("column_sums", "expression", EXPRESSION, column_sums_expression),
        ("n_body", "expression", EXPRESSION, n_body(cupy, MOST_DISTANCES)),
        *((of, "elementwise", ELEMENTWISE, elementwise(of, *how)) for of, how in KERNELS.items()),
    ],
    device="cupy",
)
