"""Numba, on a GPU, as a user kernel: bench --peers."""

from offer import offer

offer("numba_cuda_", "numba", package="numba", row="cuda*")
