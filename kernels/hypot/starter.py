"""My hypot: one call, into the array that is there.

To begin with: what does np.sqrt(a * a + b * b) lose?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("hypot")
def mine(a, b, c):
    np.hypot(a, b, out=c)
