"""Numba, on a GPU, as a guest: bench --peers."""

from offer import offer

offer("numba_cuda", "numba", package="numba", row="cuda*")
