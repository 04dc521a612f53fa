"""The pages of bench lesson, and those that go with a report."""

import copy
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from bench_hpc import answer
from bench_hpc.backends import is_model
from bench_hpc.page import ladder, lesson, revision, tables
from bench_hpc.page.conftest import ACCESS, EVIL, RECORDED, ROOT, hostile, report, save
from bench_hpc.page.documents import Document
from bench_hpc.page.test_page_command import refused
from bench_hpc.words import LANGUAGES, Words

OPTIONS = SimpleNamespace(lang="en", baseline=None)
SCRIPT = ROOT / "scripts" / "lesson.py"


def run(*arguments, cwd=None):
    command = [sys.executable, SCRIPT, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("lessons") / "pages"
    done = run(RECORDED, "-o", made, "--title", "a < b")
    assert done.returncode == 0, done.stderr
    return made


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_makes_its_pages(lang, tmp_path):
    assert run(RECORDED, "-o", tmp_path, "--lang", lang).returncode == 0
    text = (tmp_path / "energy.html").read_text(encoding="utf-8")
    words = Words(lang, "lesson")
    assert f'<html lang="{lang}">' in text
    assert words("lesson_measured") in text
    assert words("lesson_helpers") in text
    assert text.count(words("lesson_english")) == (lang != "en")
    # The comment of a source is English under an English word.
    said = re.search(r'<dl class="said" lang="en">.*?</dl>', text, re.DOTALL)[0]
    assert set(re.findall("<dt>(.*?)</dt>", said)) <= {"Before", "Change", "Cost"}
    assert ("1.558\u00a0ms" if lang == "en" else "1,558\u00a0ms") in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_of_all_kinds_have_a_word_for_each_reference(lang):
    assert all(answer.reference(name, Words(lang)) for name in answer.REFERENCES)


def test_a_page_for_each_workload_with_every_rung(folder):
    made = sorted(path.stem for path in folder.glob("*.html"))
    workloads = ["copy", "energy", "gaussian_pdf", "histogram", "hypot", "transpose"]
    assert made == sorted([*workloads, "index"])
    index = (folder / "index.html").read_text(encoding="utf-8")
    for workload in workloads:
        assert f'href="{workload}.html"' in index
        text = (folder / f"{workload}.html").read_text(encoding="utf-8")
        for found in ladder.ladders(workload):
            if is_model(found.backend):  # which these files do not have
                continue
            for one in found.rungs:
                assert f'id="{one.backend}-{one.name}"' in text
        assert "a &lt; b" in text
        assert all(f'href="{other}.html"' in text for other in made if other != workload)


def told(*paths):
    found = [Document(path) for path in paths]
    return found, tables.told(found, OPTIONS)


def made_of(answer, found):
    mine = lesson.chosen(answer)["energy"]
    return lesson.Lesson("energy", answer, mine, found, Words("en", "page", "lesson"))


def step(page, identity):
    return next(one for one in page.steps() if one.identity == identity)


def test_both_scopes_of_a_rung_and_its_bound_on_one_scale():
    found, answer = told(RECORDED)
    table = next(one for one in answer["tables"] if one["workload"] == "energy")
    rows, table["folded"] = table["rows"], []
    model = next(row for row in rows if row["variant"] == "simd" and row["backend"] == "serial")
    for scope, value in (("kernel", 900.0), ("end_to_end", 0.02)):
        row = copy.deepcopy(model)
        row.update(backend="cuda", variant="wide", scope=scope)
        row["cells"][0] = f"cuda/wide {scope}"
        row["over_baseline"].update(value=value, ci95=[0.9 * value, 1.1 * value])
        row["values"]["share"] = 0.5
        rows.append(row)
    rows[:] = [
        one for one in rows if one["variant"] != "wide" or one["cells"][0].startswith("cuda/wide ")
    ]
    page = made_of(answer, found)
    both = step(page, "cuda-wide").rows
    assert [one.label for one in both] == ["cuda/wide kernel", "cuda/wide end_to_end"]
    assert both[0].bar.bound == page.measure.scale.at(1800)
    assert both[1].bar.end < page.measure.scale.at(1) < both[0].bar.end
    assert both[0].bar.whisker[0] < both[0].bar.end < both[0].bar.whisker[1]


H200 = ROOT / "results" / "reference" / "0.1.0" / "h200"


@pytest.mark.parametrize(("hide_shares", "key"), [(False, "share"), (True, "time")])
def test_a_run_without_the_naive_loop_has_bars_and_one_line_for_what_is_missing(hide_shares, key):
    found, answer = told(H200 / "1-gpu-turning.json")
    mine = lesson.chosen(answer)["transpose"]
    if hide_shares:
        for row in mine[0]["rows"]:
            row["values"] = row["values"] and {**row["values"], "share": None}
    page = lesson.Lesson("transpose", answer, mine, found, Words("en", "page", "lesson"))
    assert page.measure.key == key
    assert page.missing() == ["serial, openmp: not measured in this run"]
    rows = [row for chapter in page.chapters for row in chapter.rows]
    assert all(row.bar and row.time for row in rows)
    slow, fast = (step(page, f"cuda-{one}").rows[0].bar for one in ("naive", "wide"))
    assert (slow.end < fast.end) == (key == "share")
    assert not step(page, "serial-naive").sentence


def test_another_baseline_gives_speedups(tmp_path):
    file = H200 / "1-gpu-turning.json"
    assert run(file, "-o", tmp_path, "--baseline", "cuda/naive").returncode == 0
    text = (tmp_path / "transpose.html").read_text(encoding="utf-8")
    assert "the speed of cuda/naive" in text
    assert run(file, "-o", tmp_path, "--baseline", "cuda/wide").returncode == 0, "written again"
    refused(run(file, "-o", tmp_path, "--baseline", "cuda/none"), "cuda/none")


def test_what_only_sources_or_only_documents_have_is_said():
    found, answer = told(RECORDED)
    table = next(one for one in answer["tables"] if one["workload"] == "energy")
    rows = {f"{row['backend']}/{row['variant']}": row for row in table["rows"]}
    table["rows"].remove(rows["serial/simd"])
    rows["openmp/simd"]["variant"] = "forgotten"
    rows["openmp/streaming"].update(backend="guest", guest="mine.c")
    page = made_of(answer, found)
    words = page.words
    assert step(page, "serial-simd").sentence == words("not_in_documents")
    assert page.missing() == ["cuda: 5 variants skipped: no device: no NVIDIA driver on this node"]
    assert step(page, "serial-simd").rung.code
    others = {one.sentence for one in page.steps() if not one.rung}
    assert others == {words("not_in_sources"), words("not_ours") + " (mine.c)"}


def test_the_largest_size_of_the_first_precision_is_shown():
    sizes = [("f32", 10, 0), ("f32", 1000, 0), ("f64", 5000, 0), ("f32", 9000, 1)]
    made = [
        {"workload": "w", "dtype": dtype, "elements": n, "run": number}
        for dtype, n, number in sizes
    ]
    first, *others = lesson.chosen({"tables": made})["w"]
    assert (first["dtype"], first["elements"], first["run"]) == ("f32", 1000, 0)
    assert len(others) == 3


def git(folder, *arguments):
    me = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    done = subprocess.run(
        ["git", *me, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_page_says_where_the_sources_may_be_others(tmp_path, monkeypatch):
    words = Words("en", "lesson")
    monkeypatch.setattr(revision, "ROOT", tmp_path)

    def said(commit, dirty=False):
        document = type(
            "Document", (), {"context": {"build": {"revision": commit, "dirty": dirty}}}
        )
        return revision.sentences("energy", [document, document], words)

    unknown = "0123456789ab"
    assert said(unknown) == [words("sources_unknown", revision=unknown)]
    source = tmp_path / "kernels" / "energy" / "serial.cpp"
    source.parent.mkdir(parents=True)
    source.write_text("before")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    first = git(tmp_path, "rev-parse", "HEAD")
    (tmp_path / "other").write_text("elsewhere")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "second")
    assert said(first) == []
    assert said(first, dirty=True) == [words("sources_dirty", revision=first[:12])]
    (source.parent / "energy_test.cpp").write_text("a test")
    git(tmp_path, "add", ".")
    assert said(first) == []
    source.write_text("after")
    assert said(first, dirty=True) == [words("sources_dirty", revision=first[:12])]
    assert said(first) == [words("sources_changed", revision=first[:12])]
    assert said(unknown) == [words("sources_unknown", revision=unknown)]
    assert said("--output=x") == [words("sources_unknown", revision="--output=x")]
    assert not (tmp_path / "x").exists()


def test_bad_input_is_one_line_that_names_it(tmp_path, recorded):
    (tmp_path / "cut.json").write_text("{", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    output = tmp_path / "pages"
    refused(run(tmp_path / "cut.json", "-o", output), "cut.json")
    refused(run(RECORDED, "-o", tmp_path / "file"), "file", "--output")
    refused(run(RECORDED, "-o", tmp_path / "no" / "pages"), "--output")
    strange = copy.deepcopy(recorded)
    for key in ("cases", "speedups"):
        strange[key] = [one for one in strange[key] if "energy" in one["name"]]
    text = save(strange, tmp_path / "strange.json").read_text(encoding="utf-8")
    (tmp_path / "strange.json").write_text(text.replace("energy", "enemy"), encoding="utf-8")
    refused(run(tmp_path / "strange.json", "-o", output), "enemy", "kernels/")
    assert not output.exists()


def test_a_report_and_its_lessons_lead_to_each_other(tmp_path, recorded):
    path = save(recorded, tmp_path / "run.json")
    output = tmp_path / "a report.html"
    assert report(path, "--no-pictures", "--lessons", "-o", output).returncode == 0
    page = output.read_text(encoding="utf-8")
    lessons = sorted((tmp_path / "a report-lessons").iterdir())
    assert [one.name for one in lessons] == ["energy.html", "index.html", "transpose.html"]
    for one in lessons:
        assert f'<a href="a%20report-lessons/{one.name}">' in page or one.stem == "index"
        assert '<a href="../a%20report.html">' in one.read_text(encoding="utf-8")
    assert report(path, "--no-pictures", "-o", output).returncode == 0
    assert "lessons/" not in output.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def evil(recorded, tmp_path_factory):
    place = tmp_path_factory.mktemp("evil")
    save(hostile(recorded), place / '"><script>window.hit=1.json')
    done = run(place, "-o", place / "pages", "--title", EVIL[2], "--lang", "fr")
    assert done.returncode == 0, done.stderr
    return place / "pages"


def test_what_a_document_says_is_text_and_never_runs(open_page, evil):
    tab = open_page(evil / "energy.html")
    text = tab.locator("body").evaluate("one => one.textContent")
    assert all(one in text for one in (EVIL[0], EVIL[2], EVIL[3]))
    assert tab.evaluate("window.hit") is None
    assert tab.locator("script, img, iframe, object, embed").count() == 0
    handlers = "[...document.querySelectorAll('*')].flatMap(one => [...one.attributes])"
    assert not tab.evaluate(f"{handlers}.some(one => /^on|^style$/i.test(one.name))")


def test_a_page_is_read_on_any_screen_and_on_paper(open_page, folder):
    wider = "document.documentElement.scrollWidth > innerWidth"
    for workload in ("energy", "transpose"):
        tab = open_page(folder / f"{workload}.html", viewport={"width": 360, "height": 800})
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert not tab.evaluate(wider)
        assert tab.evaluate("[...document.querySelectorAll('pre')].some(o => o.scrollWidth > 360)")
        assert tab.evaluate(ACCESS, ["nav"]) == []
    tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false; })")
    tab.emulate_media(media="print")
    assert not tab.evaluate("[...document.querySelectorAll('pre')].some(o => !o.offsetHeight)")
    assert len(re.findall(rb"/Type /Page\b", tab.pdf(format="A4"))) > 3


def test_a_phone_shows_times_and_options_stay_whole(open_page, tmp_path):
    assert run(H200 / "1-gpu-turning.json", "-o", tmp_path).returncode == 0
    tab = open_page(tmp_path / "transpose.html", viewport={"width": 400, "height": 800})
    assert tab.locator(".overview td.number").get_by_text("128.1\u00a0µs").is_visible()
    assert tab.locator(".overview .fill").first.bounding_box()["width"] > 10
    option = tab.locator("code", has_text="--baseline").first
    assert option.evaluate("one => getComputedStyle(one).whiteSpace") == "nowrap"
    indented = "[...document.querySelectorAll('.line')].some(one => /^ {2}/.test(one.innerText))"
    assert tab.evaluate(indented), "code keeps its blanks"


def test_bars_lie_on_one_scale(open_page, folder):
    tab = open_page(folder / "energy.html")
    places = "(id) => document.querySelector(id + ' .bar .start').getAttribute('x1')"
    rungs = ("#serial-naive", "#serial-simd", "#openmp-streaming")
    assert len({tab.evaluate(places, one) for one in rungs}) == 1
    widths = "(id) => document.querySelector(id + ' .fill').getBoundingClientRect().width"
    slow, fast = (tab.evaluate(widths, one) for one in ("#openmp-naive", "#openmp-streaming"))
    assert 0 < slow < fast
    assert "95\u00a0%" in tab.locator("#serial-simd .bar").get_attribute("aria-label")
