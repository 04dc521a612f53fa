#!/usr/bin/env python3
"""One page of everything that result files say: one file, nothing loaded from elsewhere."""

import sys

from own_python import start

if __name__ == "__main__":
    sys.exit(start("report", "page.command", "jinja2", "matplotlib"))
