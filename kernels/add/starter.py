"""My add: one call, into the array that is there.

To begin with: what does c = a + b cost more?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("add")
def mine(a, b, c):
    np.add(a, b, out=c)
