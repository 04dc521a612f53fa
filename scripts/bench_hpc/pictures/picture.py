"""One picture: what it shows in words, and how it is drawn and saved."""

import io
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Optional

from bench_hpc.program import UsageError, plain, write_whole

from .small import small
from .style import STYLES, drawing

FORMATS = ("png", "svg", "pdf")
DOTS_PER_INCH = 300
WIDTH_MM = 160
WIDTHS_MM = (80, 400)


@dataclass(frozen=True)
class Picture:
    kind: str
    slug: str
    title: str
    subtitle: str
    caption: str
    alt: str
    draw: Callable  # (picture, style, width_mm) -> Figure
    workload: Optional[str] = None
    dtype: Optional[str] = None
    size: Optional[str] = None
    node: Optional[str] = None

    def bare(self):
        """The picture without the words around it, for a page that has them itself."""
        return replace(self, title="", subtitle="", caption="")

    def _repr_svg_(self):
        data = io.BytesIO()
        save(self, data, "svg")
        return data.getvalue().decode("utf-8")

    def figure(self, style="light", width_mm=WIDTH_MM):
        if not WIDTHS_MM[0] <= width_mm <= WIDTHS_MM[1]:
            raise UsageError(f"--width-mm {width_mm:g}: wanted {WIDTHS_MM[0]} to {WIDTHS_MM[1]}")
        with drawing(STYLES[style]):
            figure = self.draw(self, STYLES[style], width_mm)
            figure.draw_without_rendering()  # ticks are made now, while these settings hold
            return figure


def _metadata(picture, kind):
    """What a file says of itself, without a date, so that equal input gives equal bytes."""
    title, alt = plain(picture.title), plain(picture.alt)
    return {
        "png": {"Software": None, "Title": title, "Description": alt},
        "svg": {"Date": None, "Creator": None, "Title": title, "Description": alt},
        "pdf": {"CreationDate": None, "Creator": None, "Title": title, "Subject": alt},
    }[kind]


def format_of(name):
    kind = Path(name).suffix[1:].lower()
    if kind not in FORMATS:
        endings = ", ".join(f".{one}" for one in FORMATS)
        raise UsageError(f"{name}: the ending says the format, one of {endings}")
    return kind


def save(picture, path_or_file, format=None, style="light", width_mm=WIDTH_MM):  # noqa: A002
    """Writes a picture to a path, or to a file that is open for bytes."""
    to_path = isinstance(path_or_file, (str, os.PathLike))
    kind = format or (format_of(os.fspath(path_or_file)) if to_path else "png")
    if kind not in FORMATS:
        raise UsageError(f"format {kind}: wanted one of {', '.join(FORMATS)}")
    figure = picture.figure(style, width_mm)
    data = io.BytesIO()
    with drawing(STYLES[style]):
        figure.savefig(data, format=kind, dpi=DOTS_PER_INCH, metadata=_metadata(picture, kind))
    data = data.getvalue()
    if kind == "svg":
        data = small(data.decode("utf-8")).encode("utf-8")
    if to_path:
        write_whole(Path(path_or_file), data, kind)
    else:
        path_or_file.write(data)
