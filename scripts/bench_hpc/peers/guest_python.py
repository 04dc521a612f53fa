"""Pure Python, as a user kernel: bench --peers."""

from offer import offer

offer("python_", "python")
