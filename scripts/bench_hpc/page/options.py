"""The options that the scripts which make pages share."""

from bench_hpc.command_line import Parser
from bench_hpc.words import DEFAULT, language


def parser(command, text, examples, output, title):
    """What both commands read and write."""
    made = Parser(command, "PATH... [OPTIONS]", text, examples)
    made.add_argument("paths", metavar="PATH", nargs="+", help="a result file, or a folder")
    made.add_argument("-o", "--output", metavar="OUT", default=output, help="what is written")
    what = "language of the text"
    made.add_argument("--lang", metavar="LANG", type=language, default=DEFAULT, help=what)
    made.add_argument("--title", metavar="TEXT", help=title)
    over = "baseline of the speedups, instead of serial/naive"
    made.add_argument("--baseline", metavar="BACKEND/VARIANT", help=over)
    return made
