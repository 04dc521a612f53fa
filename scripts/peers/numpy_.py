"""NumPy: whole arrays at a time, each operation a compiled loop over all elements, on one core.

A formula of six operations reads and writes memory six times: every intermediate result is an
array. The rungs give those arrays a place to stay, then make them small enough for a cache.
"""

import importlib
import math

import numpy as np
from variant import Variant

BLOCK = 8192  # elements: a few arrays of that size fit into a core's own cache


def copy_expression(x, _out):
    return x.copy()


def copy_out(x, out):
    np.copyto(out, x)


def energy_expression(x, _out):
    return np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-(x**2) / 50)


def energy_out(x, out):
    term = np.abs(x)
    np.sqrt(term, out=term)
    np.sin(x, out=out)
    np.square(out, out=out)
    np.add(out, term, out=out)
    np.square(x, out=term)
    np.divide(term, -50, out=term)
    np.exp(term, out=term)
    np.add(out, term, out=out)


def energy_blocks(x, out):
    for begin in range(0, x.size, BLOCK):
        energy_out(x[begin : begin + BLOCK], out[begin : begin + BLOCK])


def gaussian_pdf_expression(x, _out, mu, sigma):
    return np.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))


def gaussian_pdf_out(x, out, mu, sigma):
    np.subtract(x, mu, out=out)
    np.divide(out, sigma, out=out)
    np.square(out, out=out)
    np.divide(out, -2, out=out)
    np.exp(out, out=out)
    np.divide(out, sigma * math.sqrt(2 * math.pi), out=out)


def gaussian_pdf_blocks(x, out, mu, sigma):
    for begin in range(0, x.size, BLOCK):
        gaussian_pdf_out(x[begin : begin + BLOCK], out[begin : begin + BLOCK], mu, sigma)


def gaussian_pdf_scipy(x, _out, mu, sigma):
    from scipy.stats import norm  # here: it takes a second, and may be missing

    return norm.pdf(x, mu, sigma)


def without_scipy():
    try:
        importlib.import_module("scipy")
    except ImportError:
        return "SciPy is not installed"
    return ""


def hypot_expression(a, b, _out):
    return np.hypot(a, b)


def hypot_out(a, b, out):
    np.hypot(a, b, out=out)


def histogram_histogram(x, counts, lo, hi):
    return np.histogram(x, counts.size, (lo, hi))[0]


def histogram_bincount(x, counts, lo, hi):
    inside = x[(x >= lo) & (x < hi)]
    scale = lo.dtype.type(counts.size) / (hi - lo)
    indices = ((inside - lo) * scale).astype(np.intp)
    return np.bincount(np.minimum(indices, counts.size - 1), minlength=counts.size)


def histogram_blocks(x, counts, lo, hi):
    counts[:] = 0
    for begin in range(0, x.size, BLOCK):
        part = histogram_bincount(x[begin : begin + BLOCK], counts, lo, hi)
        np.add(counts, part, out=counts, casting="unsafe")


def transpose_expression(matrix, _out):
    return matrix.T.copy()


def transpose_out(matrix, out):
    np.copyto(out, matrix.T)


def read_reduce(x, out):
    out[0] = np.bitwise_xor.reduce(x.view(np.uint32))


def add_expression(a, b, _out):
    return a + b


def add_out(a, b, out):
    np.add(a, b, out=out)


def sum_of_squares_expression(x, total):
    total[0] = np.square(x, dtype=np.float64).sum()


def sum_of_squares_dot(x, total):
    wide = x.astype(np.float64)
    total[0] = np.dot(wide, wide)


def counter_expression(x, count, threshold):
    count[0] = np.count_nonzero(x < threshold)


def hidden_layer_expression(gray, weight, _activation):
    return np.tanh(gray / 255 * weight)


def hidden_layer_out(gray, weight, activation):
    np.divide(gray, 255, out=activation)
    np.multiply(activation, weight, out=activation)
    np.tanh(activation, out=activation)


def hidden_layer_blocks(gray, weight, activation):
    for begin in range(0, gray.size, BLOCK):
        part = slice(begin, begin + BLOCK)
        hidden_layer_out(gray[part], weight[part], activation[part])


def polar_distance_expression(rho_1, theta_1, rho_2, theta_2, _distance):
    x = rho_1 * np.cos(theta_1) - rho_2 * np.cos(theta_2)
    y = rho_1 * np.sin(theta_1) - rho_2 * np.sin(theta_2)
    return np.sqrt(x * x + y * y)


def polar_distance_complex(rho_1, theta_1, rho_2, theta_2, _distance):
    return np.abs(rho_1 * np.exp(1j * theta_1) - rho_2 * np.exp(1j * theta_2))


def polar_distance_half_angle(rho_1, theta_1, rho_2, theta_2, distance):
    np.subtract(theta_1, theta_2, out=distance)
    distance /= 2
    np.sin(distance, out=distance)
    np.square(distance, out=distance)
    distance *= rho_1
    distance *= rho_2
    distance *= 4
    distance += np.square(rho_1 - rho_2)
    np.sqrt(distance, out=distance)


def polar_distance_blocks(rho_1, theta_1, rho_2, theta_2, distance):
    for begin in range(0, rho_1.size, BLOCK):
        arrays = (rho_1, theta_1, rho_2, theta_2, distance)
        polar_distance_half_angle(*(array[begin : begin + BLOCK] for array in arrays))


def sin_cos_expression(x, y, _product):
    return np.sin(x) * np.cos(y)


def sin_cos_out(x, y, product):
    np.sin(x, out=product)
    product *= np.cos(y)


def sin_cos_blocks(x, y, product):
    for begin in range(0, x.size, BLOCK):
        part = slice(begin, begin + BLOCK)
        sin_cos_out(x[part], y[part], product[part])


def reverse_expression(x, _out):
    return x[::-1].copy()


def reverse_out(x, out):
    np.copyto(out, x[::-1])


def broadcast_add_tile(matrix, v, out):
    np.add(matrix, np.tile(v, (matrix.shape[0], 1)), out=out)


def zero_suppress_expression(x, _out, threshold):
    return np.where(x < threshold, x.dtype.type(0), x)


def zero_suppress_product(x, out, threshold):
    np.multiply(x, x >= threshold, out=out)


def sort_expression(x, _out):
    return np.sort(x)


def sort_out(x, out):
    np.copyto(out, x)
    out.sort()


def times(begin, end, dtype):
    """Rounded once; np.arange(begin, end, dtype=dtype) adds in that precision."""
    return np.arange(begin, end).astype(dtype)


def pulse_train_expression(noise, _wave, amplitude, period):
    t = times(0, noise.size, noise.dtype)
    return amplitude * np.maximum(np.sin(t / period) - 0.3, 0) + noise


def pulses_into(noise, wave, t, amplitude, period):
    np.divide(t, period, out=wave)
    np.sin(wave, out=wave)
    np.subtract(wave, 0.3, out=wave)
    np.maximum(wave, 0, out=wave)
    np.multiply(wave, amplitude, out=wave)
    np.add(wave, noise, out=wave)


def pulse_train_out(noise, wave, amplitude, period):
    pulses_into(noise, wave, times(0, noise.size, noise.dtype), amplitude, period)


def pulse_train_blocks(noise, wave, amplitude, period):
    for begin in range(0, noise.size, BLOCK):
        part = slice(begin, min(begin + BLOCK, noise.size))
        t = times(part.start, part.stop, noise.dtype)
        pulses_into(noise[part], wave[part], t, amplitude, period)


def standardize_expression(x, _z):
    return (x - float(x.mean(dtype=np.float64))) / float(x.std(dtype=np.float64))


def standardize_out(x, z):
    np.subtract(x, float(x.mean(dtype=np.float64)), out=z)
    np.divide(z, float(x.std(dtype=np.float64)), out=z)


def random_words(blocks, key):
    """Philox4x32-10 for each of the blocks: four words of 32 bits, in 64."""
    low, bits = np.uint64(0xFFFFFFFF), np.uint64(32)
    k0, k1 = (np.uint64(word) for word in key)
    c0, c1 = blocks & low, blocks >> bits
    c2 = c3 = np.zeros_like(blocks)
    for _ in range(10):
        first, second = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1 = second >> bits ^ c1 ^ k0, second & low
        c2, c3 = first >> bits ^ c3 ^ k1, first & low
        k0, k1 = k0 + np.uint64(0x9E3779B9) & low, k1 + np.uint64(0xBB67AE85) & low
    return c0, c1, c2, c3


def are_inside(x, y):
    return y * y <= ~(x * x)  # x² + y² < 2⁶⁴, without the sum


def monte_carlo_pi_expression(key, inside, n):
    count = int(n)
    x0, y0, x1, y1 = random_words(np.arange((count + 1) // 2, dtype=np.uint64), key)
    second = are_inside(x1, y1)[: count // 2]
    inside[0] = np.count_nonzero(are_inside(x0, y0)) + np.count_nonzero(second)


def monte_carlo_pi_blocks(key, inside, n):
    total, count = 0, int(n)
    for begin in range(0, (count + 1) // 2, BLOCK):
        blocks = np.arange(begin, min(begin + BLOCK, (count + 1) // 2), dtype=np.uint64)
        x0, y0, x1, y1 = random_words(blocks, key)
        second = are_inside(x1, y1)[: count // 2 - begin]
        total += np.count_nonzero(are_inside(x0, y0)) + np.count_nonzero(second)
    inside[0] = total


def row_norms_expression(matrix, _norms):
    return np.sqrt(np.square(matrix, dtype=np.float64).sum(axis=1))


def row_norms_einsum(matrix, _norms):
    return np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))


def row_norms_norm(matrix, _norms):
    return np.linalg.norm(matrix.astype(np.float64), axis=1)


def column_sums_expression(matrix, _sums):
    return matrix.sum(axis=0, dtype=np.float64)


def column_sums_matmul(matrix, _sums):
    return np.ones(matrix.shape[0]) @ matrix.astype(np.float64)


def multiply_add_expression(x, _out):
    value = x
    for _ in range(512):
        value = value * (511 / 512) + 1 / 256
    return value


def multiply_add_out(x, out):
    np.copyto(out, x)
    for _ in range(512):
        np.multiply(out, 511 / 512, out=out)
        np.add(out, 1 / 256, out=out)


def multiply_add_blocks(x, out):
    for begin in range(0, x.size, BLOCK):
        multiply_add_out(x[begin : begin + BLOCK], out[begin : begin + BLOCK])


EXPRESSION = "array expressions: a new array for each operation, and for the result"
OUT = "out= arguments: the result goes where it belongs"
BLOCKS = "the same in blocks: what is computed in between stays in a cache"

LADDERS = {
    "copy": (
        Variant("expression", "x.copy(): a new array for the result", copy_expression),
        Variant("out", "np.copyto: into an array that is there", copy_out),
    ),
    "read": (Variant("reduce", "np.bitwise_xor.reduce: one pass, no array", read_reduce),),
    "add": (
        Variant("expression", "a + b: a new array for the result", add_expression),
        Variant("out", OUT, add_out),
    ),
    "energy": (
        Variant("expression", EXPRESSION, energy_expression),
        Variant("out", f"{OUT}, one array for all terms", energy_out),
        Variant("blocks", BLOCKS, energy_blocks),
    ),
    "gaussian_pdf": (
        Variant("expression", EXPRESSION, gaussian_pdf_expression),
        Variant("out", f"{OUT}, no temporary array", gaussian_pdf_out),
        Variant("blocks", BLOCKS, gaussian_pdf_blocks),
        Variant(
            "scipy",
            "scipy.stats.norm.pdf: one call, checks its arguments, computes in float64",
            gaussian_pdf_scipy,
            obstacle=without_scipy,
        ),
    ),
    "hypot": (
        Variant("expression", "np.hypot(a, b): a new array for the result", hypot_expression),
        Variant("out", OUT, hypot_out),
    ),
    "histogram": (
        Variant("histogram", "np.histogram of the positions (x - lo) scale", histogram_histogram),
        Variant("bincount", "positions as integers, counted by np.bincount", histogram_bincount),
        Variant("blocks", BLOCKS, histogram_blocks),
    ),
    "transpose": (
        Variant("expression", "a.T.copy(): a new array for the result", transpose_expression),
        Variant("out", "np.copyto(out, a.T): into an array that is there", transpose_out),
    ),
    "matrix_add": (
        Variant("expression", "a + b: a new array for the result", add_expression),
        Variant("out", OUT, add_out),
    ),
    "broadcast_add": (
        Variant("expression", "a + v: a new array for the result", add_expression),
        Variant("tile", "np.tile: v becomes a matrix first, deliberately slow", broadcast_add_tile),
        Variant("out", OUT, add_out),
    ),
    "sum_of_squares": (
        Variant(
            "expression", "an array of squares in float64, and its sum", sum_of_squares_expression
        ),
        Variant(
            "dot", "np.dot in float64: what BLAS has for it", sum_of_squares_dot, threads="all"
        ),
    ),
    "counter": (
        Variant("expression", "an array of comparisons, and np.count_nonzero", counter_expression),
    ),
    "hidden_layer": (
        Variant("expression", EXPRESSION, hidden_layer_expression),
        Variant("out", f"{OUT}, no temporary array", hidden_layer_out),
        Variant("blocks", BLOCKS, hidden_layer_blocks),
    ),
    "pulse_train": (
        Variant("expression", EXPRESSION, pulse_train_expression),
        Variant("out", f"{OUT}; one for the indices is made", pulse_train_out),
        Variant("blocks", BLOCKS, pulse_train_blocks),
    ),
    "zero_suppress": (
        Variant("expression", "np.where: a mask, and a new array", zero_suppress_expression),
        Variant("product", "x * (x >= threshold): a product for a choice", zero_suppress_product),
    ),
    "standardize": (
        Variant("expression", "mean, std, and array expressions", standardize_expression),
        Variant("out", f"{OUT}; std makes an array of its own", standardize_out),
    ),
    "polar_distance": (
        Variant("expression", EXPRESSION, polar_distance_expression),
        Variant("complex", "complex numbers: abs of a difference", polar_distance_complex),
        Variant(
            "half_angle",
            "one sine, of half the angle, by out= arguments",
            polar_distance_half_angle,
        ),
        Variant("blocks", BLOCKS, polar_distance_blocks),
    ),
    "sin_cos": (
        Variant("expression", EXPRESSION, sin_cos_expression),
        Variant("out", f"{OUT}, one array for the cosine", sin_cos_out),
        Variant("blocks", BLOCKS, sin_cos_blocks),
    ),
    "reverse": (
        Variant("expression", "x[::-1].copy(): a new array for the result", reverse_expression),
        Variant("out", "np.copyto(out, x[::-1]): into an array that is there", reverse_out),
    ),
    "sort": (
        Variant("expression", "np.sort(x): a new array for the result", sort_expression),
        Variant("out", "sorted where it belongs, by vectors", sort_out),
    ),
    "monte_carlo_pi": (
        Variant("expression", EXPRESSION, monte_carlo_pi_expression),
        Variant("blocks", BLOCKS, monte_carlo_pi_blocks),
    ),
    "multiply_add": (
        Variant("expression", EXPRESSION, multiply_add_expression),
        Variant("out", f"{OUT}, no temporary array", multiply_add_out),
        Variant("blocks", BLOCKS, multiply_add_blocks),
    ),
    "row_norms": (
        Variant(
            "expression",
            "an array of squares in float64, its sums, their roots",
            row_norms_expression,
        ),
        Variant("einsum", "np.einsum: squares and sums in one pass", row_norms_einsum),
        Variant("norm", "np.linalg.norm of a copy in float64", row_norms_norm),
    ),
    "column_sums": (
        Variant("expression", "sum(axis=0): row by row into the sums", column_sums_expression),
        Variant(
            "matmul", "ones @ a in float64: what BLAS has for it", column_sums_matmul, threads="all"
        ),
    ),
}
