"""Colours after Okabe and Ito, which the colour-blind can distinguish; hatches, markers, lines and
lightness differ as well, so that a grey print says the same."""

from contextlib import contextmanager
from dataclasses import dataclass

import matplotlib.style

from bench_hpc.backends import END_TO_END, backends, is_model, runs_on

from .text import FAMILY

SMALL = 7.0  # points; nothing is smaller
TITLE = 9.5


@dataclass(frozen=True)
class Look:
    """How the rows of one backend and scope look."""

    hatch: str
    marker: str
    line: object
    colour: str
    grey: str


LOOKS = {
    "serial": Look("", "o", "-", "#0072b2", "#303030"),
    "openmp": Look("///", "s", "--", "#e69f00", "#a8a8a8"),
    "cuda": Look("xxx", "^", "-.", "#009e73", "#707070"),
    "cuda_end_to_end": Look("...", "v", ":", "#56b4e9", "#c4c4c4"),
    "python": Look("|||", "P", (0, (1, 1)), "#a0a0a0", "#8c8c8c"),
    "numpy": Look("\\\\\\", "D", (0, (5, 1, 1, 1, 1, 1)), "#d55e00", "#585858"),
    "numba": Look("-----", "X", (0, (6, 2)), "#cc79a7", "#bebebe"),
    "cupy": Look("+++", "*", (0, (2, 2)), "#f0e442", "#ececec"),
}


# Of models, in the order in which the program has them.
OF_MODELS = [
    Look("ooo", "p", (0, (3, 1)), "#8a6d00", "#787878"),
    Look("**", "h", (0, (4, 1, 1, 1)), "#004d40", "#505050"),
]


def look_of(series):
    """The look of a backend, of one with transfers, or of a package of Python."""
    if series in LOOKS:
        return LOOKS[series]
    models = [name for name in backends() if is_model(name)]
    name = series.removesuffix(END_TO_END)
    return OF_MODELS[models.index(name) % len(OF_MODELS)] if name in models else LOOKS["python"]


@dataclass(frozen=True)
class Style:
    background: str
    ink: str
    muted: str
    grid: str
    alarm: str
    grey: bool = False

    def look(self, series):
        return look_of(series)

    def colour(self, series):
        look = self.look(series)
        return look.grey if self.grey else look.colour

    def point(self, series, **more):
        """How Matplotlib marks one value."""
        return {**self.line(series), "linestyle": "none", "markeredgewidth": 0.5, **more}

    def line(self, series, **more):
        return {
            "color": self.colour(series),
            "linestyle": self.look(series).line,
            "marker": self.look(series).marker,
            "markeredgecolor": self.ink,
            "markeredgewidth": 0.4,
            **more,
        }


STYLES = {
    "light": Style("#ffffff", "#1a1a1a", "#555555", "#d8d8d8", "#b03a00"),
    "grey": Style("#ffffff", "#000000", "#555555", "#d8d8d8", "#000000", grey=True),
    "dark": Style("#0d1117", "#eeeeee", "#b4b4b4", "#3a3d42", "#ff9a66"),
}


def series_of(case):
    backend = case["backend"]
    moved = runs_on(backend, "device") and case["scope"] != "kernel"
    return backend + END_TO_END if moved else backend


@contextmanager
def drawing(style):
    """Matplotlib's own defaults whatever the user's settings are, and those of bench."""
    ours = {
        "axes.edgecolor": style.muted,
        "axes.facecolor": style.background,
        "axes.labelcolor": style.ink,
        "axes.linewidth": 0.6,
        "figure.facecolor": style.background,
        "font.family": FAMILY,
        "font.size": SMALL,
        "hatch.linewidth": 0.5,
        "lines.linewidth": 1.2,
        "lines.markersize": 4,
        "pdf.fonttype": 42,
        "savefig.facecolor": style.background,
        "svg.fonttype": "path",
        "svg.hashsalt": "bench",
        "text.color": style.ink,
        "text.parse_math": False,
        "xtick.color": style.muted,
        "xtick.labelcolor": style.ink,
        "ytick.color": style.muted,
        "ytick.labelcolor": style.ink,
    }
    with matplotlib.style.context(["default", ours]):
        yield
