"""JAX, as a guest: bench --peers."""

from offer import offer

offer("jax_", "jax")
