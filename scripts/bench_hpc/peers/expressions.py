"""Array expressions that NumPy, CuPy, JAX and PyTorch write alike. Each gets the inputs, the output
and the parameters; it returns a new array and leaves the output alone."""

import math

NEW = "a new array for the result"
THERE = "into a preallocated array"


def expressions(xp):
    """Each workload with an expression of arrays of the package."""

    def gaussian_pdf(x, _out, mu, sigma):
        return xp.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))

    def pulse_train(noise, _out, amplitude, period):
        # Rounded once; arange with a dtype adds in that precision.
        t = xp.arange(noise.size).astype(noise.dtype)
        return amplitude * xp.maximum(xp.sin(t / period) - 0.3, 0) + noise

    return {
        "add": lambda a, b, _: a + b,
        "matrix_add": lambda a, b, _: a + b,
        "broadcast_add": lambda a, v, _: a + v,
        "energy": lambda x, _: xp.sin(x) ** 2 + xp.sqrt(xp.abs(x)) + xp.exp(-(x**2) / 50),
        "gaussian_pdf": gaussian_pdf,
        "hypot": lambda a, b, _: xp.hypot(a, b),
        "matmul": lambda a, b, _: a @ b,
        "sin_cos": lambda x, y, _: xp.sin(x) * xp.cos(y),
        "hidden_layer": lambda gray, weight, _: xp.tanh(gray / 255 * weight),
        "pulse_train": pulse_train,
    }


def half_angle(xp):
    """The distance with one sine, for packages whose compiler makes one pass of it."""

    def polar_distance(rho_1, theta_1, rho_2, theta_2, _out):
        sine = xp.sin((theta_1 - theta_2) / 2)
        return xp.sqrt((rho_1 - rho_2) ** 2 + 4 * rho_1 * rho_2 * sine**2)

    return polar_distance


def n_body(xp, most):
    """The accelerations of some bodies at a time: their matrices of distances from all others have
    at most this number of elements."""

    def run(x, y, z, m, a):
        together = max(1, most // max(1, x.size))
        for begin in range(0, x.size, together):
            some = slice(begin, begin + together)
            d = [one - one[some, None] for one in (x, y, z)]
            square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-3
            pull = m / (square * xp.sqrt(square))
            for sums, distances in zip(a, d):
                sums[some] = (pull * distances).sum(axis=1)

    return run


def stencil(u, _out, steps):
    """The steps of a plate, each a new array."""
    for _ in range(int(steps)):
        later = u.copy()
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        later[1:-1, 1:-1] += 0.2 * (around - 4 * u[1:-1, 1:-1])
        u = later
    return u


def rows(xp, name, idea):
    """The rows of NumPy, and of CuPy, which has the same functions; `idea` says what expressions of
    several operations do.
    """

    def polar_distance(rho_1, theta_1, rho_2, theta_2, _out):
        x = rho_1 * xp.cos(theta_1) - rho_2 * xp.cos(theta_2)
        y = rho_1 * xp.sin(theta_1) - rho_2 * xp.sin(theta_2)
        return xp.sqrt(x * x + y * y)

    def multiply_add(x, _out):
        value = x
        for _ in range(512):
            value = value * (511 / 512) + 1 / 256
        return value

    def matmul(a, b, c):
        xp.matmul(a, b, out=c)

    def copy_of(change):
        """Copies a view of the input to where the result belongs."""
        return lambda x, out: xp.copyto(out, change(x))

    of = {**expressions(xp), "polar_distance": polar_distance, "multiply_add": multiply_add}
    calls = {"add": "a + b", "matrix_add": "a + b", "broadcast_add": "a + v"}
    calls["matmul"] = "a @ b"
    calls["hypot"] = f"{name}.hypot(a, b)"
    ideas = {workload: f"{call}: {NEW}" for workload, call in calls.items()}
    return [
        *((one, "expression", ideas.get(one, idea), function) for one, function in of.items()),
        ("copy", "expression", f"x.copy(): {NEW}", lambda x, _: x.copy()),
        ("copy", "out", f"{name}.copyto: {THERE}", copy_of(lambda x: x)),
        ("transpose", "expression", f"a.T.copy(): {NEW}", lambda a, _: a.T.copy()),
        ("transpose", "out", f"{name}.copyto(out, a.T): {THERE}", copy_of(lambda a: a.T)),
        ("matmul", "out", f"{name}.matmul(a, b, out=c): {THERE}", matmul),
        ("reverse", "expression", f"x[::-1].copy(): {NEW}", lambda x, _: x[::-1].copy()),
        ("reverse", "out", f"{name}.copyto(out, x[::-1]): {THERE}", copy_of(lambda x: x[::-1])),
        ("sort", "expression", f"{name}.sort(x): {NEW}", lambda x, _: xp.sort(x)),
        (
            "stencil",
            "expression",
            "a view for each neighbour; an array for each operation",
            stencil,
        ),
    ]
