#!/usr/bin/env python3
"""Rewrites what the pages show of the recorded runs.

README.md, docs/                 outputs of the program, and figures that are in them (quoted.py)
docs/pictures/                   pictures of recorded runs; those of README.md light and dark
docs/results/index.md            the recorded runs by machine (recorded.py)
docs/developer/versions.md       the machines, and what no recorded run shows yet

readme.py          rewrite all
readme.py --check  only say what is not up to date (exit status 1 if something is not)
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "test")]

import quoted  # noqa: E402
import recorded  # noqa: E402
from bench_hpc import program  # noqa: E402

INDEX_PAGE = "docs/results/index.md"
VERSIONS_PAGE = "docs/developer/versions.md"
FRONT = "results/reference/0.1.0/h100/default.json"  # the run of README.md
CPU_RUN = "results/reference/1.0.0/epyc-vm-2cores/default.json"
THEMES = ("light", "dark")
INDEX = re.compile(r"^(<!-- index begin -->\n).*?^(<!-- index end -->)$", re.MULTILINE | re.DOTALL)


def with_lines(text, lines, name):
    """The page, with these lines between its markers."""
    if not INDEX.search(text):
        raise SystemExit(
            f"{name}: the markers are missing: <!-- index begin --> and <!-- index end -->"
        )
    try:
        block = "".join(f"{line}\n" for line in lines)
    except program.UsageError as error:
        raise SystemExit(str(error)) from None
    return INDEX.sub(lambda found: found[1] + block + found[2], text)


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


def pages(root):
    """The pages that quote the program."""
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        if re.search(r"^<!-- (shown|figures): ", path.read_text(encoding="utf-8"), re.MULTILINE):
            yield str(path.relative_to(root))


PICTURES = {  # those of the gallery and the pages; what "made_up" draws was not measured
    "sweep": ("sweep", "results/reference/1.0.0/h100/sweep.json", "--workload", "energy"),
    "roofline": ("roofline", CPU_RUN),
    "samples": ("samples", CPU_RUN, "--workload", "energy"),
    "ladder": ("ladder", FRONT, "--workload", "energy"),
    "scaling": ("scaling", "made_up/scaling.json"),
    "nodes": ("nodes", "made_up/nodes"),
    "zero_suppress": ("data", "zero_suppress"),
}


def drawn(words, root):
    """A picture of a file, or of one that is made up."""
    with quoted.made_up() as folder:
        files = {word: folder / word.partition("/")[2] for word in words if "made_up" in word}
        return plot(*(files.get(word) or in_tree(word, root) for word in words))


def in_tree(word, root):
    return root / word if word.startswith("results/") else word


def shown(root):
    """What is made of the recorded runs: each file, and its text made new from the one before."""
    for name in pages(root):
        yield name, lambda text: quoted.with_output(text, root)
    yield INDEX_PAGE, lambda text: with_lines(text, recorded.index(root), INDEX_PAGE)
    yield VERSIONS_PAGE, lambda text: with_lines(text, recorded.machines(root), VERSIONS_PAGE)
    if not importlib.util.find_spec("matplotlib"):
        print("no matplotlib: the pictures stay as they are", file=sys.stderr)
        return
    for theme in THEMES:
        front = ("overview", FRONT, "--theme", theme)
        yield f"docs/pictures/overview-{theme}.svg", lambda _, front=front: drawn(front, root)
    for name, words in PICTURES.items() if THEMES else ():
        yield f"docs/pictures/{name}.svg", lambda _, words=words: drawn(words, root)


def unfounded(root):
    """A line for each figure that is not in the output that its page names."""
    for name in pages(root):
        text = (root / name).read_text(encoding="utf-8")
        for line, figure in quoted.unfounded(text, root):
            yield f"{name}:{line}: {figure} is not in the output that the comment above it names"


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
            print(f"{name} is stale: run dev/readme.py", file=sys.stderr)
            status = 1
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        new.write_text(after, encoding="utf-8")
        new.replace(path)
    for line in unfounded(root):
        print(line, file=sys.stderr)
        status = 1
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
