"""The commands as a user types them: output, exit codes, one clear line for every mistake."""

import json
import math
import pathlib
import re
import signal
import subprocess

import numpy
import pytest

from conftest import BENCH, QUICK

ROOT = pathlib.Path(__file__).resolve().parents[2]
OF_PAGES = ("sizes", "scopes", "exit-codes", "environment", "glossary", "faq", "why-slow")


def test_run_prints_tables_and_writes_a_file(bench, tmp_path):
    result = bench(*QUICK)
    assert result.returncode == 0
    assert result.stderr == ""
    for word in (
        "energy",
        "gaussian_pdf",
        "hypot",
        "histogram",
        "transpose",
        "copy",
        "openmp/naive",
        "skipped",
    ):
        assert word in result.stdout
    *lines, file_line, next_line = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in result.stdout
    (file,) = (tmp_path / "results").glob("*.json")
    assert file_line == f"result file: results/{file.name}"
    assert next_line.startswith("next: ")


def test_table_prints_what_the_run_printed(bench, tmp_path):
    run = bench("energy", "copy", *QUICK, "--output", "a.json")
    table = bench("table", "a.json")
    assert table.returncode == 0
    assert run.stdout.startswith(table.stdout)


def test_json_on_stdout_is_the_document_in_the_file(bench, tmp_path):
    result = bench("copy", *QUICK, "--format", "json", "--output", "a.json")
    assert json.loads(result.stdout) == json.loads((tmp_path / "a.json").read_text())


def test_results_folder_and_quiet(bench, tmp_path):
    result = bench("copy", *QUICK, "--quiet", BENCH_RESULTS_DIR=str(tmp_path / "deep" / "er"))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert len(list((tmp_path / "deep" / "er").glob("*.json"))) == 1


def test_a_variable_chooses_the_language_that_an_option_overrides(bench):
    told = ["list", "copy"], ["help", "columns"], ["verify", "copy/serial/naive"]
    for command in told:
        english, asked = bench(*command), bench(*command, "--lang", "pt-BR")
        assert asked.stdout != english.stdout
        assert bench(*command, BENCH_LANG="pt_BR.UTF-8").stdout == asked.stdout
        assert bench(*command, "--lang", "en", BENCH_LANG="pt").stdout == english.stdout
    assert "o laço ingênuo" in bench("list", "copy", BENCH_LANG="pt").stdout
    refused = bench("list", BENCH_LANG="xx")
    assert refused.stderr == "bench: BENCH_LANG xx: must be one of en, pt, es, fr\n"
    assert bench("merge", "--help", BENCH_LANG="xx").returncode == 0


def test_list_names_everything(bench):
    result = bench("list", "--all")
    assert result.returncode == 0
    for word in (
        "serial/naive",
        "openmp/private_bins",
        "tiny",
        "course 16384x16384",
        "cuda/padded",
    ):
        assert word in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_list_is_one_screen(bench):
    lines = bench("list", COLUMNS="100").stdout.splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 100
    rows = [line for line in lines if re.match(r"[* ] \w", line)][1:-1]
    assert len(rows) == len(json.loads(bench("list", "--format", "json").stdout)["workloads"])
    assert sum(row.startswith("*") for row in rows) == 6
    assert any(row.startswith("* energy ") and "√|x|" in row for row in rows)


def test_list_of_one_workload_names_its_variants(bench):
    lines = bench("list", "energy").stdout
    assert "serial/naive" in lines
    assert "hypot" not in lines


def test_list_for_programs_has_the_facts_of_each_workload(bench):
    listed = json.loads(bench("list", "--format", "json").stdout)
    workloads = {one["name"]: one for one in listed["workloads"]}
    copy, transpose = workloads["copy"], workloads["transpose"]
    assert copy["bytes_per_element"] == 8
    assert copy["flops_per_element"] == 0
    assert transpose["form"] == "matrix"
    assert transpose["sizes"]["course"] == "16384x16384"
    assert "f64" in transpose["dtypes"]
    assert workloads["histogram"]["most_bins"] == 65536
    assert [one["name"] for one in listed["workloads"] if one["measured_by_default"]]
    for one in workloads.values():
        naive = one["variants"][0]
        assert (naive["backend"], naive["variant"]) == ("serial", "naive")
        assert all(variant["idea"] for variant in one["variants"])
    assert any(variant["wrong"] for one in workloads.values() for variant in one["variants"])
    (energy,) = json.loads(bench("list", "energy", "--format", "json").stdout)["workloads"]
    assert energy == workloads["energy"]


def test_list_is_by_lesson(bench):
    lines = bench("list", "--all").stdout.splitlines()
    lessons = [line for line in lines if ": " in line and not line.startswith(" ")]
    assert len(lessons) == len(set(lessons)) >= 4
    listed = [line.split("  ")[0] for line in lines if "  " in line and not line.startswith(" ")]
    assert listed.index("copy") < listed.index("add") < listed.index("energy")
    assert len(listed) == len(set(listed))


def test_doctor_says_what_there_is_and_what_to_doubt(bench):
    result = bench("doctor")
    assert (result.returncode, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 80
    for word in ("processor", "memory", "allocated", "job", "GPU", "build", "not in a Slurm job"):
        assert word in result.stdout
    narrow = bench("doctor", OMP_NUM_THREADS="1", SLURM_JOB_ID="17", SLURM_CPUS_PER_TASK="512")
    assert narrow.returncode == 0
    assert "warning: one thread only" in narrow.stdout
    assert "warning: the job has 512 cpus per task" in narrow.stdout
    assert bench("doctor", "what").returncode == 2


def test_doctor_tells_a_program_too(bench):
    result = bench("doctor", "--format", "json", "--lang", "pt", OMP_NUM_THREADS="1")
    assert (result.returncode, result.stderr) == (0, "")
    told = json.loads(result.stdout)
    assert list(told) == ["context", "doubts"]
    assert {"run", "build", "machine", "slurm"} <= set(told["context"])
    assert told["context"]["run"]["warnings"] == told["doubts"]
    assert any(doubt.startswith("one thread only: ask for more") for doubt in told["doubts"])
    assert bench("doctor", "--format", "csv").returncode == 2


def test_verify_shows_the_first_results(bench):
    result = bench("verify", "energy", "--size", "1e4", "--show", "3")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    ok = [i for i, line in enumerate(lines) if line.startswith("ok ")]
    assert len(ok) >= 4
    for i in ok:
        for number, line in enumerate(lines[i + 1 : i + 4]):
            shown = re.fullmatch(r"\[(\d+)\]  of (\S+)  result (\S+)  reference (\S+)", line)
            index, x, result, wanted = map(float, shown.groups())
            assert index == number
            assert sum(c.isdigit() for c in shown[3]) >= 7
            energy = math.sin(x) ** 2 + math.sqrt(abs(x)) + math.exp(-(x**2) / 50)
            assert result == pytest.approx(energy, rel=1e-6)
            assert wanted == pytest.approx(energy, rel=1e-6)


def test_verify_shows_all_inputs_of_a_result_where_it_has_its_own(bench):
    def first_line(*filters):
        result = bench("verify", *filters, "--size", "3x4", "--show", "2")
        return [line for line in result.stdout.splitlines() if not line.startswith("ok")][-1]

    assert re.fullmatch(
        r"\[1\]  of \S+, \S+  result \S+  reference \S+", first_line("hypot/serial/naive")
    )
    assert re.fullmatch(r"\[1\]  result \d+  reference \d+", first_line("histogram/serial/naive"))
    x, result = re.fullmatch(
        r"\[1\]  of (\S+)  result (\S+)  reference \S+", first_line("transpose/serial/naive")
    ).groups()
    assert result == x


def test_a_profile_is_of_one_variant_and_leaves_no_document(bench, tmp_path):
    result = bench("--profile", "energy/openmp/simd", "--size", "tiny")
    assert result.returncode == 0
    line = r"profiled energy/openmp/simd/f32/1000/kernel: once to warm up, and once for \d"
    assert re.match(line, result.stdout)
    assert list(tmp_path.iterdir()) == []
    numpy.save(tmp_path / "x.npy", numpy.arange(7, dtype=numpy.float32))
    own = bench("--profile", "energy/openmp/simd", "--input", "x.npy")
    assert own.stdout.startswith("profiled energy/openmp/simd/f32/7/kernel,input="), own.stderr
    device = bench("--profile", "energy/cuda/wide", "--size", "tiny")
    assert device.returncode == 0
    assert re.match(r"(skipped|profiled) +energy/cuda/", device.stdout)


def test_a_profile_that_is_none_says_why(bench):
    for arguments, why in (
        (["energy/openmp"], "selects 3, a profile is of one: energy/openmp/naive/f32/10"),
        (["energy/openmp/simd", "--size", "10,20"], "selects 2"),
        (["energy/openmp/simd", "--samples", "9"], "--samples"),
        (["energy/openmp/simd", "hypot"], "FILTER"),
        (["energy/openmp/simd", "--peers"], "--peers"),
        (["energy/openmp/nix"], "energy/openmp/nix"),
    ):
        result = bench("--profile", *arguments)
        assert result.returncode == 2, arguments
        assert result.stderr.count("\n") == 1
        assert why in result.stderr


def test_no_file_is_overwritten(bench, tmp_path):
    (tmp_path / "a.json").write_text("precious")
    result = bench("copy", *QUICK, "--output", "a.json")
    assert result.returncode == 2
    assert "a.json" in result.stderr
    assert "--output" in result.stderr
    assert (tmp_path / "a.json").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["enrgy"], ["enrgy", "energy"]),
        (["serial"], ["'serial' is a backend, not a workload: use --backend serial"]),
        (["energy/cpu"], ["energy/cpu", "bench list"]),
        (["energy/serail"], ["(nearest name: energy/serial)"]),
        (["energy", "--with", "--size", "tiny"], ["--with needs a value: FILE"]),
        (["energy", "--output", "--quiet"], ["--output needs a value: FILE"]),
        (["energy/serial", "--size", "tiny,0"], ["--size 0", "nothing to measure"]),
        (["transpose", "--size", "0x10"], ["--size 0x10", "nothing to measure"]),
        (["--size", "big"], ["big", "1e6"]),
        (["--size", "10x"], ["'10x'", "4096x4096"]),
        (["--size", "x10"], ["'x10'", "4096x4096"]),
        (["histogram", "--size", "1000:10"], ["--size 1000 --bins 10"]),
        (["list", "nosuch"], ["nosuch"]),
        (["--size", "-5"], ["-5", "negative"]),
        (["--size", "1e300"], ["1e300", "too large"]),
        (["--size", "1.5"], ["1.5", "whole"]),
        (["--size", "99999999999999999999"], ["too large"]),
        (["--dtype", "f8"], ["--dtype", "f8", "f32"]),
        (["--dtype", "f16"], ["--dtype f16", "name matmul"]),
        (["--bins", "0"], ["--bins", "0"]),
        (["histogram", "--bins", "65537"], ["65537", "65536"]),
        (["--threads", "0"], ["--threads"]),
        (["--threads", "100000"], ["--threads", "cpus"]),
        (["--seed", "-1"], ["--seed"]),
        (["--seed", "4294967296"], ["--seed"]),
        (["--samples", "0"], ["--samples"]),
        (["--min-time", "nan"], ["--min-time"]),
        (["--max-time", "-1"], ["--max-time"]),
        (["--min-time", "9", "--max-time", "1"], ["--min-time"]),
        (["--cache", "warm"], ["--cache", "warm", "cold"]),
        (["--isa", "avx"], ["--isa", "baseline"]),
        (["--format", "xml"], ["--format", "text"]),
        (["--szie", "1"], ["--szie", "--size"]),
        (["--size"], ["--size"]),
        (["--output", "/proc/nowhere/a.json", "copy"], ["/proc/nowhere/a.json"]),
        (["table"], ["name result files"]),
        (["table", "missing.json"], ["missing.json"]),
        (["table", "."], ["."]),
        (["verify", "--show", "x"], ["--show", "x"]),
        (["energy", "openmp"], ["'openmp' is a backend, not a workload: use --backend openmp"]),
        (["energy", "gpu"], ["'gpu' is a backend, not a workload: use --backend cuda"]),
        (["tabel", "x.json"], ["unknown command or workload 'tabel'; did you mean bench table?"]),
        (["doctr"], ["'doctr'; did you mean bench doctor?"]),
        (["lits"], ["did you mean bench list?"]),
        (["version"], ["'version' is not a command or a workload; use bench --version"]),
        (["mine.cpp"], ["'mine.cpp' is not a workload; to measure a file: bench try mine.cpp"]),
        (["verify", "mine.cu"], ["to measure a file: bench try mine.cu"]),
        (["results/a.json"], ["to show a result file: bench table results/a.json"]),
        (["energies"], ["no variant matches 'energies'; 'bench list' shows all"]),
        (["list", "enregy"], ["nearest name: energy"]),
        (["help", "nosuch"], ["help: 'nosuch' is not a topic or a command; topics: columns"]),
        (["hypot", "--bins", "10"], ["--bins: no selected workload has bins (histogram has)"]),
        (["verify", "hypot", "--bins", "10"], ["--bins: no selected workload has bins"]),
        (
            ["hypot", "--block", "64", "--backend", "serial"],
            ["--block: no selected variant runs on"],
        ),
        (["hypot/openmp", "--scope", "kernel"], ["--scope: no selected variant runs on a GPU"]),
        (["energy", "--output", "x.csv"], ["bench table FILE.json --format csv"]),
        (["try", "mine.cpp", "energy"], ["energy: is a workload, not a file"]),
        (["try", "--new", "nosuch", "x.cpp"], ["--new nosuch: is not a workload"]),
        (["table", "energy"], ["energy: is not a file; to filter: --filter energy"]),
    ],
)
def test_mistakes_get_one_line_and_exit_2(bench, tmp_path, arguments, words):
    result = bench(*arguments)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("bench: ")
    for word in words:
        assert word in result.stderr
    assert not (tmp_path / "results").exists(), "a mistake leaves nothing behind"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"schema": "bench-report/1"}',
        '{"schema":"bench-report/1","context":1,"cases":[1],"speedups":2}',
        "\xff\xfe",
    ],
)
def test_foreign_files_are_refused(bench, tmp_path, text):
    (tmp_path / "x.json").write_text(text, encoding="latin-1")
    result = bench("table", "x.json")
    assert result.returncode == 2
    assert "x.json" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--help"], ["run", "--help"], ["verify", "--help"], ["--version"]]
)
def test_help(bench, arguments):
    result = bench(*arguments)
    assert result.returncode == 0
    assert "bench" in result.stdout
    assert result.stderr == ""


COMMANDS = [
    one["name"]
    for one in json.loads(
        subprocess.run([BENCH, "help", "--format", "json"], capture_output=True, check=True).stdout
    )["commands"]
    if one["section"] != "Publish"  # these are in Python: test_python_commands.py
]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_and_has_examples(bench, command):
    for width in (60, 80, 100, 200):
        text = bench(*([command] if command else []), "--help", COLUMNS=str(width)).stdout
        longest = max(text.splitlines(), key=len)
        assert len(longest) <= min(width, 100), longest
        assert "Excludes" not in text
        assert "REQUIRED" not in text
    first, *lines = text.splitlines()
    assert first.startswith("Usage: bench")
    lines = lines[lines.index("Examples:") + 1 :]
    typed = lines[: lines.index("")]
    assert typed
    for line in typed:
        assert re.match(r"  (srun .*)?bench\b", line) or line.startswith("    ")


@pytest.mark.parametrize("command", COMMANDS)
def test_short_help_is_a_part_of_help_and_says_where_the_rest_is(bench, command):
    brief, whole = (bench(command, option).stdout for option in ("-h", "--help"))
    assert len(brief.splitlines()) <= 50
    options = set(re.findall(r"^  (--[a-z-]+)", brief, re.MULTILINE))
    assert options <= set(re.findall(r"^  (--[a-z-]+)", whole, re.MULTILINE))
    assert f"bench {command} --help shows all" in " ".join(brief.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_use_options_that_there_are(bench, command):
    everything = json.loads(bench("help", "--format", "json").stdout)["commands"]
    options = {
        one["name"]: {
            name
            for group in one["groups"]
            for option in group["options"]
            for name in option["names"]
        }
        for one in everything
    }
    options["false-alarms"] = options["aa"]
    (of_it,) = [one for one in everything if one["name"] == command]
    for example in of_it["examples"]:
        words = re.sub(r"^srun \S+ ", "", example["command"]).split()[1:]
        called = words[0] if words and words[0] in options else "run"
        assert {word for word in words if word.startswith("--")} <= options[called]


def test_help_for_programs_knows_defaults_and_values(bench):
    everything = json.loads(bench("help", "--format", "json").stdout)
    run = everything["commands"][0]
    assert run["usage"] == "bench [run] [FILTER...] [OPTIONS]"
    options = {option["names"][0]: option for group in run["groups"] for option in group["options"]}
    assert options["--samples"]["default"] == "100"
    assert options["--samples"]["value"] == "N"
    assert options["--kernel"]["names"] == ["--kernel", "--with"]
    assert options["--quiet"]["value"] is None
    assert {one["name"] for one in everything["topics"]} == {
        path.stem for path in (ROOT / "docs" / "reference").glob("*.md") if path.stem in OF_PAGES
    }


@pytest.mark.parametrize("topic", ["columns", *OF_PAGES, "commands"])
def test_topics_fit_the_terminal(bench, topic):
    for width in (60, 80):
        result = bench("help", topic, COLUMNS=str(width))
        assert result.returncode == 0
        assert max(map(len, result.stdout.splitlines())) <= width
        assert not re.search(r"\*\*|`|^#|^\|", result.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (
            ["transpose", "--size", "4096"],
            "for transpose 64x64; for 4096 rows and columns: --size 4096x4096",
        ),
        (["matrix_add", "--size", "1000"], "for matrix_add 31x31"),
        (
            ["transpose", "--size", "1e3"],
            "--size 1e3 is the number of elements, for transpose 31x31",
        ),
        (["transpose", "--size", "64x64"], None),
        (["transpose", "--size", "250000"], None),
        (["transpose", "--sweep", "1e2:1e3"], None),
        (["copy", "--size", "1000"], None),
    ],
)
def test_a_size_that_is_not_a_number_of_rows_says_so(bench, arguments, note):
    result = bench(*arguments, "--samples", "1", "--max-time", "0.1", "--output", "none")
    assert result.returncode == 0, result.stderr
    words = " ".join(result.stdout.split())
    assert ("note: --size" in words) == (note is not None)
    assert (note or "") in words


def test_output_none_writes_nothing(bench, tmp_path):
    result = bench("copy", *QUICK, "--output", "none")
    assert result.returncode == 0
    assert "openmp/naive" in result.stdout
    assert "result file" not in result.stdout
    document = json.loads(bench("copy", *QUICK, "--output", "none", "--format", "json").stdout)
    assert document["context"]["run"]["finished"]
    assert list(tmp_path.iterdir()) == []


def test_without_enough_memory_everything_else_is_measured(bench):
    result = bench("energy", "--size", "tiny,1e14", "--samples", "9", "--output", "-")
    assert result.returncode == 0
    cases = json.loads(result.stdout)["cases"]
    large = [c for c in cases if c["size"] == "100000000000000" and c["threads"]]
    assert large
    assert all(c["status"] == "skipped" and "memory" in c["reason"] for c in large)
    assert any(c["status"] == "measured" for c in cases)


@pytest.mark.parametrize("more", [[], ["--executions", "2"]])
def test_a_run_that_measured_nothing_is_not_a_success(bench, more):
    result = bench("energy/serial", "--size", "1e14", "--quiet", *more)
    assert result.returncode == 4
    assert result.stderr.startswith("bench: nothing was measured")


def test_verify_ends_when_interrupted(tmp_path):
    process = subprocess.Popen(
        [BENCH, "verify", "energy", "--size", "3e7"], cwd=tmp_path, stdout=subprocess.DEVNULL
    )
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=300) == -signal.SIGTERM


def test_a_result_that_cannot_be_printed_is_no_success(tmp_path):
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [BENCH, "copy", "--size", "tiny", "--samples", "1", "--output", "-"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 1
    assert "stdout" in result.stderr


def test_the_engine_ignores_its_environment(bench):
    result = bench("copy", *QUICK, BENCHMARK_LIST_TESTS="true", BENCHMARK_FILTER="nothing")
    assert result.returncode == 0
    assert "copy" in result.stdout


def test_arguments_that_are_not_utf8(bench, tmp_path):
    result = bench("copy", *QUICK, "--output", b"caf\xe9.json".decode("utf-8", "surrogateescape"))
    assert result.returncode == 0, result.stderr
    (file,) = tmp_path.glob("*.json")
    assert json.loads(file.read_text())["context"]["run"]["finished"] is True


def test_a_filtered_reference_is_still_measured_against_the_best_copy(document):
    d = document("copy/openmp/naive", "--size", "1e5", "--samples", "9")
    reference = {(c["backend"], c["variant"]): c["reference"] for c in d["cases"]}
    assert reference["openmp", "naive"] is False
    assert reference["openmp", "streaming"] is True


def test_tables_with_threads_fit_into_80_columns(bench):
    result = bench("histogram", *QUICK, "--threads", "1,2")
    assert result.returncode == 0
    assert max(map(len, result.stdout.splitlines()[:-2])) <= 80
