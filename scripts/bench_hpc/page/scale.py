"""One scale for all bars of a page: where a value is, in percent of the width."""

import math

MOST_TICKS = 6
LEAST = math.log10(2.5)  # decades
MARGIN = 0.04  # of the width, on either side


class Scale:
    """Logarithmic. Bars begin at `start`, else at the edge."""

    def __init__(self, values, start=1):
        values = [one for one in (start, *values) if one is not None] or [1]
        self.low = math.log10(min(values))
        self.high = max(math.log10(max(values)), self.low + LEAST)
        self.start = start

    def _part(self, value):
        return (math.log10(value) - self.low) / (self.high - self.low)

    def at(self, value):
        return round(100 * (MARGIN + (1 - 2 * MARGIN) * self._part(value)), 2)

    def bar(self, value):
        """Where the bar of a value begins, and how long it is."""
        start = 0 if self.start is None else self.at(self.start)
        first, last = sorted((start, self.at(value)))
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

    def labels(self):
        """The ticks that have room for a number, whole powers of ten first."""
        room = 18  # percent of the width
        kept = []
        for tick in sorted(self.ticks(), key=lambda one: not math.log10(one or 1).is_integer()):
            if all(abs(self.at(tick) - self.at(one)) >= room for one in kept):
                kept.append(tick)
        return sorted(kept)


class Shares(Scale):
    """Linear, from 0 to at least 1."""

    def __init__(self, values):
        self.high = max([1, *values])
        self.start = 0

    def _part(self, value):
        return value / self.high

    def ticks(self):
        step = 0.25 if self.high < 1.5 else math.ceil(self.high) / 5
        return [step * i for i in range(int(self.high / step) + 1)]
