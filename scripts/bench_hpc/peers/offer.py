"""The Python implementations as user kernels of bench, a process for each file."""

import importlib

import bench
from variant import load

# Libraries round each sum of halves to a half, or do not have the type.
COMPUTED_IN = ("f32", "f64", "u32", "i16")


def offer(module, backend, package=None, row="*"):
    """All variants of a module, or a row per workload that says why there are none."""
    # The arrays that bench gives are NumPy's.
    numpy, why = load("numpy")
    ladders = None
    if numpy:
        ladders, why = load(module, package)
    if ladders is None:
        for workload in importlib.import_module("python_").LADDERS:
            bench.variant(
                workload,
                name=row,
                idea="every variant",
                backend=backend,
                obstacle=why,
            )(None)
        return
    for workload, ladder in ladders.LADDERS.items():
        for variant in ladder:
            how = {"dtypes": COMPUTED_IN, **vars(variant)}
            function = how.pop("function")
            if not variant.alone:
                how["before"] = getattr(ladders, "team", None)
            bench.variant(workload, backend=backend, **how)(function)
