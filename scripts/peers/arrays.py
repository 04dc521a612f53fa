"""The arrays of a problem: pages of their own with guard bands, and the same inputs as bench."""

import contextlib
import math
import mmap

import numpy as np
import xxhash
from workloads import REAL

HUGE_PAGE = 2 << 20
GUARD_BYTES = 4096
GUARD = 0xA5
PART = 1 << 16  # elements
POISON = 0xFF  # as float a NaN that no arithmetic produces, as count the largest


def fill_alone(array, value):
    array[:] = value


class Buffer:
    """An array in pages of its own, between two guard bands, full of poison.

    `fill` touches the pages first: they lie near the threads that it has."""

    def __init__(self, shape, dtype, fill):
        self._fill = fill
        size = math.prod(shape) * dtype.itemsize
        pages = -(-(size + 2 * GUARD_BYTES) // HUGE_PAGE) + 1  # one more to begin at a whole page
        try:
            memory = mmap.mmap(-1, pages * HUGE_PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except OSError as error:
            raise MemoryError(str(error)) from error
        if hasattr(mmap, "MADV_HUGEPAGE"):
            with contextlib.suppress(OSError):  # a wish, not a need
                memory.madvise(mmap.MADV_HUGEPAGE)
        everything = np.frombuffer(memory, np.uint8)
        begin = -everything.ctypes.data % HUGE_PAGE + GUARD_BYTES
        self.bytes = everything[begin : begin + size]
        self._front = everything[begin - GUARD_BYTES : begin]
        self._back = everything[begin + size : begin + size + GUARD_BYTES]
        self.array = self.bytes.view(dtype).reshape(shape)
        self.restore_guards()
        self.poison()

    def poison(self):
        self._fill(self.bytes, POISON)

    def restore_guards(self):
        self._front[:] = GUARD
        self._back[:] = GUARD

    def damage(self):
        """What was written outside of the array, or None."""
        if (self._front != GUARD).any():
            return "wrote before the start of an array"
        return "wrote past the end of an array" if (self._back != GUARD).any() else None


class Arrays:
    """Inputs and output of one workload, and an output for the copy beside it."""

    def __init__(self, workload, dtype, shape, fill=fill_alone):
        self.workload, self.shape, self.real, self._fill = workload, shape, REAL[dtype], fill
        self._inputs = [
            Buffer(workload.input_shape(shape), self.real, fill) for _ in workload.inputs
        ]
        self._output = Buffer(workload.output_shape(shape), workload.output_type(dtype), fill)
        self._scratch = None

    @property
    def inputs(self):
        """Nobody but generate() may write them."""
        views = [buffer.array.view() for buffer in self._inputs]
        for view in views:
            view.flags.writeable = False
        return views

    @property
    def output(self):
        return self._output.array

    def beside(self):
        """Input and output for a copy: the problem's own arrays as far as they reach."""
        source = self.inputs[0].reshape(-1)
        if self._output.bytes.size >= source.nbytes:
            return [source], self._output.bytes[: source.nbytes].view(self.real)
        source = source[: source.size // 2]
        if self._scratch is None:
            self._scratch = Buffer(source.shape, self.real, self._fill)
        return [source], self._scratch.array

    def buffers(self):
        return [*self._inputs, self._output, *([self._scratch] if self._scratch else [])]

    def generate(self, seed):
        """The course's data: NumPy's legacy generator, one array after the other."""
        random = np.random.RandomState(seed)
        for buffer, (distribution, a, b) in zip(self._inputs, self.workload.inputs):
            draw = getattr(random, distribution)
            flat = buffer.array.reshape(-1)
            for begin in range(0, flat.size, PART):  # in parts: it draws float64
                part = flat[begin : begin + PART]
                part[:] = draw(a, b, part.size)

    def input_hash(self):
        """XXH3-64 over the inputs' bytes, as bench records it."""
        state = xxhash.xxh3_64()
        for buffer in self._inputs:
            state.update(buffer.bytes.data)
        return f"xxh3:{state.hexdigest()}"

    def expected(self):
        """The result by the definition."""
        workload, inputs = self.workload, self.inputs
        if workload.form == "binned":
            return workload.definition(*inputs, self.shape.bins)
        if workload.exact:
            return workload.definition(*inputs)
        result = np.empty(self.shape.elements)
        for begin in range(0, result.size, PART):  # in parts: temporaries stay in a cache
            part = slice(begin, begin + PART)
            result[part] = workload.definition(*(x[part] for x in inputs))
        return result

    def poison_output(self):
        self._output.poison()
        if self._scratch is not None:
            self._scratch.poison()

    def repair_guards(self):
        """What was written outside of the arrays since the last call, or None."""
        found = None
        for buffer in self.buffers():
            damage = buffer.damage()
            if damage:
                found = damage
                buffer.restore_guards()
        return found
