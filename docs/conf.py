"""Sphinx, for the pages of this folder; scripts/docs.sh starts it."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LESSONS = Path(os.environ.get("BENCH_LESSONS", ROOT / "build" / "docs" / "lessons"))

project = "bench"
author = "the bench authors"
project_copyright = author
version = release = re.search(r"VERSION ([\d.]+) LANG", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser"]
myst_heading_anchors = 4  # as a forge makes them
exclude_patterns = ["man"]
nitpicky = True
show_warning_types = True

html_title = "bench"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = [str(LESSONS.parent / LESSONS.name)] if LESSONS.is_dir() else []
html_copy_source = False
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


def _exists(entry):
    return any(Path(__file__).parent.glob(f"{entry}.md"))


def add_navigation(app, name, source):
    """The pages are plain Markdown: what only the site has is added here."""
    if name == "index":
        for caption, entries in NAVIGATION.items():
            found = "\n".join(filter(_exists, entries))
            source[0] += (
                f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n\n{found}\n```\n"
            )


def setup(app):
    app.connect("source-read", add_navigation)
