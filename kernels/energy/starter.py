"""My energy: whole arrays at a time.

To begin with: each operation is a pass through memory: blocks that stay in a cache need none.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("energy")
def mine(x, energy):
    energy[:] = np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-x * x / 50)
