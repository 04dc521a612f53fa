"""Numba, on the CPU, as a user kernel: bench --peers."""

from offer import offer

offer("numba_", "numba", package="numba")
