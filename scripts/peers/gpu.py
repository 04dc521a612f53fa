"""What the CUDA driver says of the device that Numba and CuPy share, asked through libcuda."""

import ctypes
import functools
import os
import time

# Numbers of CUdevice_attribute in cuda.h.
CLOCK_KHZ, MULTIPROCESSORS, ECC, PCI_BUS, PCI_DEVICE = 13, 16, 32, 33, 34
MEMORY_CLOCK_KHZ, L2_BYTES, PCI_DOMAIN, MAJOR, MINOR = 36, 38, 50, 75, 76


class DriverError(Exception):
    pass


def call(name, *arguments):
    status = getattr(driver(), name)(*arguments)
    if status:
        raise DriverError(f"{name} failed with error {status}")


@functools.cache
def driver():
    return ctypes.CDLL("libcuda.so.1")


@functools.cache
def visible_devices():
    """Their number and an empty text, or 0 and the reason."""
    try:
        driver()
    except OSError:
        return 0, "no CUDA device: no NVIDIA driver on this node"
    count = ctypes.c_int()
    try:
        call("cuInit", 0)
        call("cuDeviceGetCount", ctypes.byref(count))
    except DriverError as error:
        return 0, f"no CUDA device: {error}"
    return count.value, "" if count.value else "no CUDA device: none was given to this job"


@functools.cache
def obstacle():
    """Why nothing can run on a device, or an empty text."""
    if visible_devices()[1]:
        return visible_devices()[1]
    try:
        facts()
    except DriverError as error:  # such as a device that others hold exclusively
        return f"no CUDA device: {error}"
    return ""


def number():
    """The device of this task: its rank on the node modulo their number."""
    rank = os.environ.get("SLURM_LOCALID", "0")
    return int(rank) % max(1, visible_devices()[0]) if rank.isdigit() else 0


def version(name):
    value = ctypes.c_int()
    call(name, ctypes.byref(value))
    return f"{value.value // 1000}.{value.value % 1000 // 10}"


def event_floor():
    """What two events show with nothing between them, in seconds."""
    events = [ctypes.c_void_p(), ctypes.c_void_p()]
    milliseconds = ctypes.c_float()
    for event in events:
        call("cuEventCreate", ctypes.byref(event), 0)
    for _ in range(2):  # the first time is slow
        for event in events:
            call("cuEventRecord", event, None)
        call("cuEventSynchronize", events[1])
    call("cuEventElapsedTime", ctypes.byref(milliseconds), *events)
    return milliseconds.value / 1e3


def pin(stack, arrays):
    """Pins host arrays in place until `stack` ends, once for all libraries."""
    if obstacle():
        return  # a stand-in of a device
    for array in arrays:
        if array.nbytes:
            address = ctypes.c_void_p(array.ctypes.data)
            call("cuMemHostRegister_v2", address, ctypes.c_size_t(array.nbytes), 0)
            stack.callback(call, "cuMemHostUnregister", address)


@functools.cache
def facts():
    """The `gpu` of a document; None where there is none. Makes the context, and says how long."""
    if visible_devices()[1]:
        return None
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuDeviceGet", ctypes.byref(device), number())
    begin = time.perf_counter()
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)  # the one that libraries use
    call("cuCtxSetCurrent", context)
    context_seconds = time.perf_counter() - begin

    def attribute(which):
        value = ctypes.c_int()
        call("cuDeviceGetAttribute", ctypes.byref(value), which, device)
        return value.value

    name, uuid = ctypes.create_string_buffer(256), (ctypes.c_ubyte * 16)()
    call("cuDeviceGetName", name, 256, device)
    call("cuDeviceGetUuid", uuid, device)
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    text = bytes(uuid).hex()
    parts = [text[0:8], text[8:12], text[12:16], text[16:20], text[20:]]
    domain, bus, slot = (attribute(which) for which in (PCI_DOMAIN, PCI_BUS, PCI_DEVICE))
    return {
        "name": name.value.decode(errors="replace"),
        "uuid": "GPU-" + "-".join(parts),
        "pci_bus_id": f"{domain:04x}:{bus:02x}:{slot:02x}.0",
        "visible_devices": visible_devices()[0],
        "device_number": number(),
        "compute_capability": f"{attribute(MAJOR)}.{attribute(MINOR)}",
        "multiprocessors": attribute(MULTIPROCESSORS),
        "memory_bytes": total.value,
        "memory_free_bytes": free.value,
        "l2_bytes": attribute(L2_BYTES),
        "ecc": bool(attribute(ECC)),
        "sm_clock_max_mhz": attribute(CLOCK_KHZ) / 1e3,
        "memory_clock_max_mhz": attribute(MEMORY_CLOCK_KHZ) / 1e3,
        "driver_cuda_version": version("cuDriverGetVersion"),
        "runtime_version": version("cuDriverGetVersion"),
        "context_s": context_seconds,
        "event_floor_s": event_floor(),
        "nvml": None,
        "nvml_reason": "not asked for by scripts/peers",
    }
