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


# np.histogram(x, bins, (lo, hi)) itself compares with edges that are rounded, and counts x = hi: of
# ten million float32, dozens get into the bin beside the one that the definition says. Positions
# have whole numbers as edges, and agree with the definition exactly.
def histogram_histogram(x, counts, lo, hi):
    inside = x[(x >= lo) & (x < hi)]
    scale = lo.dtype.type(counts.size) / (hi - lo)
    return np.histogram((inside - lo) * scale, counts.size, (0, counts.size))[0]


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


EXPRESSION = "array expressions: a new array for each operation, and for the result"
OUT = "out= arguments: the result goes where it belongs"
BLOCKS = "the same in blocks: what is computed in between stays in a cache"

LADDERS = {
    "copy": (
        Variant("expression", "x.copy(): a new array for the result", copy_expression),
        Variant("out", "np.copyto: into an array that is there", copy_out),
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
}
