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
from numba_ import add_of, generalised, ufunc
from variant import Variant

BLOCK = 256  # threads
TILE = 32  # rows and columns that one block turns
MOST_SHARED_BINS = 48 * 1024 // 4  # shared memory that every device gives without being asked

ZERO, TWO, FOUR = np.float32(0), np.float32(2), np.float32(4)
FIFTY, GRAYS = np.float32(50), np.float32(255)  # the precision is that of x
FACTOR, SUMMAND = np.float32(511 / 512), np.float32(1 / 256)


def blocks_for(n):
    return max(1, -(-n // BLOCK))


@cuda.jit
def copy_kernel(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i]


def copy_cuda(x, out):
    copy_kernel[blocks_for(x.size), BLOCK](x, out)


@cuda.jit
def energy_kernel(x, out):
    i = cuda.grid(1)
    if i < x.size:
        v = x[i]
        out[i] = math.sin(v) ** 2 + math.sqrt(abs(v)) + math.exp(-v * v / FIFTY)


def energy_cuda(x, out):
    energy_kernel[blocks_for(x.size), BLOCK](x, out)


@cuda.jit
def gaussian_pdf_kernel(x, out, mu, sigma, scale):
    i = cuda.grid(1)
    if i < x.size:
        z = (x[i] - mu) / sigma
        out[i] = math.exp(-z * z / TWO) * scale


def gaussian_pdf_cuda(x, out, mu, sigma):
    scale = sigma.dtype.type(1 / (sigma * math.sqrt(2 * math.pi)))
    gaussian_pdf_kernel[blocks_for(x.size), BLOCK](x, out, mu, sigma, scale)


@cuda.jit
def hypot_kernel(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = math.hypot(a[i], b[i])


def hypot_cuda(a, b, out):
    hypot_kernel[blocks_for(a.size), BLOCK](a, b, out)


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


def histogram_cuda(x, counts, lo, hi):
    scale = lo.dtype.type(counts.size) / (hi - lo)
    zero_kernel[blocks_for(counts.size), BLOCK](counts)
    histogram_kernel[blocks_for(x.size), BLOCK](x, counts, lo, hi, scale)


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
    scale = lo.dtype.type(counts.size) / (hi - lo)
    zero_kernel[blocks_for(counts.size), BLOCK](counts)
    blocks = min(blocks_for(x.size), 1024)  # few: each adds its whole table at the end
    launch = histogram_shared_kernel[blocks, BLOCK, 0, 4 * counts.size]
    launch(x, counts, lo, hi, scale)


@cuda.jit
def transpose_kernel(matrix, out):
    j, i = cuda.grid(2)
    if i < matrix.shape[0] and j < matrix.shape[1]:
        out[j, i] = matrix[i, j]


def tiles_of(matrix):
    rows, cols = matrix.shape
    return max(1, -(-cols // TILE)), max(1, -(-rows // TILE))


def transpose_cuda(matrix, out):
    transpose_kernel[tiles_of(matrix), (TILE, TILE)](matrix, out)


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
    zero_kernel[1, 1](out)
    words = x.view(np.uint32)
    read_kernel[blocks_for(words.size), BLOCK](words, out)


@cuda.jit
def add_kernel(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i] + b[i]


def add_cuda(a, b, out):
    add_kernel[blocks_for(a.size), BLOCK](a, b, out)


@cuda.jit
def matrix_add_kernel(a, b, out):
    j, i = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        out[i, j] = a[i, j] + b[i, j]


def matrix_add_cuda(a, b, out):
    matrix_add_kernel[tiles_of(a), (TILE, TILE)](a, b, out)


@cuda.jit
def broadcast_add_kernel(matrix, v, out):
    j, i = cuda.grid(2)
    if i < matrix.shape[0] and j < v.size:
        out[i, j] = matrix[i, j] + v[j]


def broadcast_add_cuda(matrix, v, out):
    broadcast_add_kernel[tiles_of(matrix), (TILE, TILE)](matrix, v, out)


@cuda.jit
def sum_of_squares_kernel(x, total):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(total, 0, np.float64(x[i]) * np.float64(x[i]))


def sum_of_squares_cuda(x, total):
    zero_kernel[1, 1](total)
    sum_of_squares_kernel[blocks_for(x.size), BLOCK](x, total)


@cuda.jit
def counter_kernel(x, count, threshold):
    i = cuda.grid(1)
    if i < x.size and x[i] < threshold:
        cuda.atomic.add(count, 0, 1)


def counter_cuda(x, count, threshold):
    zero_kernel[1, 1](count)
    counter_kernel[blocks_for(x.size), BLOCK](x, count, threshold)


@cuda.jit
def hidden_layer_kernel(gray, weight, out):
    i = cuda.grid(1)
    if i < gray.size:
        out[i] = math.tanh(gray[i] / GRAYS * weight[i])


def hidden_layer_cuda(gray, weight, out):
    hidden_layer_kernel[blocks_for(gray.size), BLOCK](gray, weight, out)


@cuda.jit
def polar_distance_kernel(rho_1, theta_1, rho_2, theta_2, out):
    i = cuda.grid(1)
    if i < rho_1.size:
        sine = math.sin((theta_1[i] - theta_2[i]) / TWO)
        difference = rho_1[i] - rho_2[i]
        out[i] = math.sqrt(difference * difference + FOUR * rho_1[i] * rho_2[i] * (sine * sine))


def polar_distance_cuda(rho_1, theta_1, rho_2, theta_2, out):
    shape = blocks_for(rho_1.size), BLOCK
    polar_distance_kernel[shape](rho_1, theta_1, rho_2, theta_2, out)


@cuda.jit
def sin_cos_kernel(x, y, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = math.sin(x[i]) * math.cos(y[i])


def sin_cos_cuda(x, y, out):
    sin_cos_kernel[blocks_for(x.size), BLOCK](x, y, out)


@cuda.jit
def zero_suppress_kernel(x, out, threshold):
    i = cuda.grid(1)
    if i < x.size:
        if x[i] < threshold:
            out[i] = 0
        else:
            out[i] = x[i]


def zero_suppress_cuda(x, out, threshold):
    zero_suppress_kernel[blocks_for(x.size), BLOCK](x, out, threshold)


@cuda.jit
def reverse_kernel(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[x.size - 1 - i]


def reverse_cuda(x, out):
    reverse_kernel[blocks_for(x.size), BLOCK](x, out)


@cuda.jit
def phase_kernel(out, odd):
    low = 2 * cuda.grid(1) + odd
    if low + 1 < out.size and out[low + 1] < out[low]:
        out[low], out[low + 1] = out[low + 1], out[low]


def sort_cuda(x, out):
    copy_cuda(x, out)
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


def pulse_train_cuda(noise, wave, amplitude, period):
    threshold = noise.dtype.type(0.3)
    pulse_train_kernel[blocks_for(noise.size), BLOCK](noise, wave, amplitude, period, threshold)


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


def row_norms_cuda(matrix, norms):
    row_norms_kernel[blocks_for(matrix.shape[0]), BLOCK](matrix, norms)


@cuda.jit
def column_sums_kernel(matrix, sums):
    j = cuda.grid(1)
    if j < matrix.shape[1]:
        total = 0.0
        for i in range(matrix.shape[0]):
            total += matrix[i, j]
        sums[j] = total


def column_sums_cuda(matrix, sums):
    column_sums_kernel[blocks_for(matrix.shape[1]), BLOCK](matrix, sums)


@cuda.jit
def multiply_add_kernel(x, out):
    i = cuda.grid(1)
    if i < x.size:
        value = x[i]
        for _ in range(512):
            value = value * FACTOR + SUMMAND
        out[i] = value


def multiply_add_cuda(x, out):
    multiply_add_kernel[blocks_for(x.size), BLOCK](x, out)


# ---- universal functions: the same steps, wherever the arrays are ----


def on_gpu(element, real):
    return ufunc(element, element.__code__.co_argcount, real, "cuda")


def add_ufunc(a, b, _out):
    return on_gpu(add_of, a.dtype)(a, b)


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


@functools.lru_cache(maxsize=1)
def times(n, real):
    return np.arange(n, dtype=real)


@functools.lru_cache(maxsize=1)
def times_on_device(n, real):
    return cuda.to_device(np.arange(n, dtype=real))


def pulse_train_ufuncs(t, noise, wave, amplitude, period):
    threshold = noise.dtype.type(0.3)
    pulses = on_gpu(pulse_of, noise.dtype)(t, amplitude, period, threshold)
    on_gpu(add_of, noise.dtype)(pulses, noise, out=wave)


# The course has the times as an array before it starts: they are made once.
def pulse_train_ufunc_host(noise, *others):
    pulse_train_ufuncs(times(noise.size, noise.dtype), noise, *others)


def pulse_train_ufunc_device(noise, *others):
    pulse_train_ufuncs(times_on_device(noise.size, noise.dtype), noise, *others)


def row_norms_guvectorize(matrix, norms):
    generalised(norms.dtype, "cuda")(matrix, out=norms)


def variant(name, idea, function):
    return Variant(name, idea, function, device="numba")


def from_host(name, idea, function):
    return Variant(name, idea, function, device="numba", transfers=True)


ONE_PER_ELEMENT = "one thread per element: cuda.jit"
ALL_ON_DEVICE = "ufuncs for the GPU, a launch per step: what is in between stays on the device"
ALL_FROM_HOST = "the same with the host's arrays: there and back at every step"
ONE_RESULT = f"{ONE_PER_ELEMENT}, an atomic operation on one result"

LADDERS = {
    "copy": (variant("cuda", ONE_PER_ELEMENT, copy_cuda),),
    "energy": (variant("cuda", ONE_PER_ELEMENT, energy_cuda),),
    "gaussian_pdf": (variant("cuda", ONE_PER_ELEMENT, gaussian_pdf_cuda),),
    "hypot": (variant("cuda", ONE_PER_ELEMENT, hypot_cuda),),
    "histogram": (
        variant("cuda", f"{ONE_PER_ELEMENT}, atomic counters in global memory", histogram_cuda),
        variant("cuda_shared", "a table per block in shared memory", histogram_cuda_shared),
    ),
    "transpose": (
        variant("cuda", ONE_PER_ELEMENT, transpose_cuda),
        variant("cuda_tiled", "tiles turned in shared memory", transpose_cuda_tiled),
    ),
    "read": (variant("cuda", ONE_RESULT, read_cuda),),
    "add": (
        variant("cuda", ONE_PER_ELEMENT, add_cuda),
        from_host("ufunc_host", "a ufunc for the GPU, given the host's arrays", add_ufunc),
        variant("ufunc_device", "the same on the device: a new array for the result", add_ufunc),
        variant("ufunc_out", "the same with out=: into an array that is there", add_ufunc_out),
    ),
    "matrix_add": (variant("cuda", ONE_PER_ELEMENT, matrix_add_cuda),),
    "broadcast_add": (variant("cuda", ONE_PER_ELEMENT, broadcast_add_cuda),),
    "sum_of_squares": (variant("cuda", ONE_RESULT, sum_of_squares_cuda),),
    "counter": (variant("cuda", ONE_RESULT, counter_cuda),),
    "hidden_layer": (
        variant("cuda", ONE_PER_ELEMENT, hidden_layer_cuda),
        variant("ufunc_device", ALL_ON_DEVICE, hidden_layer_ufuncs),
        from_host("ufunc_host", ALL_FROM_HOST, hidden_layer_ufuncs),
    ),
    "pulse_train": (
        variant("cuda", ONE_PER_ELEMENT, pulse_train_cuda),
        variant("ufunc_device", ALL_ON_DEVICE, pulse_train_ufunc_device),
        from_host("ufunc_host", ALL_FROM_HOST, pulse_train_ufunc_host),
    ),
    "zero_suppress": (variant("cuda", ONE_PER_ELEMENT, zero_suppress_cuda),),
    "standardize": (
        variant("cuda", "two atomic operations per element, then a map", standardize_cuda),
    ),
    "polar_distance": (variant("cuda", ONE_PER_ELEMENT, polar_distance_cuda),),
    "sin_cos": (variant("cuda", ONE_PER_ELEMENT, sin_cos_cuda),),
    "reverse": (variant("cuda", ONE_PER_ELEMENT, reverse_cuda),),
    "sort": (
        Variant(
            "cuda",
            "odd-even transposition: a thread per pair, a launch per phase: cuda.jit",
            sort_cuda,
            device="numba",
            most_elements=20_000,
        ),
    ),
    "row_norms": (
        variant("cuda", "one thread per row: cuda.jit", row_norms_cuda),
        variant(
            "guvectorize_cuda",
            "a function of one row, a thread for each: @guvectorize, target='cuda'",
            row_norms_guvectorize,
        ),
    ),
    "column_sums": (variant("cuda", "one thread per column: cuda.jit", column_sums_cuda),),
    "multiply_add": (variant("cuda", ONE_PER_ELEMENT, multiply_add_cuda),),
}
