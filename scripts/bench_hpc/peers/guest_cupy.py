"""CuPy, as a guest: bench --peers."""

from offer import offer

offer("cupy_", "cupy", package="cupy")
