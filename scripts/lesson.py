#!/usr/bin/env python3
"""One page per workload: its ladders, rung by rung, beside what documents of bench measured."""

import sys

import own_python

own_python.go_on_with("jinja2")
try:
    from page import lessons
except ModuleNotFoundError as missing:
    if missing.name not in ("jinja2", "markupsafe"):
        raise
    print(f"lesson: {missing.name} is not installed: {own_python.REMEDY}", file=sys.stderr)
    sys.exit(2)

if __name__ == "__main__":
    sys.exit(lessons.main(sys.argv[1:]))
