"""NumPy, as a user kernel: bench --peers."""

from offer import offer

offer("numpy_", "numpy", package="numpy")
