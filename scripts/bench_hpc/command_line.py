"""How the commands in Python read their words, and help as the program does
(harness/command/help.cpp)."""

import argparse
import shutil
import textwrap

from bench_hpc.program import UsageError

WIDTH = 80
WIDEST = 32  # a longer word has a line of its own
# What most people need.
NEEDED = {"FILE...", "PATH...", "--output", "--lang", "--workload", "--theme", "--lessons"}
NEEDED |= {"--thresholds", "--feedback", "--moodle", "--board"}
CODES = [("0", "success"), ("2", "the request or a file cannot be used")]


def _names(option):
    """The option as a user types it."""
    if not option.option_strings:
        return [f"{option.metavar}..."]
    return [*option.option_strings]


def _row(option):
    value = "" if option.nargs == 0 else option.metavar or option.dest.upper()
    left = " ".join([", ".join(_names(option)), *([value] if option.option_strings else [])])
    default = option.default not in (None, False, argparse.SUPPRESS)
    return left.rstrip(), f"{option.help} (default: {option.default})" if default else option.help


def _table(title, rows):
    """Rows of two columns."""
    width = min(WIDTH, shutil.get_terminal_size().columns)
    first = max((len(left) for left, _ in rows if len(left) <= WIDEST), default=0)
    text = f"\n{title}:\n"
    for left, right in rows:
        indent = " " * (first + 4)
        own, head = (f"  {left}\n", indent) if len(left) > first else ("", f"  {left:{first}}  ")
        text += (
            f"{own}{textwrap.fill(right, width, initial_indent=head, subsequent_indent=indent)}\n"
        )
    return text


class _Help(argparse.Action):
    def __call__(self, parser, options, values, name=None):
        print(parser.brief() if name == "-h" else parser.format_help(), end="")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """An error is one line."""

    def __init__(self, command, words, text, examples):
        super().__init__(prog=f"bench {command}", add_help=False)
        self.usage, self.description = f"{self.prog} {words}", text
        self.examples = [line.split("  ", 1) for line in examples.splitlines()]
        what = "print this help, or with -h what most people need"
        self.add_argument(
            "-h", "--help", action=_Help, nargs=0, default=argparse.SUPPRESS, help=what
        )

    def error(self, message):
        raise UsageError(f"{message} ({self.prog} --help)")

    def _told(self, examples, options):
        text = f"Usage: {self.usage}\n\n{textwrap.fill(self.description, WIDTH)}\n"
        return text + _table("Examples", examples) + _table("Options", list(map(_row, options)))

    def format_help(self):
        return self._told(self.examples, self._all()) + _table("Exit codes", CODES)

    def brief(self):
        needed = [one for one in self._all() if NEEDED & {*_names(one)}]
        more = f"{self.prog} --help shows all {len(self._all())} options and the exit codes; "
        more += f"man bench-{self.prog.split()[1]} and docs/ explain more."
        return self._told(self.examples[:5], needed) + "\n" + textwrap.fill(more, WIDTH) + "\n"

    def _all(self):
        """Words first, help last."""
        return sorted(self._actions, key=lambda one: (bool(one.option_strings), one.dest == "help"))
