#!/usr/bin/env python3
"""One page of everything that documents of bench say: one file, nothing loaded from elsewhere."""

import sys

import own_python

own_python.go_on_with("jinja2", "matplotlib")
try:
    from page import command
except ModuleNotFoundError as missing:
    if missing.name not in ("jinja2", "markupsafe"):
        raise
    print(f"report: {missing.name} is not installed: {own_python.REMEDY}", file=sys.stderr)
    sys.exit(2)

if __name__ == "__main__":
    sys.exit(command.main(sys.argv[1:]))
