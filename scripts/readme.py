#!/usr/bin/env python3
"""Rewrites what README.md and docs/results/index.md show of the recorded runs.

README.md              a table; "<!-- table begin: FILE WORKLOAD [FILTERS] -->" names run and rows
docs/pictures/         the same as a picture, light and dark; data of zero_suppress
docs/results/index.md  a row for each file of results/reference/*/*/

readme.py          rewrite all
readme.py --check  only say what is not up to date (exit status 1 if something is not)
"""

import importlib.util
import itertools
import json
import re
import shlex
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

from bench_hpc import program

ROOT = program.ROOT
INDEX_PAGE = "docs/results/index.md"
THEMES = ("light", "dark")
MOST_SHOWN = 6  # workloads of a run, in the index
TABLE = re.compile(
    r"^(<!-- table begin: (\S+) (\w+)(?: (\S+))? -->\n).*?^(<!-- table end -->)$",
    re.MULTILINE | re.DOTALL,
)
ROW = re.compile(r"  \S+( ⇄)?(  | +[~\d])")  # a sentence has one blank after its first word
INDEX = re.compile(r"^(<!-- index begin -->\n).*?^(<!-- index end -->)$", re.MULTILINE | re.DOTALL)


def replaced(pattern, block, text, name):
    """The text, with `block` between the markers."""
    if not pattern.search(text):
        raise SystemExit(f"{name}: the markers are missing: <!-- … begin … --> and <!-- … end -->")
    return pattern.sub(block, text)


def tables_of(file, filters, root):
    """What `bench table` prints; it says itself what is wrong with a file."""
    command = [program.binary(), "table", file, "--filter", filters]
    command += ["--scope", "kernel,end_to_end"]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)
    return done.stdout


def with_table(text, root=ROOT):
    """The text of README.md with the rows that the recorded run gives."""

    def block(match):
        _, table, *_ = tables_of(match[2], match[4] or match[3], root).split("\n\n")
        heading, *lines = table.splitlines()
        rows = itertools.takewhile(ROW.match, lines)
        return "\n".join([f"{match[1]}```text", heading, *rows, "```", match[5]])

    return replaced(TABLE, block, text, "README.md")


def picture(theme, root=ROOT):
    """The table of README.md as a picture: SVG."""
    _, file, workload, *_ = TABLE.search((root / "README.md").read_text(encoding="utf-8")).groups()
    return plot("ladder", root / file, "--workload", workload, "--theme", theme)


def plot(*command):
    """What bench plot draws: SVG."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.svg"
        subprocess.run(
            [sys.executable, ROOT / "scripts" / "plot.py", *command, "-o", path],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return path.read_text(encoding="utf-8")


def printable(text):
    """One line, whatever a result file holds."""
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


def best(rows):
    """How much faster than the naive loop; the fastest variant and its time where there is none."""
    ratios = [row for row in rows if row["values"]["naive"]]
    if not ratios:
        most = max(row["elements"] for row in rows)
        largest = [row for row in rows if row["elements"] == most]
        row = min(largest, key=lambda row: row["values"]["time"])
        return plain(f"{row['variant']} {row['time']}")
    row = max(ratios, key=lambda row: row["values"]["naive"])
    text = f"{row['naive']}×"  # noqa: RUF001
    if len({(one["dtype"], one["size"]) for one in ratios}) > 1:
        text += f" ({plain(row['dtype'])} {plain(row['size'])})"
    if (row["values"]["best"] or 0) > 1:
        text += f" ({row['best']}× the best CPU variant)"  # noqa: RUF001
    return text


def results(path):
    """`workload best` without user kernels; with the transfers where only those are there."""
    scopes = {"kernel": {}, "end_to_end": {}}
    for table in program.tables([path])["tables"]:
        keys = [column["key"] for column in table["columns"]]
        for row in table["rows"]:
            ours = row["status"] == "measured" and not row["library"]
            if ours and row["scope"] in scopes:
                shown = {"elements": table["elements"], **dict(zip(keys, row["cells"]))}
                found = scopes[row["scope"]].setdefault(row["workload"], [])
                found.append({**row, **shown})
    workloads = scopes["kernel"] or scopes["end_to_end"]
    return [f"{plain(name)} {best(rows)}" for name, rows in workloads.items()]


def machine(context):
    facts, used = context["machine"], context["run"]["threads"]
    text = f"{facts['cpu_model'] or 'unknown processor'}, {used} of {facts['logical_cpus']} cpus"
    return plain(f"{text}; {facts['gpu']['name']}" if facts.get("gpu") else text)


def row(path):
    """A recorded run as a row of the index."""
    found = results(path)  # the program has read it, then
    if len(found) > MOST_SHOWN:
        found[MOST_SHOWN:] = [f"and {len(found) - MOST_SHOWN} more"]
    context = json.loads(path.read_text(encoding="utf-8"))["context"]
    revision = (context["build"]["revision"] or "unknown")[:7]
    if context["build"]["dirty"]:
        revision += " with changes"
    name = "/".join(path.parts[-3:])  # version, machine, file
    cells = [
        f"[{plain(name)}](../../results/reference/{urllib.parse.quote(name)})",
        machine(context),
        plain(context["date"][:10]),
        plain(revision),
        code(shlex.join(context["run"]["argv"])),
        "<br>".join(found) or "nothing measured",
    ]
    return f"| {' | '.join(cells)} |\n"


def with_index(text, root=ROOT):
    """The text of docs/results/index.md with a row for each recorded run."""
    table = (
        "| file | machine | date | revision | command | fastest, over `serial/naive` |\n"
        "|---|---|---|---|---|---|\n"
    )
    for path in sorted((root / "results" / "reference").glob("*/*/*.json")):
        try:
            table += row(path)
        except program.UsageError as error:
            raise SystemExit(str(error)) from None
    return replaced(INDEX, lambda match: match[1] + table + match[2], text, INDEX_PAGE)


def shown(root):
    """What is made of the recorded runs: each file, and its text made new from the one before."""
    yield "README.md", lambda text: with_table(text, root)
    yield INDEX_PAGE, lambda text: with_index(text, root)
    if not importlib.util.find_spec("matplotlib"):
        print("no matplotlib: the pictures stay as they are", file=sys.stderr)
        return
    for theme in THEMES:
        yield f"docs/pictures/ladder-{theme}.svg", lambda _, theme=theme: picture(theme, root)
    yield "docs/pictures/zero_suppress.svg", lambda _: plot("data", "zero_suppress")


def main(arguments, root=ROOT):
    if {"-h", "--help"} & {*arguments}:
        print(__doc__.strip())
        return 0
    status = 0
    for name, update in shown(root):
        path = root / name
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        after = update(before)
        if after == before:
            continue
        if "--check" in arguments:
            print(f"{name} is stale: run scripts/readme.py", file=sys.stderr)
            status = 1
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        new.write_text(after, encoding="utf-8")
        new.replace(path)
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
