"""Completion in a real bash: what the program has is offered, and nothing is ever measured."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
SCRIPT = ROOT / "scripts" / "completion" / "bench.bash"
COMMANDS = [
    "run",
    "try",
    "reproduce",
    "aa",
    "false-alarms",
    "list",
    "check",
    "verify",
    "doctor",
    "table",
    "compare",
    "merge",
    "help",
]


def help_of(*words):
    return subprocess.run(
        [BENCH, *words, "--help"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def options_of(*words):
    heads = re.findall(r"^  (-\S.*?)(?:  |$)", help_of(*words), re.MULTILINE)
    return {name for head in heads for name in re.findall(r"--[\w-]+", head)}


@pytest.fixture
def complete(tmp_path):
    """What bash would offer for the last word."""
    script = (
        f'source {SCRIPT}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bench; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )

    def offers(*words):
        result = subprocess.run(
            ["bash", "-c", script, "bash", BENCH, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stderr == ""
        return [line for line in result.stdout.split("\n") if line]

    return offers


def test_commands(complete):
    assert set(COMMANDS) <= set(complete(""))
    assert complete("ver") == ["verify"]
    assert not set(COMMANDS) & set(complete("energy", "")), "a command is the first word only"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_the_help_is_known(complete, command):
    assert options_of(command)
    assert set(complete(command, "--")) == options_of(command)


def test_options_without_a_command_are_those_of_run(complete):
    assert set(complete("--")) == options_of("run") | options_of()
    assert set(complete("energy", "--")) == options_of("run")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--dtype", ""], ["f32", "f64", "u32", "i16", "f16"]),
        (["--dtype", "=", "f"], ["f32", "f64", "f16"]),
        (["--dtype", "="], ["f32", "f64", "u32", "i16", "f16"]),
        (["--dtype", "f64,f3"], ["f64,f32"]),
        (["--cache", "c"], ["cold"]),
        (["--size", ""], ["tiny", "default", "course"]),
        (["verify", "--size", "tiny,c"], ["tiny,course"]),
        (["--samples", ""], []),
        (["compare", "--threshold", ""], []),
        (["help", "gl"], ["glossary"]),
        (["--max-s"], ["--max-slow-elements"]),
        (["try", "--new", "energ"], ["energy"]),
    ],
)
def test_values(complete, words, expected):
    assert complete(*words) == expected


def test_values_that_a_document_knows(complete):
    document = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores" / "f64.json"
    assert "variant" in complete("table", str(document), "--columns", "")
    assert complete("table", str(document), "--columns", "node,vari") == ["node,variant"]
    assert complete("table", str(document), "--dtype", "") == ["f64"]
    assert "4096x4096" in complete("table", str(document), "--size", "4")
    assert "openmp/simd" in complete("table", str(document), "--baseline", "openmp/")
    assert complete("table", "--columns", "") == [], "without a document nobody knows"


@pytest.mark.parametrize("command", ["run", "table", "compare", "doctor"])
def test_languages(complete, command):
    assert set(complete(command, "--lang", "")) == {"en", "pt", "es", "fr"}


@pytest.mark.parametrize("command", ["run", "table", "merge", "compare", "doctor", "list"])
def test_formats_are_those_that_the_program_takes(complete, command):
    offered = complete(command, "--format", "")
    assert {"text", "json"} <= set(offered)
    for value in offered:
        result = subprocess.run(
            [BENCH, command, "--format", value, "no/such"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "must be one of" not in result.stderr


def test_filters(complete):
    workloads = complete("verify", "")
    assert {"energy", "transpose", "copy"} <= set(workloads)
    assert not any("/" in name for name in workloads)
    variants = complete("energy/")
    assert {"energy/serial/naive", "energy/openmp/simd"} <= set(variants)
    assert all(name.startswith("energy/") and "*" not in name for name in variants)
    assert complete("verify", "hypot/openmp/n") == ["hypot/openmp/naive"]
    assert "energy" in complete("compare", "--variant", "e")


def test_files(complete, tmp_path):
    for name in ("a.json", "b.txt", "x.npy", "two words.json"):
        (tmp_path / name).touch()
    (tmp_path / "results").mkdir()
    documents = {"a.json", "two words.json", "results"}
    for words in (["table", ""], ["compare", "a.json", ""], ["--output", ""], ["--resume", ""]):
        assert set(complete(*words)) == documents
    assert set(complete("energy", "--input", "")) == {"x.npy", "results"}


def test_asking_for_values_measures_nothing(complete, tmp_path):
    for command in COMMANDS:
        for option in options_of(command):
            complete(command, option, "")
            complete(command, option, "x/")
    assert list(tmp_path.iterdir()) == []


def test_words_that_mean_something_to_a_shell_are_harmless(complete, tmp_path):
    for word in ("$(touch a)", "`touch a`", "'", '"', "a b", "/", "--s/&", "*", "\\"):
        complete(word)
        complete("--dtype", word)
        complete(word, "")
    assert list(tmp_path.iterdir()) == []


def test_the_tab_key(tmp_path):
    """A real bash with its line editor, at a pseudo-terminal."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bench").symlink_to(BENCH)
    try:
        child, terminal = pty.fork()
    except OSError as error:  # a container without /dev/pts
        pytest.skip(f"no pseudo-terminal: {error}")
    if child == 0:
        os.chdir(tmp_path)
        os.environ.update(PATH=f"{tmp_path}/bin:{os.environ['PATH']}", PS1="ready> ", TERM="dumb")
        os.environ.pop("INPUTRC", None)
        os.execv(shutil.which("bash"), ["bash", "--norc", "--noprofile", "-i"])
    seen = ""

    def wait_for(text):
        nonlocal seen
        while text not in seen:
            assert select.select([terminal], [], [], 60)[0], f"no {text!r} in {seen!r}"
            seen += os.read(terminal, 4096).decode(errors="replace")
        seen = seen.split(text, 1)[1]

    try:
        wait_for("ready> ")
        os.write(terminal, f"source {SCRIPT}\n".encode())
        wait_for("ready> ")
        os.write(terminal, b"bench verify hist\t")
        wait_for("histogram ")
        os.write(terminal, b"--dty\t")
        wait_for("--dtype ")
    finally:
        os.write(terminal, b"\x15exit\n")  # Ctrl-U: forget the line
        os.close(terminal)
        os.waitpid(child, 0)
