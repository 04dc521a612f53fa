"""My copy: one call.

To begin with: np.copyto, or what copies with more than one thread.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("copy")
def mine(x, out):
    np.copyto(out, x)
