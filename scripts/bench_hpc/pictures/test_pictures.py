"""Every kind of picture, in every format and language: readable, complete, the same again."""
# CTest: full

import io
import itertools
import json
import os
import re
import subprocess
import sys
import warnings
from types import SimpleNamespace

import pytest
import synthetic
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from some_pictures import REPOSITORY, one_of_each, several

from bench_hpc import pictures, program
from bench_hpc.pictures.roofline import flat_roofs
from bench_hpc.program import plain

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF-"}
KINDS = sorted(["data", *pictures.KINDS])
HOSTILE = 'a_b & <c>,"=1+1$x_1$'
WORSE = HOSTILE + "\u202e\x07\n\U0001f600\u200b\u00ad"


@pytest.fixture(scope="module", params=pictures.LANGUAGES)
def each(request, files):
    return one_of_each(files, request.param)


@pytest.fixture(scope="module")
def english(files):
    return one_of_each(files, "en")


@pytest.fixture(scope="module")
def figures(each):
    """Each picture with its figure, made once."""
    return {kind: (picture, picture.figure()) for kind, picture in each.items()}


def saved(picture, kind, style="light"):
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pictures.save(picture, file, format=kind, style=style)
    return file.getvalue()


def texts(figure):
    return [one for one in figure.findobj(Text) if one.get_visible() and one.get_text().strip()]


def all_text(figure):
    return "\n".join(one.get_text() for one in texts(figure))


def gids(figure, prefix):
    return figure.findobj(lambda one: (one.get_gid() or "").startswith(prefix))


def named(figure, name):
    return figure.findobj(lambda one: one.get_gid() == name)


def boxes(figure):
    """(text, left, bottom, right, top) of everything that is written."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    # Of an annotation only its words, not its arrow.
    found = ((one.get_text(), Text.get_window_extent(one, renderer)) for one in texts(figure))
    return [(text, box.x0, box.y0, box.x1, box.y1) for text, box in found]


def assert_readable(figure):
    """No words leave the page, none cover others."""
    width, height = figure.get_size_inches() * figure.dpi
    found = boxes(figure)
    for text, left, bottom, right, top in found:
        assert left >= 0, text
        assert bottom >= 0, text
        assert right <= width + 0.5, text
        assert top <= height + 0.5, text
    for one, other in itertools.combinations(found, 2):
        across = min(one[3], other[3]) - max(one[1], other[1])
        upright = min(one[4], other[4]) - max(one[2], other[2])
        # Boxes reach a little beyond the ink, above and below.
        assert across <= 0.5 or upright <= 2.0, f"{one[0]!r} covers {other[0]!r}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_in_every_language(each, kind):
    for ending, magic in MAGIC.items():
        assert saved(each[kind], ending).startswith(magic)


@pytest.mark.parametrize("kind", KINDS)
def test_words_neither_overlap_nor_leave_the_page(figures, kind):
    assert_readable(figures[kind][1])


@pytest.mark.parametrize("kind", KINDS)
def test_the_narrowest_is_readable_too(each, kind):
    assert_readable(each[kind].figure(width_mm=100))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_is_in_the_picture(figures, kind):
    picture, figure = figures[kind]
    shown = all_text(figure).replace("\n", " ")
    for said in (picture.title, picture.subtitle, picture.caption):
        assert " ".join(said.split(" ")) in shown
    assert len(picture.alt) > 30
    assert re.fullmatch(r"[A-Za-z0-9.-]+", picture.slug)


@pytest.fixture(scope="module")
def light(english):
    """kind -> the bytes of a picture."""
    return {kind: saved(one, "svg") for kind, one in english.items()}


def test_equal_input_equal_bytes(files, light):
    again = one_of_each(files, "en")
    assert {kind: saved(one, "svg") for kind, one in again.items()} == light


def test_equal_bytes_from_another_process(files, tmp_path):
    outputs = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        command = [sys.executable, REPOSITORY / "scripts" / "plot.py", files["gpu"]]
        command += ["-o", folder, "--workload", "energy", "--format", "svg,pdf,png"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, check=True, env=environment, capture_output=True)
        outputs.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 12  # overview, ladder, roofline, samples


@pytest.mark.parametrize("style", ["grey", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_styles(english, light, kind, style):
    assert saved(english[kind], "svg", style) != light[kind]


def test_grey_is_grey(english):
    import matplotlib.image

    data = io.BytesIO(saved(english["ladder"], "png", "grey"))
    pixels = matplotlib.image.imread(data)[:, :, :3]
    assert (pixels.max(axis=2) == pixels.min(axis=2)).all()


def test_small_text_is_seven_points(figures):
    for _, figure in figures.values():
        assert min(one.get_fontsize() for one in texts(figure)) >= 7


@pytest.mark.parametrize("lang", pictures.LANGUAGES)
def test_decimal_comma(files, lang):
    documents = pictures.load([files["gpu"]])
    (ladder,), _ = pictures.overview(documents, kinds=("ladder",), workload="energy", lang=lang)
    shown = all_text(ladder.figure())
    assert ("1,85×" if lang != "en" else "1.85×") in shown  # noqa: RUF001
    assert ("1.85×" if lang != "en" else "1,85×") not in shown  # noqa: RUF001


def hostile(document, text):
    document["context"]["machine"]["cpu_model"] = text
    document["context"]["build"]["revision"] = text
    synthetic.rename(document, text)
    for case, speedup in zip(document["cases"], document["speedups"]):
        if case["status"] != "measured":
            case["reason"] = speedup["reason"] = text
    return document


@pytest.mark.parametrize("text", [HOSTILE, WORSE, "x" * 400, "$\\frac{1$ {node} {} %s"])
def test_hostile_text_stays_text(tmp_path, text):
    document = hostile(synthetic.only(synthetic.with_gpu(), "energy"), text)
    documents = pictures.load([synthetic.write(tmp_path, document, "hostile")])
    survey = synthetic.survey([text, "n2"], slow={text})
    for picture in pictures.catalogue(several(documents), survey=survey):
        assert re.fullmatch(r"[A-Za-z0-9.-]+", picture.slug)
        assert plain(picture.caption) == picture.caption
        assert saved(picture, "svg").startswith(MAGIC["svg"])
        figure = picture.figure()
        assert not any(one.get_parse_math() for one in texts(figure))
        assert_readable(figure)
        if text == HOSTILE:
            assert HOSTILE in all_text(figure).replace("\n", " ")


def rows_of_table(bench, paths, workload):
    """label -> how many times the plain loop, or None: as `bench table` prints them."""
    command = [bench, "table", "--format", "json", *paths]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    table = next(
        table
        for table in json.loads(done.stdout)["tables"]
        if (table["workload"], table["size"].split(":")[0]) == (workload, "10000000")
    )
    plain = [column["key"] for column in table["columns"]].index("naive")
    folded = {i: some["backend"] for some in table["folded"] for i in some["rows"]}
    return {
        folded.get(i, row["cells"][0]): row["cells"][plain] if row["status"] == "measured" else None
        for i, row in enumerate(table["rows"])
    }


@pytest.mark.parametrize("workload", ["energy", "histogram"])
def test_nothing_of_the_table_is_dropped(bench, files, workload):
    paths = [files["default"], files["peers"]]
    expected = rows_of_table(bench, paths, workload)
    assert len(expected) > 15
    found = pictures.overview(
        pictures.load(paths), kinds=("ladder",), workload=workload, size="1e7"
    )
    (picture,) = found[0]
    figure = picture.figure()
    labels = [one.get_text() for one in gids(figure, "label-")]
    assert labels == list(expected)
    values = [one.get_text().split("×")[0] for one in gids(figure, "value-")]  # noqa: RUF001
    assert values == [value for value in expected.values() if value is not None]
    assert len(gids(figure, "bar-")) == len(values)
    assert len(gids(figure, "reason-")) == len(expected) - len(values)


def test_pictures_of_a_merged_document_are_those_of_its_parts(bench, files, tmp_path, monkeypatch):
    monkeypatch.setenv("BENCH_BINARY", bench)
    paths = [files["default"], files["peers"]]
    ((whole, _),) = program.merge(paths, tmp_path)
    drawn = [
        {one.slug: saved(one, "svg") for one in pictures.catalogue(loaded, workload="energy")}
        for loaded in (pictures.load(paths), pictures.load([whole]))
    ]
    assert drawn[0] == drawn[1]
    chosen = {"workload": "energy", "size": "1e7"}
    (ladder,), _ = pictures.overview(pictures.load([whole]), kinds=("ladder",), **chosen)
    assert "†" in all_text(ladder.figure())


def overview_of(*paths, **chosen):
    (picture,) = pictures.overview(pictures.load(paths), kinds=("overview",), **chosen)[0]
    return picture, picture.figure()


def test_the_overview_is_the_answer_of_the_program(bench, files, monkeypatch):
    monkeypatch.setenv("BENCH_BINARY", bench)
    answers = program.ask(["table", "--format", "json", "--", str(files["gpu"])])["answer"]
    picture, figure = overview_of(files["gpu"])
    assert [one.get_text() for one in gids(figure, "label")] == [a["workload"] for a in answers]
    for place in ("best_cpu", "gpu", "gpu_with_transfers"):
        marks = [one.get_xdata()[0] for one in named(figure, f"mark-{place}")]
        entries = [one[place]["over_baseline"] for one in answers if one[place]]
        assert marks == [one["value"] for one in entries]
        ends = [list(one.get_xdata()) for one in named(figure, f"interval-{place}")]
        assert ends == [one["ci95"] for one in entries]
    assert "speedup over serial/naive (log)" in all_text(figure)
    assert not gids(figure, "mark-python")
    assert "bandwidth" not in picture.subtitle


def test_the_overview_without_a_naive_loop_is_of_copy(tmp_path):
    document = synthetic.only(synthetic.with_gpu(), "energy", "transpose")
    for case in document["cases"]:
        if case["backend"] in ("serial", "openmp"):
            case.update(status="skipped", reason="not wanted", seconds=None, gb_per_s=None)
    path = synthetic.write(tmp_path, synthetic.settled(document), "gpu")
    _, figure = overview_of(path)
    shown = all_text(figure)
    assert "bandwidth in % of copy" in shown
    assert "speedup" not in shown
    assert [one.get_text() for one in gids(figure, "value")] == ["100\u00a0%", "100\u00a0%"]


def test_an_overview_of_two_precisions_and_python_is_readable(files):
    paths = [files["default"], files["peers"], synthetic.REFERENCE / "f64.json"]
    picture, figure = overview_of(*paths)
    labels = [one.get_text() for one in gids(figure, "label")]
    assert len(labels) == len(set(labels)) == 12
    assert len(gids(figure, "mark-python")) == 6
    assert_readable(figure)
    assert_readable(picture.figure(width_mm=80))


def test_a_picture_for_a_readme_is_small(files):
    documents = pictures.load([files["default"]])
    (ladder,), _ = pictures.overview(documents, kinds=("ladder",), workload="energy")
    for style in ("light", "dark"):
        file = io.BytesIO()
        pictures.save(ladder, file, format="svg", style=style, width_mm=130)
        assert len(file.getvalue()) < 60_000


def test_every_sample_is_drawn(files):
    documents = pictures.load([files["default"]])
    (picture,) = pictures.overview(documents, kinds=("samples",), workload="energy")[0]
    figure = picture.figure()
    drawn = sum(len(line.get_xdata()) for line in gids(figure, "samples-"))
    flagged = sum(len(line.get_xdata()) for line in gids(figure, "outliers-"))
    cases = [
        case["seconds"]
        for case in documents[0].json["cases"]
        if case["workload"] == "energy" and case["seconds"] and not case["beside"]
    ]
    assert flagged == sum(len(case["outliers"]) for case in cases) > 0
    assert drawn + flagged == sum(len(case["samples"]) for case in cases)


def test_crossover_in_words_and_as_a_line(files):
    for lang, never in (("en", "never wins"), ("pt", "nunca ganha"), ("fr", "jamais")):
        picture = one_of_each(files, lang)["sweep"]
        assert never in all_text(picture.figure())
        assert never in picture.alt


def test_crossover_of_which_only_the_upper_end_is_known(files):
    documents = pictures.load([files["sweep"]])
    documents[0].json["crossovers"][0].update(verdict="from", size=None, ci95=[None, 7457])
    (picture,) = pictures.overview(documents, kinds=("sweep",))[0]
    assert "at the latest" in all_text(picture.figure())


def test_scaling_that_makes_it_slower(tmp_path):
    document = synthetic.scaling((1, 2), faster=0.02)
    documents = pictures.load([synthetic.write(tmp_path, document, "slower")])
    for lang in ("en", "pt"):
        (picture,) = pictures.overview(documents, lang, kinds=("scaling",))[0]
        assert_readable(picture.figure())


def test_scaling_marks_what_waited_for_a_processor(files, tmp_path):
    (quiet,) = pictures.overview(pictures.load([files["scaling"]]), kinds=("scaling",))[0]
    assert not gids(quiet.figure(), "doubt")
    assert "~" not in quiet.caption + quiet.alt
    document = synthetic.scaling()
    for case in document["cases"]:
        if case["name"].endswith("threads=32") and case["variant"] == "simd":
            case["seconds"]["preempted"] = case["rounds"]
    documents = pictures.load([synthetic.write(tmp_path, document, "busy")])
    (busy,) = pictures.overview(documents, kinds=("scaling",))[0]
    assert len(gids(busy.figure(), "doubt")) == 2  # speedup and efficiency
    assert "openmp/simd ~" in busy.alt
    assert "~: uncertain" in busy.caption


def test_sweep_marks_what_is_in_doubt(files, tmp_path):
    (quiet,) = pictures.overview(pictures.load([files["sweep"]]), kinds=("sweep",))[0]
    assert not gids(quiet.figure(), "doubt")
    assert "~" not in quiet.caption + quiet.alt
    document = synthetic.sweep()
    largest = max(int(case["size"]) for case in document["cases"])
    for case in document["cases"]:
        if case["backend"] == "cuda" and case["size"] == str(largest) and case["seconds"]:
            case["seconds"]["preempted"] = case["rounds"]
    documents = pictures.load([synthetic.write(tmp_path, document, "busy")])
    (busy,) = pictures.overview(documents, kinds=("sweep",))[0]
    # The kernel and with transfers, each as a time and as a ratio.
    assert len(gids(busy.figure(), "doubt")) == 4
    assert busy.alt.count("~") == 2
    assert "~: uncertain" in busy.caption


def test_sweep_without_a_gpu_says_so(files, tmp_path):
    documents = pictures.load([synthetic.write(tmp_path, synthetic.sweep(gpu=False), "cpu")])
    (picture,) = pictures.overview(documents, kinds=("sweep",))[0]
    assert "No GPU variant was measured" in picture.caption


def test_sizes_may_come_from_several_documents(tmp_path):
    start = synthetic.only(synthetic.reference(), "energy", beside=False)
    paths = []
    for size in (10**5, 10**6, 10**7):
        document = synthetic.resized(start, size)
        paths.append(synthetic.write(tmp_path, document, str(size)))
    (picture,) = pictures.overview(pictures.load(paths), kinds=("sweep",), workload="energy")[0]
    (line,) = gids(picture.figure(), "line-naive")
    assert list(line.get_xdata()) == [10**5, 10**6, 10**7]


def test_roofline_shows_every_workload(files):
    (picture,) = pictures.overview(pictures.load([files["default"]]), kinds=("roofline",))[0]
    figure = picture.figure()
    shown = all_text(figure)
    for workload in ("copy", "energy", "gaussian_pdf", "hypot", "histogram", "transpose"):
        reference = {"hypot": " (over add)", "histogram": " (over read)", "copy": ""}
        assert f"\n{workload}{reference.get(workload, ' (over copy)')}\n" in shown
    assert "No peak rate of arithmetic was measured" in shown.replace("\n", " ")
    assert "highest rate measured: 51.3\u00a0GFLOP/s" in shown
    assert len(gids(figure, "share-")) == 12  # six workloads, serial and openmp
    assert len(gids(figure, "roof-")) == 2


def roofline(folder, document):
    documents = pictures.load([synthetic.write(folder, document, "flat")])
    (picture,) = pictures.overview(documents, kinds=("roofline",))[0]
    figure = picture.figure()
    assert_readable(figure)
    return picture, figure


def test_roofline_is_flat_where_arithmetic_was_measured(tmp_path):
    picture, figure = roofline(tmp_path, synthetic.with_arithmetic())
    shown = all_text(figure).replace("\n", " ")
    assert "The flat roofs are multiply-adds in registers" in shown
    assert "multiply-adds in registers, serial: 202.5\u00a0GFLOP/s" in shown
    assert "highest rate measured" not in shown
    for series, speed, peak in (("serial", 56.13, 202.5), ("openmp", 63.33, 322.4)):
        (roof,) = gids(figure, f"roof-{series}")
        (low, ridge, high), (start, *flat) = roof.get_xdata(), roof.get_ydata()
        assert start / low == pytest.approx(speed, rel=1e-3)
        assert flat == pytest.approx([peak, peak], rel=1e-3)
        assert ridge == pytest.approx(peak / speed, rel=1e-3)
        assert roof.axes.get_xlim() == (low, high)
        assert f"{series} {ridge:.1f}" in picture.caption
        assert f"{series} {peak:.1f}" in picture.alt


def test_roofline_marks_shares_in_doubt(tmp_path):
    document = synthetic.only(synthetic.reference(), "energy", "copy")
    quiet, figure = roofline(tmp_path, document)
    assert "~" not in quiet.caption + quiet.alt + all_text(figure)
    for case in document["cases"]:
        if case["name"].startswith("energy/openmp"):
            case["seconds"]["preempted"] = case["rounds"]
    busy, figure = roofline(tmp_path, document)
    marked = [text for text in all_text(figure).split("\n") if text.startswith("~")]
    assert [text.endswith("\u00a0%") for text in marked] == [True]
    assert f"energy openmp/streaming {marked[0]}" in busy.alt
    assert "~: uncertain" in busy.caption


def test_a_roof_with_transfers_ends_at_that_of_the_device(tmp_path):
    _, figure = roofline(tmp_path, synthetic.with_arithmetic(synthetic.with_gpu()))
    assert len(gids(figure, "roof-")) == 4
    (device,) = gids(figure, "roof-cuda_end_to_end")
    (kernel,) = (one for one in gids(figure, "roof-cuda") if one is not device)
    assert kernel.get_ydata()[-1] == kernel.get_ydata()[-2] > device.get_ydata()[-1]
    assert "registers, cuda:" in all_text(figure)
    assert "registers, cuda \u21c4" not in all_text(figure), "transfers add no arithmetic"


PEAK = {
    "backend": "openmp",
    "scope": "kernel",
    "dtype": "f32",
    "threads": 2,
    "isa": "avx2",
    "arithmetic_reference": True,
    "library": False,
    "flops": 3e9,
    "seconds": {"median": 0.5},
}


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ({}, {"openmp": 6}),
        ({"seconds": {"median": 0.6}}, {"openmp": 6}),
        ({"seconds": {"median": 0.25}}, {"openmp": 12}),
        *(({"seconds": {"median": 0.25}, key: value}, {"openmp": 6}) for key, value in (
            ("threads", 1), ("isa", "avx512"), ("dtype", "f64"), ("library", True),
            ("guest", "mine.c"), ("arithmetic_reference", False), ("backend", "serial"),
        )),
    ],
)  # fmt: skip
def test_the_flat_roof_is_of_our_fastest_of_the_same_threads_and_instructions(other, found):
    cases = {"one": PEAK, "other": {**PEAK, **other}}
    run = SimpleNamespace(document=SimpleNamespace(cases=cases))
    row = SimpleNamespace(case={**PEAK, "arithmetic_reference": False})
    assert flat_roofs(run, [row]) == found


def test_roofline_without_arithmetic(files):
    documents = pictures.load([files["default"]])
    (picture,) = pictures.overview(documents, kinds=("roofline",), workload="transpose")[0]
    assert "No workload here counts" in all_text(picture.figure())
    assert_readable(picture.figure())


@pytest.mark.parametrize("count", [12, 200])
def test_slow_nodes_are_named(files, count):
    names = [f"n{i:03}" for i in range(1, count + 1)]
    survey = synthetic.survey(names, slow={"n007"}, unclear=set(names[8:60:3]))
    documents = several(pictures.load([files["gpu"]]))
    (picture,) = pictures.overview(documents, kinds=("nodes",), survey=survey)[0]
    figure = picture.figure()
    assert_readable(figure)
    assert len(gids(figure, "mark-")) == 2 * count
    assert len(gids(figure, "mark-slow")) == 2
    assert "n007" in picture.caption
    assert "n007" in picture.alt
    named = [one.get_text() for one in gids(figure, "named")]
    if count > 32:
        assert named.count("n007") == 2
        assert len(named) == 24
        assert "n005" not in named
        assert "14 unusual marks" in picture.caption
    else:
        shown = all_text(figure)
        assert all(name in shown for name in names)


def test_nodes_of_the_program(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("BENCH_BINARY", bench)
    documents = pictures.load([synthetic.nodes(tmp_path, 40)])
    made, reasons = pictures.overview(documents)
    assert [picture.kind for picture in made] == ["nodes"]
    assert "n007" in made[0].caption
    assert "40 nodes: choose one with --node" in " ".join(reasons)
    chosen = pictures.overview(documents, kinds=("ladder",), node="n007")[0]
    assert {picture.node for picture in chosen} == {"n007"}
    # Samples were left on disk; a picture of one node reads them again.
    only = {"node": "n007", "workload": "energy"}
    (samples,) = pictures.overview(documents, kinds=("samples",), **only)[0]
    assert saved(samples, "png").startswith(MAGIC["png"])


def test_nodes_that_are_in_no_picture_are_told(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("BENCH_BINARY", bench)
    folder = synthetic.nodes(tmp_path, 3)
    other = synthetic.only(synthetic.reference(), "energy")
    synthetic.rename(other, "odd")
    other["context"]["machine"]["cpu_model"] = "Another processor"
    synthetic.write(folder, other, "odd")
    synthetic.write(folder, synthetic.only(synthetic.reference("f64"), "energy"), "vm")
    made, reasons = pictures.overview(pictures.load([folder]), kinds=("nodes",))
    (picture,) = made
    assert "odd: no other node of its hardware has best CPU variant f32" in " ".join(reasons)
    assert "vm: no other node" in " ".join(reasons)
    assert "Another processor" not in picture.caption


def test_captions_hold_the_facts(each):
    for kind in pictures.KINDS:
        for fact in ("AMD EPYC", "2026-11-21", "3065a91e", "f32"):
            assert fact in each[kind].caption, kind
    for kind in ("ladder", "samples", "sweep", "roofline"):
        assert "Synthetic GPU" in each[kind].caption
        assert " vm " in each[kind].caption
    for kind in ("ladder", "samples", "scaling"):
        assert "10⁷" in each[kind].caption


def caption(kind, folder, document):
    """The caption of its picture of energy."""
    documents = pictures.load([synthetic.write(folder, document, "document")])
    (picture,) = pictures.overview(documents, kinds=(kind,), workload="energy")[0]
    return picture.caption


@pytest.mark.parametrize("kind", ["ladder", "samples"])
@pytest.mark.parametrize(
    ("threads", "said"), [((1,), "1 thread"), ((2,), "2 threads"), ((1, 2, 4), "1, 2, 4 threads")]
)
def test_threads_are_those_of_the_rows(tmp_path, kind, threads, said):
    assert f" vm \u00b7 {said} \u00b7 " in caption(kind, tmp_path, synthetic.scaling(threads))


@pytest.mark.parametrize("kind", ["sweep", "roofline"])
def test_serial_rows_are_of_one_thread(tmp_path, kind):
    document = synthetic.only(synthetic.reference(), "energy")
    if kind == "sweep":
        document = synthetic.sweep(gpu=False)
    for case in document["cases"]:
        case["threads"] = case["threads"] and 1
    assert " vm \u00b7 1 thread \u00b7 " in caption(kind, tmp_path, document)


def test_a_picture_of_scaling_says_all_of_its_threads(english):
    assert " \u00b7 1, 2, 4, 8, 16, 32 threads \u00b7 " in english["scaling"].caption


def test_graded_times_are_called_so(tmp_path, english):
    lists = ("filters", "backends", "sizes", "dtypes", "bins", "threads")
    document = synthetic.only(synthetic.reference(), "energy")
    run = document["context"]["run"]
    run["selection"] = {**{key: [] for key in lists}, "graded": True}
    run["sandbox"] = {"forbids": [], "lacks": []}
    said = caption("ladder", tmp_path, document)
    assert " vm \u00b7 graded \u00b7 2 threads" in said
    assert said.endswith("include the round trip to their sandboxed process.")
    assert "graded" not in english["ladder"].caption


def in_executions(document, count):
    """The result as if its samples were of several executions of the program."""
    rest = dict.fromkeys(("between", "of_blocks", "of_rounds"), 0.01)
    for case in document["cases"]:
        if case["seconds"]:
            each = [2] * (count - 1)
            each.append(len(case["seconds"]["samples"]) - sum(each))
            case["seconds"]["executions"] = {"samples": each, **rest, "for_one_percent": 9}
    return document


@pytest.mark.parametrize("kind", ["ladder", "sweep", "scaling"])
def test_intervals_over_executions_are_called_so(tmp_path, english, kind):
    start = synthetic.sweep(gpu=False) if kind == "sweep" else synthetic.scaling((1, 2))
    said = " interval over 3 executions of the program."
    assert said in caption(kind, tmp_path, in_executions(start, 3)).replace("\u00a0", " ")
    assert "executions" not in english[kind].caption


def test_samples_show_where_an_execution_begins(files, tmp_path, english):
    document = in_executions(synthetic.only(synthetic.reference(), "energy"), 3)
    documents = pictures.load([synthetic.write(tmp_path, document, "three")])
    (picture,) = pictures.overview(documents, kinds=("samples",), workload="energy")[0]
    assert "another execution of the program begins" in picture.caption
    figure = picture.figure()
    assert_readable(figure)
    rows = gids(figure, "begins-")
    assert len(rows) == len(gids(figure, "samples-"))
    for row in rows:
        assert [line[0][0] for line in row.get_segments()] == [2.5, 4.5]
    assert "execution" not in english["samples"].caption


def test_dirty_builds_are_called_so(files):
    documents = pictures.load([files["peers"]])
    found = pictures.overview(documents, kinds=("ladder",), workload="energy", size="1e7")[0]
    assert "3065a91e-dirty" in found[0].caption


def test_baseline_may_be_chosen(files):
    documents = pictures.load([files["default"]])
    chosen = {"workload": "energy", "baseline": "openmp/naive"}
    (picture,) = pictures.overview(documents, kinds=("ladder",), **chosen)[0]
    values = {one.get_gid(): one.get_text() for one in gids(picture.figure(), "value-")}
    times = {
        case["variant"]: case["seconds"]["median"]
        for case in documents[0].json["cases"]
        if case["name"].startswith("energy/openmp")
    }
    wanted = times["naive"] / times["simd"]
    shown = values["value-energy/openmp/simd/f32/10000000/kernel"]
    assert shown.startswith(f"{wanted:.2f}×")  # noqa: RUF001


OTHERS = ([0.01, 0.0101, 0.0102], [3e-10, 1e-3], [0.9, 1.0, 1.1], [120.0, 1007.0])


@pytest.mark.parametrize("kind", ["ladder", "samples"])
@pytest.mark.parametrize("medians", OTHERS, ids=str)
def test_files_of_other_programs_are_readable(tmp_path, kind, medians):
    """Pictures of hyperfine's files: nothing is said of a ladder, which they have not."""
    results = [
        {"command": f"c{one}", "times": [one * (1 + i / 500) for i in range(8)]} for one in medians
    ]
    file = tmp_path / "runs.json"
    file.write_text(json.dumps({"results": results}))
    (picture,) = pictures.overview(pictures.load([file]), kinds=(kind,))[0]
    for width in (100, 180):
        assert_readable(picture.figure(width_mm=width))
    assert "naive" not in picture.subtitle
