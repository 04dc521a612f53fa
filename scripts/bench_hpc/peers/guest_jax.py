"""JAX, as a user kernel: bench --peers."""

from offer import offer

offer("jax_", "jax")
