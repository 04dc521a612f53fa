"""What pages quote of the program, for readme.py.

<!-- shown: COMMAND -->     the text block below is the output of this command of bash
<!-- figures: COMMAND -->   each figure of the paragraph, list or table below is in that output
"""

import contextlib
import os
import re
import subprocess
import tempfile
from pathlib import Path

from bench_hpc import program

SHOWN = re.compile(r"^(<!-- shown: ([^\n]+) -->\n```text\n).*?^(```)$", re.MULTILINE | re.DOTALL)
FIGURES = re.compile(r"^<!-- figures: ([^\n]+) -->\n((?:.+\n)+)", re.MULTILINE)
# Two digits at least, and no part of a name: 8377, 0.04, 10 600, but not f32.
FIGURE = re.compile(
    r"(?<![\w./-])\d[\d \u00a0\u202f]*\d(?:\.\d+)?(?![\w/])|(?<![\w./-])\d\.\d+(?!\w)"
)
PRINTED = re.compile(r"(?<![A-WYZa-wyz_.])\d+(?:\.\d+)?")
GROUPED = re.compile(r"(?<![\w.])\d{1,3}(?:[ \u202f]\d{3})+(?![\d.])")  # 10 600
SCALES = (1, 1e-3, 1e3, 1e-6, 100)  # GB/s as TB/s, millions, a share as a percentage


@contextlib.contextmanager
def made_up():
    """A folder with result files that were not measured, of what no recorded run has."""
    import synthetic

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "nodes").mkdir()
        synthetic.nodes(folder / "nodes", 12)
        synthetic.write(folder, synthetic.scaling(), "scaling")
        yield folder


def output(command, root):
    """What bash prints, where bench is the program, and $MADE_UP the folder of made-up files."""
    with made_up() if "$MADE_UP" in command else contextlib.nullcontext(".") as folder:
        script = f'bench() {{ "$BENCH_BINARY" "$@"; }}; {command}'
        environment = {**os.environ, "BENCH_BINARY": program.binary(), "MADE_UP": str(folder)}
        environment.pop("COLUMNS", None)
        strict = ["bash", "-o", "pipefail", "-c", script]
        done = subprocess.run(
            strict, cwd=root, env=environment, stdout=subprocess.PIPE, text=True, check=False
        )
    if done.returncode or not done.stdout:
        raise SystemExit(f"{command}: printed nothing, or ended with {done.returncode}")
    return done.stdout


def with_output(text, root):
    """The page with each shown block as the program prints it now."""
    return SHOWN.sub(lambda found: found[1] + output(found[2], root) + found[3], text)


def number(text):
    """(value, decimals)"""
    digits = re.sub(r"\s", "", text)
    return float(digits), len(digits.partition(".")[2])


def unfounded(text, root):
    """(line, figure) of each figure that is in no output that its page names."""
    for block in FIGURES.finditer(text):
        said = output(block[1], root)
        printed = [number(one)[0] for kind in (PRINTED, GROUPED) for one in kind.findall(said)]
        for figure in FIGURE.finditer(block[2]):
            value, decimals = number(figure[0])
            if not any(round(one * by, decimals) == value for one in printed for by in SCALES):
                yield text.count("\n", 0, block.start(2) + figure.start()) + 1, figure[0]
