"""The generated pages and the manual pages say what the program says."""

import json
import re
import shutil
import subprocess
import sys

import blocks
import generate
import manual
import pytest
from bench_hpc import program

ROOT = blocks.ROOT


@pytest.fixture(scope="module")
def told():
    return program.ask(["help", "--format", "json"])


@pytest.fixture(scope="module")
def made(told):
    try:
        return generate.pages(told)
    except program.UsageError as error:
        if "built without" in str(error):
            pytest.skip(str(error))
        raise


def test_the_schema_is_current(told):
    recorded = (ROOT / "results" / "schema.json").read_text(encoding="utf-8")
    assert recorded == generate.schema(told), "results/schema.json is stale: run docs/generate.py"


def test_the_pages_are_current(made):
    for name, text in made.items():
        path = ROOT / "docs" / "reference" / f"{name}.md"
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run docs/generate.py"


def test_a_stale_page_is_named_and_written_again(made, tmp_path, capsys):
    assert generate.run([], tmp_path) == 0
    assert generate.run(["--check"], tmp_path) == 0
    page = tmp_path / "docs" / "reference" / "columns.md"
    page.write_text(page.read_text().replace("variant", "rung", 1))
    assert generate.run(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == "docs/reference/columns.md is stale: run docs/generate.py\n"
    assert generate.run([], tmp_path) == 0
    assert page.read_text() == made["columns"]


def test_every_command_option_and_column_is_there(told, made):
    for command in told["commands"]:
        text = made["commands"].split(f"## bench {command['name']}\n")[1].split("\n## ")[0]
        for group in command["groups"]:
            for option in group["options"]:
                assert all(name in text for name in option["names"])
    for column in told["columns"]:
        assert f"| `{column['key']}` |" in made["columns"]


def test_every_workload_and_variant_is_there(made):
    for workload in program.ask(["list", "--format", "json"])["workloads"]:
        text = made["workloads"].split(f"## {workload['name']}\n")[1].split("\n## ")[0]
        for one in workload["variants"]:
            assert f"- `{one['backend']}/{one['variant']}`" in text


def paths(value, found, path=""):
    """The path of each key of a result file, as the page writes it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            found.add(path + key)
            paths(inner, found, f"{path}{key}.")
    for one in value if isinstance(value, list) else ():
        paths(one, found, f"{path.rstrip('.')}[].")


def test_every_key_of_a_recorded_case_is_explained(made):
    recorded = ROOT / "results" / "reference" / "1.0.0" / "epyc-vm-2cores" / "default.json"
    case = json.loads(recorded.read_text())["cases"][0]
    text = made["result-file"].split("\n## cases\n")[1].split("\n## ")[0]
    for key in case:
        shown = "share_of_*" if key.startswith("share_of_") else key
        assert f"| `{shown}` |" in text


# Manual pages

SECTIONS = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "OPTIONS",
    "EXIT STATUS",
    "ENVIRONMENT",
    "EXAMPLES",
    "SEE ALSO",
]


@pytest.fixture(scope="module")
def manuals(told):
    return manual.pages(told)


def test_there_is_a_manual_page_for_each_command(told, manuals):
    assert sorted(manuals) == sorted(
        ["bench.1", *(f"bench-{one['name']}.1" for one in told["commands"])]
    )
    for name, roff in manuals.items():
        assert f"\n.SH NAME\n{name[:-2]}".replace("-", "\\-") in roff
        found = [line[4:] for line in roff.splitlines() if line.startswith(".SH ")]
        known = [one for one in found if one in SECTIONS]
        assert known == [one for one in SECTIONS if one in known]


def test_the_page_of_run_has_every_option_in_its_group(told, manuals):
    (run,) = (one for one in told["commands"] if one["name"] == "run")
    groups = re.split(r"^\.SS ", manuals["bench-run.1"], flags=re.MULTILINE)[1:]
    for group, text in zip(run["groups"], groups):
        assert text.splitlines()[0] == group["title"]
        for option in group["options"]:
            assert all(name.replace("-", "\\-") in text for name in option["names"])


def test_what_means_something_to_roff_is_only_text():
    assert manual.text(".TH a-b \\fB") == "\\&.TH a\\-b \\(rsfB"
    assert manual.text("'quoted'") == "\\&'quoted'"


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_groff_has_nothing_to_say(manuals):
    for name, roff in manuals.items():
        done = subprocess.run(
            ["groff", "-k", "-man", "-Tutf8", "-ww", "-rLL=78n"],
            input=roff,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), name
        plain = re.sub(r"\x1b\[[\d;]*m|.\x08", "", done.stdout)
        assert max(map(len, plain.splitlines())) <= 78, name


def test_the_script_writes_them(tmp_path):
    subprocess.run([sys.executable, ROOT / "docs" / "manual.py", tmp_path / "man1"], check=True)
    assert "bench-try.1" in {path.name for path in (tmp_path / "man1").iterdir()}
