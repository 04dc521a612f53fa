#!/usr/bin/env python3
"""Writes results/schema.json and the pages of docs/reference, which say what the program says.

generate.py           write them
generate.py --check   only name those that are stale (exit code 1 if one is)
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import reference_pages  # noqa: E402
from bench_hpc import program  # noqa: E402


def schema(told):
    """The JSON Schema of result files: program.ask(["help", "--format", "json"]) tells it."""
    return json.dumps(told["result_file"], indent=1, ensure_ascii=False) + "\n"


def listing():
    """What the program lists; or the one with target regions, which tests build next to it."""
    listed = program.ask(["list", "--format", "json"])
    other = Path(program.binary()).parent / "kernels" / "bench_for_offload"
    if all(one["built"] for one in listed["backends"]) or not other.is_file():
        return listed
    return program.ask(["list", "--format", "json"], by=other)


def pages(told):
    """Text of each page by its name."""
    listed = listing()
    lacking = [one["needs"] for one in listed["backends"] if not one["built"]]
    if lacking:
        raise program.UsageError(
            f"{program.binary()} was built without {lacking[0]}: it cannot list all variants"
        )
    return {
        "commands": reference_pages.commands(told),
        "columns": reference_pages.columns(told),
        "workloads": reference_pages.workloads(listed),
        "result-file": reference_pages.result_file(told["result_file"]),
    }


def made():
    """Text of each file by its path below the root. The schema needs no CUDA."""
    told = program.ask(["help", "--format", "json"])
    yield "results/schema.json", schema(told)
    for name, text in pages(told).items():
        yield f"docs/reference/{name}.md", text


def run(arguments, root):
    if arguments not in ([], ["--check"]):
        raise program.UsageError("usage: generate.py [--check]")
    stale = False
    for name, text in made():
        path = root / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments:
            print(f"{name} is stale: run docs/generate.py", file=sys.stderr)
            stale = True
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return int(stale)


if __name__ == "__main__":
    sys.exit(program.ended("generate", lambda: run(sys.argv[1:], ROOT)))
