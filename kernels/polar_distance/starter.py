"""My polar_distance: whole arrays at a time.

To begin with: which formula needs one function instead of four, and loses no digits where the
points are close?
Measure it with: bench try FILE
"""

import bench
import numpy as np


@bench.variant("polar_distance")
def mine(rho_1, theta_1, rho_2, theta_2, distance):
    x = rho_1 * np.cos(theta_1) - rho_2 * np.cos(theta_2)
    y = rho_1 * np.sin(theta_1) - rho_2 * np.sin(theta_2)
    distance[:] = np.sqrt(x * x + y * y)
