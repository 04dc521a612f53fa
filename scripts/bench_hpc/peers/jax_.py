"""JAX: array expressions that XLA compiles to one loop at their first call.

On the CPU it has its own pool of threads, as many as there are processors. Results are arrays of
their own, and arrays of NumPy are copied in where they do not lie as XLA wants them: both is part
of a sample, because its user pays for it.
"""

import numpy as np
from compiled_arrays import expressions
from variant import Variant, load, parts

jax, why_not = load("jax", "jax")
if jax is not None:
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")


def sum_of_squares(x):
    return (x.astype("float64") ** 2).sum().reshape(1)


def pulse_train(noise, amplitude, period):
    t = jax.numpy.arange(noise.size).astype(noise.dtype)
    return amplitude * jax.numpy.maximum(jax.numpy.sin(t / period) - 0.3, 0) + noise


def standardize(x):
    wide = x.astype("float64")
    return ((wide - wide.mean()) / wide.std()).astype(x.dtype)


def transpose(matrix):
    return matrix.T.copy()


def variant(function):
    compiled = jax.jit(function) if jax is not None else None

    def run(*arguments):
        inputs, _, parameters = parts(arguments)
        return np.asarray(compiled(*inputs, *parameters).block_until_ready())

    idea = "jax.jit: the expression becomes one loop"
    return Variant("jit", idea, run, threads="all", obstacle=lambda: why_not)


LADDERS = {
    workload: (variant(of),)
    for workload, of in {
        **expressions(jax.numpy if jax is not None else None),
        "sum_of_squares": sum_of_squares,
        "pulse_train": pulse_train,
        "standardize": standardize,
        "transpose": transpose,
        "row_norms": lambda a: (a.astype("float64") ** 2).sum(axis=1) ** 0.5,
        "sort": lambda x: x.sort(),
        "column_sums": lambda a: a.astype("float64").sum(axis=0),
    }.items()
}
