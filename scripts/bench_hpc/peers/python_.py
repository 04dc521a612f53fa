"""Pure Python: what a beginner writes first.

Every number is an object: a few dozen bytes in memory, found through pointers, its type looked up
at each operation. Hence some hundred nanoseconds per element, whatever the arithmetic.
"""

import functools
import itertools
import math
import operator
import random

from variant import ladders, parts

WORD = 0xFFFFFFFF  # the largest number of 32 bits
MOST_ELEMENTS = 100_000  # more take minutes in all


def lists(function):
    """A variant of lists and numbers of Python, whose result goes into the output."""

    def run(*arguments):
        inputs, out, parameters = parts(arguments)
        out[:] = function(*(one.tolist() for one in inputs), *map(float, parameters))

    return run


def copy(x, out):
    for i in range(len(x)):
        out[i] = x[i]


def energy(x, out):
    for i in range(len(x)):
        out[i] = math.sin(x[i]) ** 2 + math.sqrt(abs(x[i])) + math.exp(-(x[i] ** 2) / 50)


def energy_lists(x):
    return [
        math.sin(value) ** 2 + math.sqrt(abs(value)) + math.exp(-(value**2) / 50) for value in x
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


def hypot(a, b, out):
    for i in range(len(a)):
        out[i] = math.hypot(a[i], b[i])


def each(function):
    """A variant of two numbers of Python at a time: what a call costs."""

    def run(a, b, out):
        for i in range(len(a)):
            out[i] = function(a.item(i), b.item(i))

    return run


def hypot_formula(x, y):
    x, y = abs(x), abs(y)
    if x < y:
        x, y = y, x
    if not 0 < y < math.inf:
        return math.hypot(x, y)
    t = y / x
    return x * math.sqrt(1 + t * t)


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


def gaussian_pdf_lists(x, mu, sigma):
    scale = 1 / (sigma * math.sqrt(2 * math.pi))
    distances = [(value - mu) / sigma for value in x]
    return [scale * math.exp(-z * z / 2) for z in distances]


def transpose(matrix, out):
    rows, cols = matrix.shape
    for i in range(rows):
        for j in range(cols):
            out[j, i] = matrix[i, j]


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


def matrix_add(a, b, out):
    rows, cols = a.shape
    for i in range(rows):
        for j in range(cols):
            out[i, j] = a[i, j] + b[i, j]


def broadcast_add(matrix, v, out):
    rows, cols = matrix.shape
    for i in range(rows):
        for j in range(cols):
            out[i, j] = matrix[i, j] + v[j]


def sum_of_squares(x, total):
    found = 0.0
    for i in range(len(x)):
        found += float(x[i]) ** 2
    total[0] = found


WORDS = 2**32  # whole numbers are added modulo that


def scan(x, out):
    total = x.dtype.type(0).item()
    for i in range(len(x)):
        total += x[i].item()
        out[i] = total if isinstance(total, float) else total % WORDS


def scan_lists(x):
    sums = itertools.accumulate(x)
    return [total if isinstance(total, float) else total % WORDS for total in sums]


def counter(x, count, threshold):
    found = 0
    for i in range(len(x)):
        if x[i] < threshold:
            found += 1
    count[0] = found


def hidden_layer(gray, weight, activation):
    for i in range(len(gray)):
        activation[i] = math.tanh(gray[i] / 255 * weight[i])


def pulse_train(noise, wave, amplitude, period):
    for i in range(len(noise)):
        wave[i] = amplitude * max(math.sin(i / period) - 0.3, 0) + noise[i]


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


def standardize_lists(x):
    mean = sum(x) / len(x)
    sigma = math.sqrt(sum((value - mean) ** 2 for value in x) / len(x))
    return [(value - mean) / sigma for value in x]


def polar_distance(rho_1, theta_1, rho_2, theta_2, distance):
    for i in range(len(rho_1)):
        x = rho_1[i] * math.cos(theta_1[i]) - rho_2[i] * math.cos(theta_2[i])
        y = rho_1[i] * math.sin(theta_1[i]) - rho_2[i] * math.sin(theta_2[i])
        distance[i] = math.sqrt(x * x + y * y)


def polar_distance_lists(*arrays):
    return [
        math.hypot(
            r_1 * math.cos(t_1) - r_2 * math.cos(t_2), r_1 * math.sin(t_1) - r_2 * math.sin(t_2)
        )
        for r_1, t_1, r_2, t_2 in zip(*arrays)
    ]


def sin_cos(x, y, product):
    for i in range(len(x)):
        product[i] = math.sin(x[i]) * math.cos(y[i])


def reverse(x, out):
    for i in range(len(x)):
        out[i] = x[len(x) - 1 - i]


def zero_suppress(x, out, threshold):
    for i in range(len(x)):
        out[i] = 0 if x[i] < threshold else x[i]


def sort_bubble(x, out):
    out[:] = x
    for end in range(len(out) - 1, 0, -1):
        for j in range(end):
            if out[j + 1] < out[j]:
                out[j], out[j + 1] = out[j + 1], out[j]


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


def monte_carlo_pi_random(_, inside, n):
    found = 0
    for _ in range(int(n)):
        found += random.random() ** 2 + random.random() ** 2 < 1
    inside[0] = found


def row_norms(matrix, norms):
    rows, cols = matrix.shape
    for i in range(rows):
        total = 0.0
        for j in range(cols):
            total += float(matrix[i, j]) ** 2
        norms[i] = math.sqrt(total)


def column_sums(matrix, sums):
    rows, cols = matrix.shape
    totals = [0.0] * cols
    for i in range(rows):
        for j in range(cols):
            totals[j] += matrix[i, j]
    sums[:] = totals


def stepped(value):
    for _ in range(512):
        value = value * (511 / 512) + 1 / 256
    return value


def multiply_add(x, out):
    for i in range(len(x)):
        out[i] = stepped(x[i])


def matmul(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = sum(a[i, p] * b[p, j] for p in range(a.shape[1]))


def matmul_lists(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def acceleration(i, x, y, z, m):
    ax = ay = az = 0.0
    for xj, yj, zj, mj in zip(x, y, z, m):
        dx, dy, dz = xj - x[i], yj - y[i], zj - z[i]
        square = dx * dx + dy * dy + dz * dz + 1e-3
        pull = mj / (square * math.sqrt(square))
        ax += pull * dx
        ay += pull * dy
        az += pull * dz
    return ax, ay, az


def n_body(x, y, z, m, a):
    for i in range(len(x)):
        a[:, i] = acceleration(i, x, y, z, m)


def n_body_lists(*bodies):
    return list(zip(*(acceleration(i, *bodies) for i in range(len(bodies[0])))))


def stencil(u, out, steps):
    rows, cols = u.shape
    out[:] = u
    for _ in range(int(steps)):
        u = out.copy()
        for i in range(1, rows - 1):
            for j in range(1, cols - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                out[i, j] = u[i, j] + 0.2 * (around - 4 * u[i, j])


def row_later(up, here, down):
    inner = zip(here[1:-1], up[1:-1], down[1:-1], here, here[2:])
    return here[:1] + [u + 0.2 * (a + b + c + d - 4 * u) for u, a, b, c, d in inner] + here[-1:]


def stencil_lists(u, steps):
    for _ in range(int(steps) if min(len(u), len(u[0])) > 2 else 0):
        u = [u[0], *map(row_later, u, u[1:], u[2:]), u[-1]]
    return u


OWN = "a loop, with points of random.random()"
FORMULA = "the formula in Python, called for each element"
BUILT_IN = "math.hypot, called for each element"
OWN_NUMBERS = {"own_numbers": True, "most_elements": 1_000_000}
# A third of a second: a notebook of the course measures it there.
MILLION = {"most_elements": 1_000_000}
LOOP = "a loop over the array, element by element"
COMPREHENSION = "a list comprehension that calls a function for each element"
LISTS = "a comprehension over lists: no NumPy scalar is made for each element"
FEW = {"most_elements": 2_000}
BODIES = {"most_elements": 500}
PLATE = {"most_elements": 20_000}

# By workload: what is computed of lists.
OF_LISTS = {
    "copy": list,
    "add": lambda a, b: [x + y for x, y in zip(a, b)],
    "energy": energy_lists,
    "gaussian_pdf": gaussian_pdf_lists,
    "hypot": lambda a, b: [math.hypot(x, y) for x, y in zip(a, b)],
    "transpose": lambda a: list(zip(*a)),
    "matrix_add": lambda a, b: [[x + y for x, y in zip(*rows)] for rows in zip(a, b)],
    "broadcast_add": lambda a, v: [[x + y for x, y in zip(row, v)] for row in a],
    "sum_of_squares": lambda x: sum(value * value for value in x),
    "counter": lambda x, threshold: sum(value < threshold for value in x),
    "hidden_layer": lambda x, w: [math.tanh(gray / 255 * weight) for gray, weight in zip(x, w)],
    "pulse_train": lambda noise, height, length: [
        height * max(math.sin(i / length) - 0.3, 0) + value for i, value in enumerate(noise)
    ],
    "zero_suppress": lambda x, threshold: [0 if value < threshold else value for value in x],
    "standardize": standardize_lists,
    "polar_distance": polar_distance_lists,
    "sin_cos": lambda x, y: [math.sin(a) * math.cos(b) for a, b in zip(x, y)],
    "reverse": lambda x: x[::-1],
    "row_norms": lambda a: [math.sqrt(sum(value * value for value in row)) for row in a],
    "scan": scan_lists,
    "column_sums": lambda a: [sum(column) for column in zip(*a)],
}
NAIVE = (copy, read, add, energy, hypot, histogram, transpose, matrix_add)
NAIVE += (broadcast_add, sum_of_squares, counter, hidden_layer, pulse_train, zero_suppress)
NAIVE += (standardize, polar_distance, sin_cos, reverse, monte_carlo_pi, row_norms, column_sums)
NAIVE += (scan,)

LADDERS = ladders(
    [
        ("energy", "comprehension", COMPREHENSION, energy_comprehension),
        ("hypot", "formula", FORMULA, each(hypot_formula)),
        ("hypot", "math_hypot", BUILT_IN, each(math.hypot)),
        ("monte_carlo_pi", "random", OWN, monte_carlo_pi_random, OWN_NUMBERS),
        *((function.__name__, "naive", LOOP, function) for function in NAIVE),
        ("gaussian_pdf", "naive", LOOP, gaussian_pdf, MILLION),
        *((workload, "lists", LISTS, lists(of)) for workload, of in OF_LISTS.items()),
        ("read", "lists", LISTS, read_lists),
        ("histogram", "lists", LISTS, histogram_lists),
        ("sort", "bubble", "bubble sort, element by element", sort_bubble, FEW),
        ("sort", "sorted", "sorted() of a list", lists(sorted)),
        ("matmul", "naive", LOOP, matmul, {"most_elements": 10_000}),
        ("matmul", "lists", LISTS, lists(matmul_lists), {"most_elements": 40_000}),
        ("n_body", "naive", LOOP, n_body, BODIES),
        ("n_body", "lists", LISTS, lists(n_body_lists), BODIES),
        ("stencil", "naive", LOOP, stencil, PLATE),
        ("stencil", "lists", LISTS, lists(stencil_lists), PLATE),
        ("multiply_add", "naive", LOOP, multiply_add, FEW),
        ("multiply_add", "lists", LISTS, lists(lambda x: list(map(stepped, x))), FEW),
    ],
    most_elements=MOST_ELEMENTS,
)
