"""Pictures of the documents as parts of the page."""

import io
import re
from types import SimpleNamespace
from urllib.parse import quote

from program import UsageError

# Of an SVG file that Matplotlib writes: what no reader of a page needs, and its long numbers.
ASIDE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
SCREEN_MM, PHONE_MM = 200, 80
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


def _file(picture, pictures, width_mm):
    file = io.BytesIO()
    # Its words are on the page: they wrap on a narrow screen, and are read aloud.
    pictures.save(picture.bare(), file, format="svg", width_mm=width_mm)
    svg = file.getvalue().decode("utf-8")
    # With its size known, nothing moves while the page is laid out.
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (round(float(points) * 96 / 72) for points in box.groups())
    # A picture in an <img> of its own cannot clash with another one, nor run anything.
    return SimpleNamespace(uri=_uri(_smaller(svg)), width=width, height=height)


def _drawn(picture, pictures):
    """The overview fills the page, so that it has another form for a phone."""
    opens = picture.kind == "overview"
    file = _file(picture, pictures, SCREEN_MM if opens else pictures.WIDTH_MM)
    phone = _file(picture, pictures, PHONE_MM) if opens else None
    return SimpleNamespace(**vars(picture), **vars(file), phone=phone)


def drawn(loaded, options, with_samples):
    """The pictures, or None where Matplotlib is missing."""
    try:
        import pictures
    except ImportError:
        return None
    try:
        chosen = {"baseline": options.baseline} if options.baseline else {}
        found = pictures.catalogue(loaded, lang=options.lang, **chosen)
        wanted = [one for one in found if with_samples or one.kind != "samples"]
        return [_drawn(picture, pictures) for picture in wanted]
    except pictures.UsageError as error:
        raise UsageError(f"pictures: {error} (--no-pictures leaves them out)") from None
