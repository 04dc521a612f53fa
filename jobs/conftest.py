"""Clusters for the tests of a session, and how to read what jobs leave."""

import json
import os
import pathlib

import pytest
from cluster import CGROUPS, LARGE, LIMITED, REAL, SMALLER, Cluster, reason_without

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
JOBS = ROOT / "jobs"
TINY = ["--size", "tiny", "--samples", "9", "--max-time", "0.02"]


def documents(folder):
    """The result files in a folder, by file name."""
    return {file.name: json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))}


def groups(document):
    """Workload and size of each group that was finished."""
    found = []
    for case in document["cases"]:
        if ",beside=" not in case["name"]:
            found.append((case["workload"], case["dtype"], case["size"]))
    return sorted(set(found))


def start_cluster(folder, *shape):
    reason = reason_without()
    if reason:
        pytest.skip(reason)
    return Cluster(folder, *shape)


FOUR = {"cpu0": "", "cpu1": "", "gpu0": "", "gpu1": ""}


@pytest.fixture(scope="session")
def real(tmp_path_factory):
    """Nodes of this machine's own cores."""
    nodes = {**FOUR, "gpu1": SMALLER}
    cluster = start_cluster(tmp_path_factory.mktemp("real"), REAL, nodes, 2)
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """Nodes with 128 CPUs and 8 GPUs, as far as Slurm knows."""
    cluster = start_cluster(tmp_path_factory.mktemp("large"), LARGE, FOUR, 8)
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def limited(tmp_path_factory):
    """A node whose jobs are kept in cgroups."""
    # They are the whole machine's: the name is this process's own.
    name = f"cpu{os.getpid()}"
    try:
        (CGROUPS / "freezer" / name).mkdir()
        (CGROUPS / "freezer" / name).rmdir()
    except OSError as error:
        pytest.skip(f"no cgroups (version 1) to be made here: {error}")
    cluster = start_cluster(tmp_path_factory.mktemp("limited"), LIMITED, {name: ""}, 0)
    yield cluster
    cluster.stop()
