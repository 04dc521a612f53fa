"""Documents that nobody measured, for tests: made of a recorded one by plain arithmetic. They
have a GPU, many sizes or many nodes, as no recorded document has yet."""

import copy
import json
import math
from pathlib import Path

REFERENCE = Path(__file__).parents[2] / "results" / "reference" / "epyc-vm-2cores"
GPU = {"name": "Synthetic GPU", "uuid": "GPU-0"}
GPU_COPY = 800e9  # bytes/s on the device, and over the bus with both directions together
BUS = 20e9
SHARE = {"one_per_element": 0.8, "grid_stride": 0.85, "wide": 0.97, "library": 0.99, "naive": 0.3}
LAUNCH = 5e-6  # seconds that no kernel can do without


def reference(name="default"):
    document = json.loads((REFERENCE / f"{name}.json").read_text())
    document["benchmarks"] = []
    return document


def _seconds(median, shape):
    """Times with another median and the scatter of a measured case."""
    factor = median / shape["median"]
    times = {**shape, "samples": [one * factor for one in shape["samples"]]}
    for key in ("median", "q1", "q3", "min"):
        times[key] = shape[key] * factor
    times["ci95"] = [one * factor for one in shape["ci95"]]
    return times


def retime(case, median, shape=None):
    case["seconds"] = _seconds(median, shape or case["seconds"])
    case["gb_per_s"] = case["bytes"] / median / 1e9


def _over(baseline, case):
    value = baseline["seconds"]["median"] / case["seconds"]["median"]
    return {"value": value, "ci95": [value * 0.98, value * 1.02]}


def speedups(document):
    """The ratios again, after times have changed."""
    plain = {}
    for case in document["cases"]:
        if (case["backend"], case["variant"]) == ("serial", "naive") and case["seconds"]:
            plain[case["workload"], case["dtype"], case["size"]] = case
    for case, speedup in zip(document["cases"], document["speedups"]):
        baseline = plain.get((case["workload"], case["dtype"], case["size"]))
        if case["seconds"] is None or ",beside=" in case["name"] or baseline is None:
            continue
        speedup.update(
            seconds=case["seconds"]["median"],
            over_serial=_over(baseline, case),
            over_best_cpu=None,
            status="measured",
            reason=None,
        )


def with_gpu(document=None):
    """As if the node had a GPU: all CUDA rows but one_thread are measured."""
    document = copy.deepcopy(document or reference())
    document["context"]["machine"].update(gpu=GPU, gpu_reason=None)
    measured = next(case["seconds"] for case in document["cases"] if case["seconds"])
    for case in document["cases"]:
        if case["backend"] != "cuda" or case["variant"] == "one_thread":
            continue
        share = SHARE.get(case["variant"], 0.9)
        kernel = LAUNCH + case["bytes"] / (GPU_COPY * share)
        transfers = case["bytes"] / BUS if case["scope"] == "end_to_end" else 0
        case.update(status="measured", reason=None, threads=None, rounds=100)
        retime(case, kernel + transfers, measured)
        case["share_of_copy"] = share
        case["verification"] = {"metric": "ulp", "max_error": 0, "tolerance": 0, "passed": True}
    speedups(document)
    return document


def only(document, *workloads):
    """Some workloads of a document, with the yardsticks beside them."""
    document = copy.deepcopy(document)
    kept = [
        i
        for i, case in enumerate(document["cases"])
        if any(case["workload"] == one or f",beside={one}:" in case["name"] for one in workloads)
    ]
    for part in ("cases", "speedups"):
        document[part] = [document[part][i] for i in kept]
    return document


def resized(document, elements):
    """The same cases as if they were of another size, with 4 microseconds that do not shrink."""
    old = "10000000"
    document = copy.deepcopy(document)
    for case, speedup in zip(document["cases"], document["speedups"]):
        scale = elements / int(old)
        for one in (case, speedup):
            one["size"] = str(elements)
            if "elements" in one:
                one.update(elements=elements, shape=[elements])
            one["name"] = one["name"].replace(f"/{old}", f"/{elements}")
        for key in ("bytes", "flops", "footprint_bytes"):
            case[key] = int(case[key] * scale)
        if case["seconds"]:
            start = 4e-6 if case["backend"] == "openmp" else 0
            retime(case, start + case["seconds"]["median"] * scale)
            speedup.update(seconds=case["seconds"]["median"], over_serial=None, over_best_cpu=None)
        shares = [key for key in case if key.startswith("share_of_")]
        case.update(dict.fromkeys(shares))
    speedups(document)
    return document


def _best(document, backends, scope):
    rows = [
        case
        for case in document["cases"]
        if case["seconds"] and case["backend"] in backends and case["scope"] == scope
    ]
    return min(rows, key=lambda case: case["seconds"]["median"])


def _crossover(parts, scope):
    points = []
    for elements, part in parts:
        cpu = _best(part, ("serial", "openmp"), "kernel")
        gpu = _best(part, ("cuda",), scope)
        ratio = _over(cpu, gpu)
        points.append(
            {
                "size": str(elements),
                "elements": elements,
                "cpu": f"{cpu['backend']}/{cpu['variant']}",
                "gpu": f"{gpu['backend']}/{gpu['variant']}",
                "ratio": {
                    "value": ratio["value"],
                    "ci95": [ratio["value"] * 0.8, ratio["value"] * 1.25],
                },
            }
        )
    entry = {"name": f"energy/f32/{scope}", "workload": "energy", "dtype": "f32", "bins": None}
    entry |= {"scope": scope, "cache": "cold", "points": points, "size": None, "ci95": None}
    if points[-1]["ratio"]["value"] < 1:
        return {**entry, "verdict": "never", "ci95": [points[-1]["elements"], None]}
    below = [i for i, point in enumerate(points) if point["ratio"]["value"] < 1]
    if not below:
        return {**entry, "verdict": "always", "ci95": [None, points[0]["elements"]]}
    left, right = points[below[-1]], points[below[-1] + 1]
    at = math.log(left["ratio"]["value"]) / math.log(
        left["ratio"]["value"] / right["ratio"]["value"]
    )
    size = left["elements"] * (right["elements"] / left["elements"]) ** at
    return {
        **entry,
        "verdict": "from",
        "size": int(size),
        "ci95": [int(size * 0.7), int(size * 1.5)],
    }


def sweep():
    """energy at six sizes, with a GPU: its kernel wins from some size on, with transfers never."""
    start = only(reference(), "energy")
    start["cases"] = [case for case in start["cases"] if ",beside=" not in case["name"]]
    start["speedups"] = [one for one in start["speedups"] if ",beside=" not in one["name"]]
    parts = [(10**power, with_gpu(resized(start, 10**power))) for power in range(3, 9)]
    document = copy.deepcopy(parts[-1][1])
    for part in ("cases", "speedups"):
        document[part] = [one for _, some in parts for one in some[part]]
    document["crossovers"] = [_crossover(parts, scope) for scope in ("kernel", "end_to_end")]
    hashes = {f"f32/{elements}": f"xxh3:{elements:016x}" for elements, _ in parts}
    document["context"]["run"]["input_hash"] = {"energy": hashes}
    return document


def scaling(threads=(1, 2, 4, 8, 16, 32)):
    """energy over threads, as Amdahl would have it with 5 % that stay serial."""
    document = only(reference(), "energy")
    document["scaling"] = []
    for variant in ("naive", "simd", "streaming"):
        serial = {"naive": 0.005, "simd": 0.05, "streaming": 0.1}[variant]
        points = []
        for count in threads:
            value = 1 / (serial + (1 - serial) / count)
            spread = [1, 1] if count == threads[0] else [value * 0.95, value * 1.04]
            points.append(
                {
                    "threads": count,
                    "seconds": 0.1 / value,
                    "speedup": {"value": value, "ci95": spread},
                    "efficiency": value / count,
                }
            )
        document["scaling"].append(
            {
                "name": f"energy/openmp/{variant}/f32/10000000/kernel",
                "workload": "energy",
                "backend": "openmp",
                "variant": variant,
                "dtype": "f32",
                "size": "10000000",
                "cache": "cold",
                "points": points,
                "enough_threads": threads[-1],
            }
        )
    return document


def rename(document, node):
    document["context"]["run"]["node"] = node
    document["context"]["machine"].update(node=node, host_name=node)


def write(folder, document, name):
    path = Path(folder) / f"{name}.json"
    path.write_text(json.dumps(document))
    return path


def calm(seconds):
    """A twentieth of the scatter, no drift: what a node looks like with nobody else on it."""
    median = seconds["median"]
    for key in ("samples", "ci95"):
        seconds[key] = [median + (one - median) / 20 for one in seconds[key]]
    for key in ("q1", "q3", "min"):
        seconds[key] = median + (seconds[key] - median) / 20
    seconds.update(drift=0.0, outliers=[])


def nodes(folder, count, slow=7, factor=1.4, workloads=("energy", "transpose")):
    """Documents of many nodes, one of which needs 1.4 times the time for everything."""
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
