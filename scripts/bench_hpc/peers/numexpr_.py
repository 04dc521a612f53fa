"""numexpr: an expression in a text, compiled for a small machine of its own that computes it in
blocks which fit into a cache, on all threads.

No array of intermediate results goes through memory, as in `numpy/blocks`, and nobody writes the
loop over the blocks.
"""

import math

from variant import ladders, load, parts

numexpr, why_not = load("numexpr", "numexpr")


def team(threads):
    numexpr.set_num_threads(threads)


EVALUATE = "numexpr.evaluate of the formula: blocks that fit into a cache, on all threads"


SUM = "sum(wide * wide) of a copy in float64; sums are computed on one thread"


def evaluated(expression, names, constants=lambda _dtype, *_parameters: {}):
    """Computes the expression of the inputs, which it calls by these names, and of constants in
    their precision."""

    def evaluate(*arguments):
        inputs, out, parameters = parts(arguments)
        scalars = constants(out.dtype.type, *parameters)
        known = {**dict(zip(names, inputs)), **scalars}
        numexpr.evaluate(expression, known, out=out, casting="same_kind")

    return evaluate


def sum_of_squares(x, total):
    total[0] = numexpr.evaluate("sum(wide * wide)", {"wide": x.astype("f8")})


def of_gaussian(dtype, mu, sigma):
    scale = 1 / (float(sigma) * math.sqrt(2 * math.pi))
    return {"mu": mu, "sigma": sigma, "scale": dtype(scale), "two": dtype(2)}


def numbers(**values):
    return lambda dtype: {name: dtype(value) for name, value in values.items()}


DISTANCE = "sqrt((r1 - r2)**2 + four * r1 * r2 * sin((t1 - t2) / two)**2)"
FORMULAS = {
    "copy": ("x", "x"),
    "add": ("a + b", "ab"),
    "matrix_add": ("a + b", "ab"),
    "broadcast_add": ("a + v", "av"),
    "energy": ("sin(x)**2 + sqrt(abs(x)) + exp(-x * x / fifty)", "x", numbers(fifty=50)),
    "gaussian_pdf": ("scale * exp(-((x - mu) / sigma)**2 / two)", "x", of_gaussian),
    "hidden_layer": ("tanh(gray / grays * weight)", ("gray", "weight"), numbers(grays=255)),
    "polar_distance": (DISTANCE, ("r1", "t1", "r2", "t2"), numbers(two=2, four=4)),
    "sin_cos": ("sin(x) * cos(y)", "xy"),
}

LADDERS = ladders(
    [
        *((name, "evaluate", EVALUATE, evaluated(*of)) for name, of in FORMULAS.items()),
        ("sum_of_squares", "evaluate", SUM, sum_of_squares, {"alone": True}),
    ],
    alone=False,
    obstacle=why_not,
)
