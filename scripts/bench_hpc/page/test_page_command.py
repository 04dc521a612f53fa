"""The command line, and what the page is made of, without a browser."""

import copy
import hashlib
import json
import re
import subprocess

import pytest

from bench_hpc import own_python, program
from bench_hpc.page import facts
from bench_hpc.page.conftest import RECORDED, of_node, report, save
from bench_hpc.words import LANGUAGES, Words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_makes_a_page(make_page, lang):
    text = make_page(RECORDED, "--lang", lang).read_text(encoding="utf-8")
    assert f'<html lang="{lang}">' in text
    assert Words(lang, "page")("reproduce") in text
    assert ("1.558\u00a0ms" if lang == "en" else "1,558\u00a0ms") in text


def test_equal_documents_make_equal_pages(make_page):
    assert make_page(RECORDED).read_bytes() == make_page(RECORDED).read_bytes()


def test_a_title_of_ones_own_is_text(make_page):
    text = make_page(RECORDED, "--title", "a < b & <i>c</i>").read_text(encoding="utf-8")
    assert "<h1>a &lt; b &amp; &lt;i&gt;c&lt;/i&gt;</h1>" in text


def refused(done, *words):
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert all(word in done.stderr for word in words), done.stderr


def test_bad_input_is_one_line_that_names_it(tmp_path, recorded):
    (tmp_path / "cut.json").write_text('{"schema": "bench-report/1", ', encoding="utf-8")
    (tmp_path / "other.json").write_text('{"schema": "other/1"}', encoding="utf-8")
    (tmp_path / "empty").mkdir()
    hollow = {"schema": "bench-report/1", "context": {"run": 3}, "cases": []}
    save(hollow, tmp_path / "hollow.json")
    damaged = copy.deepcopy(recorded)
    damaged["cases"][0]["seconds"] = None
    save(damaged, tmp_path / "damaged.json")
    output = tmp_path / "page.html"
    for name in ("cut.json", "other.json", "empty", "hollow.json", "damaged.json", "none.json"):
        refused(report(tmp_path / name, "--no-pictures", "-o", output), name)
    assert not output.exists()
    refused(report(RECORDED, "--no-pictures", "-o", tmp_path), str(tmp_path), "--output")
    refused(report(RECORDED, "--no-pictures", "-o", tmp_path / "no" / "page.html"), "--output")


def test_a_damaged_document_in_a_folder_is_left_out_and_named(tmp_path, recorded):
    for node in ("a", "b"):
        save(of_node(recorded, node), tmp_path / f"{node}.json")
    (tmp_path / "cut.json").write_text("{", encoding="utf-8")
    damaged = of_node(recorded, "c")
    damaged["cases"][0]["seconds"] = None
    save(damaged, tmp_path / "damaged.json")
    done = report(tmp_path, "--no-pictures", "-o", tmp_path / "page.html")
    assert done.returncode == 0
    assert "cut.json" in done.stderr
    assert "damaged.json" in done.stderr
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "cut.json" in text
    assert "damaged.json" in text
    assert "2 nodes were compared" in text


def test_without_the_program_the_line_says_what_to_do(tmp_path):
    output = tmp_path / "page.html"
    missing = report(RECORDED, "-o", output, BENCH_BINARY=str(tmp_path / "none"))
    refused(missing, "none", "BENCH_BINARY")
    refused(report(RECORDED, "--no-pictures", "-o", output, BENCH_BINARY="/bin/false"), "false")
    refused(report(RECORDED, "--no-pictures", "-o", output, BENCH_BINARY="/bin/echo"), "older")
    assert not output.exists()


def test_where_the_program_is_looked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "ROOT", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("BENCH_BINARY", raising=False)
    with pytest.raises(program.UsageError, match=r"scripts/build\.sh.*BENCH_BINARY"):
        program.binary()
    for path in (tmp_path / "bin" / "bench", tmp_path / "build" / "bench"):
        path.parent.mkdir()
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(0o755)
        assert program.binary() == str(path)
    monkeypatch.setenv("BENCH_BINARY", "another")
    assert program.binary() == "another"


def test_a_page_that_was_there_stays_until_the_new_one_is_whole(tmp_path):
    output = tmp_path / "page.html"
    output.write_text(
        "<!DOCTYPE html><meta http-equiv=Content-Security-Policy>before", encoding="utf-8"
    )
    refused(report(tmp_path / "none.json", "-o", output), "none.json")
    assert (
        output.read_text(encoding="utf-8")
        == "<!DOCTYPE html><meta http-equiv=Content-Security-Policy>before"
    )
    assert report(RECORDED, "--no-pictures", "-o", output).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_pictures_are_asked_for_where_matplotlib_is_missing(tmp_path):
    broken = tmp_path / "matplotlib"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise ImportError('none')", encoding="utf-8")
    done = report(RECORDED, "-o", tmp_path / "page.html", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0
    remedy = own_python.REMEDY
    assert remedy in done.stderr
    assert "scripts/setup.sh pages" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_hashes_are_those_that_sha256sum_checks(tmp_path, recorded, make_page):
    odd = save(recorded, tmp_path / "a\\b & <c>.json")
    plain = save(of_node(recorded, "n"), tmp_path / "plain.json")
    page = make_page(odd, plain).read_text(encoding="utf-8")
    for path in (odd, plain):
        assert hashlib.sha256(path.read_bytes()).hexdigest() in page
    document = type("Document", (), {})
    lines = []
    for path in (odd, plain):
        one = document()
        one.name, one.sha256 = str(path), hashlib.sha256(path.read_bytes()).hexdigest()
        lines.append(one)
    checked = subprocess.run(
        ["sha256sum", "-c"], input=facts.hashes(lines), text=True, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


def test_the_command_of_a_job_can_be_typed_again(recorded):
    context = copy.deepcopy(recorded["context"])
    context["run"]["argv"] = ["build/bench", "transpose/openmp*", "--size", "1e6"]
    context["build"].update(revision="abc; rm -rf $HOME", dirty=True)
    context["machine"]["loaded_modules"] = ["gcc/12", "a b"]
    context["machine"]["omp"] = {"OMP_PLACES": "cores"}
    context["slurm"] = {
        "job_id": "7\nrm -rf /",
        "job_partition": "gpu",
        "nnodes": "1",
        "ntasks": "1",
        "cpus_per_task": "16",
        "gpus_on_node": "1",
        "gpus": None,
    }
    lines = facts.reproduce(context, Words("en", "page")).splitlines()
    assert lines[0] == "git checkout 'abc; rm -rf $HOME'"
    assert "# as in the Slurm job 7?rm -rf /" in lines
    assert "module load gcc/12 'a b'" in lines
    assert "export OMP_PLACES=cores" in lines
    assert lines[-1] == (
        "srun --partition=gpu --nodes=1 --ntasks=1 --cpus-per-task=16 --gres=gpu:1 "
        "build/bench 'transpose/openmp*' --size 1e6"
    )
    assert all(line.startswith(("#", "git", "module", "export", "srun")) for line in lines)


def test_nothing_of_the_context_is_left_out(recorded):
    told = "\n".join(
        f"{name} {text}" for _, part in facts.sections(recorded["context"]) for name, text in part
    )

    def leaves(value):
        if isinstance(value, dict):
            for one in value.values():
                yield from leaves(one)
        elif isinstance(value, list):
            for one in value:
                yield from leaves(one)
        elif value is not None and not isinstance(value, bool):
            yield str(value)

    assert [leaf for leaf in leaves(recorded["context"]) if leaf not in told] == []


def test_bibtex_holds_what_identifies_the_data(make_page):
    page = make_page(RECORDED).read_text(encoding="utf-8")
    entry = page[page.index("@misc{") :]
    build = json.loads(RECORDED.read_text(encoding="utf-8"))["context"]["build"]
    for part in (build["revision"], build["version"], "2026", "SHA-256"):
        assert part in entry[: entry.index("</pre>")]


def test_bibtex_escapes_what_latex_would_take_for_its_own(recorded):
    document = type("Document", (), {})()
    document.context = copy.deepcopy(recorded["context"])
    document.node, document.sha256, document.foreign = "a_b & 50% {x} \\y", "00", False
    assert r"on a\_b \& 50\% \{x\} \textbackslash{}y;" in facts.citations([document])


EXAMPLES = RECORDED.parents[3] / "fuzz" / "corpus" / "document"


def test_a_file_of_another_program_shows_what_it_says_and_nothing_else(make_page):
    text = (
        make_page(EXAMPLES / "hyperfine.json").read_text(encoding="utf-8").partition("<script")[0]
    )
    assert "./solver --n 100" in text
    words = Words("en", "page")
    for key in ("answers", "reproduce", "no_slurm", "cite"):
        assert words(key) not in text, key
    columns = re.findall(r'<th scope="col" data-key="(\w+)"', text)
    assert columns == ["variant", "time", "interval"]
    for unknown in ("git checkout", "unknown processor", " ? ", "@misc", "serial/naive"):
        assert unknown not in text, unknown


def test_facts_of_another_program_are_shown(make_page):
    text = make_page(EXAMPLES / "pytest_benchmark.json").read_text(encoding="utf-8")
    for fact in ("Example CPU", "git checkout 0123abcd", "CPython 3.11.2", "n02"):
        assert fact in text
    for unknown in ("numa_nodes", "seed", "clock_floor_s", "json_schema_version"):
        assert f">{unknown}<" not in text
    text = make_page(EXAMPLES / "google_repetitions.json").read_text(encoding="utf-8")
    assert 'data-key="bandwidth"' in text
    assert "CPU scaling was enabled" in text
