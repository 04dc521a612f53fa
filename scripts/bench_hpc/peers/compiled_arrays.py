"""What JAX and PyTorch call the same: array expressions that a compiler, or a library, makes one
pass of. The ladders differ in how functions and arrays get there and back."""

import math


def expressions(xp):
    """By workload: a function of arrays of the package, which returns one."""

    def gaussian_pdf(x, mu, sigma):
        return xp.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))

    def polar_distance(rho_1, theta_1, rho_2, theta_2):
        sine = xp.sin((theta_1 - theta_2) / 2)
        return xp.sqrt((rho_1 - rho_2) ** 2 + 4 * rho_1 * rho_2 * sine**2)

    return {
        "add": lambda a, b: a + b,
        "matrix_add": lambda a, b: a + b,
        "broadcast_add": lambda a, v: a + v,
        "energy": lambda x: xp.sin(x) ** 2 + xp.sqrt(xp.abs(x)) + xp.exp(-(x**2) / 50),
        "gaussian_pdf": gaussian_pdf,
        "hypot": lambda a, b: xp.hypot(a, b),
        "polar_distance": polar_distance,
        "sin_cos": lambda x, y: xp.sin(x) * xp.cos(y),
        "hidden_layer": lambda gray, weight: xp.tanh(gray / 255 * weight),
    }
