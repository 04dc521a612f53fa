#!/usr/bin/env python3
"""Two SPDX lines at the head of every code file: whose it is, and its licence.

spdx.py           add them where they are missing
spdx.py --check   only say where they are missing (exit status 1)

Left out: data and text, recorded files, inputs of the fuzzers, what users copy (starters, course/),
and the parts of pages that users publish (scripts/page/*.js, *.css, *.html).
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINES = ("SPDX-FileCopyrightText: The bench developers", "SPDX-License-Identifier: MIT")
SLASHES = {".hpp", ".cpp", ".h", ".c", ".cu", ".cuh", ".def"}
HASHES = {".py", ".sh", ".bash", ".sbatch", ".cmake"}
COPIED = ("course/", "harness/fuzz/corpus/")


def tracked():
    # The setting is for checkouts that belong to another user, as in containers.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in done.stdout.split("\0") if (ROOT / name).is_file()]


def sign(name, text):
    """How a comment begins in a code file; None: it gets no head."""
    path = pathlib.PurePath(name)
    if name.startswith(COPIED) or path.stem == "starter":
        return None
    if path.suffix in SLASHES:
        return "//"
    if path.suffix in HASHES or path.name == "CMakeLists.txt":
        return "#"
    return "#" if text.startswith("#!") else None


def with_head(text, mark):
    """The lines come first, or after the shebang; a comment that follows stays one of its own."""
    first, rest = text.split("\n", 1) if text.startswith("#!") else ("", text)
    head = "".join(f"{mark} {line}\n" for line in LINES)
    gap = "\n" if rest.startswith(mark) else ""
    return (f"{first}\n" if first else "") + head + gap + rest


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print("usage: spdx.py [--check]", file=sys.stderr)
        return 2
    missing = []
    for name in tracked():
        path = ROOT / name
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        mark = sign(name, text)
        if mark and not all(f"{mark} {line}\n" in text[:2000] for line in LINES):
            missing.append(name)
            if not sys.argv[1:]:
                path.write_text(with_head(text, mark), encoding="utf-8")
    if sys.argv[1:] and missing:
        print("without SPDX lines (scripts/spdx.py adds them):", *missing, sep="\n  ")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
