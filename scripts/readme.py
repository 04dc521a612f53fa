#!/usr/bin/env python3
"""Rewrites what README.md and results/README.md show of the recorded runs.

README.md          tables; the marker '<!-- table begin: FILE WORKLOAD… -->' names run and workloads
results/README.md  the index: a row for each file of results/reference/*/

readme.py          rewrite both
readme.py --check  only say what is not up to date (exit status 1 if something is not)
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import urllib.parse

import reading

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
TABLE = re.compile(
    r"^(<!-- table begin: (\S+) ([\w ]+) -->\n).*?^(<!-- table end -->)$",
    re.MULTILINE | re.DOTALL,
)
INDEX = re.compile(r"^(<!-- index begin -->\n).*?^(<!-- index end -->)$", re.MULTILINE | re.DOTALL)


def replaced(pattern, block, text, name):
    """The text with what stands between the markers made anew by `block`."""
    if not pattern.search(text):
        raise SystemExit(f"{name}: the markers are missing: <!-- … begin … --> and <!-- … end -->")
    return pattern.sub(block, text)


def tables_of(file, root):
    """What `bench table` prints; it says itself what is wrong with a file."""
    try:
        return subprocess.run(
            [BENCH, "table", file], cwd=root, stdout=subprocess.PIPE, text=True, check=True
        ).stdout
    except OSError as error:
        raise SystemExit(f"{BENCH}: {error.strerror}; build it first: scripts/build.sh") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(error.returncode) from None


def with_table(text, root=ROOT):
    """The text of README.md with the tables that the recorded run gives."""

    def block(match):
        title, *blocks, legend = tables_of(match[2], root).rstrip().split("\n\n")
        shown = [block for block in blocks if block.split()[0] in match[3].split()]
        text = "\n\n".join([title, *shown, legend])
        return f"{match[1]}```\n{text}\n```\n{match[4]}"

    return replaced(TABLE, block, text, "README.md")


def printable(text):
    """One line, whatever a document holds."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(str(text).split()))


def plain(text):
    """Text for a cell of a Markdown table, with no meaning of its own."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", printable(text))


def code(text):
    """The same as code: in a fence that is longer than any in the text."""
    text = printable(text).replace("|", r"\|")
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    gap = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{gap}{text}{gap}{fence}"


def factor(value):
    """As in the sentences of `bench table`: 0.37, 1.90, 4.1, 180."""
    decimals = 0 if value >= 9.95 else 1 if value >= 1.95 else 2
    return f"{value:.{decimals}f}×"  # noqa: RUF001


def duration(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-9:.3g} ns"


def measured(document):
    """The pairs of case and speedup, by workload, that stand for our own kernels alone."""
    workloads = {}
    for case, speedup in zip(document["cases"], document["speedups"]):
        ours = not case.get("library") and not reading.complete(case)["beside"]
        if ours and case["status"] == "measured" and case["scope"] == "kernel":
            workloads.setdefault(case["workload"], []).append((case, speedup))
    return workloads


def best(pairs):
    """How much faster than the plain loop; the fastest variant and its time where there is none."""
    ratios = [pair for pair in pairs if pair[1]["over_serial"]]
    if not ratios:
        most = max(case["bytes"] for case, _ in pairs)
        largest = [case for case, _ in pairs if case["bytes"] == most]
        case = min(largest, key=lambda case: case["seconds"]["median"])
        name = plain(f"{case['backend']}/{case['variant']}")
        return f"{name} {duration(case['seconds']['median'])}"
    case, speedup = max(ratios, key=lambda pair: pair[1]["over_serial"]["value"])
    text = factor(speedup["over_serial"]["value"])
    if len({(case["dtype"], case["size"]) for case, _ in ratios}) > 1:
        text += plain(f" at {case['dtype']} {case['size']}")
    over_cpu = speedup["over_best_cpu"]
    if over_cpu and over_cpu["value"] > 1:
        text += f" ({factor(over_cpu['value'])} the best CPU variant)"
    return text


def machine(context):
    facts, used = context["machine"], context["run"]["threads"]
    text = f"{facts['cpu_model'] or 'unknown processor'}, {used} of {facts['logical_cpus']} cpus"
    return plain(f"{text}; {facts['gpu']['name']}" if facts.get("gpu") else text)


def row(path, document):
    """A recorded run as a row of the index."""
    context = document["context"]
    revision = (context["build"]["revision"] or "unknown")[:7]
    if context["build"]["dirty"]:
        revision += " with changes"
    results = [f"{plain(name)} {best(pairs)}" for name, pairs in measured(document).items()]
    name = f"{path.parent.name}/{path.name}"
    cells = [
        f"[{plain(name)}](reference/{urllib.parse.quote(name)})",
        machine(context),
        plain(context["date"][:10]),
        plain(revision),
        code(shlex.join(context["run"]["argv"])),
        "<br>".join(results) or "nothing measured",
    ]
    return f"| {' | '.join(cells)} |\n"


def with_index(text, root=ROOT):
    """The text of results/README.md with a row for each recorded run."""
    table = (
        "| file | machine | date | revision | command | fastest, over `serial/naive` |\n"
        "|---|---|---|---|---|---|\n"
    )
    for path in sorted((root / "results" / "reference").glob("*/*.json")):
        try:
            table += row(path, json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            raise SystemExit(f"{path}: is no document of bench: {error!r}") from None
    return replaced(INDEX, lambda match: match[1] + table + match[2], text, "results/README.md")


def main(arguments, root=ROOT):
    status = 0
    for name, update in (("README.md", with_table), ("results/README.md", with_index)):
        path = root / name
        before = path.read_text(encoding="utf-8")
        after = update(before, root)
        if after == before:
            continue
        if "--check" in arguments:
            print(f"{name} is stale: run scripts/readme.py", file=sys.stderr)
            status = 1
            continue
        new = path.with_name(f".{path.name}.new")
        new.write_text(after, encoding="utf-8")
        new.replace(path)
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
