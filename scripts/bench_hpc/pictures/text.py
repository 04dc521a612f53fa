"""Text that came from a result file, made fit for a picture: shown as it is, never interpreted."""

from functools import lru_cache

from matplotlib import font_manager
from matplotlib.textpath import text_to_path

from bench_hpc.program import plain

FAMILY = "DejaVu Sans"  # comes with Matplotlib, so that pictures are the same everywhere
POINTS_PER_MM = 72 / 25.4
STAND_IN = "\u25a1"  # a white square: a character that the font lacks


@lru_cache(maxsize=1)
def _known():
    path = font_manager.findfont(FAMILY, fallback_to_default=False)
    return frozenset(font_manager.get_font(path).get_charmap())


def printable(text):
    """Plain, and with characters of the font only."""
    return "".join(one if ord(one) in _known() else STAND_IN for one in plain(text))


@lru_cache(maxsize=4)
def _font(bold):
    weight = "bold" if bold else "normal"
    return font_manager.FontProperties(family=FAMILY, weight=weight, size=100)


@lru_cache(maxsize=20000)
def width_mm(text, points, bold=False):
    if not text:
        return 0.0
    width, _, _ = text_to_path.get_text_width_height_descent(text, _font(bold), ismath=False)
    return width * points / 100 / POINTS_PER_MM


def shortened(text, room_mm, points, bold=False):
    """The text, or as much of its beginning and end as there is room for."""
    # No letter is so narrow that more of them had room: what is between need not be measured.
    most = int(2 * room_mm) + 5
    if len(text) > 2 * most:
        text = text[:most] + text[-most:]
    elif width_mm(text, points, bold) <= room_mm:
        return text

    def cut(kept):
        return text[: (kept + 1) // 2] + "\u2026" + text[len(text) - kept // 2 :]

    cuts = map(cut, range(len(text) - 1, 1, -1))
    return next((one for one in cuts if width_mm(one, points, bold) <= room_mm), "\u2026")


def wrapped(text, room_mm, points, most_lines=None):
    """Lines that have room; what does not fit into the last one ends with an ellipsis."""
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width_mm(longer, points) > room_mm:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if most_lines and len(lines) > most_lines:
        lines = [*lines[: most_lines - 1], " ".join(lines[most_lines - 1 :])]
    return [shortened(line, room_mm, points) for line in lines]
