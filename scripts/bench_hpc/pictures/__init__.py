"""Pictures of result files. For bench plot and bench report."""
# ruff: noqa: F401

from bench_hpc.documents import Document, load
from bench_hpc.program import UsageError
from bench_hpc.words import LANGUAGES

from .catalogue import KINDS, catalogue, overview
from .picture import FORMATS, WIDTH_MM, Picture, save
from .style import STYLES
