"""Pure Python: what a beginner writes first.

Every number is an object: a few dozen bytes in memory, found through pointers, its type looked up
at each operation. Hence some hundred nanoseconds per element, whatever the arithmetic.
"""

import math

from variant import Variant

MOST_ELEMENTS = 100_000  # more take minutes in all


def copy(x, out):
    for i in range(len(x)):
        out[i] = x[i]


def copy_lists(x, out):
    out[:] = list(x.tolist())


def energy(x, out):
    for i in range(len(x)):
        out[i] = math.sin(x[i]) ** 2 + math.sqrt(abs(x[i])) + math.exp(-(x[i] ** 2) / 50)


def energy_lists(x, out):
    out[:] = [
        math.sin(value) ** 2 + math.sqrt(abs(value)) + math.exp(-(value**2) / 50)
        for value in x.tolist()
    ]


def gaussian_pdf(x, out, mu, sigma):
    scale = 1 / (float(sigma) * math.sqrt(2 * math.pi))
    for i in range(len(x)):
        out[i] = scale * math.exp(-(((x[i] - mu) / sigma) ** 2) / 2)


def gaussian_pdf_lists(x, out, mu, sigma):
    mu, sigma = float(mu), float(sigma)
    scale = 1 / (sigma * math.sqrt(2 * math.pi))
    out[:] = [scale * math.exp(-(((value - mu) / sigma) ** 2) / 2) for value in x.tolist()]


def hypot(a, b, out):
    for i in range(len(a)):
        out[i] = math.hypot(a[i], b[i])


def hypot_lists(a, b, out):
    out[:] = [math.hypot(x, y) for x, y in zip(a.tolist(), b.tolist())]


def histogram(x, counts, lo, hi):
    bins = len(counts)
    scale = lo.dtype.type(bins) / (hi - lo)
    for b in range(bins):
        counts[b] = 0
    for i in range(len(x)):
        if lo <= x[i] < hi:
            counts[min(int((x[i] - lo) * scale), bins - 1)] += 1


def histogram_lists(x, counts, lo, hi):
    bins = len(counts)
    scale = lo.dtype.type(bins) / (hi - lo)
    table = [0] * bins
    # The subtraction stays NumPy's: bins are exact in the precision of the data only.
    for value, position in zip(x.tolist(), ((x - lo) * scale).tolist()):
        if lo <= value < hi:
            table[min(int(position), bins - 1)] += 1
    counts[:] = table


def transpose(matrix, out):
    rows, cols = matrix.shape
    for i in range(rows):
        for j in range(cols):
            out[j, i] = matrix[i, j]


def transpose_lists(matrix, out):
    out[:] = list(zip(*matrix.tolist()))


def ladder(naive, lists):
    return (
        Variant(
            "naive",
            "a loop over the array, element by element",
            naive,
            most_elements=MOST_ELEMENTS,
        ),
        Variant(
            "lists",
            "a comprehension over lists: no NumPy scalar is made for each element",
            lists,
            most_elements=MOST_ELEMENTS,
        ),
    )


LADDERS = {
    "copy": ladder(copy, copy_lists),
    "energy": ladder(energy, energy_lists),
    "gaussian_pdf": ladder(gaussian_pdf, gaussian_pdf_lists),
    "hypot": ladder(hypot, hypot_lists),
    "histogram": ladder(histogram, histogram_lists),
    "transpose": ladder(transpose, transpose_lists),
}
