"""Facts of the node, the job and the software, under the keys of bench; null where unknown."""

import datetime
import functools
import importlib.metadata
import os
import pathlib
import platform
import re
import resource
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPUS = pathlib.Path("/sys/devices/system/cpu")
ALLOWED = sorted(os.sched_getaffinity(0))  # before an OpenMP runtime pins this thread

SLURM_KEYS = """
    cluster_name job_id step_id array_job_id array_task_id restart_count job_partition
    job_nodelist step_nodelist nodename nnodes nodeid procid localid ntasks ntasks_per_node
    cpus_per_task cpus_on_node job_cpus_per_node cpu_bind cpu_bind_list cpu_bind_type hint
    threads_per_core cpu_freq_req mem_per_node mem_per_cpu mem_per_gpu gpus gpus_per_node
    gpus_per_task gpus_on_node job_gpus step_gpus gpu_bind topology_addr cuda_visible_devices
"""
ISA_FLAGS = """
    sse4_2 avx f16c fma avx2 avx_vnni avx512f avx512dq avx512bw avx512vl avx512_vnni avx512_bf16
    avx512_fp16 amx_tile amx_bf16 amx_int8 asimd fphp asimdhp asimddp sve sve2 bf16 i8mm sme
"""


def read(path):
    """A file without its surrounding blanks; None if it cannot be read or is empty."""
    try:
        return pathlib.Path(path).read_text(errors="replace").strip() or None
    except OSError:
        return None


def field(text, key):
    """The value in the first line of the form "key: value"."""
    found = re.search(rf"^{re.escape(key)}\s*[:=]\s*(.+)$", text or "", re.MULTILINE)
    return found[1].strip() if found else None


def size_of(text):
    """ "48K" or "24684092 kB" in bytes."""
    found = re.fullmatch(r"(\d+)\s*([KMG]?)B?", (text or "").upper())
    return int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2]] if found else None


def cpus_of(text):
    """ "0-3,8" as numbers."""
    cpus = []
    for part in (text or "").split(","):
        first, _, last = part.partition("-")
        if first.isdigit():
            cpus += range(int(first), int(last or first) + 1)
    return sorted(cpus)


def ranges_of(cpus):
    """Numbers as "0-3,8"."""
    ranges = []
    for cpu in cpus:
        if ranges and ranges[-1][1] == cpu - 1:
            ranges[-1][1] = cpu
        else:
            ranges.append([cpu, cpu])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in ranges)


def cpu_folders():
    return [CPUS / f"cpu{cpu}" for cpu in cpus_of(read(CPUS / "online"))]


def count_distinct(file):
    return len({text for folder in cpu_folders() if (text := read(folder / file))}) or None


@functools.cache
def cache_instances():
    """Every data cache and instruction cache of the node once: level, type, bytes, its CPUs."""
    found = set()
    for folder in cpu_folders():
        for index in folder.glob("cache/index*"):
            level, size = read(index / "level"), size_of(read(index / "size"))
            shared = tuple(cpus_of(read(index / "shared_cpu_list")))
            if level and size:
                found.add((int(level), read(index / "type"), size, shared))
    return sorted(found)


def caches():
    kinds = {}
    for level, kind, size, shared in cache_instances():
        key = (level, kind, size, len(shared))
        kinds[key] = kinds.get(key, 0) + 1
    return [
        {"level": level, "type": kind, "bytes": size, "shared_by": shared, "instances": count}
        for (level, kind, size, shared), count in kinds.items()
    ]


def last_level_cache_bytes():
    """All caches of the last level that our CPUs reach."""
    per_level = {}
    for level, kind, size, shared in cache_instances():
        if kind != "Instruction" and set(shared) & set(ALLOWED):
            per_level[level] = per_level.get(level, 0) + size
    return per_level[max(per_level)] if per_level else 0


def memory_allowance():
    """How much memory may be taken now, and what limits it; None where that is unknown."""
    limits = []
    available = size_of(field(read("/proc/meminfo"), "MemAvailable"))
    if available is not None:
        limits.append((available, "free on the node"))
    for line in (read("/proc/self/cgroup") or "").splitlines():
        _, controllers, group = line.split(":", 2)
        names = ("memory.max", "memory.current")
        mount = "/sys/fs/cgroup"
        if "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes")
            mount += "/memory"
        elif controllers:
            continue
        for folder in [pathlib.Path(mount + group), *pathlib.Path(mount + group).parents]:
            limit, used = (size_of(read(folder / name)) for name in names)
            if limit is not None:
                limits.append((max(0, limit - (used or 0)), "the job's memory limit"))
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        used = size_of(field(read("/proc/self/status"), "VmSize")) or 0
        limits.append((max(0, limit - used), "ulimit -v"))
    return min(limits) if limits else None


def job_threads():
    """What the job was given: OMP_NUM_THREADS, else Slurm's CPUs per task, else the CPU set."""
    given = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if given.isdigit() and int(given) > 0:
        return int(given)
    given = os.environ.get("SLURM_CPUS_PER_TASK", "")
    return min(max(1, int(given)), len(ALLOWED)) if given.isdigit() else len(ALLOWED)


def host_name():
    return socket.gethostname().partition(".")[0] or "unknown"


def node_name():
    return os.environ.get("SLURMD_NODENAME") or host_name()


def now(form="%Y-%m-%dT%H:%M:%SZ"):
    return datetime.datetime.now(datetime.timezone.utc).strftime(form)


def clock_floor():
    """What two readings of the clock show with nothing between them, in seconds."""
    readings = []
    for _ in range(1001):
        begin = time.perf_counter_ns()
        readings.append(time.perf_counter_ns() - begin)
    return sorted(readings)[500] / 1e9


def cpu_information():
    return (read("/proc/cpuinfo") or "").split("\n\n")[0]


def isa():
    """The widest instruction set that Numba compiles for, in the words of bench."""
    flags = isa_flags()
    return "avx512" if "avx512bw" in flags else "avx2" if "avx2" in flags else "baseline"


def isa_flags():
    """The instruction sets that make a difference to the workloads, of those that the CPU has."""
    cpu = cpu_information()
    flags = (field(cpu, "flags") or field(cpu, "Features") or "").split()
    return [flag for flag in ISA_FLAGS.split() if flag in flags]


def numa_nodes():
    nodes = []
    for folder in sorted(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*")):
        cpus = cpus_of(read(folder / "cpulist"))
        total = re.search(r"MemTotal:\s*(\d+ kB)", read(folder / "meminfo") or "")
        number = int(folder.name[4:])
        memory = size_of(total[1]) if total else None
        nodes.append({"node": number, "cpus": ranges_of(cpus), "memory_bytes": memory})
    return nodes


def machine(gpu_facts, gpu_reason):
    """The `machine` of a document."""
    cpu, memory = cpu_information(), read("/proc/meminfo")
    flags = field(cpu, "flags")  # only x86 CPUs tell whether there is a hypervisor
    online, cores = len(cpu_folders()), count_distinct("topology/thread_siblings_list")
    pages = pathlib.Path("/sys/kernel/mm/transparent_hugepage")
    chosen = {
        name: (re.findall(r"\[(\w+)\]", read(pages / name) or "") or [None])[0]
        for name in ("enabled", "defrag")
    }
    governors = {read(CPUS / f"cpu{n}/cpufreq/scaling_governor") for n in ALLOWED} - {None}
    allowance = memory_allowance() or (None, None)
    load = os.getloadavg()
    return {
        "node": node_name(),
        "host_name": host_name(),
        "os": (field(read("/etc/os-release"), "PRETTY_NAME") or "").strip('"') or None,
        "kernel": platform.release(),
        "arch": platform.machine(),
        "cpu_model": field(cpu, "model name"),
        "cpu_vendor": field(cpu, "vendor_id"),
        "microcode": field(cpu, "microcode"),
        "sockets": count_distinct("topology/physical_package_id"),
        "cores": cores,
        "logical_cpus": online or os.cpu_count(),
        "smt": cores < online if cores and online else None,
        "cpuset": ranges_of(ALLOWED),
        "allowed_cpus": len(ALLOWED),
        "numa_nodes": numa_nodes(),
        "caches": caches(),
        "governor": "mixed: " + ",".join(sorted(governors))
        if len(governors) > 1
        else next(iter(governors), None),
        "isa_flags": isa_flags(),
        "hypervisor": "hypervisor" in flags.split() if flags else None,
        "memory_bytes": size_of(field(memory, "MemTotal")),
        "memory_available_bytes": size_of(field(memory, "MemAvailable")),
        "memory_allowance_bytes": allowance[0],
        "memory_limited_by": allowance[1],
        "page_bytes": resource.getpagesize(),
        "transparent_huge_pages": chosen,
        "load_average": [round(value, 2) for value in load],
        "omp": {
            name: value
            for name, value in sorted(os.environ.items())
            if name.partition("_")[0] in ("OMP", "GOMP", "KMP", "NUMBA", "MKL", "OPENBLAS")
        },
        "loaded_modules": os.environ["LOADEDMODULES"].split(":")
        if os.environ.get("LOADEDMODULES")
        else None,
        "gpu": gpu_facts,
        "gpu_reason": gpu_reason or None,
    }


def slurm():
    """The `slurm` of a document; None outside of a job."""
    if not os.environ.get("SLURM_JOB_ID"):
        return None
    prefix = {"nodename": "SLURMD_", "cuda_visible_devices": ""}
    return {
        key: os.environ.get(prefix.get(key, "SLURM_") + key.upper()) for key in SLURM_KEYS.split()
    }


def google_benchmark_context():
    """What Google Benchmark's own writer says of the node, so that its tools find their keys."""
    mhz = field(cpu_information(), "cpu MHz")
    return {
        "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "host_name": host_name(),
        "num_cpus": os.cpu_count(),
        "mhz_per_cpu": round(float(mhz)) if mhz else 0,
        "cpu_scaling_enabled": (CPUS / "cpu0/cpufreq").exists(),
        "caches": [
            {
                "type": c["type"],
                "level": c["level"],
                "size": c["bytes"],
                "num_sharing": c["shared_by"],
            }
            for c in caches()
        ],
        "load_avg": list(os.getloadavg()),
        "library_build_type": "release",
        "json_schema_version": 1,
    }


def git(*arguments):
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None


def packages():
    """The versions of what is measured; only what is installed."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "scipy", "numba", "llvmlite", "numba-cuda"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    for distribution in importlib.metadata.distributions():
        name = (distribution.metadata["Name"] or "").lower()
        if name.startswith("cupy"):
            found[name] = distribution.version
    return found


def build(threading_layer):
    """The `build` of a document: what stands for compiler and flags."""
    changes = git("status", "--porcelain", "--untracked-files=no")
    version = re.search(r"project\(\w+ VERSION ([\d.]+)", read(ROOT / "CMakeLists.txt") or "")
    return {
        "version": version[1] if version else "unknown",
        "revision": git("rev-parse", "HEAD") or "unknown",
        "dirty": None if changes is None else bool(changes),
        "compiler": f"{platform.python_implementation()} {platform.python_version()} "
        f"({platform.python_compiler()})",
        "build_type": "scripts/peers",
        "flags": "",
        "kernel_flags": {"numba": f"threading layer {threading_layer}"} if threading_layer else {},
        "cuda": None,
        "packages": packages(),
    }
