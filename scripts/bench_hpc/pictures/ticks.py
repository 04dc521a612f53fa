"""Round numbers for an axis."""

import math

from matplotlib.ticker import MaxNLocator

STEPS = ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7))


def log_ticks(low, high, most=8):
    """Powers of ten, with numbers between them where there are few; even steps in a short range."""
    for fewest in (4, 3):
        for steps in STEPS:
            ticks = _between(low, high, steps)
            if fewest <= len(ticks) <= most:
                return ticks
    powers = _between(low, high, (1,))
    if len(powers) > most:
        return powers[:: math.ceil(len(powers) / most)]
    return even_ticks(low, high, min(most, 6))


def _between(low, high, steps):
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps]
    return [one for one in ticks if low * (1 - 1e-9) <= one <= high * (1 + 1e-9)]


def even_ticks(low, high, most=6):
    """Multiples of 1, 2 or 5 times a power of ten."""
    if high <= low:
        return [low]
    found = MaxNLocator(most, steps=(1, 2, 5, 10), min_n_ticks=1).tick_values(low, high)
    edge = (high - low) * 1e-9
    return [round(one, 12) for one in found if low - edge <= one <= high + edge]
