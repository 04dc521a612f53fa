"""Numba on a GPU: kernels in Python, one thread per element, as a course's first kernel.

A kernel is compiled at its first launch. Launching one from Python takes tens of microseconds,
which only large arrays hide. Variants launch and return: the harness waits. A universal function
for the GPU takes arrays of the host, too: then each call moves them there and back.
"""

import functools
import math

import numba
import numpy as np
from numba import cuda
from numba_ import MAPS, generalised, scale_of, ufunc
from numba_elements import ELEMENTS, GRAYS, add_of, gaussian_pdf_of
from variant import ladders

# numba-cuda looks this name up when it compiles; NumPy 2.5 removed it.
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack

BLOCK = 256  # threads
TILE = 32  # rows and columns that one block turns
MOST_SHARED_BINS = 48 * 1024 // 4  # shared memory that every device gives without being asked

ZERO = np.float32(0)  # the precision is that of x


def blocks_for(n):
    return max(1, -(-n // BLOCK))


def tiles_of(matrix):
    rows, cols = matrix.shape
    return max(1, -(-cols // TILE)), max(1, -(-rows // TILE))


def per_element(kernel, constants=lambda *_: (), count=lambda first: first.size):
    """A variant: a thread for each element of the first array, or as many as `count` says of it.
    The kernel gets what the constants are for these arguments, too."""

    def run(*arguments):
        blocks = blocks_for(count(arguments[0]))
        kernel[blocks, BLOCK](*arguments, *constants(*arguments))

    return run


def per_place(kernel):
    """A variant: a thread for each place of the matrix."""
    return lambda matrix, *others: kernel[tiles_of(matrix), (TILE, TILE)](matrix, *others)


def adding(kernel, *constants):
    """The same, where threads add to an output that is zero before."""
    launch = per_element(kernel, *constants)

    def run(x, out, *parameters):
        zero_kernel[blocks_for(out.size), BLOCK](out)
        launch(x, out, *parameters)

    return run


def map_of(element):
    """A thread computes the element in its place."""
    at = cuda.jit(device=True)(element)

    def of_one(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = at(x[i])

    def of_two(a, b, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = at(a[i], b[i])

    def of_four(a, b, c, d, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = at(a[i], b[i], c[i], d[i])

    kernels = {1: of_one, 2: of_two, 4: of_four}
    return per_element(cuda.jit(kernels[element.__code__.co_argcount]))


gaussian_pdf_at = cuda.jit(device=True)(gaussian_pdf_of)


@cuda.jit
def gaussian_pdf_kernel(x, out, mu, sigma, scale):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = gaussian_pdf_at(x[i], mu, sigma, scale)


@cuda.jit
def zero_kernel(counts):
    i = cuda.grid(1)
    if i < counts.size:
        counts[i] = 0


@cuda.jit
def histogram_kernel(x, counts, lo, hi, scale):
    i = cuda.grid(1)
    if i < x.size and lo <= x[i] < hi:
        cuda.atomic.add(counts, min(int((x[i] - lo) * scale), counts.size - 1), 1)


def scale_of_bins(x, counts, lo, hi):
    return [lo.dtype.type(counts.size) / (hi - lo)]


histogram_cuda = adding(histogram_kernel, scale_of_bins)


@cuda.jit
def histogram_shared_kernel(x, counts, lo, hi, scale):
    table = cuda.shared.array(0, numba.uint32)  # as large as the launch says
    for b in range(cuda.threadIdx.x, counts.size, cuda.blockDim.x):
        table[b] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        if lo <= x[i] < hi:
            cuda.atomic.add(table, min(int((x[i] - lo) * scale), counts.size - 1), 1)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, counts.size, cuda.blockDim.x):
        cuda.atomic.add(counts, b, table[b])


def histogram_cuda_shared(x, counts, lo, hi):
    if counts.size > MOST_SHARED_BINS:
        histogram_cuda(x, counts, lo, hi)
        return
    zero_kernel[blocks_for(counts.size), BLOCK](counts)
    blocks = min(blocks_for(x.size), 1024)  # few: each adds its whole table at the end
    launch = histogram_shared_kernel[blocks, BLOCK, 0, 4 * counts.size]
    launch(x, counts, lo, hi, *scale_of_bins(x, counts, lo, hi))


@cuda.jit
def transpose_kernel(matrix, out):
    j, i = cuda.grid(2)
    if i < matrix.shape[0] and j < matrix.shape[1]:
        out[j, i] = matrix[i, j]


@functools.cache
def tiled_kernel(real):
    """Shared memory needs its type and its shape when the kernel is compiled."""
    kind = numba.from_dtype(real)
    shape = (TILE, TILE + 1)  # one column more: no bank conflicts

    @cuda.jit
    def kernel(matrix, out):
        tile = cuda.shared.array(shape, kind)
        rows, cols = matrix.shape
        left, top = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        if top + y < rows and left + x < cols:
            tile[y, x] = matrix[top + y, left + x]
        cuda.syncthreads()
        if left + y < cols and top + x < rows:
            out[left + y, top + x] = tile[x, y]

    return kernel


def transpose_cuda_tiled(matrix, out):
    tiled_kernel(matrix.dtype)[tiles_of(matrix), (TILE, TILE)](matrix, out)


@cuda.jit
def read_kernel(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.xor(out, 0, x[i])


def read_cuda(x, out):
    adding(read_kernel)(x.view(np.uint32), out)


@cuda.jit
def matrix_add_kernel(a, b, out):
    j, i = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        out[i, j] = a[i, j] + b[i, j]


@cuda.jit
def broadcast_add_kernel(matrix, v, out):
    j, i = cuda.grid(2)
    if i < matrix.shape[0] and j < v.size:
        out[i, j] = matrix[i, j] + v[j]


@cuda.jit
def sum_of_squares_kernel(x, total):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(total, 0, np.float64(x[i]) * np.float64(x[i]))


@cuda.jit
def counter_kernel(x, count, threshold):
    i = cuda.grid(1)
    if i < x.size and x[i] < threshold:
        cuda.atomic.add(count, 0, 1)


@cuda.jit
def zero_suppress_kernel(x, out, threshold):
    i = cuda.grid(1)
    if i < x.size:
        if x[i] < threshold:
            out[i] = 0
        else:
            out[i] = x[i]


@cuda.jit
def reverse_kernel(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[x.size - 1 - i]


COPY = map_of(ELEMENTS["copy"])


@cuda.jit
def step_kernel(sums, out, distance):
    i = cuda.grid(1)
    if i < distance and i < sums.size:
        out[i] = sums[i]
    elif i < sums.size:
        out[i] = sums[i] + sums[i - distance]


def scan_cuda(x, out):
    """Results change places with an array of the same size after each step."""
    other = cuda.device_array_like(out)
    steps = max(1, math.ceil(math.log2(max(1, x.size))))
    sums = x
    for step in range(steps):
        into = out if (steps - step) % 2 else other
        step_kernel[blocks_for(x.size), BLOCK](sums, into, 2**step)
        sums = into


@cuda.jit
def phase_kernel(out, odd):
    low = 2 * cuda.grid(1) + odd
    if low + 1 < out.size and out[low + 1] < out[low]:
        out[low], out[low + 1] = out[low + 1], out[low]


def sort_cuda(x, out):
    COPY(x, out)
    for phase in range(x.size):
        phase_kernel[blocks_for(x.size // 2), BLOCK](out, phase % 2)


# A literal 0.3 would be a double, and take the sine along to f64: it comes in the type of the data.
@cuda.jit
def pulse_train_kernel(noise, wave, amplitude, period, threshold):
    i = cuda.grid(1)
    if i < noise.size:
        height = math.sin(wave.dtype.type(i) / period) - threshold
        if height > 0:
            wave[i] = amplitude * height + noise[i]
        else:
            wave[i] = noise[i]


@functools.cache
def totals():
    return cuda.device_array(2, np.float64)


@cuda.jit
def deviations_kernel(x, sums):
    i = cuda.grid(1)
    if i < x.size:
        deviation = np.float64(x[i]) - np.float64(x[0])
        cuda.atomic.add(sums, 0, deviation)
        cuda.atomic.add(sums, 1, deviation * deviation)


@cuda.jit
def standardize_kernel(x, z, sums):
    i = cuda.grid(1)
    if i < x.size:
        mean = sums[0] / x.size
        sigma = math.sqrt(sums[1] / x.size - mean * mean)
        z[i] = (np.float64(x[i]) - np.float64(x[0]) - mean) / sigma


def standardize_cuda(x, z):
    zero_kernel[1, 2](totals())
    deviations_kernel[blocks_for(x.size), BLOCK](x, totals())
    standardize_kernel[blocks_for(x.size), BLOCK](x, z, totals())


@cuda.jit
def row_norms_kernel(matrix, norms):
    i = cuda.grid(1)
    if i < matrix.shape[0]:
        total = 0.0
        for j in range(matrix.shape[1]):
            total += np.float64(matrix[i, j]) * np.float64(matrix[i, j])
        norms[i] = math.sqrt(total)


@cuda.jit
def column_sums_kernel(matrix, sums):
    j = cuda.grid(1)
    if j < matrix.shape[1]:
        total = 0.0
        for i in range(matrix.shape[0]):
            total += matrix[i, j]
        sums[j] = total


@cuda.jit
def matmul_kernel(a, b, c):
    j, i = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = a[0, 0] - a[0, 0]
        for p in range(a.shape[1]):
            total += a[i, p] * b[p, j]
        c[i, j] = total


@functools.cache
def matmul_tiled_kernel(real):
    kind = numba.from_dtype(real)
    shape = (TILE, TILE)

    @cuda.jit
    def kernel(a, b, c):
        of_a = cuda.shared.array(shape, kind)
        of_b = cuda.shared.array(shape, kind)
        rows, inner = a.shape
        cols = b.shape[1]
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        j, i = cuda.grid(2)
        total = kind(0)
        for first in range(0, inner, TILE):
            of_a[y, x] = a[i, first + x] if i < rows and first + x < inner else kind(0)
            of_b[y, x] = b[first + y, j] if first + y < inner and j < cols else kind(0)
            cuda.syncthreads()
            for p in range(TILE):
                total += of_a[y, p] * of_b[p, x]
            cuda.syncthreads()
        if i < rows and j < cols:
            c[i, j] = total

    return kernel


def matmul_cuda(a, b, c):
    matmul_kernel[tiles_of(c), (TILE, TILE)](a, b, c)


def matmul_cuda_tiled(a, b, c):
    matmul_tiled_kernel(a.dtype)[tiles_of(c), (TILE, TILE)](a, b, c)


@cuda.jit
def n_body_kernel(x, y, z, m, a, soft):
    i = cuda.grid(1)
    if i < x.size:
        ax = ay = az = soft - soft
        for j in range(x.size):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            square = dx * dx + dy * dy + dz * dz + soft
            pull = m[j] / (square * math.sqrt(square))
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        a[0, i] = ax
        a[1, i] = ay
        a[2, i] = az


# ---- universal functions: the same steps, wherever the arrays are ----


def on_gpu(element, real):
    return ufunc(element, real, "cuda")


def add_ufunc_out(a, b, out):
    on_gpu(add_of, a.dtype)(a, b, out=out)


def normalised_of(gray):
    return gray / GRAYS


def weighed_of(normalised, weight):
    return normalised * weight


def activated_of(weighed):
    return math.tanh(weighed)


def hidden_layer_ufuncs(gray, weight, out):
    normalised = on_gpu(normalised_of, gray.dtype)(gray)
    weighed = on_gpu(weighed_of, gray.dtype)(normalised, weight)
    on_gpu(activated_of, gray.dtype)(weighed, out=out)


def pulse_of(t, amplitude, period, threshold):
    return amplitude * max(math.sin(t / period) - threshold, ZERO)


def pulse_train_ufuncs(placed):
    """The course has the times as an array before it starts: they are made once, and placed."""
    times = functools.lru_cache(maxsize=1)(lambda n, real: placed(np.arange(n, dtype=real)))

    def run(noise, wave, amplitude, period):
        t, threshold = times(noise.size, noise.dtype), noise.dtype.type(0.3)
        pulses = on_gpu(pulse_of, noise.dtype)(t, amplitude, period, threshold)
        on_gpu(add_of, noise.dtype)(pulses, noise, out=wave)

    return run


def row_norms_guvectorize(matrix, norms):
    generalised(norms.dtype, "cuda")(matrix, out=norms)


@cuda.jit
def stencil_kernel(u, later, c):
    j, i = cuda.grid(2)
    rows, cols = u.shape
    if 0 < i < rows - 1 and 0 < j < cols - 1:
        around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
        later[i, j] = u[i, j] + c * (around - u.dtype.type(4) * u[i, j])
    elif i < rows and j < cols:
        later[i, j] = u[i, j]


def stencil_cuda(u, out, steps):
    spare, steps = cuda.device_array_like(out), int(steps)
    if steps == 0:
        out.copy_to_device(u)
    for step in range(steps):
        into = out if (steps - step) % 2 else spare
        stencil_kernel[tiles_of(u), (TILE, TILE)](u, into, u.dtype.type(0.2))
        u = into


FROM_HOST = {"transfers": True}  # it gets the host's arrays
FEW = {"most_elements": 20_000}
ONE_PER_ELEMENT = "one thread per element: cuda.jit"
ALL_ON_DEVICE = "ufuncs for the GPU, a launch per step: what is in between stays on the device"
ALL_FROM_HOST = "the same with the host's arrays: there and back at every step"
ONE_RESULT = f"{ONE_PER_ELEMENT}, an atomic operation on one result"
GLOBAL = f"{ONE_PER_ELEMENT}, atomic counters in global memory"
PHASES = "odd-even transposition: a thread per pair, a launch per phase: cuda.jit"
STEPS = "log2 n steps, a launch and a pass over memory for each: cuda.jit"
UFUNC_HOST = "a ufunc for the GPU, given the host's arrays"
UFUNC_DEVICE = "the same on the device: a new array for the result"
ROW = "a function of one row, a thread for each: @guvectorize, target='cuda'"

MAPPED = {
    name: MAPS[name]("cuda", into=False)
    for name in ("add", "gaussian_pdf", "polar_distance", "sin_cos", "zero_suppress")
}

gaussian_pdf = per_element(gaussian_pdf_kernel, lambda x, out, mu, sigma: [scale_of(sigma)])
pulse_train = per_element(pulse_train_kernel, lambda noise, *_: [noise.dtype.type(0.3)])
row_norms = per_element(row_norms_kernel, count=lambda matrix: matrix.shape[0])
column_sums = per_element(column_sums_kernel, count=lambda matrix: matrix.shape[1])

n_body = per_element(n_body_kernel, lambda x, *_: [x.dtype.type(1e-3)])

IN_SHARED = "tiles in shared memory, used by a whole block"
LADDERS = ladders(
    [
        *((name, "cuda", ONE_PER_ELEMENT, map_of(of)) for name, of in ELEMENTS.items()),
        ("gaussian_pdf", "cuda", ONE_PER_ELEMENT, gaussian_pdf),
        ("histogram", "cuda", GLOBAL, histogram_cuda),
        ("histogram", "cuda_shared", "a table per block in shared memory", histogram_cuda_shared),
        ("transpose", "cuda", ONE_PER_ELEMENT, per_place(transpose_kernel)),
        ("transpose", "cuda_tiled", "tiles turned in shared memory", transpose_cuda_tiled),
        ("read", "cuda", ONE_RESULT, read_cuda),
        *((name, "ufunc_host", UFUNC_HOST, of, FROM_HOST) for name, of in MAPPED.items()),
        *((name, "ufunc_device", UFUNC_DEVICE, of) for name, of in MAPPED.items()),
        ("add", "ufunc_out", "the same with out=: into a preallocated array", add_ufunc_out),
        ("matrix_add", "cuda", ONE_PER_ELEMENT, per_place(matrix_add_kernel)),
        ("broadcast_add", "cuda", ONE_PER_ELEMENT, per_place(broadcast_add_kernel)),
        ("sum_of_squares", "cuda", ONE_RESULT, adding(sum_of_squares_kernel)),
        ("counter", "cuda", ONE_RESULT, adding(counter_kernel)),
        ("hidden_layer", "ufunc_device", ALL_ON_DEVICE, hidden_layer_ufuncs),
        ("hidden_layer", "ufunc_host", ALL_FROM_HOST, hidden_layer_ufuncs, FROM_HOST),
        ("pulse_train", "cuda", ONE_PER_ELEMENT, pulse_train),
        ("pulse_train", "ufunc_device", ALL_ON_DEVICE, pulse_train_ufuncs(cuda.to_device)),
        ("pulse_train", "ufunc_host", ALL_FROM_HOST, pulse_train_ufuncs(np.asarray), FROM_HOST),
        ("zero_suppress", "cuda", ONE_PER_ELEMENT, per_element(zero_suppress_kernel)),
        ("standardize", "cuda", "two atomic operations per element, then a map", standardize_cuda),
        ("reverse", "cuda", ONE_PER_ELEMENT, per_element(reverse_kernel)),
        ("sort", "cuda", PHASES, sort_cuda, FEW),
        ("scan", "cuda", STEPS, scan_cuda),
        ("row_norms", "cuda", "one thread per row: cuda.jit", row_norms),
        ("row_norms", "guvectorize_cuda", ROW, row_norms_guvectorize),
        ("column_sums", "cuda", "one thread per column: cuda.jit", column_sums),
        ("matmul", "cuda", ONE_PER_ELEMENT, matmul_cuda),
        ("matmul", "cuda_tiled", IN_SHARED, matmul_cuda_tiled),
        ("n_body", "cuda", "one thread per body: cuda.jit", n_body),
        ("stencil", "cuda", f"{ONE_PER_ELEMENT}, a launch per step", stencil_cuda),
    ],
    device="numba",
)
