#!/usr/bin/env python3
"""One page per workload: its ladders, rung by rung, beside what documents of bench measured."""

import sys

from own_python import start

if __name__ == "__main__":
    sys.exit(start("lesson", "page.lessons", "jinja2"))
