"""The options that the scripts which make pages share."""

from bench_hpc.program import Parser
from bench_hpc.words import DEFAULT, language

SHARED = "[-o OUT] [--lang LANG] [--title TEXT] [--baseline BACKEND/VARIANT]"


def parser(script, more, output, title, examples):
    """What both scripts read and write; `more` are options for the usage line."""
    made = Parser(
        prog=script,
        usage=f"%(prog)s PATH... {SHARED} {more}",
        description=examples,
    )
    made.add_argument("paths", metavar="PATH", nargs="+", help="a result file, or a folder")
    made.add_argument("-o", "--output", default=output, help=f"default: {output}")
    what = "language of the text"
    made.add_argument("--lang", type=language, default=DEFAULT, help=what)
    made.add_argument("--title", help=title)
    over = "baseline of the speedups (default serial/naive)"
    made.add_argument("--baseline", metavar="BACKEND/VARIANT", help=over)
    return made
