"""`bench compare` on the result files of many nodes."""
# CTest: release

import csv
import datetime
import io
import json
import subprocess
import time

import pytest
from made_up import retimed

from conftest import BENCH, QUICK


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A real result file, small."""
    folder = tmp_path_factory.mktemp("recorded")
    command = [BENCH, "energy", "copy", *QUICK, "--quiet", "--output", "a.json"]
    subprocess.run(command, cwd=folder, check=True)
    return json.loads((folder / "a.json").read_text())


def node(recorded, name, factor=1.0, **context):
    """The result file of another node, `factor` times slower, without noise."""
    document = retimed(recorded, lambda _: factor, steady=True)
    document["context"]["run"]["node"] = name
    document["context"]["machine"]["node"] = name
    for path, value in context.items():
        part, key = path.split("__")
        document["context"][part][key] = value
    return document


def write(folder, *documents):
    folder.mkdir(exist_ok=True, parents=True)
    for document in documents:
        name = document["context"]["run"]["node"]
        (folder / f"{name}.json").write_text(json.dumps(document))


def test_the_slow_node_is_named_with_what_differs(bench, recorded, tmp_path):
    write(
        tmp_path / "nodes",
        *(node(recorded, f"n{i}") for i in range(1, 5)),
        node(recorded, "n5", 1.37, machine__governor="powersave"),
    )
    result = bench("compare", "nodes", "--nodes", "n[1-6]")
    assert result.returncode == 3
    assert "SLOW n5: " in result.stdout
    assert "energy 1.37" in result.stdout
    assert "governor powersave (others unknown)" in result.stdout.replace("\n              ", " ")
    assert "missing: n6" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80

    survey = json.loads(bench("compare", "nodes", "--format", "json").stdout)
    assert [one["node"] for one in survey["slow"]] == ["n5"]
    assert survey["exit_code"] == 3
    rows = list(csv.DictReader(io.StringIO(bench("compare", "nodes", "--format", "csv").stdout)))
    assert {row["node"] for row in rows if row["verdict"] == "slow"} == {"n5"}
    assert {row["workload"] for row in rows} == {"all", "copy", "energy"}


def test_equal_nodes_are_fine_and_files_may_be_named(bench, recorded, tmp_path):
    write(tmp_path / "nodes", *(node(recorded, f"n{i}") for i in range(1, 4)))
    assert bench("compare", "nodes").returncode == 0
    files = [f"nodes/n{i}.json" for i in range(1, 4)]
    assert bench("compare", *files, "nodes").returncode == 0, "each counts once"
    shown = bench("compare", *files, "--variant", "energy/serial/naive").stdout
    assert "serial/naive · f32" in shown


def test_an_expected_value_shows_a_slow_partition(bench, recorded, tmp_path):
    write(tmp_path / "nodes", *(node(recorded, f"n{i}", 1.5) for i in range(1, 4)))
    write(tmp_path / "reference", node(recorded, "reference"))
    assert bench("compare", "nodes").returncode == 0
    result = bench("compare", "nodes", "--expected", "reference")
    assert result.returncode == 3
    assert "expected: the median node takes" in result.stdout
    assert "energy 1.50" in result.stdout


def test_nothing_compared_is_not_a_success(bench, recorded, tmp_path):
    other = node(recorded, "reference")
    other["context"]["machine"]["cpu_model"] = "another one"
    write(tmp_path / "one", node(recorded, "n1"))
    write(tmp_path / "two", node(recorded, "n1"), node(recorded, "n2"))
    write(tmp_path / "reference", other)
    for question in (["one"], ["one", "--expected", "reference"]):
        result = bench("compare", *question)
        assert result.returncode == 5
        assert "1 node measured, no equal node to compare with\n" in result.stdout
        assert bench("compare", *question, "--force").returncode == 4
    # Two are compared with each other, but not with what was asked for.
    assert bench("compare", "two", "--expected", "reference").returncode == 5


def test_what_cannot_be_read_is_named_and_the_rest_compared(bench, recorded, tmp_path):
    write(tmp_path / "nodes", *(node(recorded, f"n{i}") for i in range(1, 4)))
    (tmp_path / "nodes" / "n4.json").write_text('{"schema": "bench-re')
    (tmp_path / "nodes" / ".n5.json.tmp").write_text("x")
    result = bench("compare", "nodes")
    assert result.returncode == 3
    assert "unreadable: nodes/n4.json: ends in the middle" in result.stdout
    named = bench("compare", "nodes", "nodes/n4.json", "nodes/n1.json")
    assert named.returncode == 2
    assert named.stderr.startswith("bench: nodes/n4.json: ends in the middle")


def test_the_comparison_itself_is_no_document(bench, recorded, tmp_path):
    write(tmp_path / "nodes", *(node(recorded, f"n{i}") for i in range(1, 4)))
    comparison = bench("compare", "nodes", "--format", "json").stdout
    (tmp_path / "nodes" / "comparison.json").write_text(comparison)
    assert bench("compare", "nodes").returncode == 0
    assert bench("table", "nodes").returncode == 0
    assert bench("table", "nodes/n1.json", "nodes/comparison.json").returncode == 0
    alone = bench("table", "nodes/comparison.json")
    assert alone.returncode == 2
    assert "bench-nodes/1" in alone.stderr


def test_the_folders_of_jobs_are_looked_into(bench, recorded, tmp_path):
    write(
        tmp_path / "results" / "nodes-7",
        *(node(recorded, f"n{i}") for i in range(1, 3)),
    )
    shown = bench("compare", "results")
    assert shown.returncode == 0
    assert "2 nodes compared" in shown.stdout
    write(tmp_path / "results", node(recorded, "n3"))
    write(tmp_path / "results" / "other", node(recorded, "n4"))
    assert "3 nodes compared" in bench("compare", "results").stdout
    assert "n1" not in bench("table", "results").stdout


def test_the_list_of_a_job_says_who_is_missing(bench, recorded, tmp_path):
    folder = tmp_path / "results" / "nodes-7"
    write(folder, *(node(recorded, f"n{i}") for i in range(1, 3)))
    (folder / "nodelist").write_text("n[1-3]\n")
    for arguments in (
        ["results"],
        ["results/nodes-7"],
        ["results/nodes-7/n1.json", folder],
    ):
        shown = bench("compare", *arguments)
        assert shown.returncode == 3
        assert "missing: n3\n" in shown.stdout
    assert bench("compare", "results", "--nodes", "n[1-2]").returncode == 0
    (folder / "nodelist").write_text("n[1")
    assert "results/nodes-7/nodelist: is not a list of nodes" in bench("compare", "results").stdout


def test_a_job_that_has_not_begun_is_not_missing(bench, recorded, tmp_path):
    folder = tmp_path / "results" / "nodes-7"
    write(folder, *(node(recorded, f"n{i}") for i in range(1, 3)))
    (folder / "nodelist").write_text("n[1-4]\n")
    (folder / "left_out").write_text("n5 drain: a DIMM, lost\nn6 down\nn7 down\n")
    for name in ("n1", "n2", "n3"):
        (folder / f"{name}.log").write_text("")
    shown = bench("compare", "results").stdout
    assert "missing: n3\n" in shown
    assert "waiting: n4: no job has begun there" in shown
    assert "left out: n[6-7]: down\nleft out: n5: drain: a DIMM, lost\n" in shown
    assert shown.endswith("2 nodes compared, 0 slow, 1 missing, 1 waiting\n")


def test_all_formats_are_written_at_once(bench, recorded, tmp_path):
    write(tmp_path / "nodes", *(node(recorded, f"n{i}") for i in range(1, 3)))
    for language in ("en", "pt"):
        question = ["compare", "nodes", "--lang", language]
        done = bench(*question, "--output", "a/table")
        assert done.returncode == 0, done.stderr
        assert done.stdout == (tmp_path / "a" / "table" / "nodes.txt").read_text()
        assert done.stdout == bench(*question).stdout
        for form in ("csv", "json"):
            written = (tmp_path / "a" / "table" / f"nodes.{form}").read_text()
            assert written == bench("compare", "nodes", "--format", form).stdout
    refused = bench("compare", "nodes", "--output", "nodes/n1.json")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "cannot write nodes/n1.json/nodes.txt: Not a directory" in refused.stderr


def test_two_documents_and_one_may_be_nodes(bench, recorded, tmp_path):
    write(tmp_path, node(recorded, "n1"), node(recorded, "n2", 1.5))
    assert "the second run" in bench("compare", "n1.json", "n2.json").stdout
    nodes = bench("compare", "n1.json", "n2.json", "--nodes", "n[1-3]")
    assert "2 nodes compared" in nodes.stdout
    assert "missing: n3" in nodes.stdout
    assert bench("compare", "n1.json", "--expected", "n1.json").returncode == 0
    assert bench("compare", "n2.json", "--expected", "n1.json").returncode == 3


@pytest.mark.parametrize("language", ["en", "pt", "es", "fr"])
def test_administrators_and_programs_read_english(bench, recorded, tmp_path, language):
    warned = {
        "run__warnings": [
            "one thread only: ask for more with srun --cpus-per-task or OMP_NUM_THREADS"
        ]
    }
    write(
        tmp_path / "nodes",
        *(node(recorded, f"n{i}", factor, **warned) for i, factor in ((1, 1), (2, 1), (3, 1.37))),
    )
    question = ("compare", "nodes", "--nodes", "n[1-4]")
    shown = bench(*question, "--lang", language)
    assert (shown.returncode, shown.stderr) == (3, "")
    for part in (
        "SLOW n3: ",
        "3 nodes compared, 1 slow, 1 missing",
        "warning: n[1-3]: one thread",
        "1.37",
    ):
        assert part in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80
    for form in ("text", "json", "csv"):
        told = bench(*question, "--format", form, "--lang", language)
        assert told.stdout == bench(*question, "--format", form).stdout
        assert told.returncode == 3


def test_mistakes_are_one_line(bench, recorded, tmp_path):
    write(tmp_path / "nodes", node(recorded, "n1"))
    (tmp_path / "empty").mkdir()
    for arguments, message in (
        (["empty"], "empty: holds no *.json files"),
        (["nothing"], "nothing: cannot be read"),
        (["nodes/n1.json"], "compare needs two result files"),
        (["nodes", "--nodes", "n[1"], "--nodes n[1: must be nodes as Slurm lists them"),
        (["nodes", "--expected", "nothing"], "nothing: cannot be read"),
        (["nodes/n1.json", "nodes/n1.json", "--format", "csv"], "are for many nodes"),
    ):
        result = bench("compare", *arguments)
        assert result.returncode == 2, arguments
        assert message in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_node_is_compared_with_itself_before(bench, recorded, tmp_path):
    """n3 was always slow. n5 has become slower; all of them have, by a new driver."""
    nature = {"n3": 1.4}
    for survey, common, changed in (("old", 1.0, {}), ("new", 1.2, {"n5": 1.3})):
        nodes = [
            node(
                recorded,
                name,
                common * nature.get(name, 1) * changed.get(name, 1),
                machine__kernel=f"kernel of {survey}",
                machine__governor="powersave" if name in changed else "performance",
            )
            for name in [*(f"n{i}" for i in range(1, 7)), survey]
        ]
        write(tmp_path / survey, *nodes)
    assert "SLOW n3" in bench("compare", "new").stdout
    result = bench("compare", "new", "--before", "old")
    assert result.returncode == 3, result.stdout
    said = " ".join(result.stdout.split())
    assert "SLOW n5" in said
    assert "SLOW n3" not in said
    assert (
        "all of them now take 1.20 times their earlier time (this common change is removed)" in said
    )
    assert "since then governor powersave (before performance); kernel" in said
    assert "left out: new" in said
    survey = json.loads(bench("compare", "new", "--before", "old", "--format", "json").stdout)
    ratios = {one["ratio"]["value"] for one in survey["slow"][0]["where"]}
    assert all(ratio == pytest.approx(1.3) for ratio in ratios)
    assert bench("compare", "old", "--before", "old").returncode == 0
    write(tmp_path / "others", node(recorded, "m1"), node(recorded, "m2"))
    assert bench("compare", "new", "--before", "others").returncode == 5


def write_weeks(folder, recorded, weeks, since):
    """Surveys in which n3 is always slow and n5 `since` some week; a driver slows all of them."""
    for week in range(weeks):
        day = datetime.date(2026, 7, 13) + datetime.timedelta(weeks=week)
        nodes = []
        for i in range(1, 7):
            factor = (1.0 + 0.001 * ((i + week) % 3)) * (1.2 if week > 1 else 1)
            factor *= 1.4 if i == 3 else 1.08 if i == 5 and week >= since else 1
            nodes.append(node(recorded, f"n{i}", factor, run__started=f"{day}T1{i}:00:00Z"))
        write(folder / f"nodes-{week:02}", *nodes)


def test_a_history_says_since_when_a_node_is_slower(bench, recorded, tmp_path):
    write_weeks(tmp_path / "results", recorded, 6, since=3)
    (tmp_path / "results" / "plots").mkdir()
    question = [
        "compare",
        "results/nodes-05",
        "--history",
        "results",
        "--threshold",
        "50",
    ]
    result = bench(*question)
    assert result.returncode == 3, result.stdout + result.stderr
    assert "slower than before: n5: 1.08" in result.stdout
    said = " ".join(result.stdout.split())
    assert "since 2026-08-03 (best CPU variant)" in said
    assert "in 5 earlier surveys, from 2026-07-13 to 2026-08-10" in said
    assert said.endswith("6 nodes compared, 0 slow, 1 slower than before, 1 suspected")
    found = json.loads(bench(*question, "--format", "json").stdout)["slower_since"]
    assert {(one["node"], one["since"], one["surveys_since"]) for one in found} == {
        ("n5", "2026-08-03", 3)
    }
    rows = csv.DictReader(io.StringIO(bench(*question, "--format", "csv").stdout))
    assert {(row["node"], row["since"], row["workload"]) for row in rows if row["since"]} == {
        ("n5", "2026-08-03", "all")
    }
    # Surveys that came later do not count.
    before = [
        "compare",
        "results/nodes-02",
        "--history",
        "results",
        "--threshold",
        "50",
    ]
    assert "slower than before" not in bench(*before).stdout
    none = "none of its folders has a survey from before 2026-07-13T1"
    for first, why in (
        ("results/nodes-00", none),
        ("results/plots", none),
        ("results/nix", "is not a folder"),
    ):
        refused = bench("compare", "results/nodes-00", "--history", first)
        assert refused.returncode == 2
        assert why in refused.stderr


def test_many_files_are_read_once_and_changed_ones_again(bench, recorded, tmp_path):
    """Beside them stays what was learnt; it is never needed, and never trusted over a file."""
    folder = tmp_path / "nodes"
    write(folder, *(node(recorded, f"n{i}") for i in range(60)))
    time.sleep(2.1)  # what was just written may still change

    def compared(*more):
        return json.loads(bench("compare", "nodes", "--format", "json", *more).stdout)

    def nodes(survey):
        return {one["node"] for kind in survey["kinds"] for one in kind["nodes"]}

    first = compared()
    (store,) = folder.glob(".bench-runs-*")
    assert store.stat().st_size < sum(one.stat().st_size for one in folder.glob("*.json")) / 3
    assert compared() == first

    kept = store.read_bytes()
    write(folder, node(recorded, "n7", 1.4))
    assert [one["node"] for one in compared()["slow"]] == ["n7"]
    (folder / "n8.json").unlink()
    assert "n8" not in nodes(compared())
    write(folder, node(recorded, "n8"), node(recorded, "n7"))

    for damaged in (b"", kept[:100], kept[: len(kept) // 2], kept[:-1] + b"\0", b"\0" * 4096):
        store.write_bytes(damaged)
        assert compared() == first
    store.write_bytes(kept)
    store.chmod(0o666)
    (folder / "n9.json").unlink()
    assert "n9" not in nodes(compared())
    store.unlink()
    store.mkdir()
    assert compared()["exit_code"] == 0
