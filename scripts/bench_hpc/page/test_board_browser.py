"""The board in a real browser, light and dark, wide and narrow: hostile names and messages do
nothing. It must make no request and no noise: see open_page in conftest.py."""

import pytest

from bench_hpc.class_.board import Entry, Race, Standing
from bench_hpc.page import board
from bench_hpc.page.conftest import ACCESS, EVIL
from bench_hpc.page.test_page_browser import CONTRAST
from bench_hpc.words import Words

DATES = ("2026-11-03T08:00:00+00:00", "2026-11-02T08:00:00+00:00")


def standing(rank, name, ratio, reason=""):
    status = "measured" if ratio else "failed"
    entries = [Entry(date, date == DATES[0], status, reason, ratio, 0.5) for date in DATES]
    return Standing(name, entries, rank)


@pytest.fixture(params=["en", "fr"])
def page(request, tmp_path):
    names = [*EVIL, "L" * 200, "\u0645\u062d\u0645\u062f", *(f"student {i}" for i in range(30))]
    standings = [standing(i + 1, name, (120 / (i + 1),) * 3) for i, name in enumerate(names)]
    standings += [standing(None, name, None, EVIL[1] + "x" * 300) for name in EVIL]
    races = [Race(f"energy \u00b7 {dtype}", standings) for dtype in ("f32", "f64")]
    words = Words(request.param, "class", "lesson", "pictures")
    board.write(tmp_path, races, "2026-12-01T23:59:00Z", words)
    return tmp_path / "index.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_the_board_is_read_everywhere(open_page, page, scheme, width):
    tab = open_page(page, color_scheme=scheme, viewport={"width": width, "height": 740})
    tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.evaluate(CONTRAST)["faults"] == []
    assert tab.evaluate(ACCESS, []) == []
    assert tab.locator("summary").first.evaluate("one => one.textContent") == EVIL[0]
    assert tab.evaluate("window.hit") is None
    assert tab.locator("script, img, iframe").count() == 0
    # On a telephone, without the head of the table, each value says what it is.
    said = "one => getComputedStyle(one, '::before').content"
    assert ("%" in tab.locator("[data-heading]").first.evaluate(said)) == (width == 400)
