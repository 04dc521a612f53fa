"""What the tests of the page share: result files derived from a recorded one, pages, a browser."""

import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
REPORT = ROOT / "scripts" / "report.py"
RECORDED = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores" / "default.json"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def recorded():
    """The recorded run, of two workloads only."""
    document = json.loads(RECORDED.read_text(encoding="utf-8"))
    kept = [case["workload"] in ("energy", "transpose") for case in document["cases"]]
    for key in ("cases", "speedups"):
        document[key] = [one for one, keep in zip(document[key], kept) if keep]
    document["benchmarks"] = []
    return document


def of_node(document, node, factor=1.0):
    """The same run as if another node had made it, all its times longer by a factor."""
    document = copy.deepcopy(document)
    context = document["context"]
    context["run"]["node"] = context["machine"]["node"] = node
    for case in document["cases"]:
        seconds = case["seconds"]
        if seconds:
            for key in ("median", "q1", "q3", "min"):
                seconds[key] *= factor
            for key in ("samples", "ci95"):
                seconds[key] = [one * factor for one in seconds[key]]
            case["gb_per_s"] /= factor
    for speedup in document["speedups"]:
        if speedup["seconds"]:
            speedup["seconds"] *= factor
    return document


EVIL = [
    "<script>window.hit=1</script>",
    '"><img src=x onerror="window.hit=1">',
    "</script><script>window.hit=1</script>",
    'a_b & <c>,"=1+1',
    "{{ 7*7 }} {% x %} \u2028 \u202e ]]> <!-- -->",
]


def hostile(recorded):
    """A result file whose every free text is out to run."""
    document = copy.deepcopy(recorded)
    evil = " ".join(EVIL)
    context = document["context"]
    context["run"].update(node=evil, warnings=EVIL, argv=EVIL)
    context["machine"].update(node=evil, cpu_model=evil, loaded_modules=EVIL, omp={"A": evil})
    context["machine"][EVIL[1]] = EVIL[0]
    context["build"].update(revision=EVIL[3], compiler=evil, flags=EVIL[2])
    context["slurm"] = {"job_id": evil, "job_partition": evil}
    for number, case in enumerate(document["cases"]):
        case["idea"] = EVIL[number % len(EVIL)]
        if case["status"] != "measured":
            case["reason"] = evil
    for case, speedup in zip(document["cases"], document["speedups"]):
        speedup["reason"] = case["reason"]
    return document


def save(document, path):
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def report(*arguments, cwd=None, **environment):
    """Runs bench report; returns the finished process."""
    return subprocess.run(
        [sys.executable, REPORT, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="session")
def make_page(tmp_path_factory):
    """Makes a page and returns its path."""

    def make(*arguments):
        path = tmp_path_factory.mktemp("page") / "report.html"
        done = report(*arguments, "--no-pictures", "-o", path)
        assert done.returncode == 0, done.stderr
        return path

    return make


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as engine:
        one = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield one
        one.close()


def unfold(tab):
    """Opens the tables of a report."""
    tab.evaluate("document.querySelectorAll('.variants').forEach(one => { one.open = true; })")


class Opened:
    """A page in the browser, and everything it did that it should not."""

    def __init__(self, browser, path, fragment="", folded=False, **options):
        options.setdefault("viewport", {"width": 1200, "height": 900})
        self.context = browser.new_context(**options)
        self.tab = self.context.new_page()
        self.tab.set_default_timeout(10_000)
        self.faults = []
        self.url = path.as_uri()
        self.tab.on("console", lambda message: self.faults.append(message.text))
        self.tab.on("pageerror", lambda error: self.faults.append(str(error)))
        self.tab.on("dialog", lambda dialog: self.faults.append(dialog.message))
        self.tab.on("request", self._see)
        self.tab.goto(self.url + fragment)
        if options.get("java_script_enabled", True) and self.tab.query_selector("body > script"):
            self.tab.wait_for_selector("html[data-ready]", state="attached")
        if not folded:
            unfold(self.tab)

    def _see(self, request):
        if request.url.split("#")[0] != self.url and not request.url.startswith("data:"):
            self.faults.append(f"request: {request.url}")


@pytest.fixture
def open_page(browser):
    """Opens pages; whatever one does that it should not fails the test."""
    opened = []

    def open_it(path, fragment="", **options):
        opened.append(Opened(browser, path, fragment, **options))
        return opened[-1].tab

    yield open_it
    faults = [fault for one in opened for fault in one.faults]
    for one in opened:
        one.context.close()
    assert not faults


@pytest.fixture(scope="session")
def page_of_many(make_page, recorded, tmp_path_factory):
    """110 nodes, one of them slow."""
    folder = tmp_path_factory.mktemp("many")
    for number in range(1, 111):
        factor = 1.4 if number == 17 else 1 + 0.0001 * (number % 10)
        node = f"n{number:03}"
        save(of_node(recorded, node, factor), folder / f"{node}.json")
    return make_page(folder)


ACCESS = """
(landmarks) => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const faults = [];
  const fault = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) fault("skips a level", heading);
    if (!heading.textContent.trim()) fault("empty", heading);
    level = own;
  }
  const ids = all("[id]").map((one) => one.id);
  if (new Set(ids).size !== ids.length) faults.push("an id is there twice");
  for (const one of all("[aria-labelledby]")) {
    if (!document.getElementById(one.getAttribute("aria-labelledby"))) fault("no label", one);
  }
  for (const one of all("table")) {
    if (!one.caption || !one.caption.textContent.trim()) fault("no caption", one);
    if (!one.tHead) fault("no head", one);
  }
  for (const one of all("th")) if (!["col", "row"].includes(one.scope)) fault("no scope", one);
  for (const one of all("img")) if (!one.alt) fault("no alt", one);
  for (const one of all("button, summary, a")) if (!one.textContent.trim()) fault("no name", one);
  for (const one of all("select, input")) if (!one.labels.length) fault("no label", one);
  for (const one of all("svg")) {
    if (one.ariaHidden !== "true" && !one.ariaLabel) fault("a mute picture", one);
  }
  for (const one of all(".box, pre")) {
    const named = one.ariaLabel || one.getAttribute("aria-labelledby");
    if (one.tabIndex !== 0 || !named) fault("scrolls, but not from the keyboard", one);
  }
  for (const one of ["h1", "main", "header", ...landmarks]) {
    if (all(one).length !== 1) faults.push(`not exactly one ${one}`);
  }
  for (const one of all(".facts tbody")) {
    if (one.lang !== "en") fault("recorded text without its language", one);
  }
  for (const one of all(".idea, .unmeasured td span, .warnings li")) {
    if (one.textContent.includes(" the ") && one.closest("[lang]").lang !== "en") {
      fault("English that is not marked", one);
    }
  }
  return faults;
}
"""
