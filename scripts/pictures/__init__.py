"""Pictures of result files. For scripts/plot.py and scripts/report.py."""
# ruff: noqa: F401

from documents import Document, load
from program import UsageError
from words import LANGUAGES

from .catalogue import KINDS, catalogue, overview
from .picture import FORMATS, WIDTH_MM, Picture, save
from .style import STYLES
