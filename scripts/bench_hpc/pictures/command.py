"""The command line of bench plot."""

import os
import sys
from dataclasses import fields
from pathlib import Path

from bench_hpc.command_line import Parser
from bench_hpc.documents import load
from bench_hpc.program import UsageError, ended, expect_own
from bench_hpc.words import DEFAULT, LANGUAGES

from . import data
from .catalogue import KINDS, overview
from .picture import FORMATS, WIDTH_MM, WIDTHS_MM, format_of, save
from .selection import Selection
from .style import STYLES

TEXT = "Draws pictures of result files."
EXAMPLES = """bench plot RUN.json -o pictures  everything that the file can give
bench plot overview RUN.json -o overview.svg  the best of each workload
bench plot ladder RUN.json -o energy.pdf --workload energy  its variants, by speed
bench plot nodes results/nodes-7 -o nodes.png  which of many nodes is slow
bench plot data zero_suppress -o pulses.png  the inputs of a workload and its result
bench plot sweep SWEEP.json -o hypot.svg --workload hypot  times by size
bench plot scaling SCALING.json -o energy.png --workload energy  speed by threads
bench plot roofline RUN.json -o roofline.pdf --theme grey  for a printer
bench plot samples RUN.json -o all.png --variant 'openmp/*'  each sample
"""


def _parser():
    parser = Parser("plot", "[KIND] FILE... -o OUT [OPTIONS]", TEXT, EXAMPLES)
    kinds = f"a KIND first ({', '.join(KINDS)}, or all), then result files, or folders of *.json; "
    kinds += "or data, then a workload"
    parser.add_argument("words", nargs="+", metavar="FILE", help=kinds)
    output = "a file, whose ending says the format (png, svg, pdf); a folder for 'all'"
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help=output)
    over = "baseline of the speedups"
    for name, value, default, what in (
        ("lang", "LANG", DEFAULT, ", ".join(LANGUAGES)),
        ("workload", "W", None, "of this workload only"),
        ("dtype", "D", None, "f32 or f64"),
        ("size", "S", None, "as in the result files: 10000000, 1e7, 4096x4096; of data: tiny"),
        ("input", "FILE,...", None, "for data: your own, as bench verify reads them"),
        ("node", "N", None, "of this node only"),
        ("variant", "GLOB,...", None, "such as 'openmp/*,cuda/wide'"),
        ("baseline", "BACKEND/VARIANT", "serial/naive", over),
        ("format", "F,...", "png", "for 'all': png,pdf"),
    ):
        parser.add_argument(f"--{name}", metavar=value, default=default, help=what)
    widths = f"{WIDTHS_MM[0]} to {WIDTHS_MM[1]}"
    parser.add_argument("--width-mm", metavar="MM", type=float, default=WIDTH_MM, help=widths)
    themes = "light, dark, or grey for a printer without colours"
    parser.add_argument("--theme", metavar="NAME", choices=STYLES, default="light", help=themes)
    for name in ("dark", "grey"):
        same = f"the same as --theme {name}"
        parser.add_argument(f"--{name}", dest="theme", action="store_const", const=name, help=same)
    return parser


def _kind(words):
    """The kind, if the first word is one that is not also a file, and the files."""
    if words[0] in (*KINDS, "all", "data") and not os.path.exists(words[0]):
        return words[0], words[1:]
    return "all", words


def _is_folder(output):
    return os.path.isdir(output) or output.endswith(os.sep) or not Path(output).suffix


def _targets(options, pictures):
    """(picture, path) of each file."""
    if _is_folder(options.output):
        formats = options.format.split(",")
        if not set(formats) <= set(FORMATS):
            raise UsageError(f"--format {options.format}: wanted some of {','.join(FORMATS)}")
        folder = Path(options.output)
        targets = [(one, folder / f"{one.slug}.{kind}") for one in pictures for kind in formats]
        for _, path in targets:
            expect_own(path, format_of(path))
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{folder}: cannot be made: {error.strerror}") from None
        return targets
    expect_own(options.output, format_of(options.output))
    if len(pictures) > 1:
        choice = ", ".join(picture.slug for picture in pictures[:12])
        more = ", \u2026" if len(pictures) > 12 else ""
        raise UsageError(
            f"{options.output}: one file, but {len(pictures)} pictures of this kind "
            f"({choice}{more}); choose with --workload, --dtype, --size, --node, or give a folder"
        )
    return [(pictures[0], Path(options.output))]


def run(arguments):
    options = _parser().parse_args(arguments)
    kind, files = _kind(options.words)
    if not files:
        raise UsageError(f"{kind}: no result files given (bench plot --help)")
    if kind == "all" and not _is_folder(options.output):
        raise UsageError(
            f"{options.output}: for all pictures give a folder (FOLDER/), "
            f"or a kind first: {', '.join(KINDS)}"
        )
    left_out = []
    if kind == "data":
        if len(files) > 1:
            raise UsageError(f"data: {len(files)} workloads given, one can be drawn")
        given = {name: getattr(options, name) for name in ("size", "dtype", "input")}
        pictures, reasons = data.pictures(files[0], options.lang, **given), []
    else:
        documents = load(files, left_out)
        kinds = KINDS if kind == "all" else (kind,)
        chosen = {field.name: getattr(options, field.name) for field in fields(Selection)}
        pictures, reasons = overview(documents, options.lang, kinds, **chosen)
    if not pictures:
        raise UsageError(reasons[0])
    for picture, path in _targets(options, pictures):
        save(picture, path, path.suffix[1:].lower(), options.theme, options.width_mm)
        print(path)
    for line in (*left_out, *reasons):
        print(f"not drawn: {line}")
    return 0


def main(arguments=None):
    return ended("bench plot", lambda: run(sys.argv[1:] if arguments is None else arguments))
