"""Rows of a table with their bars, for pages that draw them."""

from types import SimpleNamespace

from bench_hpc.answer import reference
from bench_hpc.page.measure import bound


def bar(span, how, words, where=None):
    """The bar of a value and its interval, and its bound where there is one."""
    value, low, high = span
    return SimpleNamespace(
        fill=how.scale.bar(value),
        whisker=(how.scale.at(low), how.scale.at(high)),
        end=how.scale.at(value),
        bound=how.scale.at(where) if where else None,
        alt=words("lesson_bar", text=how.text(value), low=how.text(low), high=how.text(high)),
    )


def _bar(row, doubt, how, words):
    span = how.span(row)
    if not span:
        return None
    where = bound(row) if how.key == "speed" else None
    limit = ""
    if where:
        of = reference(row["share_of"], words)
        limit = words("lesson_bound", reference=of, factor=how.text(where))
    drawn = bar(span, how, words, where)
    drawn.text, drawn.limit = doubt + how.text(span[0]), limit
    return drawn


def row(told, columns, how, words):
    """The row with its figures by heading, and its bar where it was measured."""
    label, *texts = told["cells"]
    marked = any(key in told["doubtful"] for key in how.columns)
    measured = told["status"] == "measured"
    return SimpleNamespace(
        **told,
        label=label,
        measured=measured,
        figures=[(one["heading"], text) for one, text in zip(columns[1:], texts) if text],
        time=dict(zip((one["key"] for one in columns), told["cells"]))["time"],
        bar=_bar(told, "~" * marked, how, words) if measured else None,
    )
