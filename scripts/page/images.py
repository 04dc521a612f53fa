"""Pictures of the documents as parts of the page."""

import io
import re
from types import SimpleNamespace
from urllib.parse import quote

from program import UsageError

# Of an SVG file that Matplotlib writes: what no reader of a page needs, and its long numbers.
ASIDE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
LONG = re.compile(r"scale\([^)]*\)|-?\d+\.\d{3,}")


def _short(number):
    """A hundredth of a point is less than anybody sees; what scales letters stays."""
    if number[0].startswith("scale"):
        return number[0]
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _smaller(svg):
    """The same picture in fewer bytes."""
    svg = re.sub(r"\s*\n\s*", " ", LONG.sub(_short, ASIDE.sub("", svg)))
    return svg.replace("> <", "><").replace("; ", ";").replace(": ", ":")


def _uri(svg):
    """What an attribute may hold, as little of it escaped as there has to be."""
    return "data:image/svg+xml," + quote(svg.replace('"', "'"), safe=" '/:;,=()!*+@$[]?&~-._")


def _drawn(picture, pictures):
    file = io.BytesIO()
    # Its words stand beside it: they wrap on a narrow screen, and are read aloud.
    pictures.save(picture.bare(), file, format="svg")
    svg = file.getvalue().decode("utf-8")
    # With its size known, nothing moves while the page is laid out.
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (round(float(points) * 96 / 72) for points in box.groups())
    # A picture in an <img> of its own cannot clash with another one, nor run anything.
    uri = _uri(_smaller(svg))
    return SimpleNamespace(**vars(picture), width=width, height=height, uri=uri)


def drawn(loaded, language, with_samples):
    """The pictures, or None where Matplotlib is missing."""
    try:
        import pictures
    except ImportError:
        return None
    try:
        found = pictures.catalogue(loaded, lang=language)
        wanted = [one for one in found if with_samples or one.kind != "samples"]
        return [_drawn(picture, pictures) for picture in wanted]
    except pictures.UsageError as error:
        raise UsageError(f"pictures: {error} (--no-pictures leaves them out)") from None
