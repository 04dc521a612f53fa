"""My zero_suppress: whole arrays at a time.

To begin with: which arrays does np.where make besides the result?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("zero_suppress")
def mine(values, out, threshold):
    out[:] = np.where(values < threshold, 0, values)
