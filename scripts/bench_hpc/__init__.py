"""bench in Python: pictures, pages, lessons and points of result files. In a notebook, `%load_ext
bench_hpc` gives %bench and %%bench, read() a DataFrame, and plot() a picture."""

import json
from pathlib import Path


def read(*paths):
    """Result files as one pandas DataFrame: a row per case, with its times and speedups."""
    import pandas

    tables = []
    for path in paths:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        try:
            ratios = {one["name"]: one for one in document["speedups"]}
            rows = [{**ratios.get(one["name"], {}), **one} for one in document["cases"]]
        except (KeyError, TypeError):
            raise ValueError(f"{path}: is not a result file of bench") from None
        tables.append(pandas.json_normalize(rows).assign(file=str(path)))
    return pandas.concat(tables, ignore_index=True)


def plot(*paths, kind="ladder", lang="en", **selection):
    """The picture of this kind of some result files, which a notebook shows; `selection` chooses
    one by workload, dtype, size or node. Its figure() is Matplotlib's."""
    from bench_hpc.documents import load
    from bench_hpc.pictures.catalogue import KINDS, overview
    from bench_hpc.program import UsageError

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
