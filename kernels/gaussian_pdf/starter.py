"""My gaussian_pdf: whole arrays at a time.

To begin with: each operation is a pass through memory: blocks that stay in a cache need none.
Measure it with: bench try FILE
"""

import math

import bench
import numpy as np


@bench.variant("gaussian_pdf")
def mine(x, pdf, mu, sigma):
    pdf[:] = np.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))
