"""NumPy, as a guest: bench --peers."""

from offer import offer

offer("numpy_", "numpy", package="numpy")
