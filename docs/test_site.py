"""The site: it is built without a warning, opens from a file, and loads nothing from elsewhere."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import blocks
import lessons
import pytest
from bench_hpc import program

pytest.importorskip("furo", reason="Sphinx is not installed (scripts/setup.sh all)")
pytest.importorskip("myst_parser", reason="Sphinx is not installed (scripts/setup.sh all)")
ROOT = blocks.ROOT
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# What a browser fetches by itself; a link is followed by the reader only.
LOADING = {"script", "img", "iframe", "source", "video", "audio", "embed", "input"}
MEGABYTES = 17  # of the whole site; each lesson has a page of its own and one with the frame


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    done = subprocess.run(
        [ROOT / "scripts" / "docs.sh", "html", folder],
        env={**program.os.environ, "BENCH_BINARY": program.binary()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.links, self.loaded, self.names = path, [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.names.add(found.get("id"))
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if tag == "link" and found.get("rel") not in ("index", "search", "next", "prev"):
            self.loaded.append(found.get("href", ""))
        if tag in LOADING:
            self.loaded += [found[key] for key in ("src", "srcset") if found.get(key)]


@pytest.fixture(scope="session")
def pages(site):
    return {path: Page(path) for path in site.rglob("*.html")}


def test_nothing_is_loaded_from_elsewhere(site, pages):
    for page in pages.values():
        far = [one for one in page.loaded if urlsplit(one).netloc]
        assert far == [], page.path.name
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"(url\(\s*[\"']?|@import\s+[\"'])(https?:)?//", text), style.name


def test_every_link_within_the_site_leads_somewhere(site, pages):
    dead = []
    for page in pages.values():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            its = pages.get(target)
            missing = not target.is_file() or site not in target.parents
            if missing or (its and parts.fragment and unquote(parts.fragment) not in its.names):
                dead.append(f"{page.path.relative_to(site)}: {link}")
    assert dead == []


def test_every_page_is_in_the_navigation(site, pages):
    linked = {
        (pages[site / "index.html"].path.parent / unquote(urlsplit(link).path)).resolve()
        for link in pages[site / "index.html"].links
    }
    written = {site / path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    written = {path.with_suffix(".html") for path in written} - {site / "README.html"}
    assert written - linked == set()


def test_every_lesson_is_linked_and_leads_back(site, pages):
    found = list((site / "lessons").glob("*/*.html"))
    assert {path.parent.name for path in found} == set(lessons.MACHINES)
    for path in found:
        frame = f"lessons/{path.parent.name}-{path.name}"
        assert frame in pages[site / "lessons.html"].links
        assert f"{path.parent.name}/{path.name}" in pages[site / frame].loaded
        assert "../lessons.html" in pages[site / frame].links
        assert "../../lessons.html" in pages[path].links


def test_the_order_of_learning_leads_to_lessons(site, pages):
    links = pages[site / "student" / "order-of-learning.html"].links
    named = {link.rpartition("-")[2] for link in links if link.startswith("../lessons/")}
    made = {path.name for path in (site / "lessons").glob("*/*.html")} - {"index.html"}
    assert named == made


def test_the_lessons_are_of_every_recorded_machine():
    folders = {path.parent.name for path in lessons.REFERENCE.glob("*/*/*.json")}
    assert folders == set(lessons.MACHINES)


def test_the_site_is_small(site):
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    assert size < MEGABYTES * 1e6


@pytest.fixture(scope="session")
def tab_of(site):
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM:
        pytest.skip("Chromium is not installed (scripts/setup.sh all)")
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def tab(address, **options):
            made = browser.new_page(**options)
            noise = []
            made.on("request", lambda one: one.url.startswith("file:") or noise.append(one.url))
            made.on("pageerror", lambda one: noise.append(str(one)))
            made.on("console", lambda one: noise.append(one.text))
            made.goto(f"{site.as_uri()}/{address}")
            return made, noise

        yield tab
        browser.close()


def test_the_search_finds_a_page_from_a_file(tab_of):
    tab, noise = tab_of("search.html?q=exit+codes")
    tab.wait_for_selector("#search-results li a")
    assert "reference/exit-codes.html" in " ".join(
        one.get_attribute("href") for one in tab.locator("#search-results li a").all()
    )
    assert noise == []


@pytest.mark.parametrize(
    "name", ["index", "student/read-a-table", "reference/commands", "results/h200"]
)
def test_a_phone_shows_pages_without_scrolling_sideways(tab_of, name):
    tab, noise = tab_of(f"{name}.html", viewport={"width": 400, "height": 800})
    width = tab.evaluate("document.scrollingElement.scrollWidth")
    assert width <= 400
    assert noise == []


def test_light_and_dark_follow_the_reader(tab_of):
    colours = set()
    for scheme in ("light", "dark"):
        tab, _ = tab_of("index.html", color_scheme=scheme)
        colours.add(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2
