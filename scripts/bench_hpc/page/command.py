"""The command line of bench report."""

import sys
from pathlib import Path
from types import SimpleNamespace

from bench_hpc import own_python
from bench_hpc.documents import load
from bench_hpc.page import documents, images, lessons, survey, tables
from bench_hpc.page.options import parser
from bench_hpc.page.render import Page
from bench_hpc.page.template import address, write
from bench_hpc.program import ended, expect_own
from bench_hpc.words import Words

FEW = 12  # nodes: up to here all tables are in the page
MANY_SAMPLES = 2  # nodes: beyond, pictures of all samples would be most of the page
MOST_TABLES = 150  # nodes: beyond, the page has the tables of the most remarkable ones
BATCH = 40  # nodes whose tables the program makes at once: what is in memory stays small

EXAMPLES = """bench report results/RUN.json  report.html, to open in a browser
bench report RUN.json OTHER.json  two runs of one node in the same tables
bench report results/nodes-7 -o nodes.html  which of many nodes is slow
bench report RUN.json --lang fr --title "Travaux 3"  in French, with a title
bench report RUN.json --lessons  and report-lessons/: a page per workload
"""


def _arguments(argv):
    text = "Makes one HTML page of result files."
    made = parser("report", text, EXAMPLES, "report.html", "instead of the usual one")
    made.add_argument("--no-pictures", action="store_true", help="tables only; faster")
    made.add_argument("--lessons", action="store_true", help="a page per workload next to it")
    return made.parse_args(argv)


def _by_node(found):
    nodes = {}
    for document in found:
        nodes.setdefault(document.node, []).append(document)
    return nodes


def _lessons(options, path, found):
    """The folder of the lessons, those in it, and where the report leads to each."""
    folder = path.with_name(f"{path.stem}-lessons")
    made, _ = lessons.pages(found, options, f"../{address(path.name)}")
    return folder, made, {one: f"{address(folder.name)}/{one}.html" for one in made}


def _content(options, loaded, found, left_out, addresses):
    words = Words(options.lang, "page", "pictures")
    ours = [document for document in found if document.ours]
    told = survey.told(ours)
    compared = told and survey.digest(told, ours, words)
    nodes = _by_node(found)
    tabled = _most_remarkable(nodes, compared)
    pictures = []
    if not options.no_pictures:
        known = told if ours == found else None
        pictures = images.drawn(loaded, options, len(nodes) <= MANY_SAMPLES, known)
    return SimpleNamespace(
        title=options.title or words("title" if ours else "documents"),
        words=words,
        documents=found,
        nodes=list(nodes),
        many=len(nodes) > FEW,  # tables of one node at a time
        tabled=len(tabled),
        survey=compared,  # None where there is one node only
        images=pictures or [],
        no_matplotlib=pictures is None,
        left_out=left_out,
        runs=_runs(tabled, options),
        lessons=addresses,  # of each workload that has one
    )


def _most_remarkable(nodes, compared):
    """The nodes whose tables are in the page, with their result files."""
    if len(nodes) <= MOST_TABLES:
        return nodes
    of_comparison = []
    if compared:
        first = (*compared["slow"], *compared["remarks"], *compared["rows"])
        of_comparison = [compared["typical"], *(one["node"] for one in first)]
    names = [name for name in dict.fromkeys([*of_comparison, *nodes]) if name]
    return {name: nodes[name] for name in names[:MOST_TABLES]}


def _runs(nodes, options):
    """The runs of all nodes with their tables, some nodes at a time, and the legend."""
    names = list(nodes)
    number = 0
    for start in range(0, len(names), BATCH):
        batch = [document for name in names[start : start + BATCH] for document in nodes[name]]
        told = tables.told(batch, options)
        yield tables.runs(told, batch, number), told["legend"]
        number += len(told["runs"])


def _run(options):
    left_out = []
    path = Path(options.output)
    expect_own(path, "html")
    loaded = load(options.paths, left_out)
    found = [documents.Document(file) for one in loaded for file in one.files]
    folder, made, addresses = None, {}, {}
    if options.lessons:
        folder, made, addresses = _lessons(options, path, found)
    content = _content(options, loaded, found, left_out, addresses)
    text = Page(content).html()
    if made:
        lessons.write(made, folder)
    write(path, text)
    for line in left_out:
        print(f"bench report: left out: {line}", file=sys.stderr)
    if content.no_matplotlib:
        print(
            f"bench report: no pictures: Matplotlib is not installed: {own_python.REMEDY}",
            file=sys.stderr,
        )
    print(f"{options.output}: result files {len(content.documents)}, nodes {len(content.nodes)}")
    return 0


def main(argv):
    return ended("bench report", lambda: _run(_arguments(argv)))
