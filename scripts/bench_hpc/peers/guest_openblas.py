"""OpenBLAS, as a guest: bench --peers."""

from offer import offer

offer("openblas_", "openblas")
