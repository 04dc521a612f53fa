"""My pulse_train: whole arrays at a time.

To begin with: each operation is a pass through memory: blocks that stay in a cache need none.
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("pulse_train")
def mine(noise, wave, amplitude, period):
    t = np.arange(noise.size, dtype=noise.dtype)
    wave[:] = amplitude * np.maximum(np.sin(t / period) - 0.3, 0) + noise
