"""My transpose: one call.

To begin with: tiles that fit into a cache, read and written by lines.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("transpose")
def mine(matrix, out):
    np.copyto(out, matrix.T)
