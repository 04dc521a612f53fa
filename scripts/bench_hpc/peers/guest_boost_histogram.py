"""boost-histogram, as a user kernel: bench --peers."""

from offer import offer

offer("boost_histogram_", "boost")
