"""My counter: an array of truths, counted.

To begin with: a byte for each element is written and read again: can it stay in a cache?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("counter")
def mine(x, count, threshold):
    count[0] = np.count_nonzero(x < threshold)
