"""CuPy, as a user kernel: bench --peers."""

from offer import offer

offer("cupy_", "cupy", package="cupy")
