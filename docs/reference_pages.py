"""The pages of docs/reference that are made from what the program and the schema say."""

import re
import textwrap
from itertools import groupby

MADE = "<!-- Made by docs/generate.py: edit {source} instead. -->"
WIDTH = 120


def wrapped(text, first="", rest=""):
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def plain(text):
    """Text without a meaning in Markdown."""
    return re.sub(r"([\\`*<])", r"\\\1", text)


def code(text):
    return f"`{text}`"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def table(headings, rows):
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def item(term, text):
    return wrapped(f"{term}: {text}" if text else term, "- ", "  ")


def page(title, source, *parts):
    return "\n\n".join([f"# {title}", MADE.format(source=source), *filter(None, parts)]) + "\n"


# Commands


def typed(option):
    return ", ".join(option["names"]) + (f" {option['value']}" if option["value"] else "")


def explained(option):
    default = option["default"]
    return plain(option["text"]) + (f" (default: {plain(default)})" if default else "")


def examples(its):
    widest = max((len(one["command"]) for one in its if len(one["command"]) < 60), default=0)
    lines = (f"{one['command']:{widest}}   # {one['text']}" for one in its)
    return "```text\n" + "\n".join(lines) + "\n```"


def command(facts):
    title = f"## bench {facts['name']}"
    also = f" Also: `bench {facts['alias']}`." if facts["alias"] else ""
    parts = [title, wrapped(plain(facts["description"]) + also)]
    parts.append(f"```text\n{facts['usage']}\n```")
    if facts["examples"]:
        parts += ["**Examples**", examples(facts["examples"])]
    for group in facts["groups"]:
        lines = [item(code(typed(one)), explained(one)) for one in group["options"]]
        parts += [f"**{group['title']}**", "\n".join(lines)]
    if facts["exit_codes"]:
        lines = [item(code(one["code"]), plain(one["text"])) for one in facts["exit_codes"]]
        parts += ["**Exit codes**", "\n".join(lines)]
    return "\n\n".join(parts)


def commands(told):
    rows = [
        [f"[{code(one['name'])}](#bench-{one['name']})", cell(plain(one["summary"]))]
        for one in told["commands"]
    ]
    return page(
        "Commands",
        "the texts in harness/command/",
        wrapped(
            "`bench COMMAND --help` prints the same on a terminal. Options may come before or "
            "after the words of a command. [Exit codes](exit-codes.md), [sizes](sizes.md), "
            "[scopes](scopes.md) and [environment variables](environment.md) have their own pages."
        ),
        table(["command", "what it does"], rows),
        *map(command, told["commands"]),
    )


# Columns


def columns(told):
    rows = [
        [code(one["key"]), plain(one["heading"]), one["unit"] or "", cell(plain(one["meaning"]))]
        for one in told["columns"]
    ]
    return page(
        "Columns of tables",
        "harness/tables/columns.cpp",
        wrapped(
            "`bench table FILE --columns variant,time,speedup` chooses columns by these keys. "
            "Keys are the same in every language and format; headings follow `--lang`. "
            "`--sort KEY` and `--sort -KEY` order the rows."
        ),
        table(["key", "heading", "unit", "meaning"], rows),
    )


# Workloads


def number(value):
    return f"{value:.0f}" if value >= 1e4 else f"{value:.4g}"


def variants(its):
    for backend, rows in groupby(its, lambda one: one["backend"]):
        yield f"**{backend}**"
        lines = []
        for one in rows:
            marks = " ✗" * one["wrong"] + " ‡" * one["library"]
            most = one["most_elements"]
            upto = f" (up to {most} elements, or `--max-slow-elements`)" if most else ""
            lines.append(item(f"`{backend}/{one['variant']}`{marks}", plain(one["idea"]) + upto))
        yield "\n".join(lines)


def workload(facts):
    per_element = (
        f"{number(facts['bytes_per_element'])} bytes moved, "
        f"{number(facts['flops_per_element'])} floating-point operations"
    )
    if facts["arithmetic_bound"] or facts["form"] == "stepped":
        per_element += ", at the default size"
    rows = {
        "sizes": ", ".join(f"{name} `{size}`" for name, size in facts["sizes"].items()),
        "element types": ", ".join(map(code, facts["dtypes"])),
        "parameters": ", ".join(f"{one['name']} = {one['value']}" for one in facts["parameters"]),
        "bins": f"`--bins`, up to {facts['most_bins']}" if facts["most_bins"] else "",
        f"per element of {facts['dtypes'][0]}": per_element,
        "limit": limit(facts),
        "own data": own_data(facts),
        "measured": "by default" if facts["measured_by_default"] else "only if named",
    }
    lines = "\n".join(item(key, value) for key, value in rows.items() if value)
    head = [f"## {facts['name']}", code(facts["formula"]), lines]
    return "\n\n".join([*head, *variants(facts["variants"])])


def limit(facts):
    if facts["memory_bound"]:
        return "memory"
    if facts["arithmetic_bound"]:
        return "arithmetic, so the share of its peak is shown"
    return "not memory, so no share of copy is shown"


def own_data(facts):
    if facts["no_own_inputs"]:
        return f"none: {plain(facts['no_own_inputs'])}"
    files = {1: "one file", 2: "two files"}.get(facts["inputs"], f"{facts['inputs']} files")
    return f"`--input`, {files}"


def workloads(listed):
    lessons = {}
    for one in listed["workloads"]:
        line = item(f"[{code(one['name'])}](#{one['name']})", code(one["formula"]))
        lessons.setdefault(f"**{plain(one['lesson'])}**", []).append(line)
    overview = [part for title, its in lessons.items() for part in (title, "\n".join(its))]
    return page(
        "Workloads and variants",
        "kernels/",
        wrapped(
            "`bench list` prints the workloads, `bench list WORKLOAD` the variants of one. "
            "A [lesson page](../lessons.md) shows the code of each variant next to its recorded "
            "time. [Sizes](sizes.md) explains what a size means. ✗ marks a variant that is "
            "deliberately wrong: it is checked and never timed. ‡ marks a library call, for "
            "comparison."
        ),
        *overview,
        *map(workload, listed["workloads"]),
    )


# The result file


def kinds(node):
    """The types of a value as readers know them."""
    if "const" in node or "enum" in node:
        values = node.get("enum", [node.get("const")])
        return [
            code(one) if isinstance(one, str) else "null" if one is None else str(one).lower()
            for one in values
        ]
    found = node.get("type", "any")
    found = found if isinstance(found, list) else [found]
    if "array" in found and "items" in node:
        inner = kinds(node["items"])
        found = [f"array of {' or '.join(inner)}" if one == "array" else one for one in found]
    return found


def inner(node):
    """What a value is made of: (suffix of the path, node) of each part."""
    for key, value in node.get("properties", {}).items():
        yield f".{key}", value
    for key, value in node.get("patternProperties", {}).items():
        yield f".{key.removeprefix('^')}*", value
    if isinstance(node.get("additionalProperties"), dict):
        yield ".*", node["additionalProperties"]
    if isinstance(node.get("items"), dict):
        for suffix, value in inner(node["items"]):
            yield f"[]{suffix}", value


def keys(node, path=""):
    for suffix, value in inner(node):
        here = path + suffix
        meaning = plain(value.get("description", ""))
        # What has any name is explained by what it is in.
        if meaning or not here.endswith("*"):
            types = ", ".join(dict.fromkeys(kinds(value)))
            yield [code(here.lstrip(".")), cell(types), cell(meaning)]
        yield from keys(value, here)


def section(title, node, level="##"):
    """A value; what has parts of its own has a section of its own below `context`."""
    parts = [f"{level} {title}", wrapped(plain(sentence(node.get("description", ""))))]
    apart = {}
    if title == "context":
        apart = {key: one for key, one in node["properties"].items() if any(inner(one))}
        node = {"properties": {k: v for k, v in node["properties"].items() if k not in apart}}
    rows = list(keys(node.get("items", node)))
    if rows:
        parts.append(table(["key", "type", "meaning"], rows))
    else:
        parts.append(f"Type: {', '.join(kinds(node))}.")
    parts += [section(f"{title}.{key}", one, f"{level}#") for key, one in apart.items()]
    return "\n\n".join(filter(None, parts))


def sentence(text):
    return text[:1].upper() + text[1:] + "." * (bool(text) and not text.endswith("."))


def result_file(schema):
    parts = [section(key, node) for key, node in schema["properties"].items()]
    return page(
        "The result file",
        "the fields() in harness/",
        wrapped(plain(schema["description"])),
        wrapped(
            f"[results/schema.json](../../results/schema.json) is the JSON Schema of this format, "
            f"`{schema['title']}`. Keys are a contract: new versions add some and change none."
        ),
        *parts,
    )
