#!/usr/bin/env python3
"""Pictures of result documents, as PNG, SVG or PDF: scripts/plot.py --help"""

import sys

try:
    from pictures.command import main
except ModuleNotFoundError as missing:
    if missing.name is None or missing.name.split(".")[0] not in ("matplotlib", "numpy"):
        raise
    remedy = "pip install -r scripts/pictures/requirements.txt"
    print(f"plot.py: {missing.name} is missing: {remedy}", file=sys.stderr)
    sys.exit(2)

if __name__ == "__main__":
    sys.exit(main())
