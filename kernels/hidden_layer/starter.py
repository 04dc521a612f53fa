"""My hidden_layer: whole arrays at a time.

To begin with: each operation is a pass through memory: blocks that stay in a cache need none.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("hidden_layer")
def mine(gray, weight, activation):
    activation[:] = np.tanh(gray / 255 * weight)
