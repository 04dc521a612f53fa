"""boost-histogram: the histograms of Boost, as physicists fill them from Python.

As for np.histogram, its own edges are rounded otherwise than those of the definition, so it gets
positions, whose edges are whole numbers.
"""

import numpy as np
from variant import ladders, load

bh, why_not = load("boost_histogram", "boost_histogram")


_threads = [1]


def team(threads):
    _threads[0] = threads


def fill(x, counts, lo, hi, threads=1):
    scale = lo.dtype.type(counts.size) / (hi - lo)
    positions = (x[(x >= lo) & (x < hi)] - lo) * scale
    whole = np.minimum(positions.astype(np.int32), counts.size - 1)
    axis = bh.axis.Integer(0, counts.size, underflow=False, overflow=False)
    bins = bh.Histogram(axis, storage=bh.storage.Int64())
    bins.fill(whole, threads=threads)
    counts[:] = bins.view()


def fill_by_threads(x, counts, lo, hi):
    fill(x, counts, lo, hi, _threads[0])


THREADS = "fill(threads=…): a private histogram per thread, added at the end"
LADDERS = ladders(
    [
        ("histogram", "fill", "Histogram.fill of the positions", fill),
        ("histogram", "threads", THREADS, fill_by_threads, {"alone": False}),
    ],
    obstacle=why_not,
)
