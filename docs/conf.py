"""Sphinx, for the pages of this folder; scripts/docs.sh starts it."""

import os
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

from lessons import INDEX, MACHINES  # noqa: E402

ROOT = DOCS.parent
EXTRA = Path(os.environ["BENCH_DOCS_EXTRA"])  # pages that are not made by Sphinx: lessons/

project = "bench"
author = "the bench authors"
project_copyright = author
version = release = re.search(r"VERSION ([\d.]+) LANG", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser"]
myst_heading_anchors = 4  # as a forge makes them
exclude_patterns = ["man"]
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # excerpts of code have an ellipsis
smartquotes = False  # two hyphens begin an option
show_warning_types = True

html_title = "bench"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = [str(EXTRA)]
html_copy_source = False
html_show_search_summary = False  # a page from a file may not fetch others
html_last_updated_fmt = None
html_permalinks_icon = "#"

# By reader; the pages of a folder that are not named follow in the order of their names.
NAVIGATION = {
    "Students": [
        "student/first-run",
        "student/your-kernel",
        "student/read-a-table",
        "student/*",
        "lessons",
    ],
    "Teachers": ["teacher/class", "teacher/hand-out", "teacher/*"],
    "Administrators": ["admin/install", "admin/slurm", "admin/find-slow-nodes", "admin/*"],
    "How to": ["how-to/*"],
    "Reference": ["reference/commands", "reference/columns", "reference/workloads", "reference/*"],
    "Methodology": ["methodology/measuring", "methodology/statistics", "methodology/*"],
    "Recorded results": ["results/index", "results/*"],
    "Kernel developers": [
        "developer/architecture",
        "developer/variant",
        "developer/workload",
        "developer/*",
        "README",
    ],
}


def _matching(entry):
    return sorted(str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.glob(f"{entry}.md"))


def navigation():
    for caption, entries in NAVIGATION.items():
        found = "\n".join(dict.fromkeys(page for entry in entries for page in _matching(entry)))
        yield f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{found}\n```"


def lessons():
    """Links to the lessons of each machine."""
    for machine, (name, *_) in MACHINES.items():
        its = sorted(path.stem for path in (EXTRA / "lessons" / machine).glob("*.html"))
        its.remove(INDEX)
        links = (f'<a href="lessons/{machine}/{one}.html">{one}</a>' for one in its)
        yield f'<a href="lessons/{machine}/{INDEX}.html">{name}</a>: {", ".join(links)}'


ADDED = {"index": navigation, "lessons": lessons}


LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s:#]+)(#[^)\s]*)?\)")


def with_files(page, text):
    """Links to what is outside of this folder: to a copy of the file; of a folder, the text."""

    def link(match):
        target = (page.parent / match[2]).resolve()
        if DOCS in target.parents or not target.exists():
            return match[0]
        return match[1] if target.is_dir() else f"[{match[1]}](path:{match[2]})"

    return LINK.sub(link, text)


def change_for_the_site(app, name, source):
    """The pages are plain Markdown, which a forge shows as well."""
    text = with_files(Path(app.env.doc2path(name)), source[0])
    source[0] = "\n\n".join([text, *ADDED[name]()]) if name in ADDED else text


def setup(app):
    app.connect("source-read", change_for_the_site)
