"""numexpr, as a guest: bench --peers."""

from offer import offer

offer("numexpr_", "numexpr")
