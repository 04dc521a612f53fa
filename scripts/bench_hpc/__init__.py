"""bench in Python: pictures, pages, lessons and points of result files. In a notebook, `%load_ext
bench_hpc` gives %bench and %%bench, read() a DataFrame, and plot() a picture."""

import json
from pathlib import Path

EVERY_ROW = ("name", "workload", "status", "reason", "guest")


def read(*paths):
    """Result files as one pandas DataFrame: a row per case, with its times and speedups."""
    import pandas

    if not paths:
        raise TypeError("read: name result files")
    tables = []
    for path in paths:
        try:
            document = json.loads(Path(path).read_bytes())
            ratios = {one["name"]: one for one in document["speedups"]}
            rows = [{**ratios.get(one["name"], {}), **one} for one in document["cases"]]
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"{path}: is not a result file of bench") from None
        tables.append(pandas.json_normalize(rows).assign(file=str(path)))
    found = pandas.concat(tables, ignore_index=True)
    # A run that was ended at once has no rows, and these columns all the same.
    return found.reindex(columns=dict.fromkeys([*found.columns, *EVERY_ROW]))


def plot(*paths, kind="ladder", lang="en", **selection):
    """The picture of this kind of some result files, which a notebook shows; `selection` chooses
    one by workload, dtype, size or node. Its figure() is Matplotlib's."""
    from bench_hpc.documents import load
    from bench_hpc.pictures.catalogue import KINDS, overview
    from bench_hpc.program import UsageError

    if not paths:
        raise UsageError("plot: name result files")
    if kind not in KINDS:
        raise UsageError(f"kind={kind!r}: must be one of {', '.join(KINDS)}")
    found, reasons = overview(load(paths), lang, (kind,), **selection)
    if not found:
        raise UsageError(reasons[0])
    if len(found) > 1:
        names = ", ".join(one.slug for one in found[:12])
        raise UsageError(
            f"{len(found)} pictures ({names}): choose by workload, dtype, size or node"
        )
    return found[0]


def load_ipython_extension(shell):
    from bench_hpc.notebook import BenchMagics

    shell.register_magics(BenchMagics)
