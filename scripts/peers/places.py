"""Where a case runs: its arrays, its caches, its clock."""

import time

import caches
import gpu
import numpy as np


def copy_result(result, output):
    """What a variant returned, where the referee finds it. Not part of a sample."""
    if result.shape != output.shape:
        raise ValueError(f"returned an array of shape {result.shape} instead of {output.shape}")
    np.copyto(output, result, casting="unsafe")


class HostPlace:
    BATCH_SECONDS = 20e-6  # how long a batch must last for the clock to be negligible
    # Arrays this many times larger than the last-level cache leave nothing of use in it.
    CACHE_IS_NEGLIGIBLE = 8

    def __init__(self, case, arrays, node):
        self._case, self._arrays, self._node = case, arrays, node
        inputs, self.output = arrays.beside() if case.beside else (arrays.inputs, arrays.output)
        self._arguments = (*inputs, self.output, *case.workload.parameters(arrays.real.type))
        self._result = None
        llc = node.last_level_cache_bytes
        self._in_caches = not llc or case.footprint <= self.CACHE_IS_NEGLIGIBLE * llc
        self.clock_floor = node.clock_floor
        if case.variant.threads == "all":
            import numba_  # its threads are the only ones

            self._team = lambda: numba_.team(case.threads)
            self.threads = self._team()
        else:
            self._team, self.threads = (lambda: None), 1

    def seconds(self, calls):
        function, arguments = self._case.variant.function, self._arguments
        self._result = None  # what the last call returned is given back here, not in the sample
        begin = time.perf_counter_ns()
        for _ in range(calls):
            result = function(*arguments)
        end = time.perf_counter_ns()
        self._result = result
        return (end - begin) / 1e9

    def poison_output(self):
        self._arrays.poison_output()

    def empty_caches(self):
        if not self._in_caches:
            return
        buffers = [buffer.array for buffer in self._arrays.buffers()]
        caches.empty(buffers, lambda: caches.data_of(2 * self._node.last_level_cache_bytes))

    def get_ready(self):
        """The team is awake before the clock starts."""
        self._team()

    def fetch(self):
        if self._result is not None:
            copy_result(self._result, self.output)


class KernelPlace:
    """On a GPU: the arrays lie on the device, the clock is the device's events."""

    def __init__(self, case, arrays):
        self._case, self._arrays, self._device = case, arrays, case.variant.device
        inputs, self.output = arrays.beside() if case.beside else (arrays.inputs, arrays.output)
        self._hosts = inputs
        self._inputs = [self._device.empty(host.shape, host.dtype) for host in inputs]
        self._output = self._device.empty(self.output.shape, self.output.dtype)
        self._parameters = case.workload.parameters(arrays.real.type)
        self._result = None
        facts = gpu.facts() or {}
        self._l2_bytes = facts.get("l2_bytes", 0)
        self.clock_floor = facts.get("event_floor_s", 0.0)
        self.BATCH_SECONDS = 100 * self.clock_floor
        self.threads = 0
        self.upload()

    def upload(self):
        """The host's inputs, after they have changed."""
        for host, device in zip(self._hosts, self._inputs):
            self._device.upload(host, device)

    def _run(self):
        arguments = (*self._inputs, self._output, *self._parameters)
        return self._case.variant.function(*arguments)

    def seconds(self, calls):
        self._result = None
        begin = self._device.record()
        for _ in range(calls):
            result = self._run()
        end = self._device.record()
        seconds = self._device.seconds_between(begin, end)
        self._result = result
        return seconds

    def poison_output(self):
        self._arrays.poison_output()
        self._device.upload(self.output, self._output)
        self._device.wait()

    def empty_caches(self):
        """Not waited for: the launch is queued while the device still reads."""
        if self._l2_bytes:
            self._device.read_other_data(2 * self._l2_bytes)

    def get_ready(self):
        pass

    def fetch(self):
        source = self._output if self._result is None else self._result
        if tuple(source.shape) != self.output.shape:
            raise ValueError(f"returned an array of shape {source.shape}")
        self._device.fetch(source, self.output)
        self._device.wait()


class EndToEndPlace(KernelPlace):
    """From the first input leaving pinned memory until the last byte of the result has arrived."""

    BATCH_SECONDS = HostPlace.BATCH_SECONDS

    def __init__(self, case, arrays, node):
        super().__init__(case, arrays)
        self.clock_floor = node.clock_floor
        self.BATCH_SECONDS = HostPlace.BATCH_SECONDS

    def seconds(self, calls):
        self._result = None
        self._device.wait()
        begin = time.perf_counter_ns()
        for _ in range(calls):
            self.upload()
            self._result = self._run()
            super().fetch()
        return (time.perf_counter_ns() - begin) / 1e9

    def fetch(self):
        """The result is there already: bringing it is part of the sample."""
