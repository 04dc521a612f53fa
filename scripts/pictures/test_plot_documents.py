"""What is read, what is refused, what is put together and chosen."""

import copy
import json

import program
import pytest

import pictures
from pictures import rows, selection, slug, synthetic, ticks
from pictures.documents import MANY


@pytest.fixture(scope="module")
def small():
    return synthetic.only(synthetic.reference(), "energy")


def spoiled(document, path, value):
    """A copy with another value at path, such as cases.0.seconds.median."""
    document = copy.deepcopy(document)
    at = document
    *parents, last = [int(key) if key.isdecimal() else key for key in path.split(".")]
    for key in parents:
        at = at[key]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("schema", "bench-report/2", "'schema' is not"),
        ("context.run.node", 7, "document.context.run.node is no str"),
        ("context.machine", [], "document.context.machine is no object"),
        ("cases", {}, "document.cases is no list"),
        ("cases.0.seconds.median", 0, "cases[0].seconds.median is not a number above 0"),
        ("cases.0.seconds.median", 1e999, "Infinity is no JSON"),
        ("cases.0.seconds.samples.3", "1", "cases[0].seconds.samples[3] is not"),
        ("cases.0.seconds.samples", [], "cases[0] is measured, but has no samples"),
        ("cases.0.seconds.ci95", [1.0], "cases[0].seconds.ci95 is no pair"),
        ("cases.0.seconds.outliers", [1000], "names a sample that is not there"),
        ("cases.0.status", "good", "cases[0].status is none of"),
        ("cases.0.reference", None, "cases[0].reference is no bool"),
        ("speedups.0", None, "speedups"),
        ("scaling", [{"workload": "energy"}], "scaling[0].backend is no str"),
    ],
)
def test_unsound_documents_are_refused(tmp_path, small, path, value, complaint):
    file = synthetic.write(tmp_path, spoiled(small, path, value), "bad")
    with pytest.raises(pictures.UsageError) as refused:
        pictures.load([file])
    assert complaint in str(refused.value)
    assert str(file) in str(refused.value)


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b"[" * 100000, b"null"])
def test_what_is_no_document(tmp_path, data):
    file = tmp_path / "x.json"
    file.write_bytes(data)
    with pytest.raises(pictures.UsageError, match=r"x\.json: "):
        pictures.load([file])


def test_folders(tmp_path, small):
    synthetic.write(tmp_path, small, "a")
    (tmp_path / "notes.txt").write_text("not looked at")
    assert len(pictures.load([tmp_path, tmp_path / "a.json"])) == 1
    (tmp_path / "schema.json").write_text("{}")
    assert len(pictures.load([tmp_path])) == 1, "it describes the documents"
    (tmp_path / "other.json").write_text("{}")
    left_out = []
    assert len(pictures.load([tmp_path], left_out)) == 1
    assert "other.json" in left_out[0]
    with pytest.raises(pictures.UsageError):
        pictures.load([tmp_path])
    (tmp_path / "empty").mkdir()
    with pytest.raises(pictures.UsageError, match=r"no \*\.json"):
        pictures.load([tmp_path / "empty"])


def test_many_documents_leave_their_samples_on_disk(tmp_path, small):
    for number in range(MANY + 1):
        synthetic.write(tmp_path, small, f"{number:02}")
    documents = pictures.load([tmp_path])
    case = documents[0].json["cases"][0]
    assert "samples" not in case["seconds"]
    assert documents[0].samples(case["name"]) == small["cases"][0]["seconds"]["samples"]
    assert "benchmarks" not in documents[0].json


def test_what_belongs_together(bench, tmp_path, monkeypatch):
    ours, peers = synthetic.reference(), synthetic.reference("peers")
    paths = [
        synthetic.write(tmp_path, ours, "ours"),
        synthetic.write(tmp_path, peers, "peers"),
        synthetic.write(tmp_path, ours, "again"),
        synthetic.write(tmp_path, spoiled(peers, "context.run.seed", 1), "other-seed"),
        synthetic.write(
            tmp_path,
            spoiled(peers, "context.run.input_hash", {"energy": {"f32/10000000": "xxh3:0"}}),
            "other-input",
        ),
    ]
    monkeypatch.setenv("BENCH_BINARY", bench)
    found = [[file.stem for file in one.files] for one in pictures.load(paths)]
    assert found == [["ours", "peers"], ["again"], ["other-seed"], ["other-input"]]


def test_without_the_program_each_stands_for_itself(tmp_path, monkeypatch):
    paths = [synthetic.REFERENCE / "default.json", synthetic.REFERENCE / "peers.json"]
    monkeypatch.setenv("BENCH_BINARY", str(tmp_path / "none"))
    left_out = []
    assert [one.files for one in pictures.load(paths, left_out)] == [(one,) for one in paths]
    (line,) = left_out
    assert line.startswith("documents of one node as one: ")
    assert "BENCH_BINARY" in line
    assert len(pictures.load(paths[:1], left_out)) == len(left_out) == 1, "nothing to join"


def test_names_say_what_the_program_reads_in_them(bench, tmp_path, monkeypatch):
    """Of recorded documents, from before parameters and sizes had keys of their own."""
    monkeypatch.setenv("BENCH_BINARY", bench)
    for name in ("default", "peers", "f64"):
        path = synthetic.REFERENCE / f"{name}.json"
        ((file, parts),) = program.merge([path], tmp_path)
        assert parts == [str(path)]
        keys = ("beside", "parameters", "elements", "bins")
        ours, theirs = (
            [[case[key] for key in keys] for case in pictures.load([one])[0].json["cases"]]
            for one in (path, file)
        )
        assert ours == theirs


def test_samples_of_joined_documents_are_those_of_their_files(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("BENCH_BINARY", bench)
    monkeypatch.setattr("pictures.documents.MANY", 1)
    paths = [synthetic.REFERENCE / "default.json", synthetic.REFERENCE / "peers.json"]
    (joined,) = pictures.load(paths)
    for path in paths:
        case = next(one for one in json.loads(path.read_text())["cases"] if one["seconds"])
        assert joined.samples(case["name"]) == case["seconds"]["samples"]


def test_ratio_between_runs_holds_both_scatters():
    def row(median, low, high, drift=0.0):
        seconds = {"median": median, "ci95": [low, high], "drift": drift}
        return rows.Row({"seconds": seconds}, {}, None)

    one = rows.ratio_of(row(10.0, 9.0, 11.0), row(2.0, 2.0, 2.0))
    assert one == pytest.approx((5.0, 4.5, 5.5))
    both = rows.ratio_of(row(10.0, 9.0, 11.0), row(2.0, 1.8, 2.2))
    assert both.low < one.low
    assert both.high > one.high
    drifting = rows.ratio_of(row(10.0, 9.0, 11.0, 0.1), row(2.0, 1.8, 2.2))
    assert drifting.low < both.low
    assert drifting.high > both.high


def test_sizes():
    assert selection.elements_of("4096x4096") == 4096**2
    assert selection.elements_of("10000000:256") == 10**7
    assert selection.elements_of("x") is None
    chosen = selection.Selection(size="1e7")
    assert chosen.has_work(rows.Work("energy", "f32", "10000000", "cold"))
    assert chosen.has_work(rows.Work("histogram", "f32", "10000000:256", "cold"))
    assert not chosen.has_work(rows.Work("energy", "f32", "1000000", "cold"))


def test_variants():
    chosen = selection.Selection(variant="openmp/*, cuda/w*,streaming")
    assert chosen.has_variant("openmp/naive")
    assert chosen.has_variant("cuda/wide")
    assert chosen.has_variant("serial/streaming")
    assert not chosen.has_variant("serial/naive")


def test_slugs():
    assert slug.slug("ladder", "../../etc", "a b/c", "$x") == "ladder-etc-a-b-c-x"
    assert slug.slug("\u202e") == "picture"
    assert slug.unique(["a", "A", "a", "b"]) == ["a", "A-2", "a-3", "b"]
    assert len(slug.slug("x" * 500)) <= slug.LONGEST


@pytest.mark.parametrize(
    ("low", "high"), [(1, 3), (0.95, 1.05), (0.9, 1500), (1e-9, 1e9), (3, 3.001), (0.4, 2.5)]
)
def test_ticks_are_few_and_inside(low, high):
    found = ticks.log_ticks(low, high)
    assert 2 <= len(found) <= 8
    assert found == sorted(set(found))
    assert all(low * 0.999999 <= one <= high * 1.000001 for one in found)


def test_a_document_is_not_changed_by_drawing(files):
    documents = pictures.load([files["gpu"], files["peers"]])
    before = json.dumps([one.json for one in documents])
    for picture in pictures.overview(documents, kinds=("ladder", "roofline"), dtype="f32")[0][:4]:
        picture.figure()
    assert json.dumps([one.json for one in documents]) == before
