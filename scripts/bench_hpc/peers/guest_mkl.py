"""MKL, as a guest: bench --peers."""

from offer import offer

offer("mkl_", "mkl")
