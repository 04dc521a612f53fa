#!/usr/bin/env python3
"""One page per workload: its variants, one by one, next to what result files of bench measured."""

import sys

from own_python import start

if __name__ == "__main__":
    sys.exit(start("lesson", "page.lessons", "jinja2"))
