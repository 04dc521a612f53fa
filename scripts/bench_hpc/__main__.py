#!/usr/bin/env python3
"""bench plot, report, lesson and points; in scripts/, plot.py and the others are links to it."""

import sys
from pathlib import Path

# Packages are looked for next to this one first, and never in the user's folder.
sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench_hpc.own_python import go_on_with, has, start  # noqa: E402

# The module of each command, and the packages that it needs.
COMMANDS = {
    "plot": ("pictures.command", ["matplotlib"]),
    "report": ("page.command", ["jinja2", "matplotlib"]),
    "lesson": ("page.lessons", ["jinja2"]),
    "points": ("class_.command", []),
}


def able(commands):
    """Prints which of these commands have their packages, in one line."""
    go_on_with(sorted({package for one in commands for package in COMMANDS[one][1]}))
    print(*[one for one in commands if has(COMMANDS[one][1])])
    return 0


def main():
    called = Path(sys.argv[0]).stem  # of a link
    words = [called, *sys.argv[1:]] if called in COMMANDS else sys.argv[1:]
    if words[:1] == ["--able"]:  # what bench may propose: those of these commands that work here
        return able(words[1:])
    if not words or words[0] not in COMMANDS:
        print("usage: python3 -m bench_hpc", "|".join(COMMANDS), "...", file=sys.stderr)
        return 2
    name, *arguments = words
    module, packages = COMMANDS[name]
    if any(one.startswith("--feedback") for one in arguments):
        packages = ["jinja2"]  # points need one for pages only
    return start(f"bench {name}", f"bench_hpc.{module}", packages, arguments)


if __name__ == "__main__":
    sys.exit(main())
