"""My scan: NumPy's cumulative sum, added up in double precision.

To begin with: what does np.cumsum lose without the dtype, and from which size on?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("scan")
def mine(x, out):
    wide = np.uint32 if x.dtype == np.uint32 else np.float64
    out[:] = np.cumsum(x, dtype=wide)
