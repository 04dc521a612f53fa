"""One logarithmic scale for all bars of a page: they begin at 1, the plain loop, and go to the
right where a rung is faster, to the left where it is slower."""

import math

MOST_TICKS = 6
LEAST = math.log10(2.5)  # decades
MARGIN = 0.04  # of the width, on either side


class Scale:
    def __init__(self, values):
        self.low = math.log10(min([1, *values]))
        self.high = max(math.log10(max([1, *values])), self.low + LEAST)

    def at(self, value):
        """A place, in percent of the width."""
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return round(100 * (MARGIN + (1 - 2 * MARGIN) * part), 2)

    def between(self, one, other):
        """Where a bar begins, and how long it is."""
        first, last = sorted((self.at(one), self.at(other)))
        return first, round(last - first, 2)

    def ticks(self):
        """Powers of ten, or where few of them fit 1, 2, 5 as well."""
        first, last = math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9)
        whole = [(10.0**power, power) for power in range(first, last + 1)]
        fine = [
            step * 10.0**power
            for power in range(first - 1, last + 1)
            for step in (1, 2, 5)
            if self.low - 1e-9 <= math.log10(step * 10.0**power) <= self.high + 1e-9
        ]
        if len(fine) <= MOST_TICKS:
            return fine
        apart = -(-len(whole) // MOST_TICKS)
        return [value for value, power in whole if power % apart == 0]
