"""My broadcast_add: a matrix and a vector, which NumPy broadcasts.

To begin with: what does np.tile(v, (rows, 1)) first cost, and why?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("broadcast_add")
def mine(matrix, v, out):
    np.add(matrix, v, out=out)
