"""numexpr, as a user kernel: bench --peers."""

from offer import offer

offer("numexpr_", "numexpr")
