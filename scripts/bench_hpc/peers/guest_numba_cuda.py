"""Numba, on a GPU, as a guest: bench --peers."""

from offer import offer

offer("numba_cuda_", "numba", package="numba", row="cuda*")
