"""NumPy and SciPy, as a guest: bench --peers."""

from offer import offer

offer("numpy")
