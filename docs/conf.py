"""Sphinx, for the pages of this folder; scripts/docs.sh starts it."""

import os
import re
import shutil
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

root_doc = "README"  # a forge shows it, too
html_title = "bench_hpc"
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
    "Teachers": ["teacher/class", "teacher/hand-out", "teacher/gallery", "teacher/*"],
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
    ],
}


def _matching(entry):
    return sorted(str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.glob(f"{entry}.md"))


def navigation():
    for caption, entries in NAVIGATION.items():
        found = "\n".join(dict.fromkeys(page for entry in entries for page in _matching(entry)))
        yield f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{found}\n```"


def lessons_of(machine):
    return sorted(path.stem for path in (EXTRA / "lessons" / machine).glob("*.html"))


def framed(machine, name):
    """The page of the site that shows a lesson."""
    return f"lessons/{machine}-{name}"


def frames(app):
    """A page with the navigation of the site for each lesson, which has a style of its own."""
    style = "width: 100%; height: 90vh; border: 0"
    for machine, (name, *_) in MACHINES.items():
        for one in lessons_of(machine):
            title = f"{name}: lessons" if one == INDEX else f"{one} on {name}"
            frame = f'<iframe src="{machine}/{one}.html" title="{title}" style="{style}"></iframe>'
            yield framed(machine, one), {"title": title, "body": frame}, "page.html"


def lessons():
    """Links to the lessons of each machine."""
    for machine, (name, *_) in MACHINES.items():
        its = lessons_of(machine)
        its.remove(INDEX)
        links = (f'<a href="{framed(machine, one)}.html">{one}</a>' for one in its)
        yield f'<a href="{framed(machine, INDEX)}.html">{name}</a>: {", ".join(links)}'


def with_lessons(text):
    """The names of workloads in the order of learning lead to their lessons."""

    def link(match):
        for machine in MACHINES:
            if match[2] in lessons_of(machine):
                return f'{match[1]}<a href="../{framed(machine, match[2])}.html">{match[2]}</a> |'
        return match[0]

    return re.sub(r"(?m)^(\| \d+ \| )`(\w+)` \|", link, text)


ADDED = {"README": navigation, "lessons": lessons}


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
    if name == "student/order-of-learning":
        text = with_lessons(text)
    source[0] = "\n\n".join([text, *ADDED[name]()]) if name in ADDED else text


def first_page(app, _):
    """A browser that is given the folder asks for index.html."""
    shutil.copy(Path(app.outdir) / "README.html", Path(app.outdir) / "index.html")


def setup(app):
    app.connect("source-read", change_for_the_site)
    app.connect("html-collect-pages", frames)
    app.connect("build-finished", first_page)
