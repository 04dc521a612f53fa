"""CuPy: NumPy's expressions on a GPU, each operation a kernel over all elements.

A formula of six operations launches six kernels and moves every intermediate result through memory;
an ElementwiseKernel computes it in one, from a line of C++, and cupy.fuse makes such a kernel of
the expression. Variants launch and return: the harness waits.
"""

import functools
import math

import cupy
import numpy as np
from variant import Variant

# ---- array expressions ----


def copy_expression(x, _out):
    return x.copy()


def copy_out(x, out):
    cupy.copyto(out, x)


def energy_expression(x, _out):
    return cupy.sin(x) ** 2 + cupy.sqrt(cupy.abs(x)) + cupy.exp(-(x**2) / 50)


def gaussian_pdf_expression(x, _out, mu, sigma):
    scale = float(sigma) * math.sqrt(2 * math.pi)
    return cupy.exp(-(((x - mu) / sigma) ** 2) / 2) / scale


def hypot_expression(a, b, _out):
    return cupy.hypot(a, b)


def histogram_bincount(x, counts, lo, hi):
    inside = x[(x >= lo) & (x < hi)]
    scale = lo.dtype.type(counts.size) / (hi - lo)
    indices = ((inside - lo) * scale).astype(np.int64)
    found = cupy.bincount(cupy.minimum(indices, counts.size - 1), minlength=counts.size)
    return found.astype(counts.dtype)


def transpose_expression(matrix, _out):
    return matrix.T.copy()


def transpose_out(matrix, out):
    cupy.copyto(out, matrix.T)


def add_expression(a, b, _out):
    return a + b


def polar_distance_expression(rho_1, theta_1, rho_2, theta_2, _out):
    x = rho_1 * cupy.cos(theta_1) - rho_2 * cupy.cos(theta_2)
    y = rho_1 * cupy.sin(theta_1) - rho_2 * cupy.sin(theta_2)
    return cupy.sqrt(x * x + y * y)


def sin_cos_expression(x, y, _out):
    return cupy.sin(x) * cupy.cos(y)


def reverse_expression(x, _out):
    return x[::-1].copy()


def reverse_out(x, out):
    cupy.copyto(out, x[::-1])


def zero_suppress_expression(x, _out, threshold):
    return cupy.where(x < threshold, x.dtype.type(0), x)


def sort_expression(x, _out):
    return cupy.sort(x)


def sum_of_squares_expression(x, _total):
    return cupy.square(x.astype(np.float64)).sum().reshape(1)


def counter_expression(x, count, threshold):
    return (x < threshold).sum(dtype=count.dtype).reshape(1)


def hidden_layer_expression(gray, weight, _out):
    return cupy.tanh(gray / 255 * weight)


def pulse_train_expression(noise, _wave, amplitude, period):
    t = cupy.arange(noise.size).astype(noise.dtype)
    return amplitude * cupy.maximum(cupy.sin(t / period) - 0.3, 0) + noise


def standardize_expression(x, _z):
    return (x - x.mean(dtype=np.float64)) / x.std(dtype=np.float64)


def row_norms_expression(matrix, norms):
    return cupy.sqrt(cupy.square(matrix.astype(np.float64)).sum(axis=1)).astype(norms.dtype)


def column_sums_expression(matrix, sums):
    return matrix.sum(axis=0, dtype=np.float64).astype(sums.dtype)


def multiply_add_expression(x, _out):
    value = x
    for _ in range(512):
        value = value * (511 / 512) + 1 / 256
    return value


# ---- kernels of one line; T is the type of the data ----


@functools.cache
def kernel(inputs, outputs, operation, name):
    return cupy.ElementwiseKernel(inputs, outputs, operation, name)


def energy_elementwise(x, out):
    formula = "T s = sin(x); e = s * s + sqrt(fabs(x)) + exp(-x * x / T(50))"
    kernel("T x", "T e", formula, "energy")(x, out)


def gaussian_pdf_elementwise(x, out, mu, sigma):
    formula = "T z = (x - mu) / sigma; pdf = exp(-z * z / T(2)) * scale"
    scale = sigma.dtype.type(1 / (sigma * math.sqrt(2 * math.pi)))
    run = kernel("T x, T mu, T sigma, T scale", "T pdf", formula, "gaussian_pdf")
    run(x, mu, sigma, scale, out)


def hypot_elementwise(a, b, out):
    kernel("T a, T b", "T c", "c = hypot(a, b)", "hypot_of")(a, b, out)


def add_elementwise(a, b, out):
    kernel("T a, T b", "T c", "c = a + b", "add_of")(a, b, out)


def hidden_layer_elementwise(gray, weight, out):
    formula = "h = tanh(g / T(255) * w)"
    kernel("T g, T w", "T h", formula, "hidden_layer")(gray, weight, out)


def pulse_train_elementwise(noise, wave, amplitude, period):
    formula = "T s = sin(T(i) / P) - T(0.3); w = A * fmax(s, T(0)) + noise"
    run = kernel("T noise, T A, T P", "T w", formula, "pulse_train")
    run(noise, amplitude, period, wave)


def zero_suppress_elementwise(x, out, threshold):
    formula = "y = x * T(x >= threshold)"
    kernel("T x, T threshold", "T y", formula, "zero_suppress")(x, threshold, out)


def polar_distance_elementwise(rho_1, theta_1, rho_2, theta_2, out):
    formula = (
        "T s = sin((t1 - t2) / T(2)); d = sqrt((r1 - r2) * (r1 - r2) + T(4) * r1 * r2 * s * s)"
    )
    run = kernel("T r1, T t1, T r2, T t2", "T d", formula, "polar_distance")
    run(rho_1, theta_1, rho_2, theta_2, out)


def sin_cos_elementwise(x, y, out):
    kernel("T x, T y", "T p", "p = sin(x) * cos(y)", "sin_cos")(x, y, out)


def histogram_elementwise(x, counts, lo, hi):
    formula = """
        if (x >= lo && x < hi) {
          const unsigned bin = static_cast<unsigned>((x - lo) * scale);
          atomicAdd(&counts[bin < bins ? bin : bins - 1], 1U);
        }"""
    run = kernel(
        "T x, T lo, T hi, T scale, uint32 bins", "raw uint32 counts", formula, "histogram_of"
    )
    counts.fill(0)
    scale = lo.dtype.type(counts.size) / (hi - lo)
    run(x, lo, hi, scale, np.uint32(counts.size), counts)


# ---- expressions that become one kernel; a constant comes in the type of the data ----


@functools.cache
def fused(expression):
    """At its first use, not when this file is read."""
    return cupy.fuse(expression)


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


def variant(name, idea, function):
    return Variant(name, idea, function, device="cupy")


EXPRESSION = "array expressions: a kernel and a new array for each operation"
ELEMENTWISE = "one ElementwiseKernel for the whole formula"

LADDERS = {
    "copy": (
        variant("expression", "x.copy(): a new array for the result", copy_expression),
        variant("out", "cupy.copyto: into an array that is there", copy_out),
    ),
    "energy": (
        variant("expression", EXPRESSION, energy_expression),
        variant("elementwise", ELEMENTWISE, energy_elementwise),
    ),
    "gaussian_pdf": (
        variant("expression", EXPRESSION, gaussian_pdf_expression),
        variant("elementwise", ELEMENTWISE, gaussian_pdf_elementwise),
    ),
    "hypot": (
        variant("expression", "cupy.hypot(a, b): a new array for the result", hypot_expression),
        variant("elementwise", ELEMENTWISE, hypot_elementwise),
    ),
    "histogram": (
        variant("bincount", "positions as integers, counted by cupy.bincount", histogram_bincount),
        variant("elementwise", "one kernel with atomic counters", histogram_elementwise),
    ),
    "add": (
        variant("expression", "a + b: a new array for the result", add_expression),
        variant("elementwise", ELEMENTWISE, add_elementwise),
    ),
    "matrix_add": (
        variant("expression", "a + b: a new array for the result", add_expression),
        variant("elementwise", ELEMENTWISE, add_elementwise),
    ),
    "broadcast_add": (
        variant("expression", "a + v: a new array for the result", add_expression),
        variant("elementwise", ELEMENTWISE, add_elementwise),
    ),
    "sum_of_squares": (variant("expression", EXPRESSION, sum_of_squares_expression),),
    "counter": (variant("expression", EXPRESSION, counter_expression),),
    "hidden_layer": (
        variant("expression", EXPRESSION, hidden_layer_expression),
        variant("fuse", "one kernel made of the expression: cupy.fuse", hidden_layer_fuse),
        variant("elementwise", ELEMENTWISE, hidden_layer_elementwise),
    ),
    "pulse_train": (
        variant("expression", EXPRESSION, pulse_train_expression),
        variant(
            "fuse",
            "one kernel made of the expression: cupy.fuse, after the array of times",
            pulse_train_fuse,
        ),
        variant("elementwise", ELEMENTWISE, pulse_train_elementwise),
    ),
    "zero_suppress": (
        variant("expression", EXPRESSION, zero_suppress_expression),
        variant("elementwise", ELEMENTWISE, zero_suppress_elementwise),
    ),
    "standardize": (variant("expression", EXPRESSION, standardize_expression),),
    "polar_distance": (
        variant("expression", EXPRESSION, polar_distance_expression),
        variant("elementwise", ELEMENTWISE, polar_distance_elementwise),
    ),
    "sin_cos": (
        variant("expression", EXPRESSION, sin_cos_expression),
        variant("elementwise", ELEMENTWISE, sin_cos_elementwise),
    ),
    "reverse": (
        variant("expression", "x[::-1].copy(): a new array for the result", reverse_expression),
        variant("out", "cupy.copyto(out, x[::-1]): into an array that is there", reverse_out),
    ),
    "sort": (variant("expression", "cupy.sort(x): a new array for the result", sort_expression),),
    "row_norms": (variant("expression", EXPRESSION, row_norms_expression),),
    "column_sums": (variant("expression", EXPRESSION, column_sums_expression),),
    "multiply_add": (variant("expression", EXPRESSION, multiply_add_expression),),
    "transpose": (
        variant("expression", "a.T.copy(): a new array for the result", transpose_expression),
        variant("out", "cupy.copyto(out, a.T): into an array that is there", transpose_out),
    ),
}
