"""My sort: what NumPy has for it.

To begin with: bubble sort in plain Python, for 1000 elements.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("sort")
def mine(values, out):
    out[:] = np.sort(values)
