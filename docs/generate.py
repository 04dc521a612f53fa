#!/usr/bin/env python3
"""Writes the pages of docs/reference that say what the program and the schema say.

generate.py           write them
generate.py --check   only name those that are stale (exit code 1 if one is)
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import program  # noqa: E402
import reference_pages  # noqa: E402


def pages():
    """Text of each page by its name."""
    told = program.ask(["help", "--format", "json"])
    listed = program.ask(["list", "--format", "json"])
    if not listed["built_with_cuda"]:
        raise program.UsageError(
            f"{program.binary()} was built without CUDA: it cannot list all variants"
        )
    schema = json.loads((ROOT / "results" / "schema.json").read_text(encoding="utf-8"))
    return {
        "commands": reference_pages.commands(told),
        "columns": reference_pages.columns(told),
        "workloads": reference_pages.workloads(listed),
        "result-file": reference_pages.result_file(schema),
    }


def run(arguments, folder):
    if arguments not in ([], ["--check"]):
        raise program.UsageError("usage: generate.py [--check]")
    stale = False
    for name, text in pages().items():
        path = folder / f"{name}.md"
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments:
            print(f"docs/reference/{path.name} is stale: run docs/generate.py", file=sys.stderr)
            stale = True
        else:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return int(stale)


if __name__ == "__main__":
    sys.exit(program.ended("generate", lambda: run(sys.argv[1:], ROOT / "docs" / "reference")))
