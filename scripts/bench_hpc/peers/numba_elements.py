"""Functions of one element, as Numba compiles them."""

import math

import numpy as np

# Written as np.float32 they leave the precision to x: float32 stays float32, float64 wins.
TWO, FOUR, FIFTY, GRAYS = np.float32(2), np.float32(4), np.float32(50), np.float32(255)
FACTOR, SUMMAND = np.float32(511 / 512), np.float32(1 / 256)  # exact


def energy_of(x):
    return math.sin(x) ** 2 + math.sqrt(abs(x)) + math.exp(-x * x / FIFTY)


def gaussian_pdf_of(x, mu, sigma, scale):
    z = (x - mu) / sigma
    return math.exp(-z * z / TWO) * scale


def add_of(a, b):
    return a + b


def zero_suppress_of(x, threshold):
    return 0 if x < threshold else x


def polar_distance_of(rho_1, theta_1, rho_2, theta_2):
    sine = math.sin((theta_1 - theta_2) / TWO)
    difference = rho_1 - rho_2
    return math.sqrt(difference * difference + FOUR * rho_1 * rho_2 * (sine * sine))


def sin_cos_of(x, y):
    return math.sin(x) * math.cos(y)


def multiply_add_of(x):
    for _ in range(512):
        x = x * FACTOR + SUMMAND
    return x


# By workload: what is computed of arrays alone.
ELEMENTS = {
    "copy": lambda x: x,
    "add": add_of,
    "energy": energy_of,
    "hypot": lambda a, b: math.hypot(a, b),
    "hidden_layer": lambda gray, weight: math.tanh(gray / GRAYS * weight),
    "polar_distance": polar_distance_of,
    "sin_cos": sin_cos_of,
    "multiply_add": multiply_add_of,
}
