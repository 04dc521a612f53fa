"""The page in a real browser: reading, sorting, filtering, keyboard, print, hostile files.
Every page that is opened here must make no request and no noise: see open_page in conftest.py."""

import contextlib
import http.server
import json
import re
import threading
from typing import ClassVar

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from bench_hpc.page.conftest import ACCESS, EVIL, RECORDED, ROOT, hostile, of_node, report, save
from bench_hpc.program import plain


@pytest.fixture(scope="module")
def page_of_one(make_page):
    return make_page(RECORDED)


@pytest.fixture(scope="module")
def page_of_two(make_page, recorded, tmp_path_factory):
    """Two nodes, two precisions."""
    folder = tmp_path_factory.mktemp("two")
    for node in ("first", "second"):
        save(of_node(recorded, node), folder / f"{node}.json")
    double = json.loads(json.dumps(of_node(recorded, "first")).replace("f32", "f64"))
    save(double, folder / "double.json")
    return make_page(folder)


ROWS = """
table => [...table.tBodies[0].rows].map(row => [...row.cells].map(
  cell => cell.colSpan > 1 ? null
    : cell.dataset.value !== undefined ? Number(cell.dataset.value)
    : cell.firstChild.textContent))
"""


def rows_of(tab, table):
    return tab.locator(table).first.evaluate(ROWS)


def shown(tab):
    return tab.locator(".variants tbody tr:visible").count()


def test_each_heading_sorts_both_ways_and_back(open_page, page_of_one):
    tab = open_page(page_of_one)
    table = "[data-workload=energy] table"
    headings = tab.locator(f"{table} thead th")
    ladder = rows_of(tab, table)
    for column in range(headings.count()):
        heading = headings.nth(column)
        assert heading.get_attribute("aria-sort") == "none"
        for direction in ("ascending", "descending"):
            heading.get_by_role("button").click()
            assert heading.get_attribute("aria-sort") == direction
            assert tab.locator(f"{table} th[aria-sort=none]").count() == headings.count() - 1
            keys = [row[column] if column < len(row) else None for row in rows_of(tab, table)]
            known = [key for key in keys if key is not None]
            # What was not measured has no number, and stays below in both directions.
            assert keys == known + [None] * (len(keys) - len(known))
            assert known == sorted(known, reverse=direction == "descending")
            assert column == 0 or all(isinstance(key, (int, float)) for key in known)
            assert len(set(known)) > 3
        heading.get_by_role("button").click()
        assert heading.get_attribute("aria-sort") == "none"
        assert rows_of(tab, table) == ladder


def test_numbers_are_sorted_as_numbers(open_page, page_of_one):
    tab = open_page(page_of_one)
    tab.locator("[data-workload=energy] thead th").nth(1).get_by_role("button").click()
    times = [row[1] for row in rows_of(tab, "[data-workload=energy] table") if len(row) > 2]
    assert times[0] == pytest.approx(1.558e-3, rel=1e-3)
    assert times[-1] == pytest.approx(0.2117, rel=1e-3)


def test_filters_work_together_and_say_how_many_rows_there_are(open_page, page_of_two):
    tab = open_page(page_of_two)
    everything, words = shown(tab), tab.get_by_role("status").inner_text()
    tab.get_by_label("workload", exact=True).select_option("energy")
    energy = shown(tab)
    assert 0 < energy < everything
    tab.get_by_label("precision").select_option("f64")
    tab.get_by_label("node", exact=True).select_option("first")
    tab.get_by_label("variant", exact=True).fill("OPENMP simd")
    assert tab.locator(".variants tbody tr:visible").all_inner_texts()[0].startswith("openmp/simd")
    assert shown(tab) == 1
    compared = tab.locator("#comparison tbody tr").count()
    assert tab.get_by_role("status").inner_text().startswith(f"{1 + compared} of ")
    # A table without a row that matches is not there, nor is its run.
    assert tab.locator(".variants:visible").count() == 1
    assert tab.locator(".run:visible").count() == 1
    tab.get_by_label("variant", exact=True).fill("no such thing")
    assert shown(tab) == 0
    tab.get_by_role("button", name="Reset").click()
    tab.get_by_text(words, exact=True).wait_for()
    assert shown(tab) == everything


def test_the_filter_is_in_the_address(open_page, page_of_two):
    tab = open_page(page_of_two)
    tab.get_by_label("workload", exact=True).select_option("transpose")
    tab.get_by_label("variant", exact=True).fill("a&b=c d")
    again = open_page(page_of_two, tab.evaluate("location.hash"))
    assert again.get_by_label("workload", exact=True).input_value() == "transpose"
    assert again.get_by_label("variant", exact=True).input_value() == "a&b=c d"
    assert shown(again) == 0
    unknown = open_page(page_of_two, "#workload=nonsense&variant=simd")
    assert unknown.get_by_label("workload", exact=True).input_value() == ""
    assert shown(unknown) > 0


def test_everything_works_from_the_keyboard(open_page, page_of_two):
    tab = open_page(page_of_two)
    tab.keyboard.press("Tab")
    focus = "document.activeElement"
    assert tab.evaluate(f"{focus}.className") == "skip"
    assert tab.locator(".skip").is_visible()
    tab.keyboard.press("Enter")
    assert tab.evaluate(f"{focus}.id") == "answers"
    theme = tab.get_by_role("button", name="Dark")
    theme.focus()
    tab.keyboard.press("Space")
    assert theme.get_attribute("aria-pressed") == "true"
    workload = tab.get_by_label("workload", exact=True)
    for _ in range(50):
        tab.keyboard.press("Tab")
        if workload.evaluate("one => one === document.activeElement"):
            break
    tab.keyboard.press("ArrowDown")
    assert workload.input_value() == "energy"
    heading = tab.locator("[data-workload=energy] thead th").nth(1)
    for _ in range(200):
        tab.keyboard.press("Tab")
        outline = tab.evaluate(f"getComputedStyle({focus}).outlineStyle")
        assert outline != "none", tab.evaluate(f"{focus}.outerHTML.slice(0, 200)")
        if heading.get_by_role("button").evaluate("one => one === document.activeElement"):
            break
    tab.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"


def test_without_scripts_everything_is_there_and_no_control(open_page, page_of_two):
    tab = open_page(page_of_two, java_script_enabled=False)
    assert tab.locator(".variants tbody tr:visible").count() > 40
    assert tab.locator("#comparison tbody tr:visible").count() > 0
    assert tab.locator(".answer tbody tr:visible").count() > 0
    assert tab.locator("form").is_hidden()
    assert tab.locator("button:visible").count() == 0
    tab.locator("details.context summary").first.click()
    assert tab.get_by_text("hypervisor").first.is_visible()


def test_on_paper_there_is_everything_but_the_controls(open_page, page_of_two):
    tab = open_page(page_of_two, folded=True)
    assert tab.locator(".variants table").first.is_hidden()
    assert tab.locator("details.legend li").first.is_hidden()
    tab.emulate_media(media="print")
    assert tab.locator("form").is_hidden()
    assert tab.locator("button#theme").is_hidden()
    assert tab.locator("details.legend li").first.is_visible()
    assert tab.locator(".variants table").first.is_visible()
    assert tab.locator("pre").last.is_visible()
    assert len(tab.pdf(format="A4")) > 10_000


# Of every element with text of its own: the contrast of its colour with what is behind it.
CONTRAST = """
() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = parts(color).map((one) => one / 255).map(
      (one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if (parts(color)[3] !== 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const faults = [];
  let seen = 0;
  for (const element of document.body.querySelectorAll("*")) {
    const text = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!text || !element.checkVisibility() || element.closest("script")) continue;
    const [a, b] = [getComputedStyle(element).color, behind(element)].map(light);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    seen += 1;
    if (contrast < 4.5) faults.push(`${contrast}: ${element.outerHTML.slice(0, 80)}`);
  }
  return { seen, faults };
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_in_light_and_dark(open_page, page_of_many, scheme):
    tab = open_page(page_of_many, color_scheme=scheme)
    pressed = tab.get_by_role("button", name="Dark").get_attribute("aria-pressed")
    assert pressed == str(scheme == "dark").lower()
    paper = [tab.evaluate("getComputedStyle(document.body).backgroundColor")]
    for _ in range(2):
        found = tab.evaluate(CONTRAST)
        assert found["seen"] > 300
        assert found["faults"] == []
        tab.get_by_role("button", name="Dark").click()
        paper.append(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert paper[0] == paper[2] != paper[1]


@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_itself_never_scrolls_sideways(open_page, page_of_many, page_of_two, width):
    for path in (page_of_many, page_of_two):
        tab = open_page(path, viewport={"width": width, "height": 740})
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    # A wide table scrolls in its own box.
    box = tab.locator(".variants .box").first
    assert (box.evaluate("one => one.scrollWidth > one.clientWidth")) == (width == 360)


def test_a_screen_reader_finds_its_way(open_page, page_of_many, page_of_two, make_page):
    landmarks = ["footer", "[role=search]", "[role=status]"]
    for path in (page_of_many, page_of_two, make_page(RECORDED, "--lang", "es")):
        assert open_page(path).evaluate(ACCESS, landmarks) == []


@pytest.mark.parametrize("count", [1, 2, 14])
def test_what_a_document_says_is_text_and_never_runs(
    open_page, make_page, recorded, tmp_path, count
):
    evil = hostile(recorded)
    name = '"><img src=x onerror=window.hit=1> & <script>window.hit=1.json'
    save(evil, tmp_path / name)
    for number in range(count - 1):
        save(of_node(recorded, f"n{number}"), tmp_path / f"{number}.json")
    tab = open_page(make_page(tmp_path, "--title", EVIL[2]))
    if count > 1:
        tab.get_by_label("node", exact=True).select_option(index=1 if count == 2 else 14)
        tab.get_by_label("node", exact=True).evaluate(
            "(one, text) => { one.value = [...one.options].find(o => o.value.includes(text)).value;"
            " one.dispatchEvent(new Event('input', { bubbles: true })); }",
            "onerror",
        )
        tab.wait_for_selector("#runs > .run[data-node*=onerror]:visible")
    tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    text = tab.locator("body").evaluate("one => one.textContent")
    for one in EVIL:
        assert one in text or plain(one) in text
    assert name in text
    assert tab.evaluate("window.hit") is None
    assert tab.locator("img, iframe, object, embed").count() == 0
    running = "one => !['application/json', 'text/plain'].includes(one.type)"
    scripts = tab.evaluate(f"[...document.scripts].filter({running}).length")
    assert scripts == 1
    handlers = "[...document.querySelectorAll('*')].flatMap(one => [...one.attributes])"
    assert not tab.evaluate(f"{handlers}.some(one => /^on|^style$/i.test(one.name))")


class Listener(http.server.BaseHTTPRequestHandler):
    """Notes who calls."""

    calls: ClassVar[list] = []

    def do_GET(self):
        self.calls.append(self.path)
        self.send_error(404)

    def log_message(self, *_):
        pass


@pytest.fixture
def listener():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


INTRUSION = """address => {
  const part = document.createElement("div");
  part.innerHTML = `<img src="${address}/image"><p onclick="window.hit=1">x</p>`
    + `<iframe src="${address}/frame"></iframe><link rel="stylesheet" href="${address}/style">`
    + `<p style="color: rgb(1, 2, 3)">y</p>`;
  document.body.append(part);
  part.querySelector("p").click();
  const script = document.createElement("script");
  script.textContent = "window.hit = 1";
  document.body.append(script);
  const other = document.createElement("script");
  other.src = `${address}/script`;
  document.body.append(other);
  return fetch(`${address}/fetch`).then(() => "got out", () => "blocked");
}"""


def test_even_what_gets_into_the_page_cannot_run_or_call(browser, page_of_one, listener, tmp_path):
    """The policy in the head is the second wall: here the first one is broken deliberately."""
    open_door = tmp_path / "open.html"
    text = page_of_one.read_text(encoding="utf-8")
    open_door.write_text(re.sub("<meta http-equiv=[^>]*>", "", text), encoding="utf-8")
    for path, safe in ((page_of_one, True), (open_door, False)):
        Listener.calls.clear()
        tab = browser.new_page()
        tab.goto(path.as_uri())
        tab.wait_for_selector("html[data-ready]", state="attached")
        tab.evaluate(INTRUSION, listener)
        # Where it does not become idle in time, what follows is looked at all the same.
        with contextlib.suppress(PlaywrightTimeout):
            tab.wait_for_load_state("networkidle")
        styled = "getComputedStyle([...document.querySelectorAll('p')].at(-1)).color"
        # Without the policy all of that happens: so this test can fail.
        assert (tab.evaluate("window.hit") is None) == safe
        assert (tab.evaluate(styled) != "rgb(1, 2, 3)") == safe
        assert (not Listener.calls) == safe
        tab.close()


def test_the_page_opens_with_the_answer_and_folds_the_rest(open_page, page_of_one):
    tab = open_page(page_of_one, folded=True)
    rows = tab.locator(".answer tbody tr")
    assert [text.split()[0] for text in rows.locator("th").all_inner_texts()] == [
        "copy", "energy", "gaussian_pdf", "hypot", "histogram", "transpose",
    ]  # fmt: skip
    energy = rows.nth(1).inner_text()
    assert "136\u00d7 [130, 152]" in energy
    assert "openmp/streaming \u00b7 1.558\u00a0ms" in energy
    assert "memory: 91\u00a0% of copy" in energy
    assert tab.locator(".variants tbody tr:visible").count() == 0
    rows.nth(1).get_by_role("link").click()
    tab.locator(".variants tbody tr:visible").first.wait_for()
    assert tab.locator(".variants[open]").get_attribute("data-workload") == "energy"
    tab.get_by_label("workload", exact=True).select_option("copy")
    tab.locator("[data-workload=copy][open]").wait_for()


def test_warnings_of_a_kind_are_one_line(open_page, make_page):
    reference = ROOT / "results" / "reference" / "0.1.0" / "h200"
    files = [reference / f"1-gpu-turning{one}.json" for one in ("", "-f64")]
    tab = open_page(make_page(*files), folded=True)
    (line,) = tab.locator(".warnings li", has_text="first call").all()
    assert line.locator("a").count() == 2
    assert "98\u00a0% of copy" in tab.locator(".answer").inner_text()


def test_a_phone_cuts_no_ratio_off(open_page, make_page):
    tab = open_page(make_page(RECORDED, "--lang", "pt"), viewport={"width": 400, "height": 800})
    for key in ("naive", "best"):
        for heading in tab.locator(f'.variants thead th[data-key="{key}"]').all():
            box = heading.bounding_box()
            assert box["x"] + box["width"] <= 400, key
    assert tab.locator(".answer").evaluate("one => one.scrollWidth") <= 400


def test_pictures_are_in_the_page(open_page, tmp_path):
    pytest.importorskip("pictures", reason="without Matplotlib there are no pictures")
    path = tmp_path / "page.html"
    document = json.loads(RECORDED.read_text(encoding="utf-8"))
    kept = [case["workload"] == "energy" for case in document["cases"]]
    for key in ("cases", "speedups"):
        document[key] = [one for one, keep in zip(document[key], kept) if keep]
    done = report(save(document, tmp_path / "energy.json"), "-o", path)
    assert done.returncode == 0, done.stderr
    tab = open_page(path)
    tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert tab.locator("#runs figure img").count() == 1
    overview = tab.locator("#answers figure img")
    wide = overview.evaluate("one => one.currentSrc.length")
    for image in tab.locator("img").all():
        image.scroll_into_view_if_needed()
        image.evaluate("one => one.decode()")
        assert image.evaluate("one => one.naturalWidth") > 100
        assert len(image.get_attribute("src")) < 250_000
        assert len(image.get_attribute("alt")) > 20
        assert tab.evaluate("one => getComputedStyle(one).filter", image.element_handle()) == "none"
    tab.set_viewport_size({"width": 400, "height": 800})
    width, own = image.evaluate("one => [one.offsetWidth, Number(one.getAttribute('width'))]")
    assert width == own, "what is too small to be read is scrolled instead"
    overview.scroll_into_view_if_needed()
    tab.wait_for_function("o => o.currentSrc.length != " + str(wide), arg=overview.element_handle())
    assert overview.bounding_box()["width"] <= 400, "a phone has a form of its own"
    ratio = tab.locator('.variants thead th[data-key="naive"]').first.bounding_box()
    assert ratio["x"] + ratio["width"] <= 400
    assert "2026-11-21" in tab.locator("time").first.inner_text()
    tab.locator("#theme").click()
    assert "invert" in tab.evaluate("one => getComputedStyle(one).filter", image.element_handle())
