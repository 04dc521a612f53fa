"""What bench.py does on a GPU: the device begins a sample once all of it has been launched."""

import collections
import ctypes
import importlib.util
import os
import pathlib
import shutil
import subprocess
import time
from types import SimpleNamespace

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def bench():
    spec = importlib.util.spec_from_file_location("bench", ROOT / "harness/guests/bench.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Driver:
    """libcuda, as far as one kernel needs it; what is launched runs when somebody waits."""

    def __init__(self):
        self.word = ctypes.c_uint32(7)
        self.queue = []

    def call(self, name, *arguments):
        if name == "cuMemAllocHost_v2":
            arguments[0]._obj.value = ctypes.addressof(self.word)
        elif name == "cuLaunchKernel":
            _kernel, *shape, shared, stream, parameters, extra = arguments
            assert shape == [1] * 6, "one thread"
            assert (shared, stream, extra) == (0, None, None), "the default stream"
            addresses = ctypes.cast(parameters, ctypes.POINTER(ctypes.c_void_p))
            self.queue.append(ctypes.c_uint64.from_address(addresses[0]).value)
            patience = ctypes.c_uint64.from_address(addresses[1]).value
            assert patience / 2e9 > 0.025, "held for as long as a function is said to be"
            assert self.word.value == 0


@pytest.fixture
def on_device(bench):
    """A guest's arrays on a device that notes what it is asked for."""
    notes = []
    event = lambda: SimpleNamespace(record=lambda: notes.append("event"))  # noqa: E731
    device = SimpleNamespace(
        event=event,
        hold=lambda: notes.append("hold"),
        release=lambda: notes.append("release"),
        seconds_between=lambda begin, end: 1.0,
        wait=lambda: None,
        empty_cache=lambda: notes.append("other data"),
    )
    there = object.__new__(bench._OnDevice)
    there.device, there.inputs, there.output = device, [], None
    there.host = SimpleNamespace(others=[])
    there.result, there.cold, there.sample = None, False, False
    there.waited = collections.Counter()
    there.notes = notes
    return there


def ready(sample):
    return {"upload": False, "scope": "kernel", "cold": False, "sample": sample}


def test_the_kernel_waits_for_a_word_of_the_host(bench):
    driver = Driver()
    hold = bench._Hold(driver.call)
    hold.start()
    assert driver.queue == [ctypes.addressof(driver.word)]
    hold.go.value = 1
    assert driver.word.value == 1


def test_a_driver_that_refuses_holds_nothing(bench):
    def refuse(name, *arguments):
        raise bench._CallError(name, 1)

    driver = bench._Driver()
    driver._call = refuse
    driver.hold()
    driver.release()


@pytest.mark.skipif(not os.environ.get("BENCH_NVCC"), reason="no nvcc")
def test_the_assembler_takes_it(bench, tmp_path):
    ptxas = shutil.which("ptxas", path=pathlib.Path(os.environ["BENCH_NVCC"]).parent)
    (tmp_path / "hold.ptx").write_bytes(bench._Hold.PTX)
    for architecture in ("sm_75", "sm_90"):
        command = [ptxas, "-arch", architecture, "hold.ptx", "-o", "hold.cubin"]
        subprocess.run(command, cwd=tmp_path, check=True)


def test_samples_are_held_and_other_runs_are_not(on_device):
    launch = lambda out: on_device.notes.append("launch")  # noqa: E731
    on_device.get_ready(ready(sample=True))
    on_device.seconds(launch, 2)
    assert on_device.notes == ["hold", "event", "launch", "launch", "event", "release"]
    on_device.notes.clear()
    on_device.seconds(launch, 1)
    assert on_device.notes == ["event", "launch", "event"], "one sample, not those that follow"
    on_device.notes.clear()
    on_device.get_ready(ready(sample=False))
    on_device.seconds(launch, 1)
    assert on_device.notes == ["event", "launch", "event"]


def test_who_waits_for_its_kernels_each_time_is_no_longer_held(on_device):
    def waits(out):
        time.sleep(2 * on_device.HELD_FOR)

    for held in 3 * [["hold", "event", "event", "release"]] + [["event", "event"]]:
        on_device.notes.clear()
        on_device.get_ready(ready(sample=True))
        on_device.seconds(waits, 1)
        assert on_device.notes == held
    on_device.notes.clear()
    on_device.get_ready(ready(sample=True))
    on_device.seconds(lambda out: None, 1)
    assert on_device.notes[0] == "hold", "another function is"


def test_bench_before_this_asked_without_saying(on_device):
    old = ready(sample=True)
    del old["sample"]
    on_device.get_ready(old)
    assert not on_device.sample
