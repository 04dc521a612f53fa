"""OpenBLAS on one thread: cblas_?omatcopy, its transpose with a copy, and cblas_?gemm. NumPy often
brings the library along."""

import ctypes
import ctypes.util
import glob
import pathlib

import numpy as np
from variant import ladders

ROW_MAJOR, AS_IT_IS, TRANSPOSED = 101, 111, 112


def functions(which):
    """The functions of float32 and of float64, and the type of their sizes; NumPy's own library has
    names of its own.
    """
    beside = pathlib.Path(np.__file__).parent.parent / "numpy.libs"
    own = sorted(glob.glob(f"{beside}/libscipy_openblas64_*"))
    for name, form, integer in (
        *((name, "scipy_cblas_{}{}64_", ctypes.c_int64) for name in own),
        (ctypes.util.find_library("openblas"), "cblas_{}{}", ctypes.c_int),
    ):
        if name:
            library = ctypes.CDLL(name)
            both = [getattr(library, form.format(precision, which), None) for precision in "sd"]
            if all(both):
                return both, integer
    return None, None


found, integer = functions("omatcopy")
products, _ = functions("gemm")


def matmul(a, b, c):
    m, n, k = map(integer, (*c.shape, a.shape[1]))
    single = a.dtype == np.float32
    real = ctypes.c_float if single else ctypes.c_double
    of_a, of_b, of_c = (ctypes.c_void_p(array.ctypes.data) for array in (a, b, c))
    how = (ROW_MAJOR, AS_IT_IS, AS_IT_IS)
    function = products[0 if single else 1]
    function(*how, m, n, k, real(1), of_a, k, of_b, n, real(0), of_c, n)


def transpose(matrix, out):
    rows, cols = map(integer, matrix.shape)
    addresses = [ctypes.c_void_p(array.ctypes.data) for array in (matrix, out)]
    single = matrix.dtype == np.float32
    one = ctypes.c_float(1) if single else ctypes.c_double(1)
    function = found[0 if single else 1]
    function(ROW_MAJOR, TRANSPOSED, rows, cols, one, addresses[0], cols, addresses[1], rows)


LADDERS = ladders(
    [
        ("transpose", "omatcopy", "one call: cblas_?omatcopy", transpose),
        ("matmul", "gemm", "one call: cblas_?gemm", matmul),
    ],
    obstacle="" if found else "openblas is not installed",
)
