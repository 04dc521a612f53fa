"""Numba, on the CPU, as a guest: bench --peers."""

from offer import offer

offer("numba_", "numba", package="numba")
