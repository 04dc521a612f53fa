"""My histogram: positions as integers, counted by np.bincount.

To begin with: eight arrays of the size of x are made on the way: blocks stay in a cache.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("histogram")
def mine(x, counts, lo, hi):
    inside = x[(x >= lo) & (x < hi)]
    scale = lo.dtype.type(counts.size) / (hi - lo)
    bins = np.minimum(((inside - lo) * scale).astype(np.intp), counts.size - 1)
    counts[:] = np.bincount(bins, minlength=counts.size)
