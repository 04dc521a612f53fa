#!/usr/bin/env python3
"""The lessons of the site: lessons.py FOLDER writes MACHINE/WORKLOAD.html of recorded results."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "results" / "reference"
INDEX = "index"  # of the lessons of a machine

# Of each machine its name, the version and its results. Of several with one workload, the first
# is shown.
MACHINES = {
    "h100": ("16 cores and an NVIDIA H100", "0.1.0", ["default"]),
    "epyc-vm-2cores": ("AMD EPYC, 2 cores", "1.0.0", ["default"]),
    "h200": (
        "NVIDIA H200",
        "0.1.0",
        [f"1-gpu-{one}" for one in ("maps", "turning", "counting", "lines", "tables", "transfers")],
    ),
}
# The links at the top of a page: the first one leads back to the site.
NAVIGATION = re.compile(r"<nav\b[^>]*>|<header>(?!\s*<nav)")
BACK = '<a href="../../lessons.html" target="_top">bench</a>'


def run(folder):
    for machine, (name, version, files) in MACHINES.items():
        paths = [REFERENCE / version / machine / f"{file}.json" for file in files]
        output = folder / machine
        output.parent.mkdir(parents=True, exist_ok=True)
        command = [ROOT / "scripts" / "lesson.py", *paths, "-o", output, "--title", name]
        subprocess.run([sys.executable, *command], stdout=subprocess.DEVNULL, check=True)
        for page in output.glob("*.html"):
            text = page.read_text(encoding="utf-8")
            linked = NAVIGATION.sub(lambda found: f"{found[0]}\n{BACK}", text, count=1)
            page.write_text(linked, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: lessons.py FOLDER")
    try:
        run(Path(sys.argv[1]))
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
