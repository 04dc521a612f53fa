"""The workloads: what is computed, from which data, and how far a result may be off.

The same definitions, inputs, tolerances and sizes as in kernels/*/*.cpp.
"""

import dataclasses
import math
import typing

import numpy as np

REAL = {"f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
COUNT = np.dtype(np.uint32)

# Run-time values: variants see them as arguments only.
MU, SIGMA = 0.0, 1.0
LO, HI = -4.0, 4.0


@dataclasses.dataclass(frozen=True)
class Shape:
    """A vector of n elements is 1 by n; `bins` is 0 where there are none."""

    rows: int
    cols: int
    bins: int = 0

    @property
    def elements(self):
        return self.rows * self.cols


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    formula: str
    form: str  # how sizes are written: vector N, binned N:BINS, matrix RxC
    tiny: Shape
    default: Shape
    course: Shape
    inputs: tuple  # per array: how it is drawn, and the two numbers of that distribution
    definition: typing.Callable  # of the inputs, in float64
    parameters: typing.Callable = lambda real: ()  # what variants get after their arrays
    ulps: float = 0  # how far a result may be off; counts are exact
    flops: int = 0  # per element

    @property
    def exact(self):
        """Results are the very bits of the definition."""
        return self.ulps == 0

    def label(self, shape):
        """The size as it stands in names."""
        if self.form == "matrix":
            return f"{shape.rows}x{shape.cols}"
        return f"{shape.elements}:{shape.bins}" if self.form == "binned" else f"{shape.elements}"

    def input_shape(self, shape):
        return (shape.rows, shape.cols) if self.form == "matrix" else (shape.elements,)

    def output_shape(self, shape):
        if self.form == "matrix":
            return (shape.cols, shape.rows)
        return (shape.bins,) if self.form == "binned" else (shape.elements,)

    def output_type(self, dtype):
        return COUNT if self.form == "binned" else REAL[dtype]

    def bytes(self, dtype, shape):
        """The least that one run must move to and from memory."""
        outputs = math.prod(self.output_shape(shape)) * self.output_type(dtype).itemsize
        return len(self.inputs) * shape.elements * REAL[dtype].itemsize + outputs


def energy(x):
    x = x.astype(np.float64)
    return np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-x * x / 50)


def gaussian_pdf(x):
    z = (x.astype(np.float64) - MU) / SIGMA
    return np.exp(-z * z / 2) / (SIGMA * math.sqrt(2 * math.pi))


def hypot(a, b):
    return np.hypot(a.astype(np.float64), b.astype(np.float64))


def histogram(x, bins):
    """In the precision of the data: the bins are exact, so every variant must agree."""
    real = x.dtype.type
    counts = np.zeros(bins, np.int64)
    scale = real(bins) / (real(HI) - real(LO))
    for begin in range(0, x.size, 1 << 20):
        part = x[begin : begin + (1 << 20)]
        part = part[(part >= real(LO)) & (part < real(HI))]
        indices = ((part - real(LO)) * scale).astype(np.int64)
        counts += np.bincount(np.minimum(indices, bins - 1), minlength=bins)
    return counts.astype(COUNT)


def vector(n, bins=0):
    return Shape(1, n, bins)


WORKLOADS = (
    Workload(
        name="copy",
        formula="out[i] = in[i]",
        form="vector",
        tiny=vector(1_000),
        default=vector(10_000_000),
        course=vector(100_000_000),
        inputs=(("uniform", 0, 1),),
        definition=lambda x: x,
    ),
    Workload(
        name="energy",
        formula="E(x) = sin²x + √|x| + exp(−x²/50)",  # noqa: RUF001
        form="vector",
        tiny=vector(1_000),
        default=vector(10_000_000),
        course=vector(100_000_000),
        inputs=(("uniform", 0, 1000),),
        definition=energy,
        ulps=4,
        flops=8,
    ),
    Workload(
        name="gaussian_pdf",
        formula="pdf(x) = exp(−½((x−μ)/σ)²) / (σ√(2π))",  # noqa: RUF001
        form="vector",
        tiny=vector(1_000),
        default=vector(10_000_000),
        course=vector(1_000_000),
        inputs=(("uniform", -3, 3),),
        definition=gaussian_pdf,
        parameters=lambda real: (real(MU), real(SIGMA)),
        ulps=12,
        flops=6,
    ),
    Workload(
        name="hypot",
        formula="c = √(a² + b²), without overflow or underflow",
        form="vector",
        tiny=vector(1_000),
        default=vector(10_000_000),
        course=vector(1_000_000),
        inputs=(("uniform", -12, 12), ("uniform", -12, 12)),
        definition=hypot,
        ulps=3,
        flops=4,
    ),
    Workload(
        name="histogram",
        formula="counts of ⌊(x−lo)/(hi−lo)·bins⌋ for lo ≤ x < hi",  # noqa: RUF001
        form="binned",
        tiny=vector(1_000, 10),
        default=vector(10_000_000, 256),
        course=vector(10_000, 10),
        inputs=(("normal", 0, 1),),
        definition=histogram,
        parameters=lambda real: (real(LO), real(HI)),
        flops=2,
    ),
    Workload(
        name="transpose",
        formula="out[j][i] = in[i][j]",
        form="matrix",
        tiny=Shape(32, 33),
        default=Shape(4_096, 4_096),
        course=Shape(16_384, 16_384),
        inputs=(("uniform", 0, 1),),
        definition=lambda x: np.ascontiguousarray(x.T),
    ),
)
REFERENCE = WORKLOADS[0]
MAX_BINS = 65_536
