"""Pure Python: what a beginner writes first.

Every number is an object: a few dozen bytes in memory, found through pointers, its type looked up
at each operation. Hence some hundred nanoseconds per element, whatever the arithmetic.
"""

import functools
import math
import operator

from variant import Variant

WORD = 0xFFFFFFFF  # the largest number of 32 bits
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


def energy_of(x):
    return math.sin(x) ** 2 + math.sqrt(abs(x)) + math.exp(-(x**2) / 50)


def energy_comprehension(x, out):
    out[:] = [energy_of(value) for value in x]


def gaussian_pdf(x, out, mu, sigma):
    scale = 1 / (float(sigma) * math.sqrt(2 * math.pi))
    for i in range(len(x)):
        z = (x[i] - mu) / sigma
        out[i] = scale * math.exp(-z * z / 2)  # z ** 2 raises where it overflows


def gaussian_pdf_lists(x, out, mu, sigma):
    mu, sigma = float(mu), float(sigma)
    scale = 1 / (sigma * math.sqrt(2 * math.pi))
    distances = [(value - mu) / sigma for value in x.tolist()]
    out[:] = [scale * math.exp(-z * z / 2) for z in distances]


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


def read(x, out):
    words = x.view("uint32")
    bits = 0
    for i in range(len(words)):
        bits ^= int(words[i])
    out[0] = bits


def read_lists(x, out):
    out[0] = functools.reduce(operator.xor, x.view("uint32").tolist(), 0)


def add(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] + b[i]


def add_lists(a, b, out):
    out[:] = [x + y for x, y in zip(a.tolist(), b.tolist())]


def matrix_add(a, b, out):
    rows, cols = a.shape
    for i in range(rows):
        for j in range(cols):
            out[i, j] = a[i, j] + b[i, j]


def matrix_add_lists(a, b, out):
    out[:] = [[x + y for x, y in zip(*rows)] for rows in zip(a.tolist(), b.tolist())]


def broadcast_add(matrix, v, out):
    rows, cols = matrix.shape
    for i in range(rows):
        for j in range(cols):
            out[i, j] = matrix[i, j] + v[j]


def broadcast_add_lists(matrix, v, out):
    row = v.tolist()
    out[:] = [[x + y for x, y in zip(values, row)] for values in matrix.tolist()]


def sum_of_squares(x, total):
    found = 0.0
    for i in range(len(x)):
        found += float(x[i]) ** 2
    total[0] = found


def sum_of_squares_lists(x, total):
    total[0] = sum(value * value for value in x.tolist())


def counter(x, count, threshold):
    found = 0
    for i in range(len(x)):
        if x[i] < threshold:
            found += 1
    count[0] = found


def counter_lists(x, count, threshold):
    limit = float(threshold)
    count[0] = sum(value < limit for value in x.tolist())


def hidden_layer(gray, weight, activation):
    for i in range(len(gray)):
        activation[i] = math.tanh(gray[i] / 255 * weight[i])


def hidden_layer_lists(gray, weight, activation):
    pairs = zip(gray.tolist(), weight.tolist())
    activation[:] = [math.tanh(value / 255 * factor) for value, factor in pairs]


def pulse_train(noise, wave, amplitude, period):
    for i in range(len(noise)):
        wave[i] = amplitude * max(math.sin(i / period) - 0.3, 0) + noise[i]


def pulse_train_lists(noise, wave, amplitude, period):
    height, length = float(amplitude), float(period)
    wave[:] = [
        height * max(math.sin(i / length) - 0.3, 0) + value
        for i, value in enumerate(noise.tolist())
    ]


def standardize(x, z):
    total, squares = 0.0, 0.0
    for i in range(len(x)):
        total += float(x[i])
    mean = total / len(x)
    for i in range(len(x)):
        squares += (float(x[i]) - mean) ** 2
    sigma = math.sqrt(squares / len(x))
    for i in range(len(x)):
        z[i] = (float(x[i]) - mean) / sigma


def standardize_lists(x, z):
    values = x.tolist()
    mean = sum(values) / len(values)
    sigma = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    z[:] = [(value - mean) / sigma for value in values]


def polar_distance(rho_1, theta_1, rho_2, theta_2, distance):
    for i in range(len(rho_1)):
        x = rho_1[i] * math.cos(theta_1[i]) - rho_2[i] * math.cos(theta_2[i])
        y = rho_1[i] * math.sin(theta_1[i]) - rho_2[i] * math.sin(theta_2[i])
        distance[i] = math.sqrt(x * x + y * y)


def polar_distance_lists(rho_1, theta_1, rho_2, theta_2, distance):
    pairs = zip(*(array.tolist() for array in (rho_1, theta_1, rho_2, theta_2)))
    distance[:] = [
        math.hypot(
            r_1 * math.cos(t_1) - r_2 * math.cos(t_2), r_1 * math.sin(t_1) - r_2 * math.sin(t_2)
        )
        for r_1, t_1, r_2, t_2 in pairs
    ]


def sin_cos(x, y, product):
    for i in range(len(x)):
        product[i] = math.sin(x[i]) * math.cos(y[i])


def sin_cos_lists(x, y, product):
    product[:] = [math.sin(a) * math.cos(b) for a, b in zip(x.tolist(), y.tolist())]


def reverse(x, out):
    for i in range(len(x)):
        out[i] = x[len(x) - 1 - i]


def reverse_lists(x, out):
    out[:] = x.tolist()[::-1]


def zero_suppress(x, out, threshold):
    for i in range(len(x)):
        out[i] = 0 if x[i] < threshold else x[i]


def zero_suppress_lists(x, out, threshold):
    out[:] = [0 if value < threshold else value for value in x.tolist()]


def sort_bubble(x, out):
    out[:] = x
    for end in range(len(out) - 1, 0, -1):
        for j in range(end):
            if out[j + 1] < out[j]:
                out[j], out[j + 1] = out[j + 1], out[j]


def sort_sorted(x, out):
    out[:] = sorted(x.tolist())


def random_words(block, key):
    """Philox4x32-10, which gives the same numbers in every language."""
    (k0, k1), (c0, c1, c2, c3) = key, (block & WORD, block >> 32, 0, 0)
    for _ in range(10):
        first, second = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1 = second >> 32 ^ c1 ^ k0, second & WORD
        c2, c3 = first >> 32 ^ c3 ^ k1, first & WORD
        k0, k1 = k0 + 0x9E3779B9 & WORD, k1 + 0xBB67AE85 & WORD
    return c0, c1, c2, c3


def monte_carlo_pi(key, inside, n):
    words, found = [int(word) for word in key], 0
    for i in range(0, int(n), 2):
        x0, y0, x1, y1 = random_words(i // 2, words)
        found += x0 * x0 + y0 * y0 < 1 << 64
        found += i + 1 < n and x1 * x1 + y1 * y1 < 1 << 64
    inside[0] = found


def row_norms(matrix, norms):
    rows, cols = matrix.shape
    for i in range(rows):
        total = 0.0
        for j in range(cols):
            total += float(matrix[i, j]) ** 2
        norms[i] = math.sqrt(total)


def row_norms_lists(matrix, norms):
    norms[:] = [math.sqrt(sum(value * value for value in row)) for row in matrix.tolist()]


def column_sums(matrix, sums):
    rows, cols = matrix.shape
    totals = [0.0] * cols
    for i in range(rows):
        for j in range(cols):
            totals[j] += matrix[i, j]
    sums[:] = totals


def column_sums_lists(matrix, sums):
    sums[:] = [sum(column) for column in zip(*matrix.tolist())]


def stepped(value):
    for _ in range(512):
        value = value * (511 / 512) + 1 / 256
    return value


def multiply_add(x, out):
    for i in range(len(x)):
        out[i] = stepped(x[i])


def multiply_add_lists(x, out):
    out[:] = [stepped(value) for value in x.tolist()]


BUBBLE = "bubble sort, element by element"
LOOP = "a loop over the array, element by element"
COMPREHENSION = "a list comprehension that calls a function for each element"
LISTS = "a comprehension over lists: no NumPy scalar is made for each element"


def ladder(naive, lists=None):
    variants = [Variant("naive", LOOP, naive, most_elements=MOST_ELEMENTS)]
    if lists:
        variants.append(Variant("lists", LISTS, lists, most_elements=MOST_ELEMENTS))
    return tuple(variants)


LADDERS = {
    "copy": ladder(copy, copy_lists),
    "read": ladder(read, read_lists),
    "add": ladder(add, add_lists),
    "energy": (
        Variant("comprehension", COMPREHENSION, energy_comprehension, most_elements=MOST_ELEMENTS),
        *ladder(energy, energy_lists),
    ),
    "gaussian_pdf": ladder(gaussian_pdf, gaussian_pdf_lists),
    "hypot": ladder(hypot, hypot_lists),
    "histogram": ladder(histogram, histogram_lists),
    "transpose": ladder(transpose, transpose_lists),
    "matrix_add": ladder(matrix_add, matrix_add_lists),
    "broadcast_add": ladder(broadcast_add, broadcast_add_lists),
    "sum_of_squares": ladder(sum_of_squares, sum_of_squares_lists),
    "counter": ladder(counter, counter_lists),
    "hidden_layer": ladder(hidden_layer, hidden_layer_lists),
    "pulse_train": ladder(pulse_train, pulse_train_lists),
    "zero_suppress": ladder(zero_suppress, zero_suppress_lists),
    "standardize": ladder(standardize, standardize_lists),
    "polar_distance": ladder(polar_distance, polar_distance_lists),
    "sin_cos": ladder(sin_cos, sin_cos_lists),
    "reverse": ladder(reverse, reverse_lists),
    "sort": (
        Variant("bubble", BUBBLE, sort_bubble, most_elements=2_000),
        Variant("sorted", "sorted() of a list", sort_sorted, most_elements=MOST_ELEMENTS),
    ),
    "monte_carlo_pi": ladder(monte_carlo_pi),
    "row_norms": ladder(row_norms, row_norms_lists),
    "column_sums": ladder(column_sums, column_sums_lists),
    "multiply_add": (
        Variant("naive", LOOP, multiply_add, most_elements=2_000),
        Variant("lists", LISTS, multiply_add_lists, most_elements=2_000),
    ),
}
