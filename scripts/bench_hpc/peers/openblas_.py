"""OpenBLAS: cblas_?omatcopy, its transpose with a copy, on one thread. NumPy often brings the
library along."""

import ctypes
import ctypes.util
import glob
import pathlib

import numpy as np
from variant import ladders

ROW_MAJOR, TRANSPOSED = 101, 112


def functions():
    """The functions of float32 and of float64, and the type of their sizes; NumPy's own library has
    names of its own.
    """
    beside = pathlib.Path(np.__file__).parent.parent / "numpy.libs"
    own = sorted(glob.glob(f"{beside}/libscipy_openblas64_*"))
    for name, form, integer in (
        *((name, "scipy_cblas_{}omatcopy64_", ctypes.c_int64) for name in own),
        (ctypes.util.find_library("openblas"), "cblas_{}omatcopy", ctypes.c_int),
    ):
        if name:
            library = ctypes.CDLL(name)
            both = [getattr(library, form.format(precision), None) for precision in "sd"]
            if all(both):
                return both, integer
    return None, None


found, integer = functions()


def transpose(matrix, out):
    rows, cols = map(integer, matrix.shape)
    addresses = [ctypes.c_void_p(array.ctypes.data) for array in (matrix, out)]
    single = matrix.dtype == np.float32
    one = ctypes.c_float(1) if single else ctypes.c_double(1)
    function = found[0 if single else 1]
    function(ROW_MAJOR, TRANSPOSED, rows, cols, one, addresses[0], cols, addresses[1], rows)


LADDERS = ladders(
    [("transpose", "omatcopy", "one call: cblas_?omatcopy", transpose)],
    obstacle="" if found else "openblas is not installed",
)
