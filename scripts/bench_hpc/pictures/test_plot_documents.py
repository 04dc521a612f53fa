"""What is read, what is refused, what is put together and chosen."""

import copy
import json

import pytest
import synthetic
from some_pictures import several

from bench_hpc import pictures
from bench_hpc.pictures import slug, ticks


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
        ("schema", "bench-report/2", "another version of bench"),
        ("context.run.node", 7, "/context/run/node"),
        ("context.machine", [], "/context/machine"),
        ("cases", {}, "/cases"),
        ("cases.0.seconds.median", 0, "/cases/0/seconds/median"),
        ("cases.0.seconds.median", 1e999, "is not JSON"),
        ("cases.0.seconds.samples.3", "1", "/cases/0/seconds/samples/3"),
        ("cases.0.seconds.samples", [], "/cases/0/seconds/samples"),
        ("cases.0.seconds.ci95", [1.0], "/cases/0/seconds/ci95"),
        ("cases.0.status", "good", "/cases/0/status"),
        ("cases.0.reference", None, "/cases/0/reference"),
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


def test_many_documents_leave_their_cases_on_disk(tmp_path, small):
    for number in range(40):
        document = spoiled(small, "context.run.node", f"n{number}")
        synthetic.write(tmp_path, document, f"{number:02}")
    documents = pictures.load([tmp_path])
    pictures.overview(documents, kinds=("ladder",), node="n7", workload="energy")
    assert [one.node for one in documents if "json" in vars(one)] == ["n7"]
    case = documents[0].json["cases"][0]
    assert case["seconds"]["samples"] == small["cases"][0]["seconds"]["samples"]


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


def test_without_the_program_nothing_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("BENCH_BINARY", str(tmp_path / "none"))
    with pytest.raises(pictures.UsageError, match="BENCH_BINARY"):
        pictures.load([synthetic.REFERENCE / "default.json"])


def test_documents_of_the_first_days_are_complete(bench, monkeypatch):
    """Which have parameters and sizes in names only."""
    monkeypatch.setenv("BENCH_BINARY", bench)
    for name in ("default", "peers", "f64"):
        (document,) = pictures.load([synthetic.REFERENCE / f"{name}.json"])
        assert {"beside", "parameters", "elements", "bins"} <= document.json["cases"][0].keys()


def test_samples_of_joined_documents_are_those_of_their_files(bench, monkeypatch):
    monkeypatch.setenv("BENCH_BINARY", bench)
    paths = [synthetic.REFERENCE / "default.json", synthetic.REFERENCE / "peers.json"]
    (joined,) = pictures.load(paths)
    for path in paths:
        case = next(one for one in json.loads(path.read_text())["cases"] if one["seconds"])
        assert joined.cases[case["name"]]["seconds"]["samples"] == case["seconds"]["samples"]


def labels(path, **chosen):
    (picture,) = pictures.overview(pictures.load([path]), kinds=("ladder",), **chosen)[0]
    found = picture.figure().findobj(lambda one: (one.get_gid() or "").startswith("label-"))
    return [one.get_text() for one in found]


@pytest.mark.parametrize("size", ["10000000", "1e7"])
def test_sizes(files, size):
    assert len(labels(files["sweep"], size=size)) > 9
    with pytest.raises(pictures.UsageError, match="--size 2e7: not in these result files"):
        labels(files["sweep"], size="2e7")


def test_variants(files):
    variants = "openmp/*, cuda/w*,streaming"
    assert labels(files["gpu"], workload="energy", variant=variants) == [
        "serial/streaming",
        "openmp/naive",
        "openmp/simd",
        "openmp/streaming",
        "cuda/wide",
        "cuda/wide \u21c4",
    ]
    assert len(labels(files["gpu"], workload="energy", variant="serial")) == 3


def test_nodes_of_a_size(files):
    documents = several(pictures.load([files["gpu"]]))
    survey = synthetic.survey(["vm", "n002"])
    (picture,) = pictures.overview(documents, kinds=("nodes",), survey=survey, size="1e7")[0]
    assert picture.workload == "energy"


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
