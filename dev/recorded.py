"""What results/reference/ holds, as tables of pages, for readme.py."""

import json
import re
import shlex
import urllib.parse

from bench_hpc import program

CPU = ("serial", "openmp")
# What a status would claim: each is said to be open until a recorded file has it.
CLAIMS = {
    "a processor of Arm": lambda one: one["context"]["machine"]["arch"] == "aarch64",
    "several sockets": lambda one: one["context"]["machine"]["sockets"] > 1,
    "several GPUs": lambda one: "device=" in " ".join(case["name"] for case in one["cases"]),
    "hardware that is not virtual": lambda one: not one["context"]["machine"]["hypervisor"],
    "user kernels on a GPU": lambda one: measured_on_gpu(one, "guest"),
    "Python implementations on a GPU": lambda one: measured_on_gpu(one, "cupy", "numba_cuda"),
    "a whole default run on a GPU node": lambda one: (
        one["context"]["run"]["finished"]
        and one["context"]["machine"].get("gpu")
        and {"serial", "cuda"} <= {case["backend"] for case in one["cases"]}
    ),
}


def measured_on_gpu(document, *backends):
    return any(
        case["status"] == "measured" and case["backend"] in backends and case.get("launch")
        for case in document["cases"]
    )


def printable(text):
    """One line, whatever a result file holds."""
    return program.plain(" ".join(str(text).split()))


def plain(text):
    """Text for a cell of a Markdown table, with no meaning of its own."""
    return re.sub(r"([\\`*_\[\]<>|~&])", r"\\\1", printable(text))


def code(text):
    """The same as code: in a fence that is longer than any in the text."""
    text = printable(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    gap = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{gap}{text}{gap}{fence}"


def machine(context):
    facts, used = context["machine"], context["run"]["threads"]
    text = f"{facts['cpu_model'] or 'unknown processor'}, {used} of {facts['logical_cpus']} cpus"
    return plain(f"{text}; {facts['gpu']['name']}" if facts.get("gpu") else text)


def runs(root):
    """The recorded runs in the order of their names: (path, what it holds)."""
    for path in sorted((root / "results" / "reference").glob("*/*/*.json")):
        yield path, json.loads(path.read_text(encoding="utf-8"))


def revision(context):
    text = (context["build"]["revision"] or "unknown")[:7]
    return text + " with changes" if context["build"]["dirty"] else text


def best(rows):
    """The fastest variant, its time and its speedup over the naive loop, if that was measured."""
    if not rows:
        return "–"  # noqa: RUF001
    row = min(rows, key=lambda row: row["values"]["time"])
    text = f"{plain(row['variant'])} {plain(row['time'])}"
    return text + (f" ({plain(row['naive'])}×)" if row["values"]["naive"] else "")  # noqa: RUF001


def largest(path):
    """Rows of the built-in variants, by workload and precision, at the largest size of each."""
    found = {}
    for table in program.tables([path])["tables"]:
        keys = [column["key"] for column in table["columns"]]
        for row in table["rows"]:
            if row["status"] == "measured" and not row["library"]:
                shown = {**row, "elements": table["elements"], **dict(zip(keys, row["cells"]))}
                found.setdefault((row["workload"], row["dtype"]), []).append(shown)
    for key, rows in found.items():
        most = max(row["elements"] for row in rows)
        yield *key, [row for row in rows if row["elements"] == most]


def rows_of(path):
    """Rows of the table of a machine."""
    link = f"[{plain(path.stem)}](../../{urllib.parse.quote('/'.join(path.parts[-5:]))})"
    for workload, dtype, rows in largest(path):
        backend = {id(row): row["variant"].partition("/")[0] for row in rows}
        cpu = [row for row in rows if backend[id(row)] in CPU]
        gpu = [row for row in rows if backend[id(row)] == "cuda"]
        alone = [row for row in gpu if row["scope"] == "kernel"]
        moved = [row for row in gpu if row["scope"] == "end_to_end"]
        size = plain(rows[0]["size"])
        cells = [f"{plain(workload)} {dtype} {size}", best(cpu), best(alone), best(moved), link]
        yield f"| {' | '.join(cells)} |"


def command(path, context):
    ended = "" if context["run"]["finished"] else ", ended before it had finished"
    about = f"{context['date'][:10]}, revision {revision(context)}{ended}"
    return f"- {plain(path.name)} ({plain(about)}): {code(shlex.join(context['run']['argv']))}"


def index(root):
    """A table for each machine, and the commands below it."""
    folders = {}
    for path, document in runs(root):
        rows = [*rows_of(path)]  # the program has read it, then
        folders.setdefault(path.parent, []).append((path, rows, document["context"]))
    for folder, its in folders.items():
        yield f"## {plain('/'.join(folder.parts[-2:]))}: {machine(its[0][2])}\n"
        yield "| workload | best CPU variant | best GPU kernel | GPU with transfers | file |"
        yield "|---|---|---|---|---|"
        yield from (row for _, rows, _ in its for row in rows)
        yield ""
        yield from (command(path, context) for path, _, context in its)
        yield ""


def machines(root):
    """Where recorded runs were made, and what none of them shows yet."""
    found = {}
    for path, document in runs(root):
        found.setdefault(path.parent, []).append(document)
    yield "| machine | system, compiler | version, date | files |"
    yield "|---|---|---|---|"
    for folder, documents in found.items():
        context = documents[0]["context"]
        build, gpu = context["build"], context["build"].get("cuda")
        tools = f"{context['machine']['os']}; {build['compiler']}"
        tools += f"; nvcc {gpu['compiler'].split()[-1]}" if gpu else ""
        cut = sum(not one["context"]["run"]["finished"] for one in documents)
        count = f"{len(documents)}, {cut} of them cut by a time limit" if cut else len(documents)
        name = plain("/".join(folder.parts[-2:]))
        yield (
            f"| {machine(context)} | {plain(tools)} "
            f"| {plain(build['version'])}, {plain(context['date'][:10])} | {name}: {count} |"
        )
    every = [one for documents in found.values() for one in documents]
    lacking = [claim for claim, holds in CLAIMS.items() if not any(map(holds, every))]
    yield ""
    if lacking:
        yield "Not among the recorded runs yet:\n"
        yield from (f"- {claim}" for claim in lacking)
