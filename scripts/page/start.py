"""How the scripts that make pages begin: with their packages, and with the options they share."""

import argparse
import importlib
import sys

import own_python
from words import LANGUAGES


def start(script, module, *packages):
    """Goes on with the main function of a module; one line where Jinja2 is not to be had."""
    own_python.go_on_with(*packages)
    try:
        main = importlib.import_module(module).main
    except ModuleNotFoundError as missing:
        if missing.name not in ("jinja2", "markupsafe"):
            raise
        print(f"{script}: {missing.name} is not installed: {own_python.REMEDY}", file=sys.stderr)
        return 2
    return main(sys.argv[1:])


SHARED = "[-o OUT] [--lang LANG] [--title TEXT] [--baseline BACKEND/VARIANT]"


def parser(script, more, output, title, examples):
    """What both scripts read and write; `more` are options for the usage line."""
    made = argparse.ArgumentParser(
        prog=script,
        usage=f"%(prog)s PATH... {SHARED} {more}",
        description=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("paths", metavar="PATH", nargs="+", help="a document, or a folder of them")
    made.add_argument("-o", "--output", default=output, help=f"default: {output}")
    made.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the text")
    made.add_argument("--title", help=title)
    over = "what speedups are over (default serial/naive)"
    made.add_argument("--baseline", metavar="BACKEND/VARIANT", help=over)
    return made
