#!/usr/bin/env python3
"""The lessons of the site: lessons.py FOLDER writes MACHINE/WORKLOAD.html of recorded results."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import program  # noqa: E402
from documents import load  # noqa: E402
from page import documents, lessons  # noqa: E402

REFERENCE = ROOT / "results" / "reference"

# Of each machine its name and its results. Of several with one workload, the first is shown.
MACHINES = {
    "epyc-vm-2cores": ("AMD EPYC, 2 cores", ["default"]),
    "h200": (
        "NVIDIA H200",
        [f"1-gpu-{one}" for one in ("maps", "turning", "counting", "lines", "tables", "transfers")],
    ),
}


def run(arguments):
    if len(arguments) != 1:
        raise program.UsageError("usage: lessons.py FOLDER")
    output = Path(arguments[0])
    output.mkdir(parents=True, exist_ok=True)
    for machine, (name, files) in MACHINES.items():
        loaded = load([REFERENCE / machine / f"{file}.json" for file in files])
        found = [documents.read(path) for one in loaded for path in one.files]
        made, _ = lessons.pages(found, "en", name, "../../lessons.html")
        lessons.write(made, output / machine)
    return 0


if __name__ == "__main__":
    sys.exit(program.ended("lessons", lambda: run(sys.argv[1:])))
