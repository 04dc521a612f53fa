"""The inputs of a workload and its result: a vector over its index, a matrix as an image."""

import re
import tempfile
from pathlib import Path

import numpy as np
from matplotlib.ticker import MaxNLocator

from bench_hpc.program import UsageError, output_of
from bench_hpc.words import Words

from . import sheet
from .picture import Picture
from .slug import slug

VECTOR, MATRIX = 24.0, 36.0  # mm high
LABEL, AXIS, TICKS = 4.0, 10.0, 13.0  # mm above, below and left of a panel
MOST = 1_000_000  # elements
MANY = 10_000  # in a file of lines, so that many are a raster


def pictures(workload, lang="en", **options):
    """The one picture; `options` are those of bench verify."""
    words = Words(lang, "pictures")
    if not options.get("input"):
        options["size"] = options.get("size") or "tiny"
    chosen = [f"--{name}={value}" for name, value in options.items() if value]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        into = f"--output-npy={folder}/data/"
        command = ["verify", f"{workload}/serial/naive", "--no-progress", into, *chosen]
        said = output_of(command).decode()
        files = sorted(Path(folder).glob("data/*.npy"))  # the inputs, then the result
        arrays = {file.stem: np.load(file, mmap_mode="r") for file in files}
        _refuse(workload, said, arrays)
        arrays = {name: np.array(values) for name, values in arrays.items()}
    _, _, _, dtype, size, *_ = re.match(r"ok +(\S+)", said)[1].split("/")
    labels = [_label(words, name, values) for name, values in arrays.items()]
    return [
        Picture(
            kind="data",
            slug=slug("data", workload, dtype, size),
            title=words("data_title", workload=workload),
            subtitle="",
            caption=f"{dtype} · {words.size(size)} · serial/naive",
            alt=f"{words('data_title', workload=workload)}. {'; '.join(labels)}.",
            draw=lambda picture, style, width: _draw(
                picture, style, width, words, list(zip(labels, arrays.values()))
            ),
        )
    ]


def _refuse(workload, said, arrays):
    if not arrays:
        raise UsageError(said.splitlines()[0])
    if arrays["result"].size < 2:
        raise UsageError(f"{workload}: its result is one number, which has no picture")
    if max(values.size for values in arrays.values()) > MOST:
        raise UsageError(f"{workload}: more than {MOST} elements cannot be seen; choose a --size")


def _label(words, name, values):
    array = words("data_result") if name == "result" else words("data_input", n=name.split("_")[1])
    ends = (words.short(float(end)) for end in (np.nanmin(values), np.nanmax(values)))
    return words("data_range", *ends, array=array)


def _draw(picture, style, width, words, arrays):
    room = width - 2 * sheet.MARGIN - TICKS - 2
    places, x, y, height = [], 0, 0, 0
    for label, values in arrays:
        across, upright = room, VECTOR
        if values.ndim == 2:  # with square elements, unless they are wider than a page, or a stripe
            upright = MATRIX
            across = min(max(MATRIX * values.shape[1] / len(values), MATRIX / 4), room)
        wide = max(across, sheet.labels_width([label]))
        if x and x + wide > room:
            x, y, height = 0, y + height, 0
        places.append((x, y, across, upright))
        x += wide + TICKS
        height = max(height, LABEL + upright + AXIS)
    page = sheet.Sheet(picture, style, width, y + height)
    for (label, values), (x, y, across, upright) in zip(arrays, places):
        left = sheet.MARGIN + TICKS + x
        page.text(left, y, label)
        axes = page.panel(left, y + LABEL, across, upright)
        (_image if values.ndim == 2 else _line)(axes, values, style, words)
        for axis in (axes.xaxis, axes.yaxis):
            whole = axis is axes.xaxis or values.ndim == 2
            most = 5 if axis is axes.yaxis or across > VECTOR else 2
            axis.set_major_locator(MaxNLocator(most, integer=whole))
            axis.set_major_formatter(lambda value, _: words.short(value))
            axis.labelpad = 1
    return page.figure


def _line(axes, values, style, words):
    axes.plot(values, color=style.colour("serial"), linewidth=0.6, rasterized=len(values) > MANY)
    axes.margins(x=0)
    axes.grid(True, color=style.grid, linewidth=0.5)
    axes.set_xlabel(words("data_index"))


def _image(axes, values, style, words):
    axes.imshow(values, aspect="auto", cmap="gray" if style.grey else "cividis")
    axes.set_xlabel(words("data_column"))
    axes.set_ylabel(words("data_row"))
