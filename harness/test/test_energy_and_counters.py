"""Energy and hardware counters: a node tells them, or the run says why not, everywhere."""

import csv
import io
import json
import re

import jsonschema
import pytest

from conftest import ROOT

SCHEMA = json.loads((ROOT / "results" / "schema.json").read_text())
PHRASES = ROOT / "harness" / "words" / "phrases"
LANGUAGES = ("en", "pt", "es", "fr")
ASKED = ["energy/openmp", "--size", "1e5", "--samples", "9", "--max-time", "0.1"]


def phrases(language):
    return json.loads((PHRASES / f"{language}.json").read_text())


def flat(text):
    """The text on one line, with plain blanks, as a terminal has them."""
    return " ".join(text.replace("\u00a0", " ").split())


def translated(reason, language):
    """The sentence of the program in a language, figures in their places."""
    for key, sentence in phrases("en")["reasons"].items():
        pattern = re.sub(r"\\\{\d\\\}", "(.+)", re.escape(sentence))
        found = re.fullmatch(pattern, reason)
        if found and not sentence.startswith("{"):
            return phrases(language)["reasons"][key].format(*found.groups())
    assert language == "en", reason
    return reason


@pytest.fixture
def run(bench, tmp_path):
    """Runs what was asked for with more options; gives the file and what it holds."""

    def measure(*options):
        file = tmp_path / "run.json"
        result = bench(*ASKED, *options, "--output", file)
        assert result.returncode == 0, result.stderr
        measured = json.loads(file.read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(measured)
        return file, measured, result.stdout

    return measure


def ours(measured):
    return [one for one in measured["cases"] if one["workload"] == "energy" and one["threads"]]


def test_nobody_asked_nothing_is_said(run):
    _, measured, text = run()
    for one in measured["cases"]:
        assert not {"energy", "energy_reason", "counters"} & set(one)
    assert "less J" not in text
    assert phrases("en")["tables"]["no_counters"].split(":")[0] not in flat(text)
    selection = measured["context"]["run"]["selection"]
    assert (selection["energy"], selection["counters"]) == (False, False)


def test_a_case_has_a_number_or_the_reason_is_there(run):
    _, measured, _ = run("--energy", "--counters")
    machine = measured["context"]["machine"]
    assert (machine["energy"] is None) == bool(machine["energy_reason"])
    assert (machine["counters"] is None) == bool(machine["counters_reason"])
    assert ours(measured)
    for one in ours(measured):
        assert ("energy" in one) + ("energy_reason" in one) + (machine["energy"] is None) == 1
        assert ("counters" in one) == (machine["counters"] is not None)
    for one in measured["cases"]:
        assert "beside" in one
        if one["beside"]:
            assert not {"energy", "energy_reason", "counters"} & set(one)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reason_stands_under_the_table(bench, run, language):
    file, measured, _ = run("--energy", "--counters")
    text = flat(bench("table", file, "--lang", language).stdout)
    machine = measured["context"]["machine"]
    reasons = {one["energy_reason"] for one in ours(measured) if "energy_reason" in one}
    for reason in reasons | {machine["energy_reason"]} - {None}:
        assert flat(translated(reason, language)) in text
    if machine["counters"] is None:
        says = phrases(language)["tables"]["no_counters"]
        assert flat(says.format(translated(machine["counters_reason"], language))) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_doctor_says_what_the_node_tells(bench, language):
    machine = json.loads(bench("doctor", "--format", "json").stdout)["context"]["machine"]
    text = flat(bench("doctor", "--lang", language).stdout)
    for what in ("energy", "counters"):
        assert phrases(language)["words"][what] in text
        if machine[what] is None:
            assert flat(translated(machine[f"{what}_reason"], language)) in text
    if machine["energy"] is not None:
        assert machine["energy"] in text


def test_hot_runs_of_small_arrays_have_the_energy_of_a_node_that_tells(run):
    _, measured, _ = run("--energy", "--cache", "hot")
    tells = measured["context"]["machine"]["energy"]
    for one in ours(measured):
        assert "energy_reason" not in one
        assert one.get("energy", {}).get("of") == tells


def made_up(measured):
    """A result of a node that reports both: the naive loop takes ten times as much."""
    measured["context"]["machine"].update(energy="package+dram", energy_reason=None)
    for one in ours(measured):
        joules = 0.5 if one["backend"] == "serial" else 0.05
        one.pop("energy_reason", None)
        one["energy"] = {
            "joules": joules,
            "joules_per_element": joules / one["elements"],
            "samples": [joules, 1.01 * joules, 0.99 * joules],
            "seconds": 0.3,
            "runs": 400,
            "of": "package+dram",
        }
        one["counters"] = {
            "cycles": 2.0 * one["elements"],
            "instructions": 3.0 * one["elements"],
            "branch_misses": 0.0,
            "scaled": False,
            "runs": 3,
        }
    return measured


def test_figures_are_columns(bench, run, tmp_path):
    _, measured, _ = run("--energy", "--counters")
    file = tmp_path / "made_up.json"
    file.write_text(json.dumps(made_up(measured)))
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(file.read_text()))
    result = bench("table", file, "--format", "csv")
    assert result.returncode == 0, result.stderr
    rows = {line["variant"]: line for line in csv.DictReader(io.StringIO(result.stdout))}
    simd = rows["simd"]
    assert float(simd["joules"]) == 0.05
    assert float(simd["less_energy"]) == pytest.approx(10)
    assert float(simd["less_energy_low"]) == pytest.approx(10 * 0.99 / 1.01)
    assert float(simd["cycles_per_element"]) == 2
    assert float(simd["instructions_per_cycle"]) == 1.5
    assert simd["cache_misses_per_element"] == ""
    text = flat(bench("table", file, "--columns", "variant,energy,less_energy,ipc,tlb").stdout)
    assert re.search(r"openmp/simd ~?50\.0 mJ ~?10\.00 1\.50 \u2013", text)
    assert phrases("en")["tables"]["legend_energy"] in text


def test_a_document_that_contradicts_itself_is_refused(bench, run, tmp_path):
    _, measured, _ = run("--energy")
    bad = made_up(measured)
    ours(bad)[0]["energy"]["joules"] = 7
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(bad))
    result = bench("table", file)
    assert result.returncode == 2
    assert "energy/joules is not that of the samples" in result.stderr
