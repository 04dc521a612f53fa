"""My sin_cos: whole arrays at a time.

To begin with: each operation is a pass through memory: blocks that stay in a cache need none.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("sin_cos")
def mine(x, y, product):
    product[:] = np.sin(x) * np.cos(y)
