"""My read: one call.

To begin with: how fast is reading with more than one thread?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("read")
def mine(x, out):
    out[0] = np.bitwise_xor.reduce(x.view(np.uint32))
