# Your own kernel in Python: NumPy, with one temporary array.
# bench try energy.py --size 1e5
import bench
import numpy as np


@bench.variant("energy")
def energy(x, out):
    np.sin(x, out=out)
    out *= out
    temporary = np.abs(x)
    np.sqrt(temporary, out=temporary)
    out += temporary
    np.multiply(x, x, out=temporary)
    temporary /= -50
    np.exp(temporary, out=temporary)
    out += temporary
