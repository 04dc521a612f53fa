"""A page for one picture: title above, caption below, panels in between, placed in millimetres."""

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from .style import SMALL, TITLE
from .text import printable, shortened, width_mm, wrapped

MM_PER_INCH = 25.4
MARGIN = 2.0
LINE = 3.3  # mm from one line of small text to the next
GAP = 2.2
LEGEND = 3.6  # of a legend
MOST_CAPTION_LINES = 8


class Sheet:
    def __init__(self, picture, style, width, body, handles=(), columns=1, handle_length=3.2):
        """`body`: mm of the panels; the legend of the handles is below them and hides no data."""
        below = body
        body += LEGEND * -(-len(handles) // columns)
        self.style, self.width = style, width
        room = width - 2 * MARGIN

        def lines(text, most):
            return wrapped(printable(text), room, SMALL, most) if text else []

        subtitle = lines(picture.subtitle, 3)
        caption = lines(picture.caption, MOST_CAPTION_LINES)
        head = MARGIN + 4.4 * bool(picture.title) + LINE * len(subtitle) + GAP
        foot = GAP + LINE * len(caption) + MARGIN - 1
        self.top = head
        self.height = head + body + foot
        self.figure = Figure(figsize=(width / MM_PER_INCH, self.height / MM_PER_INCH))
        title = shortened(printable(picture.title), room, TITLE, bold=True)
        self._place(MARGIN, MARGIN, title, fontsize=TITLE, fontweight="bold")
        for number, line in enumerate(subtitle):
            self._place(MARGIN, MARGIN + 4.4 + number * LINE, line)
        for number, line in enumerate(caption):
            y = head + body + GAP + number * LINE
            self._place(MARGIN, y, line, color=style.muted)
        if handles:
            self.figure.legend(
                handles=handles,
                loc="upper left",
                bbox_to_anchor=(MARGIN / width, 1 - (head + below) / self.height),
                ncols=columns,
                frameon=False,
                fontsize=SMALL,
                borderaxespad=0,
                borderpad=0,
                handlelength=handle_length,
                labelspacing=0.35,
                columnspacing=1.5,
            )

    def _place(self, x, y, text, **options):
        options.setdefault("fontsize", SMALL)
        options.setdefault("va", "top")
        return self.figure.text(x / self.width, 1 - y / self.height, text, **options)

    def text(self, x, y, text, **options):
        """Printable lines, at millimetres from the left and from the top of the body."""
        return self._place(x, self.top + y, text, **options)

    def label(self, room, y, text, bold=False, **options):
        """The label of a row, at the right of the room that labels have."""
        text = shortened(printable(text), room - 2, SMALL, bold)
        options = {"ha": "right", "va": "center", **options}
        self.text(MARGIN + room - 1.5, y, text, fontweight="bold" if bold else "normal", **options)

    def panel(self, x, y, width, height):
        """Axes at millimetres from the left and from the top of the body."""
        bottom = self.height - self.top - y - height
        across, upright = self.width, self.height
        place = (x / across, bottom / upright, width / across, height / upright)
        axes = self.figure.add_axes(place)
        axes.tick_params(length=2, width=0.5, pad=2)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
        return axes


def without_y(axes, bottom):
    """Axes for rows, whose y grows from the top."""
    axes.set_ylim(bottom, 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    return axes


def beside(axes, x, y, text, **options):
    """Words at a share of the width of the axes, in the row at y."""
    axes.text(x, y, text, transform=axes.get_yaxis_transform(), va="center", **options)


def row_label(axes, room, y, text, margin, bold=False, **options):
    """A label in the margin of axes as wide as the room."""
    text = shortened(printable(text), margin - 2, SMALL, bold)
    weight = "bold" if bold else "normal"
    beside(axes, -1.5 / room, y, text, ha="right", fontweight=weight, **options)


def note(axes, text, place, style, points=4, pad=0.2, **options):
    """Words some points past a place, with nothing visible through them."""
    axes.annotate(
        text,
        place,
        xytext=(points, 0),
        textcoords="offset points",
        va="center_baseline",
        bbox={"facecolor": style.background, "edgecolor": "none", "pad": pad},
        **options,
    )


def _on_page(axis, tick, text):
    """False for a label below a tick that would be cut at an edge of the page."""
    if axis.axis_name != "x":
        return True
    axes = axis.axes
    share = (axes.transScale + axes.transLimits).transform((tick, axes.get_ylim()[0]))[0]
    panel = axes.get_position()
    page = axes.figure.get_figwidth() * MM_PER_INCH
    middle, half = page * (panel.x0 + share * panel.width), width_mm(printable(text), SMALL) / 2
    return half < middle < page - half


def set_ticks(axis, ticks, label, grid, text=""):
    """Ticks where we want them, said as we say numbers, and what they are of, below them."""
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    labels = [label(one) for one in ticks]
    labels = [one if _on_page(axis, tick, one) else "" for tick, one in zip(ticks, labels)]
    axis.set_ticks(ticks, labels)
    axis.grid(True, color=grid, linewidth=0.5)
    if text:
        axis.labelpad = 2
        axis.set_label_text(printable(text))


def handle(text, room, **look):
    """An entry of a legend."""
    return Line2D([], [], label=shortened(printable(text), room, SMALL), **look)


def labels_width(labels, bold=False):
    return max((width_mm(printable(one), SMALL, bold) for one in labels), default=0)


def margin_of(labels, width):
    """Room for labels of rows, at most a third of the width."""
    return min(labels_width(labels, bold=True) + 3, width / 3)
