"""Several executions of the program as one run, and `bench aa`, which compares equal ones."""
# CTest: release

import json
import time

import pytest
from test_interrupt import end_by, start, wait_for_file

from conftest import QUICK

WORK = ["energy/serial", "--size", "5000", "--samples", "9", "--max-time", "0.02"]


def test_one_document_of_several_executions(bench, tmp_path):
    made = bench(*WORK, "--executions", "3", "--output", "a.json")
    assert made.returncode == 0, made.stderr
    document = json.loads((tmp_path / "a.json").read_text())
    run = document["context"]["run"]
    assert run["executions"] == 3
    assert run["finished"] is True
    assert run["argv"][1:3] == WORK[:2]
    for case in document["cases"]:
        assert case["seconds"]["executions"]["samples"] == [9, 9, 9]
        assert len(case["seconds"]["samples"]) == 27
    assert "over 3 executions" in made.stdout
    assert "3 executions. " in made.stdout
    assert "result file: a.json" in made.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_documents_stay_small(document):
    made = document(*WORK[:3], "--executions", "5", "--max-time", "0.3", "--min-time", "0.3")
    samples = [len(case["seconds"]["samples"]) for case in made["cases"]]
    assert max(samples) <= 100


def test_the_document_of_several_executions_is_read_again(bench):
    assert bench(*WORK, "--executions", "2", "--output", "a.json", "--quiet").returncode == 0
    assert bench("table", "a.json", "--format", "csv").returncode == 0
    # Two executions bear no narrow interval.
    assert bench("compare", "a.json", "a.json").returncode in (0, 4)


def test_wrong_variants_end_it_as_they_end_a_run(bench, tmp_path):
    (tmp_path / "wrong.c").write_text(
        "#include <stddef.h>\nvoid energy_f32(const float* x, float* energy, size_t n) {}\n"
    )
    made = bench(*WORK, "--with", "wrong.c", "--executions", "2")
    assert made.returncode == 1, made.stdout
    assert "failed" in made.stdout


@pytest.mark.parametrize("words", ["energy --size nonsense", "nosuch", "energy --with missing.c"])
def test_bad_words_are_refused_as_in_a_single_run(bench, tmp_path, words):
    several = ("--executions", "3", "--output", "a.json")
    alone, made = (bench(*words.split(), *more) for more in ((), several))
    assert (made.returncode, made.stderr) == (alone.returncode, alone.stderr) == (2, made.stderr)
    assert list(tmp_path.iterdir()) == []


def test_a_job_that_is_started_again_begins_a_new_file(bench, tmp_path):
    command = [*WORK, "--executions", "2", "--output", "a.json"]
    assert bench(*command).returncode == 0
    text = (tmp_path / "a.json").read_text()
    assert bench(*command).returncode == 2
    again = bench(*command, SLURM_RESTART_COUNT="1")
    assert again.returncode == 0, again.stderr
    assert "result file: a-2.json" in again.stdout
    assert (tmp_path / "a.json").read_text() == text


@pytest.mark.parametrize("executions", ["1", "21", "x"])
def test_how_many_there_may_be(bench, executions):
    made = bench(*WORK, "--executions", executions)
    assert made.returncode == 2
    assert made.stderr.startswith("bench: --executions")
    assert len(made.stderr.splitlines()) == 1


def test_what_is_gone_on_with_has_its_own(bench):
    made = bench("--resume", "a.json", "--executions", "2")
    assert made.returncode == 2
    assert "exclude each other" in made.stderr


def test_a_file_that_is_there_stays(bench, tmp_path):
    (tmp_path / "a.json").write_text("mine")
    made = bench(*WORK, "--executions", "2", "--output", "a.json")
    assert made.returncode == 2
    assert (tmp_path / "a.json").read_text() == "mine"


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_the_execution_at_work(tmp_path, name):
    long = ["energy/serial", "--size", "1e5", "--max-time", "30", "--min-time", "30"]
    process = start(tmp_path, [*long, "--executions", "2", "--output", "a.json"])
    wait_for_file(tmp_path, process)
    assert f"ended by {name}" in end_by(process, tmp_path, name)


def interrupted_in(execution, tmp_path):
    """What stderr says, and the result file."""
    work = ["copy/serial/naive", "--size", "tiny,3e6", "--samples", "9", "--max-time", "60"]
    process = start(tmp_path, [*work, "--executions", "4", "--output", "a.json"])

    def so_far():
        document = json.loads((tmp_path / "a.json").read_text())
        return document["context"]["run"]["executions"]

    wait_for_file(tmp_path, process)
    while so_far() < execution - 1:
        assert process.poll() is None
        time.sleep(0.01)
    said = end_by(process, tmp_path, "SIGINT")
    return said, json.loads((tmp_path / "a.json").read_text())


@pytest.mark.parametrize("execution", [1, 2, 3])
def test_what_is_finished_is_kept_and_the_rest_is_added(bench, tmp_path, execution):
    said, document = interrupted_in(execution, tmp_path)
    assert f"{execution - 1} of 4 executions" in said
    cases = [case for case in document["cases"] if case["variant"] == "naive"]
    cases = [case for case in cases if case["status"] == "measured"]
    if execution > 1:
        assert [len(case["seconds"]["samples"]) for case in cases] == [9 * (execution - 1)] * 2
    assert bench("table", "a.json").returncode == 0
    resumed = bench("--resume", "a.json")
    assert resumed.returncode == 0, resumed.stderr
    assert f"{execution - 1} of 4 executions are there" in resumed.stderr
    whole = json.loads((tmp_path / "a.json").read_text())
    run = whole["context"]["run"]
    assert (run["executions"], run["finished"], len(run["resumed"])) == (4, True, 1)
    for case in whole["cases"]:
        assert case["seconds"]["executions"]["samples"] == [9] * 4
    for before in cases:
        (after,) = (case for case in whole["cases"] if case["name"] == before["name"])
        kept = before["seconds"]["samples"]
        assert after["seconds"]["samples"][: len(kept)] == kept
    assert bench("table", "a.json").returncode == 0


def test_groups_of_the_first_execution_are_kept(bench, tmp_path):
    sizes = ",".join(str(10**6 * i) for i in range(1, 11))
    work = ["copy/serial/naive", "--size", sizes, "--samples", "9", "--executions", "2"]
    count = 20  # `naive` and `streaming`, with which it is compared, of each size
    delay = 1.0
    for _ in range(12):  # until it is ended within its groups
        (tmp_path / "a.json").unlink(missing_ok=True)
        process = start(tmp_path, [*work, "--output", "a.json"])
        wait_for_file(tmp_path, process)
        time.sleep(delay)
        said = end_by(process, tmp_path, "SIGINT")
        document = json.loads((tmp_path / "a.json").read_text())
        kept = [case for case in document["cases"] if case["status"] == "measured"]
        if 0 < len(kept) < count:
            break
        delay *= 0.6 if kept else 1.5
    plural = "s" if len(kept) > 1 else ""
    assert f"0 of 2 executions, and {len(kept)} measured variant{plural} of the first" in said
    assert 0 < len(kept) < count
    resumed = bench("--resume", "a.json")
    assert resumed.returncode == 0, resumed.stderr
    whole = json.loads((tmp_path / "a.json").read_text())
    assert whole["context"]["run"]["executions"] == 2
    assert len(whole["cases"]) == count
    of_first = {case["name"]: case["seconds"]["samples"][:9] for case in whole["cases"]}
    for case in kept:
        assert of_first[case["name"]] == case["seconds"]["samples"]


def test_what_was_killed_goes_on(bench, tmp_path):
    work = ["copy/serial/naive", "--size", "tiny", "--samples", "9", "--max-time", "0"]
    process = start(tmp_path, [*work, "--executions", "8", "--output", "a.json"])
    wait_for_file(tmp_path, process)
    while json.loads((tmp_path / "a.json").read_text())["context"]["run"]["executions"] < 3:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert bench("--resume", "a.json").returncode == 0
    document = json.loads((tmp_path / "a.json").read_text())
    assert document["cases"][0]["seconds"]["executions"]["samples"] == [9] * 8


def test_equal_runs_are_compared(bench, tmp_path):
    made = bench("aa", *WORK, "--executions", "3", "--threshold", "100000")
    assert made.returncode == 0, made.stdout + made.stderr
    assert "3 pairs" in made.stdout
    assert "pairs with a false alarm: 0 of 3" in made.stdout
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_compared_of_bad_words(bench):
    made = bench("aa", "energy", "--size", "nonsense")
    assert made.returncode == 2
    assert made.stderr.startswith("bench: --size: 'nonsense'")
    assert len(made.stderr.splitlines()) == 1


def test_equal_runs_speak_all_languages(bench):
    for language in ("pt", "es", "fr"):
        made = bench("aa", "copy/serial", *QUICK, "--executions", "2", "--lang", language)
        assert made.returncode in (0, 3), made.stderr
        assert "pairs with" not in made.stdout
