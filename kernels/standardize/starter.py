"""My standardize: whole arrays at a time.

To begin with: each operation is a pass through memory; sums of squares need no array of squares.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("standardize")
def mine(x, z):
    mean = x.mean(dtype=np.float64)
    sigma = x.std(dtype=np.float64)
    z[:] = (x - mean) / sigma
