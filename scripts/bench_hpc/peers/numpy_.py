"""NumPy: whole arrays at a time, each operation a compiled loop over all elements, on one core.

A formula of six operations reads and writes memory six times: every intermediate result is an
array. The variants give those arrays a place to stay, then make them small enough for a cache.
"""

import importlib.util
import math

import numpy as np
from expressions import n_body, rows
from variant import ladders

BLOCK = 8192  # elements: a few arrays of that size fit into a core's own cache


def blocks(function):
    """A variant that computes a block of all arrays at a time."""

    def run(*arguments):
        for begin in range(0, arguments[0].size, BLOCK):
            part = slice(begin, begin + BLOCK)
            function(*(one[part] if one.ndim else one for one in arguments))

    return run


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


def gaussian_pdf_out(x, out, mu, sigma):
    np.subtract(x, mu, out=out)
    np.divide(out, sigma, out=out)
    np.square(out, out=out)
    np.divide(out, -2, out=out)
    np.exp(out, out=out)
    np.divide(out, sigma * math.sqrt(2 * math.pi), out=out)


def gaussian_pdf_scipy(x, _out, mu, sigma):
    from scipy.stats import norm  # here: it takes a second, and may be missing

    return norm.pdf(x, mu, sigma)


def histogram(x, counts, lo, hi):
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


def read(x, out):
    out[0] = np.bitwise_xor.reduce(x.view(np.uint32))


def sum_of_squares(x, total):
    total[0] = np.square(x, dtype=np.float64).sum()


def sum_of_squares_dot(x, total):
    wide = x.astype(np.float64)
    total[0] = np.dot(wide, wide)


def counter(x, count, threshold):
    count[0] = np.count_nonzero(x < threshold)


def hidden_layer_out(gray, weight, activation):
    np.divide(gray, 255, out=activation)
    np.multiply(activation, weight, out=activation)
    np.tanh(activation, out=activation)


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


def sin_cos_out(x, y, product):
    np.sin(x, out=product)
    product *= np.cos(y)


def broadcast_add_tile(matrix, v, out):
    np.add(matrix, np.tile(v, (matrix.shape[0], 1)), out=out)


def zero_suppress(x, _out, threshold):
    return np.where(x < threshold, x.dtype.type(0), x)


def zero_suppress_product(x, out, threshold):
    np.multiply(x, x >= threshold, out=out)


def sort_out(x, out):
    np.copyto(out, x)
    out.sort()


def times(begin, end, dtype):
    """Rounded once; np.arange(begin, end, dtype=dtype) adds in that precision."""
    return np.arange(begin, end).astype(dtype)


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


def standardize(x, _z):
    wide = x.astype(np.float64)
    return (wide - wide.mean()) / wide.std()


def standardize_out(x, z):
    # In f32 the mean of large numbers is rounded by as much as they deviate from it.
    wide = np.subtract(x, x.mean(dtype=np.float64), dtype=np.float64)
    np.divide(wide, np.sqrt(np.square(wide).mean()), out=z, casting="same_kind")


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


def points_inside(begin, end, key, count):
    """The points inside of those that these blocks of words make: two of each, `count` in all."""
    x0, y0, x1, y1 = random_words(np.arange(begin, end, dtype=np.uint64), key)
    # x² + y² < 2⁶⁴, without the sum
    first, second = (y * y <= ~(x * x) for x, y in ((x0, y0), (x1, y1)))
    return np.count_nonzero(first) + np.count_nonzero(second[: count // 2 - begin])


def monte_carlo_pi(key, inside, n):
    inside[0] = points_inside(0, (int(n) + 1) // 2, key, int(n))


def monte_carlo_pi_blocks(key, inside, n):
    most = (int(n) + 1) // 2
    begins = range(0, most, BLOCK)
    inside[0] = sum(points_inside(one, min(one + BLOCK, most), key, int(n)) for one in begins)


def monte_carlo_pi_random(_key, inside, n):
    x, y = np.random.rand(int(n)), np.random.rand(int(n))
    inside[0] = np.count_nonzero(x**2 + y**2 < 1)


def row_norms(matrix, _norms):
    return np.sqrt(np.square(matrix, dtype=np.float64).sum(axis=1))


def row_norms_einsum(matrix, _norms):
    return np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))


def row_norms_norm(matrix, _norms):
    return np.linalg.norm(matrix.astype(np.float64), axis=1)


def column_sums(matrix, _sums):
    return matrix.sum(axis=0, dtype=np.float64)


def column_sums_matmul(matrix, _sums):
    return np.ones(matrix.shape[0]) @ matrix.astype(np.float64)


def wide_of(x):
    """What sums of many elements are added in: a float would lose what is added to it."""
    return np.float64 if x.dtype.kind == "f" else x.dtype.type


def scan(x, _out):
    return np.cumsum(x, dtype=wide_of(x))


def scan_blocks(x, out):
    before = wide_of(x)(0)
    for begin in range(0, x.size, BLOCK):
        sums = np.cumsum(x[begin : begin + BLOCK], dtype=wide_of(x))
        sums += before
        before = sums[-1]
        out[begin : begin + BLOCK] = sums


def multiply_add_out(x, out):
    np.copyto(out, x)
    for _ in range(512):
        np.multiply(out, 511 / 512, out=out)
        np.add(out, 1 / 256, out=out)


def matmul_einsum(a, b, c):
    np.einsum("ip,pj->ij", a, b, out=c)


def matmul(a, b, c):
    np.matmul(a, b, out=c)


def n_body_each(x, y, z, m, a):
    for i in range(x.size):
        dx, dy, dz = x - x[i], y - y[i], z - z[i]
        square = dx * dx + dy * dy + dz * dz + 1e-3
        pull = m / (square * np.sqrt(square))
        a[:, i] = pull @ dx, pull @ dy, pull @ dz


def in_turn(u, out, steps):
    """Yields the plate before each step and the one after it, which is `out` in the end."""
    spare, steps = u.copy(), int(steps)
    np.copyto(out, u)
    for step in range(steps):
        into = out if (steps - step) % 2 else spare
        yield u, into
        u = into


def stencil_out(u, out, steps):
    change = np.empty_like(u[1:-1, 1:-1])
    for before, after in in_turn(u, out, steps):
        here = before[1:-1, 1:-1]
        np.multiply(here, -4, out=change)
        for neighbours in (
            before[:-2, 1:-1],
            before[2:, 1:-1],
            before[1:-1, :-2],
            before[1:-1, 2:],
        ):
            np.add(change, neighbours, out=change)
        np.multiply(change, 0.2, out=change)
        np.add(here, change, out=after[1:-1, 1:-1])


def stencil_scipy(u, out, steps):
    from scipy.ndimage import convolve  # here: it takes a while, and may be missing

    weights = np.array([[0, 0.2, 0], [0.2, 0.2, 0.2], [0, 0.2, 0]])
    for before, after in in_turn(u, out, steps):
        inner = convolve(before, weights)[1:-1, 1:-1]
        np.copyto(after[1:-1, 1:-1], inner)


ALL = {"alone": False}
OWN = "np.random.rand: points of NumPy's generator"
EXPRESSION = "array expressions: a new array for each operation, and for the result"
OUT = "out= arguments: the result goes where it belongs"
BLOCKS = "the same in blocks: what is computed in between stays in a cache"
BINCOUNT = "positions as integers, counted by np.bincount"
EACH_BODY = "one body at a time: array expressions over all others"
BODIES = "blocks of bodies: matrices of distances that stay in a cache"
TILE = "np.tile: v becomes a matrix first, deliberately slow"
HALF_ANGLE = "one sine, of half the angle, by out= arguments"
SCIPY = "scipy.stats.norm.pdf: one call, checks its arguments, computes in float64"
CONVOLVE = "scipy.ndimage.convolve with a matrix of weights, edges put back"
SQUARES = "an array of squares in float64, and its sum"
DOT = "np.dot in float64: what BLAS has for it"
PRODUCT = "x * (x >= threshold): multiply by the mask"
COMPLEX = "complex numbers: abs of a difference"
ROOTS = "an array of squares in float64, its sums, their roots"
MATMUL = "ones @ a in float64: what BLAS has for it"
ALL = {"alone": False}
IF_THERE = {} if importlib.util.find_spec("scipy") else {"obstacle": "SciPy is not installed"}

# A universal function takes the output last, as a variant does.
LADDERS = ladders(
    [
        *rows(np, "np", EXPRESSION),
        ("read", "reduce", "np.bitwise_xor.reduce: one pass, no array", read),
        ("add", "out", OUT, np.add),
        ("energy", "out", f"{OUT}, one array for all terms", energy_out),
        ("energy", "blocks", BLOCKS, blocks(energy_out)),
        ("gaussian_pdf", "out", f"{OUT}, no temporary array", gaussian_pdf_out),
        ("gaussian_pdf", "blocks", BLOCKS, blocks(gaussian_pdf_out)),
        ("gaussian_pdf", "scipy", SCIPY, gaussian_pdf_scipy, IF_THERE),
        ("hypot", "out", OUT, np.hypot),
        ("histogram", "histogram", "np.histogram of the positions (x - lo) scale", histogram),
        ("histogram", "bincount", BINCOUNT, histogram_bincount),
        ("histogram", "blocks", BLOCKS, histogram_blocks),
        ("matrix_add", "out", OUT, np.add),
        ("broadcast_add", "tile", TILE, broadcast_add_tile),
        ("broadcast_add", "out", OUT, np.add),
        ("sum_of_squares", "expression", SQUARES, sum_of_squares),
        ("sum_of_squares", "dot", DOT, sum_of_squares_dot, ALL),
        ("counter", "expression", "an array of comparisons, and np.count_nonzero", counter),
        ("hidden_layer", "out", f"{OUT}, no temporary array", hidden_layer_out),
        ("hidden_layer", "blocks", BLOCKS, blocks(hidden_layer_out)),
        ("pulse_train", "out", f"{OUT}; one for the indices is made", pulse_train_out),
        ("pulse_train", "blocks", BLOCKS, pulse_train_blocks),
        ("zero_suppress", "expression", "np.where: a mask, and a new array", zero_suppress),
        ("zero_suppress", "product", PRODUCT, zero_suppress_product),
        ("standardize", "expression", "mean, std, and array expressions", standardize),
        (
            "standardize",
            "out",
            f"{OUT}; the deviations have an array of their own",
            standardize_out,
        ),
        ("polar_distance", "complex", COMPLEX, polar_distance_complex),
        ("polar_distance", "half_angle", HALF_ANGLE, polar_distance_half_angle),
        ("polar_distance", "blocks", BLOCKS, blocks(polar_distance_half_angle)),
        ("sin_cos", "out", f"{OUT}, one array for the cosine", sin_cos_out),
        ("sin_cos", "blocks", BLOCKS, blocks(sin_cos_out)),
        ("sort", "out", "sorted where it belongs, by vectors", sort_out),
        ("monte_carlo_pi", "random", OWN, monte_carlo_pi_random, {"own_numbers": True}),
        ("monte_carlo_pi", "expression", EXPRESSION, monte_carlo_pi),
        ("monte_carlo_pi", "blocks", BLOCKS, monte_carlo_pi_blocks),
        ("multiply_add", "out", f"{OUT}, no temporary array", multiply_add_out),
        ("multiply_add", "blocks", BLOCKS, blocks(multiply_add_out)),
        ("scan", "cumsum", "np.cumsum in float64: a new array", scan),
        ("scan", "blocks", BLOCKS, scan_blocks),
        ("matmul", "einsum", "np.einsum: a loop in C, no matrix library", matmul_einsum),
        ("matmul", "threads", "np.matmul(a, b, out=c) on all threads", matmul, ALL),
        ("n_body", "expression", EACH_BODY, n_body_each),
        ("n_body", "blocks", BODIES, n_body(np, 8 * BLOCK)),
        ("stencil", "out", f"{OUT}, one array for the changes", stencil_out),
        ("stencil", "scipy", CONVOLVE, stencil_scipy, IF_THERE),
        ("row_norms", "expression", ROOTS, row_norms),
        ("row_norms", "einsum", "np.einsum: squares and sums in one pass", row_norms_einsum),
        ("row_norms", "norm", "np.linalg.norm of a copy in float64", row_norms_norm),
        ("column_sums", "expression", "sum(axis=0): row by row into the sums", column_sums),
        ("column_sums", "matmul", MATMUL, column_sums_matmul, ALL),
    ]
)
