"""OpenBLAS, as a user kernel: bench --peers."""

from offer import offer

offer("openblas_", "openblas")
