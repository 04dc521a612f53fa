"""MKL: Intel's library, called as from C. Vector mathematics is an operation per pass, as NumPy's
with out=, on all threads; mkl_?omatcopy transposes, cblas_?gemm multiplies matrices.
"""

import ctypes
import ctypes.util
import functools
import glob
import math
import sys

import numpy as np
from variant import ladders

BLOCK = 8192


def library():
    beside = sorted(glob.glob(f"{sys.prefix}/lib/libmkl_rt.so*"))
    for name in (*beside, ctypes.util.find_library("mkl_rt")):
        try:
            return ctypes.CDLL(name) if name else None
        except OSError:
            continue
    return None


mkl = library()


def team(threads):
    mkl.MKL_Set_Num_Threads(threads)


def vector(name, *arrays):
    """One of its functions of n elements: v?Sin(n, x, y)."""
    precision = "s" if arrays[0].dtype == np.float32 else "d"
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    getattr(mkl, f"v{precision}{name}")(ctypes.c_int(arrays[0].size), *pointers)


def energy_part(x, out, term):
    vector("Abs", x, term)
    vector("Sqrt", term, term)
    vector("Sin", x, out)
    vector("Sqr", out, out)
    vector("Add", out, term, out)
    vector("Sqr", x, term)
    np.multiply(term, -1 / 50, out=term)
    vector("Exp", term, term)
    vector("Add", out, term, out)


def energy(x, out):
    energy_part(x, out, np.empty_like(x))


def energy_blocks(x, out):
    term = np.empty(BLOCK, x.dtype)
    for begin in range(0, x.size, BLOCK):
        part = x[begin : begin + BLOCK]
        energy_part(part, out[begin : begin + BLOCK], term[: part.size])


def gaussian_pdf(x, out, mu, sigma):
    np.subtract(x, mu, out=out)
    np.divide(out, sigma, out=out)
    vector("Sqr", out, out)
    np.divide(out, -2, out=out)
    vector("Exp", out, out)
    np.divide(out, sigma * math.sqrt(2 * math.pi), out=out)


def hidden_layer(gray, weight, out):
    np.divide(gray, 255, out=out)
    vector("Mul", out, weight, out)
    vector("Tanh", out, out)


def transpose(matrix, out):
    single = matrix.dtype == np.float32
    one = ctypes.c_float(1) if single else ctypes.c_double(1)
    rows, cols = map(ctypes.c_size_t, matrix.shape)
    addresses = [ctypes.c_void_p(array.ctypes.data) for array in (matrix, out)]
    function = mkl.MKL_Somatcopy if single else mkl.MKL_Domatcopy
    how = (ctypes.c_char(b"R"), ctypes.c_char(b"T"))
    function(*how, rows, cols, one, addresses[0], cols, addresses[1], rows)


def matmul(a, b, c):
    single = a.dtype == np.float32
    real = ctypes.c_float if single else ctypes.c_double
    m, n, k = map(ctypes.c_int, (*c.shape, a.shape[1]))
    of_a, of_b, of_c = (ctypes.c_void_p(array.ctypes.data) for array in (a, b, c))
    function = mkl.cblas_sgemm if single else mkl.cblas_dgemm
    how = (101, 111, 111)  # row by row, both as they are
    function(*how, m, n, k, real(1), of_a, k, of_b, n, real(0), of_c, n)


VECTORS = "vector mathematics: v?Sin, v?Exp, …, a pass over memory each"
LADDERS = ladders(
    [
        ("add", "vectors", "one call: v?Add", functools.partial(vector, "Add")),
        ("energy", "vectors", VECTORS, energy),
        ("energy", "blocks", "the same in blocks that fit into a cache", energy_blocks),
        ("gaussian_pdf", "vectors", VECTORS, gaussian_pdf),
        ("hypot", "vectors", "one call: v?Hypot", functools.partial(vector, "Hypot")),
        ("hidden_layer", "vectors", VECTORS, hidden_layer),
        ("transpose", "omatcopy", "one call: mkl_?omatcopy", transpose),
        ("matmul", "gemm", "one call: cblas_?gemm", matmul),
    ],
    alone=False,
    obstacle="" if mkl else "mkl is not installed",
)
