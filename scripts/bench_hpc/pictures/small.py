"""The same SVG in fewer bytes: a picture in a README or a page is loaded each time."""

import re

ASIDE = re.compile(r"<!DOCTYPE.*?>|<!--.*?-->", re.DOTALL)
PLACES = re.compile(r' (?:d|transform|x|y|width|height|viewBox|points)="[^"]*"')
LONG = re.compile(r"scale\([^)]*\)|-?\d+\.\d{3,}")
STYLE = re.compile(r'style="[^"]*"')
GROUP = re.compile(r'<g id="[^"]*"')  # nothing refers to one
SHIFT = re.compile(r'(<use href="[^"]*") transform="translate\(([-\d.]+) 0\)"')
GLYPH = re.compile(r'(?<=["#])DejaVuSans(?=-)')


def _short(number):
    """A hundredth of a point is invisible; what scales letters stays."""
    if number[0].startswith("scale"):
        return number[0]
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _place(found):
    text = LONG.sub(_short, found[0])
    # A letter of a path parts numbers by itself.
    return re.sub(r" ?([MLQCz]) ?", r"\1", text) if found[0].startswith(" d=") else text


def small(svg):
    svg = PLACES.sub(_place, ASIDE.sub("", svg))
    svg = STYLE.sub(lambda found: found[0].replace("; ", ";").replace(": ", ":"), svg)
    svg = GLYPH.sub("D", GROUP.sub("<g", svg)).replace("xlink:href", "href")
    svg = SHIFT.sub(r'\1 x="\2"', svg)
    return re.sub(r"\s*\n\s*", " ", svg).replace("> <", "><")
