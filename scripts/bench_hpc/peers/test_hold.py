"""What bench.py does on a GPU: the device begins a sample once all of it has been launched."""

# ruff: noqa: N802 - a driver has names of its own
import contextlib
import ctypes
import importlib.util
import os
import pathlib
import shutil
import subprocess
from types import SimpleNamespace

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def bench():
    spec = importlib.util.spec_from_file_location("bench", ROOT / "harness/guests/bench.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Driver:
    """libcuda, as far as a hold needs it: what is launched is done when somebody waits for it."""

    NOT_READY = 600

    def __init__(self, error):
        self.error, self.blocks = error, False
        self.words = (ctypes.c_uint32 * 2)(7, 7)
        self.seen = ctypes.create_string_buffer(4096)
        self.queue = []

    def call(self, name, *arguments):
        getattr(self, name)(*arguments)

    def cuModuleLoadData(self, module, text):
        assert b"wait_for" in text

    def cuModuleGetFunction(self, kernel, module, name):
        assert name == b"wait_for"

    def cuMemAllocHost_v2(self, memory, size):
        assert size.value == 8
        memory._obj.value = ctypes.addressof(self.words)

    def cuMemAlloc_v2(self, memory, size):
        memory._obj.value = ctypes.addressof(self.seen)

    def cuLaunchKernel(self, _kernel, *rest):
        *shape, shared, stream, parameters, extra = rest
        assert shape == [1] * 6, "one thread"
        assert (shared, stream, extra) == (0, None, None), "the default stream"
        addresses = ctypes.cast(parameters, ctypes.POINTER(ctypes.c_void_p))
        words = ctypes.c_uint64.from_address(addresses[0]).value
        assert words == ctypes.addressof(self.words)
        assert list(self.words) == [0, 0]

        def wait():
            self.words[1] = 0 if self.words[0] else 1

        self.queue.append(wait)
        if self.blocks:
            self.cuCtxSynchronize()

    def cuStreamQuery(self, stream):
        if self.queue:
            raise self.error("cuStreamQuery", self.NOT_READY)

    def cuCtxSynchronize(self):
        while self.queue:
            self.queue.pop(0)()

    def cuMemcpyHtoD_v2(self, to, data, size):
        self.cuCtxSynchronize()
        ctypes.memmove(to.value, data, size.value)

    def cuMemcpyDtoDAsync_v2(self, to, data, size, stream):
        assert stream is None
        self.queue.append(lambda: ctypes.memmove(to.value, data.value, size.value))

    def cuMemcpyDtoH_v2(self, to, data, size):
        self.cuCtxSynchronize()
        ctypes.memmove(to, data.value, size.value)


@pytest.fixture
def driver(bench):
    return Driver(bench._CallError)


@pytest.fixture
def on_device(bench):
    """A user kernel's arrays on a device that notes what it is asked for."""
    notes = []
    event = lambda: SimpleNamespace(record=lambda: notes.append("event"))  # noqa: E731

    @contextlib.contextmanager
    def without_freeing():
        notes.append("keep")
        yield
        notes.append("free")

    device = SimpleNamespace(
        event=event,
        hold=lambda: notes.append("hold") or True,
        release=lambda: notes.append("release"),
        without_freeing=without_freeing,
        seen_first=lambda array, work: notes.append("look") or device.seen,
        seconds_between=lambda begin, end: 1.0,
        wait=lambda: None,
        upload=lambda host, there: notes.append("upload"),
        empty_cache=lambda: notes.append("other data"),
        seen="untouched",
    )
    there = object.__new__(bench._OnDevice)
    there.device, there.inputs, there.output = device, [], None
    there.host = SimpleNamespace(others=[], outputs=[None])
    there.result, there.cold, there.sample, there.held = None, False, False, {}
    there.notes = notes
    return there


def ready(sample):
    return {"upload": False, "scope": "kernel", "cold": False, "sample": sample}


def test_the_kernel_waits_for_a_word_of_the_host(bench, driver):
    hold = bench._Hold(driver.call)
    hold.start()
    assert len(driver.queue) == 1
    assert not hold.release()
    assert driver.words[0] == 1


def test_where_launches_return_with_their_kernels_nothing_is_held(bench, driver):
    for blocks in (False, True):
        driver.blocks = blocks
        assert bench._Hold(driver.call).launches_return_at_once() is not blocks


def test_what_overtakes_the_default_stream_is_seen(bench, driver):
    hold = bench._Hold(driver.call)
    output = ctypes.create_string_buffer(10_000)
    address = ctypes.addressof(output)
    write = lambda: ctypes.memset(address, 1, 10_000)  # noqa: E731
    assert hold.watch(address, 10_000, lambda: driver.queue.append(write)) == "untouched"
    assert hold.watch(address, 10_000, write) == "written", "in another stream, at once"
    assert hold.watch(address, 100, write) == "written", "a short array"

    def write_and_wait():
        driver.queue.append(write)
        driver.cuCtxSynchronize()

    assert hold.watch(address, 10_000, write_and_wait) == "lapsed"

    def overtake_and_wait():
        write()
        driver.cuCtxSynchronize()

    assert hold.watch(address, 10_000, overtake_and_wait) == "written"


def test_a_driver_that_refuses_holds_nothing(bench):
    def refuse(name, *arguments):
        raise bench._CallError(name, 1)

    driver = bench._Driver()
    driver._call = refuse
    assert driver.hold() is False
    assert not driver.release()


@pytest.mark.skipif(not os.environ.get("BENCH_NVCC"), reason="no nvcc")
def test_the_assembler_takes_it(bench, tmp_path):
    ptxas = shutil.which("ptxas", path=pathlib.Path(os.environ["BENCH_NVCC"]).parent)
    (tmp_path / "hold.ptx").write_bytes(bench._Hold.PTX)
    for architecture in ("sm_75", "sm_90", "sm_120"):
        command = [ptxas, "-arch", architecture, "hold.ptx", "-o", "hold.cubin"]
        subprocess.run(command, cwd=tmp_path, check=True)


def test_samples_are_held_and_other_runs_are_not(on_device):
    launch = lambda out: on_device.notes.append("launch")  # noqa: E731
    once = ["hold", "release", "look", "upload"]
    held = ["keep", "hold", "event", "launch", "launch", "event", "release", "free"]
    plain = ["keep", "event", "launch", "event", "free"]
    for expected in (once + held, held):
        on_device.get_ready(ready(sample=True))
        on_device.seconds(launch, 2)
        assert on_device.notes == expected
        on_device.notes.clear()
    on_device.seconds(launch, 1)
    assert on_device.notes == plain, "one sample, not those that follow"
    on_device.notes.clear()
    on_device.get_ready(ready(sample=False))
    on_device.seconds(launch, 1)
    assert on_device.notes == plain


def test_who_waits_for_its_kernels_is_not_held(on_device):
    waits, returns = lambda out: None, lambda out: None
    on_device.device.seen = "lapsed"
    for _ in range(2):
        on_device.notes.clear()
        on_device.get_ready(ready(sample=True))
        on_device.seconds(waits, 1)
        assert on_device.notes[-4:] == ["keep", "event", "event", "free"]
    assert "look" not in on_device.notes, "what is known is not asked again"
    on_device.device.seen = "untouched"
    on_device.get_ready(ready(sample=True))
    on_device.seconds(returns, 1)
    assert on_device.notes[-2:] == ["release", "free"], "another function is"


def test_what_overtakes_gets_no_time(on_device):
    on_device.device.seen = "written"
    on_device.get_ready(ready(sample=True))
    with pytest.raises(RuntimeError, match="does not wait for the default one"):
        on_device.seconds(lambda out: None, 1)
    assert "event" not in on_device.notes


def test_bench_before_this_asked_without_saying(on_device):
    old = ready(sample=True)
    del old["sample"]
    on_device.get_ready(old)
    assert not on_device.sample
