"""My multiply_add: whole arrays at a time.

To begin with: each operation is a pass through memory: blocks that stay in a cache need none.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("multiply_add")
def mine(x, y):
    y[:] = x
    for _ in range(512):
        np.multiply(y, 511 / 512, out=y)
        np.add(y, 1 / 256, out=y)
