"""Pure Python, as a guest: bench --peers."""

from offer import offer

offer("python_", "python")
