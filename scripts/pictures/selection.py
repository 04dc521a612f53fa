"""Which rows the user asked for, and what to say where there are none."""

import fnmatch
from dataclasses import dataclass

from program import UsageError
from reading import elements_of

from .rows import all_rows

MOST_NAMED = 12


def _same_size(wanted, size):
    if wanted == size:
        return True
    try:
        number = float(wanted)
    except ValueError:
        return False
    return elements_of(size) == number


@dataclass(frozen=True)
class Selection:
    workload: str = None
    dtype: str = None
    size: str = None
    node: str = None
    variant: str = None
    baseline: str = "serial/naive"

    def __post_init__(self):
        backend, _, variant = (self.baseline or "").partition("/")
        if not backend or not variant:
            raise UsageError(f"--baseline {self.baseline}: wanted BACKEND/VARIANT, as serial/naive")

    def has_node(self, node):
        return self.node is None or node == self.node

    def has_work(self, work):
        if self.workload not in (None, work.workload) or self.dtype not in (None, work.dtype):
            return False
        return self.size is None or _same_size(self.size, work.size)

    def has_variant(self, name):
        if self.variant is None:
            return True
        globs = [glob.strip() for glob in self.variant.split(",")]
        words = {name, *name.split("/", 1)}
        return any(fnmatch.fnmatchcase(word, glob) for glob in globs for word in words)

    def check(self, runs):
        """Refuses a selection that nothing answers to, and says what there is."""
        if self == Selection():
            return
        nodes = list(dict.fromkeys(run.node for run in runs))
        if not any(map(self.has_node, nodes)):
            raise UsageError(_nothing(f"node {self.node}", nodes))
        rows = [
            row for run in runs if self.has_node(run.node) for row in all_rows(run) if row.in_tables
        ]
        keys = [key for key in ("workload", "dtype", "size") if getattr(self, key) is not None]
        if keys:
            found = [row for row in rows if self.has_work(row.work)]
            if not found:
                there = (" ".join(getattr(row.work, key) for key in keys) for row in rows)
                wanted = " ".join(getattr(self, key) for key in keys)
                raise UsageError(_nothing(wanted, dict.fromkeys(there)))
            rows = found
        if not any(self.has_variant(row.name) for row in rows):
            raise UsageError(
                _nothing(f"--variant {self.variant}", dict.fromkeys(row.name for row in rows))
            )
        if self.baseline != "serial/naive" and all(row.name != self.baseline for row in rows):
            raise UsageError(
                _nothing(f"--baseline {self.baseline}", dict.fromkeys(row.name for row in rows))
            )


def _nothing(wanted, there):
    there = list(there)
    more = f", \u2026 ({len(there)} in all)" if len(there) > MOST_NAMED else ""
    return f"{wanted}: not in these documents; there are: {', '.join(there[:MOST_NAMED])}{more}"
