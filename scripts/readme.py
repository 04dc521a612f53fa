#!/usr/bin/env python3
"""Rewrites the tables in README.md from the recorded run that its marker names.

The marker is '<!-- table begin: FILE WORKLOAD… -->': only these workloads are shown.

readme.py          rewrite it
readme.py --check  only say whether it is up to date (exit status 1 if not)
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
BLOCK = re.compile(
    r"(<!-- table begin: (\S+) ([\w ]+) -->\n).*?(<!-- table end -->)",
    re.DOTALL,
)


def with_table(text):
    """The text of README.md with the table that its recorded run gives."""
    if not BLOCK.search(text):
        raise SystemExit(
            "README.md has no '<!-- table begin: FILE WORKLOAD… -->' … '<!-- table end -->'"
        )

    def block(match):
        tables = subprocess.run(
            [BENCH, "table", match[2]], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        title, *blocks, legend = tables.rstrip().split("\n\n")
        shown = [block for block in blocks if block.split()[0] in match[3].split()]
        text = "\n\n".join([title, *shown, legend])
        return f"{match[1]}```\n{text}\n```\n{match[4]}"

    return BLOCK.sub(block, text)


def main():
    before = README.read_text(encoding="utf-8")
    after = with_table(before)
    if after == before:
        return 0
    if "--check" in sys.argv[1:]:
        print("README.md: the table is stale; run scripts/readme.py", file=sys.stderr)
        return 1
    README.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
