"""Empties the caches of some arrays before a sample, as harness/place/memory.cpp does."""

import functools
import platform

import numpy as np

LINE = 64
# Assembler for one line of the cache, and for what waits until all are written back.
FLUSH = {"x86_64": ("clflush ($0)", "mfence"), "aarch64": ("dc civac, $0", "dsb sy")}


@functools.cache
def flush():
    """A compiled function of begin and end of some memory; None without Numba."""
    if platform.machine() not in FLUSH:
        return None
    try:
        from llvmlite import binding, ir
        from numba import njit, types
        from numba.extending import intrinsic
    except ImportError:
        return None
    binding.initialize_native_asmparser()
    of_line, at_end = FLUSH[platform.machine()]

    def instruction(text, constraint):
        def codegen(context, builder, signature, arguments):
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * len(signature.args))
            builder.call(ir.InlineAsm(kind, text, constraint, side_effect=True), arguments)
            return context.get_dummy_value()

        return codegen

    @intrinsic
    def flush_line(_typing, address):
        return types.void(types.uintp), instruction(of_line, "r")

    @intrinsic
    def fence(_typing):
        return types.void(), instruction(at_end, "~{memory}")

    @njit("void(uintp, uintp)")
    def run(begin, end):
        for address in range(begin, end, LINE):
            flush_line(address)
        fence()

    return run


def empty(arrays, other_data):
    """Flushes the arrays line by line; where that cannot be done, reads something else instead."""
    run = flush()
    if run is None:
        other_data().max()
        return
    for array in arrays:
        begin = array.ctypes.data
        run(np.uintp(begin), np.uintp(begin + array.nbytes))


@functools.cache
def data_of(size):
    return np.ones(max(1, size // 8))
