"""Pictures of the documents as parts of the page."""

import base64
import io
import re
from dataclasses import dataclass

from program import UsageError


@dataclass(frozen=True)
class Image:
    kind: str
    title: str
    caption: str
    alt: str
    workload: str
    dtype: str
    size: str
    node: str
    width: int
    height: int
    uri: str  # a picture in an <img> of its own cannot clash with another one, nor run anything


def _drawn(picture, pictures):
    file = io.BytesIO()
    pictures.save(picture, file, format="svg")
    data = base64.b64encode(file.getvalue()).decode("ascii")
    # With its size known, nothing moves while the page is laid out.
    box = re.search(rb'viewBox="0 0 ([\d.]+) ([\d.]+)"', file.getvalue())
    size = [round(float(points) * 96 / 72) for points in box.groups()]
    facts = (picture.kind, picture.title, picture.caption, picture.alt)
    about = (picture.workload or "", picture.dtype or "", picture.size or "", picture.node or "")
    return Image(*facts, *about, *size, f"data:image/svg+xml;base64,{data}")


def drawn(documents, language, with_samples):
    """The pictures, or None where Matplotlib is missing."""
    try:
        import pictures
    except ImportError:
        return None
    try:
        loaded = pictures.load([document.path for document in documents])
        found = pictures.catalogue(loaded, lang=language)
        wanted = [one for one in found if with_samples or one.kind != "samples"]
        return [_drawn(picture, pictures) for picture in wanted]
    except pictures.UsageError as error:
        raise UsageError(f"pictures: {error} (--no-pictures leaves them out)") from None
