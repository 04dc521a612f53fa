"""MKL, as a user kernel: bench --peers."""

from offer import offer

offer("mkl_", "mkl")
