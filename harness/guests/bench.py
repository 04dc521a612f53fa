"""Kernels in Python on the ladder of `bench`: write a function, say which workload it computes.

    import bench
    import numpy as np

    @bench.variant("energy", idea="whole arrays at a time")
    def mine(x, energy):
        energy[:] = np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-x * x / 50)

`bench try FILE.py` checks and measures it. The function gets the inputs, which it must not change,
the output, and what else the definition takes (mu and sigma, lo and hi), as NumPy's arrays and
numbers. It writes the output, or returns an array of its own, whose allocation is then part of its
time.

With device="numba" or "cupy" the arrays are those of that package, on the GPU. The function
launches and returns; it is measured twice: by the device's clock on data that lie there, and from
the first input leaving the host until all of the result has come back.
"""

import collections
import contextlib
import ctypes
import functools
import gc
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import platform
import re
import socket
import statistics
import sys
import time
import traceback

_offers = []
_functions = []
_explanations = {}  # of sentences that bench translates, as in result files
_asked = collections.Counter()  # by variant: to get ready
_writable = set()  # functions that take no inputs which may only be read
_cpus = os.sched_getaffinity(0)
_HERE = __file__


def variant(
    workload,
    name=None,
    idea=None,
    backend=None,
    dtypes=(),
    alone=False,
    device=None,
    most_elements=0,
    obstacle=None,
    before=None,
    transfers=False,
    own_numbers=False,
):
    """Offers the function that follows as a way to compute a workload.

    name: of the variant; otherwise that of the file, or of the function where a file has several of
    a workload. idea: what it does, one line; otherwise the first of its docstring. backend: of the
    row, such as numpy. dtypes: that it computes in; otherwise all. alone: it uses one thread.
    device: "numba" or "cupy", for a GPU. most_elements: it is too slow for more. obstacle: why it
    cannot run here, if so. before: called with the number of threads before each run, outside of
    the clock: it may wake them. transfers: it computes on the device, but from the host's arrays
    into the host's, and moves them itself: it has a time with the transfers only. own_numbers: it
    draws random numbers of its own (for bench --peers only).
    """

    def offer(function):
        idea_of = idea or (getattr(function, "__doc__", None) or "").strip().split("\n")[0]
        _offers.append(
            {
                "workload": workload,
                "name": name,
                "idea": idea_of or None,
                "backend": backend,
                "dtypes": list(dtypes),
                "alone": alone,
                "device": device is not None,
                "own_numbers": own_numbers,
                "most_elements": most_elements,
                "obstacle": obstacle or (_obstacle(device) if device else None),
            }
        )
        _functions.append((function, before, device, transfers))
        return function

    return offer


class _CallError(RuntimeError):
    """A function of libcuda has failed."""

    OUT_OF_MEMORY = 2

    def __init__(self, name, status):
        super().__init__(f"{name} failed with error {status}")
        self.status = status


class _UnavailableError(Exception):
    """What this node does not have: no fault of the function."""


def _reason(key, sentence, *values):
    """A sentence of bench's, which translates it by its key and values."""
    said = sentence.format(*values)
    _explanations[said] = {"key": key, "values": values}
    return said


def _no_device(why):
    return _reason("no_cuda_device", "no CUDA device: {0}", why)


class _Driver:
    """What Numba and CuPy share of a device, asked through libcuda."""

    SIMULATED = False

    def __init__(self):
        self._library = None

    def _call(self, name, *arguments):
        if status := getattr(self._library, name)(*arguments):
            raise _CallError(name, status)

    def obstacle(self):
        """Why nothing can run, or None."""
        count = ctypes.c_int()
        try:
            self._library = ctypes.CDLL("libcuda.so.1")
            self._call("cuInit", 0)
            self._call("cuDeviceGetCount", ctypes.byref(count))
            if not count.value:
                return _no_device(_reason("none_given", "none was given to this job"))
            # As bench chooses: --device, or by the task's rank on the node.
            rank = os.environ.get("BENCH_DEVICE") or os.environ.get("SLURM_LOCALID", "0")
            self.select(int(rank) % count.value if rank.isdigit() else 0)
        except OSError:
            return _no_device(_reason("no_driver", "no NVIDIA driver on this node"))
        except Exception as error:  # such as a device that others hold exclusively
            return _no_device(str(error).splitlines()[0])
        return None

    def pin(self, array):
        """Copies from and to this array need no other on their way; returns what undoes it."""
        if self.SIMULATED or not array.nbytes:
            return lambda: None
        address, size = ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes)
        try:
            self._call("cuMemHostRegister_v2", address, size, 0)
        except _CallError as error:
            if error.status != _CallError.OUT_OF_MEMORY:
                raise
            size = f"{array.nbytes / 1e6:.0f} MB"
            raise _UnavailableError(f"memory: the system refused {size}") from error
        return lambda: self._call("cuMemHostUnregister", address)

    def hold(self):
        """What is launched from here on waits for release(), but not for ever: a function may
        itself wait for what it has launched. False where nothing waits."""
        if self._hold is None:
            return False
        try:
            self._hold.start()
        except _CallError:
            self._hold = None
        return self._hold is not None

    def release(self):
        """Whether the hold had lapsed."""
        return self._hold is not None and self._hold.release()

    def without_freeing(self):
        """While that lasts, nothing is freed: to free memory waits for what is launched."""
        return contextlib.nullcontext()

    def seen_first(self, array, work):
        """What the default stream finds at the beginning of an array, where `work` is launched
        behind a hold: 'untouched', or 'written'; 'lapsed' where work() waits for its kernels."""
        return self._hold.watch(array.__cuda_array_interface__["data"][0], array.nbytes, work)

    @functools.cached_property
    def _hold(self):
        with contextlib.suppress(_CallError):
            hold = None if self.SIMULATED else _Hold(self._call)
            return hold if hold and hold.launches_return_at_once() else None

    def seconds_between(self, begin, end):
        end.synchronize()
        return self.milliseconds(begin, end) / 1e3

    def empty_cache(self):
        """Queued: not waited for, and hardly written."""
        if self.l2_bytes():
            self._read_other()

    @functools.cached_property
    def floor(self):
        """What two events show with nothing between them, in seconds."""
        events = [self.event(), self.event()]
        seconds = []
        for _ in range(21):
            self.hold()
            for event in events:
                event.record()
            self.release()
            seconds.append(self.seconds_between(*events))
        return statistics.median(seconds)


class _Hold:
    """The blocking kernel: one thread waits until the host writes, in the current context. So
    launch latency, long from Python, is not part of the timed work."""

    PATIENCE = 100_000_000  # cycles: 50 ms at 2 GHz
    LONG_FOR_A_KERNEL = 5e-3
    UNTOUCHED = b"\x5a" * 4096
    PTX = b""".version 6.0
.target sm_50
.address_size 64
.visible .entry wait_for(.param .u64 words, .param .u64 cycles)
{
    .reg .pred %p<2>;
    .reg .u32 %word;
    .reg .u64 %at, %most, %since, %now;
    ld.param.u64 %at, [words];
    ld.param.u64 %most, [cycles];
    mov.u64 %since, %clock64;
again:
    ld.volatile.u32 %word, [%at];
    setp.ne.u32 %p0, %word, 0;
    @%p0 bra done;
    mov.u64 %now, %clock64;
    sub.u64 %now, %now, %since;
    setp.lt.u64 %p1, %now, %most;
    @%p1 bra again;
    mov.u32 %word, 1;
    st.volatile.u32 [%at+4], %word;
done:
    ret;
}
"""

    def __init__(self, call):
        self._call = call
        module, self._kernel, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self._seen = ctypes.c_uint64()
        call("cuModuleLoadData", ctypes.byref(module), self.PTX)
        call("cuModuleGetFunction", ctypes.byref(self._kernel), module, b"wait_for")
        call("cuMemAllocHost_v2", ctypes.byref(memory), ctypes.c_size_t(8))
        call("cuMemAlloc_v2", ctypes.byref(self._seen), ctypes.c_size_t(len(self.UNTOUCHED)))
        self.words = (ctypes.c_uint32 * 2).from_address(memory.value)
        arguments = [ctypes.c_uint64(memory.value), ctypes.c_uint64(self.PATIENCE)]
        addresses = [ctypes.cast(ctypes.byref(one), ctypes.c_void_p) for one in arguments]
        self._arguments = (ctypes.c_void_p * 2)(*addresses)
        self._alive = arguments

    def start(self):
        self.words[:] = 0, 0
        one = [1] * 6
        self._call("cuLaunchKernel", self._kernel, *one, 0, None, self._arguments, None)

    def release(self):
        self.words[0] = 1
        return bool(self.words[1])

    def launches_return_at_once(self):
        """False with CUDA_LAUNCH_BLOCKING=1, or in some tools."""
        not_ready = 600
        self.start()
        try:
            self._call("cuStreamQuery", None)
            return False
        except _CallError as error:
            return error.status == not_ready
        finally:
            self.release()
            self._call("cuCtxSynchronize")

    def watch(self, address, size, work):
        size = ctypes.c_size_t(min(size, len(self.UNTOUCHED)))
        address, seen = ctypes.c_uint64(address), ctypes.create_string_buffer(size.value)
        self._call("cuMemcpyHtoD_v2", address, self.UNTOUCHED, size)
        self._call("cuCtxSynchronize")
        self.start()
        try:
            self._call("cuMemcpyDtoDAsync_v2", self._seen, address, size, None)
            work()
            if not self.words[1]:
                time.sleep(self.LONG_FOR_A_KERNEL)
        finally:
            lapsed = self.release()
        self._call("cuMemcpyDtoH_v2", seen, self._seen, size)
        if seen.raw != self.UNTOUCHED[: size.value]:
            return "written"
        return "lapsed" if lapsed else "untouched"


class _Numba(_Driver):
    def __init__(self):
        super().__init__()
        import numba
        from numba import cuda

        numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # small sizes are intended
        self.simulation, self.cuda = numba.config.ENABLE_CUDASIM, cuda
        self.select, self.empty, self.event = cuda.select_device, cuda.device_array, cuda.event
        self.wait, self.without_freeing = cuda.synchronize, cuda.defer_cleanup

    def obstacle(self):
        if self.simulation:
            why = _reason("asks_for_simulation", "NUMBA_ENABLE_CUDASIM asks for a simulation")
            return _no_device(why)
        why = super().obstacle()
        if why or self.cuda.is_available():
            return why
        return _reason("no_toolkit_for_numba", "Numba finds no CUDA toolkit: load a CUDA module")

    def l2_bytes(self):
        return 0 if self.simulation else self.cuda.get_current_device().L2_CACHE_SIZE

    def upload(self, host, device):
        device.copy_to_device(host)

    def fetch(self, device, host):
        device.copy_to_host(host)

    def milliseconds(self, begin, end):
        return begin.elapsed_time(end)

    @functools.cached_property
    def _read_other(self):
        """Launches a kernel that reads data of twice the cache, and writes nothing."""
        import numpy as np

        cuda = self.cuda

        @cuda.jit
        def read(values, sink):
            i = cuda.grid(1)
            if i < values.size and values[i] == np.int32(-1):
                sink[0] = i

        values = np.zeros(2 * self.l2_bytes() // 4, np.int32)
        launch = read[-(-values.size // 256), 256]
        return functools.partial(launch, cuda.to_device(values), self.empty(1, np.int64))


class _Cupy(_Driver):
    def __init__(self):
        super().__init__()
        import cupy

        self.cupy, self.empty = cupy, cupy.empty
        self.event, self.milliseconds = cupy.cuda.Event, cupy.cuda.get_elapsed_time

    def select(self, number):
        self.cupy.cuda.Device(number).use()

    def l2_bytes(self):
        return self.cupy.cuda.Device().attributes["L2CacheSize"]

    def upload(self, host, device):
        device.set(host)

    def fetch(self, device, host):
        device.get(out=host)

    def wait(self):
        self.cupy.cuda.Device().synchronize()

    @functools.cached_property
    def _read_other(self):
        return self.cupy.zeros(2 * self.l2_bytes() // 4, "int32").max


@functools.cache
def _device(name):
    return {"numba": _Numba, "cupy": _Cupy}[name]()


@functools.cache
def _obstacle(name):
    return _device(name).obstacle()


_DTYPES = {"f32": "float32", "f64": "float64", "u32": "uint32", "i16": "int16", "f16": "float16"}
_HUGE_PAGE = 2 << 20
_BAND = 4096  # bytes, so that the data stay aligned


def _mapped(path, size, writable):
    """The address of `size` bytes of a file in memory, at a huge page, as bench has it, and what
    unmaps them, and what lets them be written."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    read, write, shared, private, fixed, anonymous, populate = 1, 2, 1, 2, 16, 32, 0x8000
    descriptor = os.open(path, os.O_RDWR)
    try:
        size = (size + _HUGE_PAGE - 1) // _HUGE_PAGE * _HUGE_PAGE
        base = libc.mmap(None, size + _HUGE_PAGE, 0, private | anonymous, -1, 0)
        begin = (base + _HUGE_PAGE - 1) // _HUGE_PAGE * _HUGE_PAGE
        access = read | write if writable else read
        if libc.mmap(begin, size, access, shared | fixed | populate, descriptor, 0) != begin:
            raise OSError(ctypes.get_errno(), "cannot map", path)
    finally:
        os.close(descriptor)
    unmap = functools.partial(libc.munmap, base, size + _HUGE_PAGE)
    return begin, unmap, functools.partial(libc.mprotect, begin, size, read | write)


class _Waits:
    """Waits of the threads that there are now: finding them takes long, asking does not."""

    def __init__(self):
        self.files = []
        for task in os.listdir("/proc/self/task"):
            # It may just have ended, or the kernel does not say.
            with contextlib.suppress(OSError):
                self.files.append(os.open(f"/proc/self/task/{task}/schedstat", os.O_RDONLY))

    def seconds(self):
        """How long these threads were ready to run but had no processor, so far."""
        nanoseconds = 0
        for file in self.files:
            with contextlib.suppress(OSError):  # it has ended
                nanoseconds += int(os.pread(file, 128, 0).split()[1])
        return nanoseconds * 1e-9

    def close(self):
        for file in self.files:
            os.close(file)


def _unbind():
    """An OpenMP runtime that binds its threads binds this one, too, as soon as it is loaded: from
    then on all threads that others start would inherit its one processor."""
    if os.sched_getaffinity(0) != _cpus:
        os.sched_setaffinity(0, _cpus)


def _warm_up():
    """A processor that was idle a moment ago is slow to begin with."""
    enough = time.perf_counter() + 1e-3
    while time.perf_counter() < enough:
        pass


class _OnDevice:
    """The same arrays on a GPU."""

    def __init__(self, device, host):
        self.device, self.host = device, host
        self.bands = []
        self.inputs = [self.guarded(array) for array in host.inputs]
        self.output = self.guarded(host.outputs[0])
        self.result, self.cold, self.sample = None, False, False
        self.held = {}  # by function, once it has been seen behind a hold: whether its samples are
        # Both packages share the driver that pins. Where one array is refused, the others stay so.
        for array in (*host.inputs, *host.outputs)[len(host.pinned) :]:
            host.undo.append(device.pin(array))
            host.pinned.append(array)

    def guarded(self, array):
        """An array as that one, between bands that show what is written outside of it."""
        band = self.host.like(array, shape=_BAND // array.itemsize)
        band.view("u1")[:] = 0xC1 + 2 * len(self.bands)
        base = self.device.empty(array.size + 2 * band.size, array.dtype)
        around = base[: band.size], base[band.size + array.size :]
        for part in around:
            self.device.upload(band, part)
        self.bands.append((band, around))
        return base[band.size : band.size + array.size].reshape(array.shape)

    def upload_inputs(self):
        for host, device in zip(self.host.inputs, self.inputs):
            self.device.upload(host, device)

    def get_ready(self, ready):
        if ready["upload"] and ready["scope"] == "kernel":
            self.upload_inputs()
            self.device.upload(self.host.outputs[0], self.output)
        self.cold, self.sample = ready["cold"], ready.get("sample", False)

    def empty_cache(self):
        """If that was asked for, and for as long as a launch takes from Python."""
        for _ in range(25 if self.cold else 0):
            self.device.empty_cache()
        self.cold = False

    def _call(self, function):
        result = function(*self.inputs, self.output, *self.host.others)
        self.result = self.output if result is None else result

    def fetch(self):
        wanted = self.host.outputs[0]
        if tuple(self.result.shape) != wanted.shape:
            raise ValueError(f"returned an array of shape {tuple(self.result.shape)}")
        if self.result.dtype != wanted.dtype:
            self.result = self.result.astype(wanted.dtype)
        self.device.fetch(self.result, wanted)
        self.device.wait()

    def check_bands(self):
        for band, around in self.bands:
            found = self.host.like(band)
            for part, where in zip(around, ("before the start", "past the end")):
                self.device.fetch(part, found)
                if found.tobytes() != band.tobytes():
                    raise ValueError(f"wrote {where} of an array on the device")

    def check_inputs(self):
        """What is written there is on no page that could refuse it."""
        for there, host in zip(self.inputs, self.host.inputs):
            found = self.host.like(host)
            self.device.fetch(there, found)
            if found.tobytes() != host.tobytes():
                raise ValueError("wrote into its input on the device")

    def may_be_held(self, function):
        if function not in self.held:
            self.held[function] = self.returns_behind_hold(function)
            self.result = None
            self.device.upload(self.host.outputs[0], self.output)
        return self.held[function]

    def returns_behind_hold(self, function):
        # An occasional interruption does not come each time.
        for _ in range(3):
            if not self.device.hold():
                return False
            self.device.release()
            seen = self.device.seen_first(self.output, lambda: self._call(function))
            if seen == "written":
                raise RuntimeError(
                    "works in a stream that does not wait for the default one: "
                    "the device's events do not see it"
                )
            if seen == "untouched":
                return True
        return False

    def seconds(self, function, calls):
        """Seconds by the device's clock. The last call's result is given back before, not in it."""
        self.result = None
        sample, self.sample = self.sample, False
        held = sample and self.may_be_held(function)
        begin, end = self.device.event(), self.device.event()
        self.empty_cache()
        with self.device.without_freeing():
            if held:
                self.device.hold()
            begin.record()
            for _ in range(calls):
                self._call(function)
            end.record()
            if held:
                self.device.release()
        seconds = self.device.seconds_between(begin, end)
        self.device.wait()  # also for what was queued elsewhere: bench sees that this took longer
        return seconds

    def seconds_end_to_end(self, function, calls):
        self.result = None
        self.empty_cache()
        self.device.wait()
        begin = time.perf_counter()
        for _ in range(calls):
            self.upload_inputs()
            self._call(function)
            self.fetch()
        return time.perf_counter() - begin

    def seconds_of_its_own_transfers(self, function, calls):
        host, result = self.host, None
        self.device.wait()
        begin = time.perf_counter()
        for _ in range(calls):
            result = function(*host.inputs, *host.outputs, *host.others)
            self.device.wait()
        seconds = time.perf_counter() - begin
        if result is not None:
            host.outputs[0][...] = result
        return seconds

    def run(self, function, run, transfers):
        if run["scope"] == "kernel":
            return {"seconds": self.seconds(function, run["calls"]), "floor": self.device.floor}
        if transfers:
            return {"seconds": self.seconds_of_its_own_transfers(function, run["calls"])}
        return {"seconds": self.seconds_end_to_end(function, run["calls"])}


class _Problem:
    """The arrays that functions are called with, and everything else that they take."""

    def __init__(self, message):
        import numpy as np

        self.array, self.as_array, self.like = np.ndarray, np.asarray, np.empty_like
        # Freed, it tells malloc to keep blocks of up to 32 MiB from then on. A program that had
        # made its inputs itself would have freed as much.
        np.empty((32 << 20) - 65536, np.uint8)
        self.inputs, self.outputs, self.undo, self.pinned, self.devices = [], [], [], [], {}
        self.unlocks = []
        self.waits = _Waits()
        # The driver pins only what may be written.
        to_devices = any(offer["device"] and not offer["obstacle"] for offer in _offers)
        for array in message["arrays"]:
            if array["role"] == "workspace":  # what is written in Python brings its own
                continue
            writable = array["role"] == "output"
            dtype = np.dtype(_DTYPES[array["dtype"]])
            count = array["count"] * dtype.itemsize
            # A write just past the end must be seen, and must not crash.
            size = count + 2 * array["offset"]
            begin, unmap, unlock = _mapped(array["file"], size, writable or to_devices)
            self.undo.append(unmap)
            self.unlocks.append(unlock)
            raw = (ctypes.c_char * count).from_address(begin + array["offset"])
            values = np.frombuffer(raw, dtype).reshape(array["shape"])
            values.flags.writeable = writable
            (self.outputs if writable else self.inputs).append(values)
        real = np.dtype(_DTYPES[message["dtype"]]).type
        self.others = [
            int(one["value"]) if one["whole"] else real(one["value"])
            for one in message["parameters"]
        ]
        self.named = [f"input {i + 1}" if i else "input" for i in range(len(self.inputs))]
        self.named += ["output", *(one["name"] for one in message["parameters"])]

    def arguments_of(self, function):
        """bench finds out where an input has been written."""
        inputs = self.inputs
        if function in _writable:
            for unlock in self.unlocks:
                unlock()
            inputs = [self.unlocked(array) for array in inputs]
        return (*inputs, *self.outputs, *self.others)

    def unlocked(self, array):
        raw = (ctypes.c_char * array.nbytes).from_address(array.ctypes.data)
        return self.array(array.shape, array.dtype, raw)

    def explain(self, error, function):
        """Adds what bench calls a function with, where that was refused before it began."""
        frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename != _HERE]
        if re.search("positional argument|arguments: expected", str(error)) and not any(
            "numba" not in one.filename for one in frames
        ):
            name = getattr(function, "__name__", "it")
            error.remedy = f"; bench calls {name}({', '.join(self.named)})"

    def get_ready(self):
        self.waits.close()
        self.waits = _Waits()

    def on(self, device):
        if device not in self.devices:
            try:
                self.devices[device] = _OnDevice(_device(device), self)
            except Exception as error:
                # CuPy has a type for it, Numba the name that libcuda gives it.
                if "OutOfMemory" not in type(error).__name__ and "OUT_OF_MEMORY" not in str(error):
                    raise
                size = sum(array.nbytes for array in (*self.inputs, *self.outputs))
                raise _UnavailableError(
                    f"memory: the device refused {size / 1e6:.0f} MB"
                ) from error
        return self.devices[device]

    def run(self, function, run):
        try:
            return self.timed(function, run)
        except Exception as error:
            if function in _writable or not _wants_writable(error):
                raise
        _writable.add(function)
        return self.timed(function, run)

    def timed(self, function, run):
        arguments, calls = self.arguments_of(function), run["calls"]
        result = None
        waited = self.waits.seconds()
        begin = time.perf_counter()
        for _ in range(calls):
            result = function(*arguments)
            # What computes only when it is looked at computes here.
            if result is not None and type(result) is not self.array:
                result = self.as_array(result)
        seconds = time.perf_counter() - begin
        waited = max(0, self.waits.seconds() - waited)
        if result is not None:
            self.outputs[0][...] = result
        return {"seconds": seconds, "waited": waited}

    def close(self):
        self.waits.close()
        if self.devices:  # they know this problem: nobody looks for such circles any more
            self.devices.clear()
            gc.unfreeze()
            _asked.clear()
        for undo in reversed(self.undo):
            undo()


def _wants_writable(error):
    """Whether Numba, not the function, refuses arrays that may only be read: its signatures know
    none, and from a GPU it copies all arguments back."""
    file = traceback.extract_tb(error.__traceback__)[-1].filename
    return "numba" in file and re.search("read-?only", str(error)) and "modify" not in str(error)


def _lacks_device(error):
    """What no CUDA device here means for it, or None."""
    if type(error).__name__ != "CudaSupportError":
        return None
    return _Driver().obstacle() or _no_device(str(error).strip().splitlines()[0])


def _what_numba_says(text):
    """Numba begins with the step that failed; what matters, and its place, come later."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    says = [line for line in lines if not line.startswith("Failed in")]
    says = [line for line in says if line.startswith("Untyped global name")] or says
    text = says[0].rstrip(":") if says else ""
    if len(says) > 1 and says[1].startswith(">>> "):  # the call that it does not know
        text += f": {says[1][4:]}"
    places = re.findall(r'^File "([^"<]+)", line (\d+)', "\n".join(lines), re.MULTILINE)
    return text, f"{pathlib.Path(places[-1][0]).name}:{places[-1][1]}: " if places else ""


def _last_line_of(error, path):
    """What went wrong, and where in the user kernel's own file, or in one next to it."""
    folder = pathlib.Path(path).resolve().parent
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        # Python and its packages make up names such as <frozen …> for code that is not in a file.
        file = pathlib.Path(frame.filename)
        if not frame.filename.startswith("<") and file.resolve().parent == folder:
            place = f"{file.name}:{frame.lineno}: "
    text = getattr(error, "msg", None) or str(error).strip().split("\n")[0]
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{pathlib.Path(error.filename).name}:{error.lineno}: "
    elif type(error).__module__.startswith("numba."):
        says, where = _what_numba_says(str(error))
        text, place = says or text, where or place
    return f"{place}{type(error).__name__}: {text}{getattr(error, 'remedy', '')}"


def _load(path):
    sys.modules["bench"] = sys.modules[__name__]
    # Modules next to the file are found, and hide nothing: copy.py is a good name for a kernel.
    sys.path[0:1] = []
    sys.path.append(os.path.dirname(path))
    name = f"_guest_{pathlib.Path(path).stem}"
    loader = importlib.machinery.SourceFileLoader(name, path)  # also of FILE.PY
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)


def _name_offers():
    """One variant of a workload is called as its file, several as their functions."""
    of_workload = [offer["workload"] for offer in _offers]
    for offer, (function, *_) in zip(_offers, _functions):
        if offer["name"] is None and of_workload.count(offer["workload"]) > 1:
            offer["name"] = function.__name__


def _packages():
    """What its functions compute with, as far as it has imported it."""
    names = ("numpy", "scipy", "numba", "numexpr", "boost_histogram", "cupy", "torch", "jax")
    there = {name: sys.modules[name] for name in names if name in sys.modules}
    versions = {name: str(getattr(module, "__version__", "")) for name, module in there.items()}
    return {"python": platform.python_version(), **versions}


def _get_ready(ready, opened):
    _, before, device, transfers = _functions[ready["variant"]]
    if transfers and ready["scope"] == "kernel":
        raise _UnavailableError("it moves its data itself: it has no time without the transfers")
    gc.collect()
    if _asked[ready["variant"]] < 2:  # packages, and what the first call has compiled
        gc.freeze()  # it is not looked at again, which of all of Numba takes 30 ms
    _asked[ready["variant"]] += 1
    _unbind()
    _warm_up()
    if before:
        before(ready["threads"])
    if device:
        opened.on(device).get_ready(ready)
    else:
        opened.get_ready()


def _answer(message, opened):
    """Does what a message asks for; returns the answer, and what is open from now on."""
    if "ready" in message:
        _get_ready(message["ready"], opened)
        return {}, opened
    if "run" in message:
        run = message["run"]
        function, _, device, transfers = _functions[run["variant"]]
        gc.disable()
        try:
            if device:
                return opened.on(device).run(function, run, transfers), opened
            return opened.run(function, run), opened
        except TypeError as error:
            opened.explain(error, function)
            raise
        finally:
            gc.enable()
    if "fetch" in message:
        wanted = message["fetch"]
        _, _, device, transfers = _functions[wanted["variant"]]
        if transfers:  # it had the host's arrays
            return {}, opened
        there = opened.on(device)
        if wanted["scope"] == "kernel":
            there.fetch()
        there.check_inputs()
        there.check_bands()
        return {}, opened
    if opened:
        opened.close()
    return {}, _Problem(message["open"]) if "open" in message else None


def _serve(path):
    with socket.socket(fileno=int(os.environ["BENCH_GUEST"])) as line:
        lines = line.makefile("r", encoding="utf-8")
        say = lambda answer: line.sendall((json.dumps(answer) + "\n").encode())  # noqa: E731
        opened = None
        try:
            _load(path)
            _unbind()
            _name_offers()
            hello = {"bench": 1, "variants": _offers, "packages": _packages()}
            say({**hello, "reasons": _explanations})
            for message in lines:
                try:
                    answer, opened = _answer(json.loads(message), opened)
                except Exception as error:
                    missing = _lacks_device(error)
                    if not (missing or isinstance(error, _UnavailableError)):
                        raise
                    answer = {"unavailable": missing or str(error), "reasons": _explanations}
                say(answer)
        except BaseException as error:
            missing = _lacks_device(error)
            answer = {"unavailable": missing} if missing else {"error": _last_line_of(error, path)}
            say({**answer, "reasons": _explanations})
            raise


if __name__ == "__main__":
    _serve(sys.argv[1])
