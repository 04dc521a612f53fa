"""My sum_of_squares: an array of squares in double precision, and its sum.

To begin with: np.dot needs no array between; what does it lose in float32?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("sum_of_squares")
def mine(x, total):
    total[0] = np.square(x, dtype=np.float64).sum()
