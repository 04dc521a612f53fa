"""bench in Python: pictures, pages, lessons and points of result files; read() for pandas."""

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
