"""numexpr: an expression in a text, compiled for a small machine of its own that computes it in
blocks which fit into a cache, on all threads.

No array of intermediate results goes through memory, as in `numpy/blocks`, and nobody writes the
loop over the blocks.
"""

import math

from variant import Variant, load, parts

numexpr, why_not = load("numexpr", "numexpr")


def team(threads):
    numexpr.set_num_threads(threads)


EVALUATE = "numexpr.evaluate of the formula: blocks that fit into a cache, on all threads"


def variant(expression, names, constants=lambda _dtype, *_parameters: {}):
    """Computes the expression of the inputs, which it calls by these names, and of constants in
    their precision."""

    def evaluate(*arguments):
        inputs, out, parameters = parts(arguments)
        scalars = constants(out.dtype.type, *parameters)
        numexpr.evaluate(
            expression, {**dict(zip(names, inputs)), **scalars}, out=out, casting="same_kind"
        )

    return Variant("evaluate", EVALUATE, evaluate, threads="all", obstacle=lambda: why_not)


def sum_of_squares(x, total):
    total[0] = numexpr.evaluate("sum(wide * wide)", {"wide": x.astype("f8")})


def of_gaussian(dtype, mu, sigma):
    scale = 1 / (float(sigma) * math.sqrt(2 * math.pi))
    return {"mu": mu, "sigma": sigma, "scale": dtype(scale), "two": dtype(2)}


LADDERS = {
    "copy": (variant("x", "x"),),
    "add": (variant("a + b", "ab"),),
    "matrix_add": (variant("a + b", "ab"),),
    "broadcast_add": (variant("a + v", "av"),),
    "energy": (
        variant(
            "sin(x)**2 + sqrt(abs(x)) + exp(-x * x / fifty)",
            "x",
            lambda dtype: {"fifty": dtype(50)},
        ),
    ),
    "gaussian_pdf": (variant("scale * exp(-((x - mu) / sigma)**2 / two)", "x", of_gaussian),),
    "hidden_layer": (
        variant(
            "tanh(gray / grays * weight)",
            ("gray", "weight"),
            lambda dtype: {"grays": dtype(255)},
        ),
    ),
    "polar_distance": (
        variant(
            "sqrt((r1 - r2)**2 + four * r1 * r2 * sin((t1 - t2) / two)**2)",
            ("r1", "t1", "r2", "t2"),
            lambda dtype: {"two": dtype(2), "four": dtype(4)},
        ),
    ),
    "sin_cos": (variant("sin(x) * cos(y)", "xy"),),
    "sum_of_squares": (
        Variant(
            "evaluate",
            "sum(wide * wide) of a copy in float64; sums are computed on one thread",
            sum_of_squares,
            obstacle=lambda: why_not,
        ),
    ),
}
