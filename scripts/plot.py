#!/usr/bin/env python3
"""Pictures of result files, as PNG, SVG or PDF: scripts/plot.py --help"""

import sys

from own_python import start

if __name__ == "__main__":
    sys.exit(start("plot.py", "pictures.command", "matplotlib"))
