"""The command line of bench lesson, and the folder of pages that it writes."""

import sys
from pathlib import Path

from bench_hpc.documents import load
from bench_hpc.page import documents, ladder, lesson, tables, template
from bench_hpc.page.options import parser
from bench_hpc.program import UsageError, ended, expect_own, plain, printable
from bench_hpc.words import Words

INDEX = "index"
EXAMPLES = """bench lesson results/RUN.json  lessons/energy.html and others: one per workload
bench lesson RUN.json -o aula --lang pt  in another folder and language
"""


def pages(found, options, report=None):
    """HTML of each workload that was measured and has ladders here, with an index; and those that
    have none."""
    told = tables.told(found, options)
    by_path = {str(document.path): document for document in found}
    chosen = lesson.chosen(told)
    known = ladder.workloads()
    here = sorted(workload for workload in chosen if workload in known)
    words = Words(options.lang, "page", "lesson")
    shown = []
    for workload in here:
        mine = chosen[workload]
        measured = [by_path[file] for file in told["runs"][mine[0]["run"]]["files"]]
        shown.append(lesson.Lesson(workload, told, mine, measured, words))
    made = {one.workload: lesson.html(one, here, report, options.title) for one in shown}
    if made:
        made[INDEX] = lesson.index(shown, words, report, options.title)
    return made, sorted(set(chosen) - set(here))


def write(made, folder):
    """All pages are made before the first is written."""
    files = {folder / f"{workload}.html": text for workload, text in made.items()}
    for path in files:
        expect_own(path, "html")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        why = f"is not a folder, and none can be made: {error.strerror} (--output)"
        raise UsageError(f"{printable(folder)}: {why}") from None
    for path, text in files.items():
        template.write(path, text)


def _arguments(argv):
    text, title = "Makes a page per workload, with code next to times.", "of the course"
    return parser("lesson", text, EXAMPLES, "lessons", title).parse_args(argv)


def _run(options):
    left_out = []
    loaded = load(options.paths, left_out)
    found = [documents.Document(path) for one in loaded for path in one.files]
    made, unknown = pages(found, options)
    if not made:
        raise UsageError(
            f"{', '.join(map(plain, unknown)) or 'the result files'}: not found in kernels/; "
            "lessons are made from the sources that were measured"
        )
    write(made, Path(options.output))
    for line in left_out + [f"{plain(one)}: not found in kernels/" for one in unknown]:
        print(f"bench lesson: left out: {line}", file=sys.stderr)
    print(f"{Path(options.output) / INDEX}.html: {', '.join(one for one in made if one != INDEX)}")
    return 0


def main(argv):
    return ended("bench lesson", lambda: _run(_arguments(argv)))
