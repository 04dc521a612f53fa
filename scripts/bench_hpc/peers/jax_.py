"""JAX: array expressions that XLA compiles to one loop at their first call.

On the CPU it has its own pool of threads, as many as there are processors. Results are arrays of
their own, and arrays of NumPy are copied in where they do not lie as XLA wants them: both is part
of a sample, because its user pays for it.
"""

import numpy as np
from expressions import expressions, half_angle
from variant import Variant, load, parts

jax, why_not = load("jax", "jax")
if jax is not None:
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")


def standardize(x, _out):
    wide = x.astype("float64")
    return ((wide - wide.mean()) / wide.std()).astype(x.dtype)


def variant(function):
    compiled = jax.jit(function) if jax is not None else None

    def run(*arguments):
        inputs, _, parameters = parts(arguments)
        return np.asarray(compiled(*inputs, None, *parameters).block_until_ready())

    idea = "jax.jit: the expression becomes one loop"
    return Variant("jit", idea, run, alone=False, obstacle=why_not)


xp = jax and jax.numpy
LADDERS = {
    workload: (variant(of),)
    for workload, of in {
        **expressions(xp),
        "polar_distance": half_angle(xp),
        "sum_of_squares": lambda x, _: (x.astype("float64") ** 2).sum().reshape(1),
        "standardize": standardize,
        "transpose": lambda a, _: a.T.copy(),
        "row_norms": lambda a, _: (a.astype("float64") ** 2).sum(axis=1) ** 0.5,
        "sort": lambda x, _: x.sort(),
        "scan": lambda x, _: x.astype("float64").cumsum().astype(x.dtype),
        "column_sums": lambda a, _: a.astype("float64").sum(axis=0),
    }.items()
}
