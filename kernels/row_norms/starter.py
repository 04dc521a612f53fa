"""My row_norms: an array of squares in double precision, and its sums.

To begin with: np.einsum needs no array between.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("row_norms")
def mine(matrix, norms):
    norms[:] = np.sqrt(np.square(matrix, dtype=np.float64).sum(axis=1))
