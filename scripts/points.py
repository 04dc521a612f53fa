#!/usr/bin/env python3
"""Points for a class, for a spreadsheet, Gradescope or Moodle, and a page for each student."""

import sys

from own_python import start

if __name__ == "__main__":
    # Only pages need a package.
    pages = any(one.startswith("--feedback") for one in sys.argv)
    sys.exit(start("points", "class_.command", *["jinja2"][: int(pages)]))
