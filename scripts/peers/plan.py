"""From what the user asked for to what is measured together: groups, cases, and their names."""

import dataclasses
import difflib
import fnmatch
import typing

import python_
from options import UsageError, parse_size
from workloads import REAL, REFERENCE, WORKLOADS, Shape

DEFAULT_SEED = 42


@dataclasses.dataclass
class Case:
    """One variant at one size, precision, scope and number of threads: one row of a table."""

    name: str
    workload: typing.Any
    backend: str
    variant: typing.Any  # None for the row that stands for a backend that is not there
    dtype: str
    size: str
    shape: typing.Any
    scope: str
    threads: int  # 0 on a GPU
    cache: str
    reference: bool = False
    beside: bool = False  # the reference on another workload's arrays
    bytes: int = 0
    flops: int = 0
    footprint: int = 0
    # What measuring finds.
    status: str = ""
    reason: str = ""
    verdict: typing.Any = None
    first_use_s: typing.Optional[float] = None
    samples: list = dataclasses.field(default_factory=list)
    batch: int = 1
    preempted: typing.Optional[int] = None
    too_short: int = 0
    stop: str = ""

    @property
    def measured(self):
        return self.status == "measured"

    @property
    def on_gpu(self):
        return self.variant is not None and self.variant.device is not None


@dataclasses.dataclass
class Group:
    """Cases that share their inputs and are measured in the same rounds."""

    workload: typing.Any
    dtype: str
    shape: typing.Any
    cases: list
    input_hash: str = ""

    @property
    def size(self):
        return self.workload.label(self.shape)


def matches(pattern, path):
    """True where a glob on workload/backend/variant, or on the beginning of one, selects `path`."""
    return fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path, pattern + "/*")


def rungs(workload, backends):
    """Backend and variant of each row; None stands for a backend that is not there."""
    for backend in backends:
        for variant in backend.ladders.get(workload.name, ()) if not backend.reason else (None,):
            yield backend, variant


def path_of(workload, backend, variant):
    return f"{workload.name}/{backend.name}/{variant.name if variant else '*'}"


def selected(options, path):
    if not options.filters:
        return True
    if path.endswith("/*"):  # stands for whatever there would be
        folder = path[:-1]
        return any(matches(one, path) or one.startswith(folder) for one in options.filters)
    return any(matches(one, path) for one in options.filters)


def require_known_filters(options, backends):
    paths = [path_of(w, b, v) for w in WORKLOADS for b, v in rungs(w, backends)]
    for one in options.filters:
        alone = dataclasses.replace(options, filters=[one])
        if any(selected(alone, path) for path in paths):
            continue
        names = [*paths, *(workload.name for workload in WORKLOADS)]
        near = difflib.get_close_matches(one, names, 1)
        hint = f" (nearest name: {near[0]})" if near else ""
        raise UsageError(f"no variant matches '{one}'{hint}; --list shows all")


def suffix(options, parameters):
    """What the user set away from its default, sorted."""
    everything = dict(parameters)
    if options.cache == "hot":
        everything["cache"] = "hot"
    if options.seed != DEFAULT_SEED:
        everything["seed"] = options.seed
    return "".join(f",{key}={value}" for key, value in sorted(everything.items()))


def thread_counts(options, variant):
    if variant is None or variant.device is not None:
        return [0]
    if variant.threads == "one":
        return [1]
    return options.threads or [options.job_threads]


def beside_shape(workload, dtype, shape):
    """As many elements as the first input has, or half of them where the output is too small."""
    count, size = shape.elements, REAL[dtype].itemsize
    room = workload.bytes(dtype, shape) - len(workload.inputs) * count * size
    return Shape(1, count if room >= count * size else count // 2)


def cases_of(options, group, backend, variant, beside=False):
    """The cases of one variant: its scopes, and its numbers of threads."""
    workload, shape = group.workload, group.shape
    fixed = {}
    if beside:
        fixed["beside"] = f"{workload.name}:{group.size}"
        shape, workload = beside_shape(workload, group.dtype, shape), REFERENCE
    size = workload.label(shape)
    scopes = ["kernel"]
    if variant is not None and variant.device is not None:
        scopes.append("end_to_end")
    for scope in scopes:
        for threads in thread_counts(options, variant):
            parameters = dict(fixed)
            if variant is not None and variant.threads == "all" and threads != options.job_threads:
                parameters["threads"] = threads
            name = "/".join((path_of(workload, backend, variant), group.dtype, size, scope))
            case = Case(
                name=name + suffix(options, parameters),
                workload=workload,
                backend=backend.name,
                variant=variant,
                dtype=group.dtype,
                size=size,
                shape=shape,
                scope=scope,
                threads=threads,
                cache=options.cache,
                reference=beside,
                beside=beside,
                bytes=workload.bytes(group.dtype, shape),
                flops=workload.flops * shape.elements,
                footprint=workload.bytes(group.dtype, shape),
            )
            reason = backend.reason or variant.obstacle()
            if not reason and variant.most_elements and shape.elements > variant.most_elements:
                reason = (
                    f"too slow for {shape.elements} elements: measured up to "
                    f"{variant.most_elements} (--size {variant.most_elements:g})"
                )
            if reason:
                case.status, case.reason = "skipped", reason
            yield case


def kind_of(backend, variant):
    return (backend.name, variant and variant.device is None, variant and variant.threads)


def group_of(options, backends, workload, dtype, shape):
    group = Group(workload, dtype, shape, [])
    wanted = [
        (backend, variant)
        for backend, variant in rungs(workload, backends)
        if selected(options, path_of(workload, backend, variant))
    ]
    for backend, variant in wanted:
        group.cases += cases_of(options, group, backend, variant)
    if workload is not REFERENCE:
        # Only copies that some share can be taken of.
        kinds = {kind_of(backend, variant) for backend, variant in wanted}
        for backend, variant in rungs(REFERENCE, backends):
            if kind_of(backend, variant) in kinds:
                group.cases += [
                    case
                    for case in cases_of(options, group, backend, variant, beside=True)
                    if not case.status  # what cannot run is no reference
                ]
    # Scopes stay together, as in the tables of bench.
    group.cases.sort(key=lambda case: (case.beside, case.scope != "kernel"))
    return group


def shapes_of(options, workload, backends):
    """The sizes that were asked for; and where they are too large for pure Python, its own."""
    shapes = []
    for size in options.sizes:
        for bins in options.bins if workload.form == "binned" and options.bins else [0]:
            shapes.append(parse_size(workload, size, bins))
    too_slow = any(
        variant is not None and variant.most_elements and selected(options, path)
        for backend, variant in rungs(workload, backends)
        for path in [path_of(workload, backend, variant)]
    )
    if too_slow:
        most = python_.MOST_ELEMENTS
        shapes += [
            parse_size(workload, str(most), shape.bins)
            for shape in list(shapes)
            if shape.elements > most
        ]
    return list(dict.fromkeys(shapes))


def plan(options, backends):
    """The groups in the order of the registry."""
    require_known_filters(options, backends)
    return [
        group_of(options, backends, workload, dtype, shape)
        for workload in WORKLOADS
        if any(selected(options, path_of(workload, b, v)) for b, v in rungs(workload, backends))
        for dtype in options.dtypes
        for shape in shapes_of(options, workload, backends)
    ]
