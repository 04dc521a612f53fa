"""What is printed: a table per group. `bench table FILE` prints the same document its own way."""

import shutil
import sys
import time

import figures


def duration(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return f"{seconds / unit:.4g} {name}"
    return f"{seconds / 1e-9:.4g} ns"


def label(case):
    text = f"{case.backend}/{case.variant.name if case.variant else '*'}"
    if ",threads=" in case.name:
        text += f" on {case.threads}"
    return text + (" end to end" if case.scope == "end_to_end" else "")


def row(case, best, width):
    if not case.measured:
        return f"  {label(case):{width}}  {case.status}: {case.reason}"
    seconds = figures.median(case.samples)
    low, high = figures.bootstrap_median(case.samples)
    text = (
        f"  {label(case):{width}} {duration(seconds):>10}"
        f"  [{duration(low)}, {duration(high)}]".ljust(width + 38)
    )
    text += f" {best / seconds:8.2f}" if best else f" {'–':>8}"  # noqa: RUF001
    return text + (f"  first call {duration(case.first_use_s)}" if case.first_use_s > 0.05 else "")


def said_already(case, cases):
    """True where the kernel alone was not measured either, for the same reason."""
    return not case.measured and any(
        other.scope != case.scope and label(case).startswith(label(other)) for other in cases
    )


def table(group):
    cases = [case for case in group.cases if not case.reference]
    on_cpu = [figures.median(c.samples) for c in cases if c.measured and not c.on_gpu]
    width = max(len(label(case)) for case in cases)
    lines = [
        f"{group.workload.name} · {group.dtype} · {group.size} · {cases[0].cache} cache",
        f"  {'variant':{width}}       time  95 % interval".ljust(width + 38) + " of best CPU",
    ]
    for case in cases:
        if case.scope == "end_to_end" and said_already(case, cases):
            continue
        lines.append(row(case, min(on_cpu, default=None), width))
    return "\n".join(lines) + "\n"


def listing(workloads, backends):
    lines = []
    for workload in workloads:
        lines.append(f"{workload.name}  {workload.formula}")
        sizes = (workload.tiny, workload.default, workload.course)
        named = zip(("tiny", "default", "course"), map(workload.label, sizes))
        lines.append("  sizes: " + ", ".join(f"{name} {size}" for name, size in named))
        for backend in backends:
            if backend.reason:
                lines.append(f"  {backend.name + '/*':25} {backend.reason}")
            for variant in backend.ladders.get(workload.name, ()):
                lines.append(f"  {backend.name + '/' + variant.name:25} {variant.idea}")
        lines.append("")
    return "\n".join(lines)


class Progress:
    """One line on the terminal that is overwritten again and again; nothing elsewhere."""

    def __init__(self, wanted):
        self._wanted = wanted and sys.stderr.isatty()
        self._shown = 0.0

    def show(self, group, groups, what, share):
        if self._wanted and time.monotonic() - self._shown > 0.1:
            self._shown = time.monotonic()
            line = f"[{group}/{groups}] {100 * share:3.0f} % {what}"
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{line[:width]}", end="", file=sys.stderr, flush=True)

    def clear(self):
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
