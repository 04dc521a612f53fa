"""The ladders as guests of bench, a process for each backend: measured in the rounds of its own."""

import backends
import bench


def before_of(name, variant):
    """Numba's threads shall be awake when the clock starts."""
    if name != "numba" or variant.threads != "all":
        return None
    import numba_

    return numba_.team


def offer(name):
    """All variants of a backend that run on the CPU, or a row that says why there are none."""
    backend = backends.load(name)
    if backend.reason:
        for workload in backends.load("python").ladders:
            bench.variant(workload, name="*", backend=name, obstacle=backend.reason)(None)
    for workload, ladder in backend.ladders.items():
        for variant in ladder:
            if variant.device:
                continue
            bench.variant(
                workload,
                name=variant.name,
                idea=variant.idea,
                backend=name,
                alone=variant.threads == "one",
                most_elements=variant.most_elements,
                obstacle=variant.obstacle() or None,
                before=before_of(name, variant),
            )(variant.function)
