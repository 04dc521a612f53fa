"""What the user asked for, in the words of `bench table`, which says where there is none of it."""

import fnmatch
from dataclasses import dataclass
from typing import Optional

from bench_hpc.backends import backends
from bench_hpc.program import UsageError

from .style import LOOKS


@dataclass(frozen=True)
class Selection:
    workload: Optional[str] = None
    dtype: Optional[str] = None
    size: Optional[str] = None
    node: Optional[str] = None
    variant: Optional[str] = None
    baseline: str = "serial/naive"

    def of_node(self, documents):
        nodes = list(dict.fromkeys(document.node for document in documents))
        if self.node not in (None, *nodes):
            there = ", ".join(nodes[:12]) + ", \u2026" * (len(nodes) > 12)
            raise UsageError(f"--node {self.node}: not in these result files; there are {there}")
        return [document for document in documents if self.node in (None, document.node)]

    def _filters(self):
        if self.variant is None:
            return [self.workload]
        globs = (glob.strip() for glob in self.variant.split(","))
        return [f"{self.workload or '*'}/{_rung(glob)}" for glob in globs]

    def arguments(self):
        given = [(key, getattr(self, key)) for key in ("dtype", "size", "baseline")]
        given += [("filter", glob) for glob in self._filters()]
        return [f"--{option}={value}" for option, value in given if value is not None]

    def own_words(self, error):
        """What the program says of its options, said of these."""
        ours = "--workload" if self.variant is None else "--variant"
        return UsageError(str(error).replace("--filter", ours))


def _rung(glob):
    """backend/variant; a word alone is either."""
    if "/" in glob:
        return glob
    return f"{glob}/*" if fnmatch.filter({*LOOKS, *backends()}, glob) else f"*/{glob}"
