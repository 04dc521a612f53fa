"""My matrix_add: one call, into the array that is there.

To begin with: does the shape matter here?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("matrix_add")
def mine(a, b, c):
    np.add(a, b, out=c)
