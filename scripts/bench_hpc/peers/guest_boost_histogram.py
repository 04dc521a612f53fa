"""boost-histogram, as a guest: bench --peers."""

from offer import offer

offer("boost_histogram_", "boost")
