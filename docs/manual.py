#!/usr/bin/env python3
"""Writes manual pages, bench(1) and one per command: manual.py FOLDER

Their source is `bench help --format json`, as of the pages that docs/generate.py writes."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from bench_hpc import program  # noqa: E402

LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
CODE = re.compile(r"`([^`]+)`")


def text(words):
    """Words without a meaning in roff."""
    words = words.replace("\\", "\\(rs").replace("-", "\\-")
    return "\\&" + words if words[:1] in (".", "'") else words


def bold(words):
    return f"\\fB{text(words)}\\fR"


def from_markdown(words):
    """A line of prose; what is code there is bold here."""
    parts = CODE.split(LINK.sub(r"\1", words).replace("**", ""))
    return "".join(bold(part) if i % 2 else text(part) for i, part in enumerate(parts))


def typed(words):
    """A command or option as typed: what the user puts in is in italics."""
    return re.sub(r"\b[A-Z][A-Z_]+\b", lambda found: f"\\fI{found[0]}\\fR", text(words))


def entry(term, meaning):
    return [".TP", term, meaning]


def option(facts):
    names = ", ".join(map(bold, facts["names"]))
    value = f" {typed(facts['value'])}" if facts["value"] else ""
    default = f" (default: {facts['default']})" if facts["default"] else ""
    return entry(names + value, text(facts["text"] + default))


def examples(its):
    lines = [".SH EXAMPLES"] if its else []
    for one in its:
        lines += entry(bold(one["command"]), text(one["text"]))
    return lines


def exit_status(codes):
    lines = [".SH EXIT STATUS"] + [f"See {bold('bench')}(1)."] * (not codes)
    for one in codes:
        lines += entry(bold(one["code"]), text(one["text"]))
    return lines


def cells(line):
    return [from_markdown(one.strip()) for one in line.strip("|").split("|")]


def topic(markdown, title):
    """A page of docs/reference as a section: its tables become lists."""
    lines = [f".SH {title}"]
    for block in markdown.strip().split("\n\n")[1:]:
        first, *others = block.splitlines()
        if first.startswith("|"):
            for term, *meaning in map(cells, others[1:]):
                lines += entry(term, "; ".join(meaning))
        elif first.startswith("#"):
            lines.append(f".SS {text(first.lstrip('# '))}")
        else:
            lines += [".PP", *map(from_markdown, [first, *others])]
    return lines


def page(told, name, summary, *parts):
    head = [f'.TH "{name.upper()}" "1" "" "bench {told["version"]}" "bench"']
    head += [".nh", ".ad l", ".SH NAME", f"{text(name)} \\- {text(summary)}"]
    return "\n".join([*head, *(line for part in parts for line in part)]) + "\n"


def also(told, name):
    names = ["bench", *(f"bench-{one['name']}" for one in told["commands"])]
    return [".SH SEE ALSO", ", ".join(f"{bold(one)}(1)" for one in names if one != name)]


def of_command(told, facts):
    name = f"bench-{facts['name']}"
    options = [".SH OPTIONS"] if facts["groups"] else []
    for group in facts["groups"]:
        options.append(f".SS {text(group['title'])}")
        for one in group["options"]:
            options += option(one)
    return page(
        told,
        name,
        facts["summary"],
        [".SH SYNOPSIS", typed(facts["usage"])],
        [".SH DESCRIPTION", text(facts["description"])],
        [".PP", f"Also: {bold('bench ' + facts['alias'])}"] if facts["alias"] else [],
        options,
        exit_status(facts["exit_codes"]),
        [".SH ENVIRONMENT", f"See {bold('bench')}(1)."],
        examples(facts["examples"]),
        also(told, name),
    )


def of_program(told):
    topics = {one["name"]: one["markdown"] for one in told["topics"]}
    usage = [typed("bench [run] [FILTER...] [OPTIONS]"), ".br", typed("bench COMMAND [OPTIONS]")]
    commands, section = [".SH COMMANDS"], None
    for one in told["commands"]:
        if one["section"] != section:
            section = one["section"]
            commands += [f".SS {text(section or 'Help')}"]
        commands += entry(f"{bold('bench-' + one['name'])}(1)", text(one["summary"]))
    return page(
        told,
        "bench",
        "compare implementations of the same kernel: naive, SIMD, OpenMP, CUDA",
        [".SH SYNOPSIS", *usage],
        [".SH DESCRIPTION", text(told["description"])],
        commands,
        topic(topics["exit-codes"], "EXIT STATUS"),
        topic(topics["environment"], "ENVIRONMENT"),
        examples(told["commands"][0]["examples"]),
        also(told, "bench"),
    )


def pages(told):
    found = {f"bench-{one['name']}.1": of_command(told, one) for one in told["commands"]}
    return {"bench.1": of_program(told), **found}


def run(arguments):
    if len(arguments) != 1:
        raise program.UsageError("usage: manual.py FOLDER")
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, roff in pages(program.ask(["help", "--format", "json"])).items():
        (folder / name).write_text(roff, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(program.ended("manual", lambda: run(sys.argv[1:])))
