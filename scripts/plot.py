#!/usr/bin/env python3
"""Pictures of result documents, as PNG, SVG or PDF: scripts/plot.py --help"""

import sys

import own_python

own_python.go_on_with("matplotlib")
try:
    from pictures.command import main
except ModuleNotFoundError as missing:
    package = (missing.name or "").split(".")[0]
    if package not in ("matplotlib", "numpy"):
        raise
    print(f"plot.py: {package} is missing: {own_python.REMEDY}", file=sys.stderr)
    sys.exit(2)

if __name__ == "__main__":
    sys.exit(main())
