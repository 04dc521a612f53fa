"""PyTorch on the CPU: array expressions, each operation divided among its threads.

The arrays of NumPy are used as they lie there (torch.from_numpy), results go where they belong.
"""

import warnings

from expressions import expressions, half_angle
from variant import Variant, load, parts

torch, why_not = load("torch", "torch")
# Inputs are read-only here, which PyTorch does not know.
warnings.filterwarnings("ignore", message=".*not writ[e]?able.*")


def team(threads):
    torch.set_num_threads(threads)


def pulse_train(noise, _out, amplitude, period):
    t = torch.arange(noise.shape[0]).to(noise.dtype)
    return amplitude * (torch.sin(t / period) - 0.3).clamp(min=0) + noise


def standardize(x, _out):
    wide = x.double()
    return (x - wide.mean()) / wide.std(unbiased=False)


def variant(function, idea="array expressions on all threads: a new array for each operation"):
    def run(*arguments):
        inputs, out, parameters = parts(arguments)
        result = function(*map(torch.from_numpy, inputs), None, *map(float, parameters))
        torch.from_numpy(out).copy_(result)

    return Variant("expression", idea, run, alone=False, obstacle=why_not)


LADDERS = {
    workload: (variant(of),)
    for workload, of in {
        **expressions(torch),
        "polar_distance": half_angle(torch),
        "sum_of_squares": lambda x, _: (x.double() ** 2).sum().reshape(1),
        "pulse_train": pulse_train,
        "standardize": standardize,
        "row_norms": lambda a, _: a.double().norm(dim=1),
        "sort": lambda x, _: x.sort().values,
        "scan": lambda x, _: x.cumsum(0, dtype=torch.float64),
        "column_sums": lambda a, _: a.sum(dim=0, dtype=torch.float64),
    }.items()
}
LADDERS["copy"] = (variant(lambda x, _: x, "one call: tensor.copy_(x)"),)
LADDERS["transpose"] = (variant(lambda a, _: a.T, "one call: tensor.copy_(a.T)"),)
