#!/usr/bin/env python3
"""bench plot, report, lesson and points; in scripts/, plot.py and the others are links to it."""

import sys
from pathlib import Path

# Packages are looked for next to this one first, and never in the user's folder.
sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench_hpc.own_python import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
