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
"""

import ctypes
import gc
import importlib.util
import json
import os
import pathlib
import socket
import sys
import time
import traceback

_offers = []
_functions = []


def variant(
    workload,
    name=None,
    idea=None,
    backend=None,
    dtypes=(),
    alone=False,
    most_elements=0,
    obstacle=None,
    before=None,
):
    """Offers the function that follows as a way to compute a workload.

    name: of the variant; otherwise that of the file, or of the function where a file has several of
    a workload. idea: what it does, one line; otherwise the first of its docstring. backend: of the
    row, such as numpy. dtypes: that it computes in; otherwise all. alone: it uses one thread.
    most_elements: it is too slow for more. obstacle: why it cannot run here, if so. before: called
    with the number of threads before each run, outside of the clock: it may wake them.
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
                "most_elements": most_elements,
                "obstacle": obstacle,
            }
        )
        _functions.append((function, before))
        return function

    return offer


_DTYPES = {"f32": "float32", "f64": "float64", "u32": "uint32"}
_HUGE_PAGE = 2 << 20


def _mapped(path, writable):
    """The address of a file in memory, at a huge page, as bench has it."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    read, write, shared, private, fixed, anonymous, populate = 1, 2, 1, 2, 16, 32, 0x8000
    descriptor = os.open(path, os.O_RDWR if writable else os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        base = libc.mmap(None, size + _HUGE_PAGE, 0, private | anonymous, -1, 0)
        begin = (base + _HUGE_PAGE - 1) // _HUGE_PAGE * _HUGE_PAGE
        access = read | write if writable else read
        if libc.mmap(begin, size, access, shared | fixed | populate, descriptor, 0) != begin:
            raise OSError(ctypes.get_errno(), "cannot map", path)
    finally:
        os.close(descriptor)
    return begin, lambda: libc.munmap(base, size + _HUGE_PAGE)


def _waited():
    """Seconds that threads of this process were ready to run but had no processor, so far."""
    nanoseconds = 0
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/schedstat", encoding="ascii") as file:
                nanoseconds += int(file.read().split()[1])
        except OSError:  # it has just ended, or the kernel does not say
            pass
    return nanoseconds * 1e-9


def _warm_up():
    """A processor that was idle a moment ago is slow to begin with."""
    enough = time.perf_counter() + 1e-3
    while time.perf_counter() < enough:
        pass


class _Problem:
    """The arrays that functions are called with, and everything else that they take."""

    def __init__(self, message):
        import numpy as np

        self.array, self.as_array = np.ndarray, np.asarray
        self.inputs, self.outputs, self.unmap = [], [], []
        for array in message["arrays"]:
            if array["role"] == "workspace":  # what is written in Python brings its own
                continue
            writable = array["role"] == "output"
            begin, unmap = _mapped(array["file"], writable)
            self.unmap.append(unmap)
            dtype = np.dtype(_DTYPES[array["dtype"]])
            count = array["count"] * dtype.itemsize
            raw = (ctypes.c_char * count).from_address(begin + array["offset"])
            values = np.frombuffer(raw, dtype).reshape(array["shape"])
            values.flags.writeable = writable
            (self.outputs if writable else self.inputs).append(values)
        real = np.dtype(_DTYPES[message["dtype"]]).type
        self.others = [real(one["value"]) for one in message["parameters"]]

    def seconds(self, function, calls):
        arguments = (*self.inputs, *self.outputs, *self.others)
        result = None
        waited = _waited()
        begin = time.perf_counter()
        for _ in range(calls):
            result = function(*arguments)
            # What computes only when it is looked at computes here.
            if result is not None and type(result) is not self.array:
                result = self.as_array(result)
        seconds = time.perf_counter() - begin
        waited = _waited() - waited
        if result is not None:
            self.outputs[0][...] = result
        return seconds, waited

    def close(self):
        for unmap in self.unmap:
            unmap()


def _last_line_of(error):
    """What went wrong, and where in the guest's own file."""
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if not frame.filename.startswith((os.path.dirname(__file__), "<frozen")):
            where = where if "site-packages" in frame.filename else frame
    place = f"{pathlib.Path(where.filename).name}:{where.lineno}: " if where else ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{pathlib.Path(error.filename).name}:{error.lineno}: "
    text = getattr(error, "msg", None) or str(error).strip().split("\n")[0]
    return f"{place}{type(error).__name__}: {text}"


def _load(path):
    sys.modules["bench"] = sys.modules[__name__]
    # What lies beside the file is found, and hides nothing: copy.py is a good name for a kernel.
    sys.path[0:1] = []
    sys.path.append(os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(f"_guest_{pathlib.Path(path).stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)


def _name_offers():
    """One variant of a workload is called as its file, several as their functions."""
    of_workload = [offer["workload"] for offer in _offers]
    for offer, (function, _) in zip(_offers, _functions):
        if offer["name"] is None and of_workload.count(offer["workload"]) > 1:
            offer["name"] = function.__name__


def _get_ready(run):
    gc.collect()
    _warm_up()
    before = _functions[run["variant"]][1]
    if before:
        before(run["threads"])


def _answer(message, opened):
    """Does what a message asks for; returns the answer, and what is open from now on."""
    if "ready" in message:
        _get_ready(message["ready"])
        return {}, opened
    if "run" in message:
        run = message["run"]
        gc.disable()
        try:
            seconds, waited = opened.seconds(_functions[run["variant"]][0], run["calls"])
            return {"seconds": seconds, "waited": waited}, opened
        finally:
            gc.enable()
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
            _name_offers()
            say({"bench": 1, "variants": _offers})
            for message in lines:
                answer, opened = _answer(json.loads(message), opened)
                say(answer)
        except BaseException as error:
            say({"error": _last_line_of(error)})
            raise


if __name__ == "__main__":
    _serve(sys.argv[1])
