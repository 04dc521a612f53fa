"""Result files for tests, not measured: made of a recorded one by plain arithmetic. They
have a GPU, many sizes or many nodes, as no recorded result file has yet."""

import copy
import json
import math
from pathlib import Path

REFERENCE = Path(__file__).parents[2] / "harness" / "test" / "recorded" / "epyc-vm-2cores"
GPU = {"name": "Synthetic GPU", "uuid": "GPU-0"}
GPU_COPY = 800e9  # bytes/s on the device, and over the bus with both directions together
BUS = 20e9
# What the bus takes for a byte, over what it takes from and to pinned memory: made up.
OF_THE_BUS = {"kernel": 0, "end_to_end": 1, "pageable": 2.5, "mapped": 1.1, "managed": 3}
SHARE = {"one_per_element": 0.8, "grid_stride": 0.85, "wide": 0.97, "library": 0.99, "naive": 0.3}
LAUNCH = 5e-6  # seconds that no kernel can do without
RIGHT = {"metric": "ulp", "max_error": 0, "tolerance": 0, "passed": True}
SIZE = "10000000"  # of the recorded energy


def reference(name="default"):
    document = json.loads((REFERENCE / f"{name}.json").read_text())
    document["benchmarks"] = []
    return document


def scaled(seconds, factor):
    """Times `factor` times as long, with the scatter that they had."""
    times = {key: seconds[key] * factor for key in ("median", "q1", "q3", "min")}
    return {
        **seconds,
        **times,
        **{key: [one * factor for one in seconds[key]] for key in ("samples", "ci95")},
    }


def retime(case, median, shape=None):
    shape = shape or case["seconds"]
    case["seconds"] = scaled(shape, median / shape["median"])
    case["rounds"] = len(shape["samples"])
    case["gb_per_s"] = case["bytes"] / case["seconds"]["median"] / 1e9


def _over(baseline, case):
    value = baseline["seconds"]["median"] / case["seconds"]["median"]
    spread = 1.02 if case is not baseline else 1
    return {"value": value, "ci95": [value / spread, value * spread], "baseline": baseline["name"]}


def settled(document):
    """The same with ratios and shares as its times have them."""
    measured = [case for case in document["cases"] if case["seconds"]]

    def rounds(case):
        beside = case["name"].partition(",beside=")[2]
        return beside or f"{case['workload']}:{case['size']}"

    def work(case):
        return rounds(case), case["workload"], case["size"], case["dtype"]

    def of(case):
        return rounds(case), case["dtype"], case["backend"], case["scope"], case["threads"]

    cpu = [one for one in measured if one["backend"] != "cuda" and not one["library"]]
    cpu.sort(key=lambda case: case["seconds"]["median"], reverse=True)
    best = {work(case): case for case in cpu}
    plain = {
        work(case): case for case in cpu if case["name"].split("/")[1:3] == ["serial", "naive"]
    }
    for case, row in zip(document["cases"], document["speedups"]):
        row.update(status=case["status"], reason=case["reason"], over_serial=None)
        row.update(over_best_cpu=None, seconds=case["seconds"] and case["seconds"]["median"])
        if case["seconds"] and work(case) in plain:
            row["over_serial"] = _over(plain[work(case)], case)
            row["over_best_cpu"] = _over(best[work(case)], case)
        for key in [key for key in case if key.startswith("share_of_")]:
            alike = [one for one in measured if of(one) == of(case) and not one["library"]]
            speeds = [one["gb_per_s"] for one in alike if key == f"share_of_{one['workload']}"]
            case[key] = case["gb_per_s"] / max(speeds) if case["seconds"] and speeds else None
    return document


def with_gpu(document=None):
    """A result as if the node had a GPU: all CUDA rows but one_thread are measured."""
    document = copy.deepcopy(document or reference())
    document["context"]["machine"].update(gpu=GPU, gpu_reason=None)
    shape = next(case["seconds"] for case in document["cases"] if case["seconds"])
    for case in document["cases"]:
        if case["backend"] != "cuda" or case["variant"] == "one_thread":
            continue
        kernel = LAUNCH + case["bytes"] / (GPU_COPY * SHARE.get(case["variant"], 0.9))
        transfers = OF_THE_BUS[case["scope"]] * case["bytes"] / BUS
        case.update(status="measured", reason=None, verification=RIGHT)
        retime(case, kernel + transfers, shape)
    return settled(document)


def with_arithmetic(document=None):
    """A result as if gaussian_pdf were the arithmetic reference, with 6 operations per byte."""
    document = copy.deepcopy(document or reference())
    for case in document["cases"]:
        if case["workload"] == "gaussian_pdf":
            case.update(arithmetic_reference=True, flops=6 * case["bytes"])
    return document


def only(document, *workloads, beside=True):
    """Some workloads of a result file, with the references measured with them."""
    document = copy.deepcopy(document)

    def wanted(case):
        group = case["name"].partition(",beside=")[2].partition(":")[0]
        return (group or case["workload"]) in workloads and (beside or not group)

    kept = [wanted(case) for case in document["cases"]]
    for part in ("cases", "speedups"):
        document[part] = [one for one, keep in zip(document[part], kept) if keep]
    return document


def resized(document, elements):
    """The same cases as if they were of another size, with 4 microseconds that do not shrink."""
    document = copy.deepcopy(document)
    for case, row in zip(document["cases"], document["speedups"]):
        scale = elements / int(SIZE)
        case["size"] = row["size"] = str(elements)
        case["elements"], case["shape"] = elements, [elements]
        case["name"] = row["name"] = case["name"].replace(SIZE, str(elements))
        for key in ("bytes", "flops", "footprint_bytes"):
            case[key] = int(case[key] * scale)
        if case["seconds"]:
            start = 4e-6 if case["backend"] == "openmp" else 0
            retime(case, start + case["seconds"]["median"] * scale)
    return settled(document)


def sweep(gpu=True):
    """energy at six sizes; with a GPU its kernel wins from some size on, with transfers never."""
    start = only(reference(), "energy", beside=False)
    parts = [resized(start, 10**power) for power in range(3, 9)]
    document = parts[-1]
    for part in ("cases", "speedups"):
        document[part] = [one for some in parts for one in some[part]]
    hashes = {f"f32/{10**power}": f"xxh3:{power:016x}" for power in range(3, 9)}
    document["context"]["run"]["input_hash"] = {"energy": hashes}
    return with_gpu(document) if gpu else document


def scaling(threads=(1, 2, 4, 8, 16, 32), faster=1.0):
    """energy over threads, as Amdahl would have it with some percent that stay serial."""
    document = only(reference(), "energy", beside=False)
    ladder = list(zip(document["cases"], document["speedups"]))
    pairs = [pair for pair in ladder if pair[0]["backend"] != "openmp"]
    for case, row in ladder:
        serial = {"naive": 0.005, "simd": 0.05}.get(case["variant"], 0.1)
        for count in threads if case["backend"] == "openmp" else ():
            name = f"{case['name']},threads={count}"
            given = {**case["parameters"], "threads": str(count)}
            one = {**case, "name": name, "threads": count, "parameters": given}
            share = (serial + (1 - serial) / count) / (faster if count > threads[0] else 1)
            retime(one, 0.1 * share)
            pairs.append((one, {**row, "name": name}))
    document["cases"], document["speedups"] = map(list, zip(*pairs))
    return settled(document)


def rename(document, node):
    document["context"]["run"]["node"] = node
    document["context"]["machine"].update(node=node, host_name=node)


def write(folder, document, name):
    path = Path(folder) / f"{name}.json"
    path.write_text(json.dumps(document))
    return path


def calm(seconds):
    """A twentieth of the scatter, no drift: what a node looks like with no other user on it."""
    median = seconds["median"]
    for key in ("samples", "ci95"):
        seconds[key] = [median + (one - median) / 20 for one in seconds[key]]
    for key in ("q1", "q3", "min"):
        seconds[key] = median + (seconds[key] - median) / 20
    seconds.update(drift=0.0, outliers=[])


def nodes(folder, count, slow=7, factor=1.4, workloads=("energy", "transpose")):
    """Result files of many nodes, one of which needs 1.4 times the time for everything."""
    start = only(reference(), *workloads)
    for number in range(1, count + 1):
        document = copy.deepcopy(start)
        rename(document, f"n{number:03}")
        wobble = 1 + 0.004 * math.sin(number * 12.9898)
        for case, row in zip(document["cases"], document["speedups"]):
            if case["seconds"]:
                calm(case["seconds"])
                times = wobble * (factor if number == slow else 1)
                retime(case, case["seconds"]["median"] * times)
                row["seconds"] = case["seconds"]["median"]
        write(folder, document, f"n{number:03}")
    return Path(folder)


def survey(
    names, slow=(), unclear=(), workloads=(("energy", "10000000"), ("transpose", "4096x4096"))
):
    """An answer of `bench compare --format json`."""
    cells = []
    for workload, size in workloads:
        for number, node in enumerate(names):
            value = 1.4 if node in slow else 1.04 if node in unclear else 1 + 0.0001 * number
            verdict = "slow" if node in slow else "unclear" if node in unclear else "same"
            cells.append(
                {
                    "node": node,
                    "what": "best CPU variant",
                    "workload": workload,
                    "dtype": "f32",
                    "size": size,
                    "parameters": "",
                    "variant": "openmp/simd",
                    "seconds": 0.002 * value,
                    "median_seconds": 0.002,
                    "ratio": {"value": value, "ci95": [value * 0.98, value * 1.02]},
                    "verdict": verdict,
                }
            )
    nodes_ = [{"node": node} for node in names]
    kinds = [{"cpu_model": "AMD EPYC", "gpu": "", "nodes": nodes_}]
    return {"schema": "bench-nodes/1", "threshold": 0.05, "kinds": kinds, "cells": cells}
