"""Pictures of the result files as parts of the page."""

import io
import re
from types import SimpleNamespace
from urllib.parse import quote

from bench_hpc.program import UsageError

# Of an SVG file, what no reader of a page needs.
ASIDE = re.compile(r"<\?xml.*?\?>|<metadata>.*?</metadata>", re.DOTALL)
SCREEN_MM, PHONE_MM = 200, 80


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
    return SimpleNamespace(uri=_uri(ASIDE.sub("", svg)), width=width, height=height)


def _drawn(picture, pictures):
    """The overview fills the page, so that it has another form for a phone."""
    opens = picture.kind == "overview"
    file = _file(picture, pictures, SCREEN_MM if opens else pictures.WIDTH_MM)
    phone = _file(picture, pictures, PHONE_MM) if opens else None
    return SimpleNamespace(**vars(picture), **vars(file), phone=phone)


def drawn(loaded, options, with_samples, compared):
    """The pictures, or None where Matplotlib is missing. `compared` is what `bench compare` said,
    if it was asked."""
    try:
        from bench_hpc import pictures
    except ImportError:
        return None
    try:
        chosen = {"baseline": options.baseline} if options.baseline else {}
        found = pictures.catalogue(loaded, options.lang, compared, **chosen)
        wanted = [one for one in found if with_samples or one.kind != "samples"]
        return [_drawn(picture, pictures) for picture in wanted]
    except pictures.UsageError as error:
        raise UsageError(f"pictures: {error} (--no-pictures leaves them out)") from None
