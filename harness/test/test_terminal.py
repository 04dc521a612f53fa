"""What a person at a terminal sees, and a file or pipe does not: progress and colours."""
# CTest: release

import fcntl
import importlib.util
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time

import pytest

from conftest import BENCH, QUICK, ROOT

# Longer than two seconds on any machine: a second for each group.
LONG = ["--size", "2e6", "--min-time", "1", "--max-time", "1"]
RECORDED = str(ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores" / "default.json")
WORKLOADS = ["copy", "energy", "gaussian_pdf", "hypot", "histogram"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LINE_BEGIN = "\r\x1b[K"


class Seen:
    """What a program wrote to its terminal, and how it ended."""

    def __init__(self, text, status, seconds):
        self.text, self.status, self.seconds = text, status, seconds

    @property
    def progress(self):
        """The lines of progress, one after the other, as they were shown."""
        parts = self.text.split(LINE_BEGIN)[1:]
        return [part.split("\r\n")[0] for part in parts if part.startswith("[")]


@pytest.fixture
def terminal(tmp_path):
    """Runs bench with stderr, and stdout too unless it is to be a pipe, on a pseudo-terminal."""

    def run(*arguments, columns=80, stdout=None, **variables):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "BENCH_"))}
        for name in ("NO_COLOR", "CLICOLOR_FORCE"):
            kept.pop(name, None)
        env = {**kept, "OMP_WAIT_POLICY": "passive", "TERM": "xterm", **variables}
        try:
            ours, theirs = pty.openpty()
        except OSError as error:  # a container without /dev/pts
            pytest.skip(f"no pseudo-terminal: {error}")
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        begin = time.monotonic()
        process = subprocess.Popen(
            [BENCH, *arguments],
            cwd=tmp_path,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=theirs if stdout is None else stdout,
            stderr=theirs,
        )
        os.close(theirs)
        seen = bytearray()

        def read():
            while True:
                try:
                    part = os.read(ours, 65536)
                except OSError:  # the other end is closed
                    return
                if not part:
                    return
                seen.extend(part)

        reader = threading.Thread(target=read)
        reader.start()
        status = process.wait(timeout=300)
        reader.join()
        os.close(ours)
        return Seen(seen.decode(), status, time.monotonic() - begin)

    return run


@pytest.mark.parametrize(("columns", "workloads"), [(80, WORKLOADS), (50, WORKLOADS[:2])])
def test_progress_is_shown_and_cleared(terminal, columns, workloads):
    seen = terminal("run", *workloads, *LONG, columns=columns)
    assert seen.status == 0, seen.text
    assert seen.progress
    for line in seen.progress:
        assert re.match(r"\[\d/\d\] [ \d]{2,3} % (measuring|verifying) ", line), line
        assert len(line) < columns
        assert line.isprintable()
    shares = [int(line.split("]")[1].split("%")[0]) for line in seen.progress]
    assert shares == sorted(shares), "it never goes back"
    left = [line.split(" · ")[1] for line in seen.progress if " · " in line]
    assert left
    for text in left:
        assert re.fullmatch(r"a few seconds left|about \d+ (s|min) left", text), text
    after = seen.text.rsplit(LINE_BEGIN, 1)[1]
    assert not after.startswith("["), "the last thing that happens to the line: it is cleared"
    assert "result file: " in after


def test_what_ends_at_once_shows_no_progress(terminal):
    seen = terminal("copy", *QUICK)
    assert seen.status == 0
    assert seen.progress == [] or seen.seconds > 2


@pytest.mark.parametrize("option", ["--quiet", "--no-progress"])
def test_who_wants_none_gets_none(terminal, option):
    seen = terminal("run", *WORKLOADS[:2], *LONG, option)
    assert seen.status == 0
    assert LINE_BEGIN not in seen.text
    if option == "--quiet":
        assert seen.text == ""


def test_a_terminal_that_cannot_rewrite_lines_gets_no_escapes(terminal):
    seen = terminal("run", *WORKLOADS[:2], *LONG, TERM="dumb")
    assert seen.status == 0
    assert "\x1b" not in seen.text
    assert "\r" not in seen.text.replace("\r\n", "\n")
    assert "result file: " in seen.text


@pytest.mark.parametrize("command", [["table", RECORDED], ["list", "--all"]])
def test_lines_fit_the_terminal(terminal, command):
    for columns in (60, 80):
        text = ESCAPE.sub("", terminal(*command, columns=columns).text)
        assert max(map(len, text.splitlines())) <= columns
    assert terminal(*command, columns=200).text == terminal(*command, columns=80).text


def test_verify_shows_progress_too(terminal):
    seen = terminal("verify", "energy", "hypot", "gaussian_pdf", "--size", "8e6")
    assert seen.status == 0
    # The line is first written where a variant begins after two seconds: it may be the last one.
    assert seen.progress or seen.seconds < 4
    assert all(" verifying " in line for line in seen.progress)
    results = [line for line in ESCAPE.sub("", seen.text).split("\n") if "ok  " in line]
    assert len(results) >= 12


def test_a_pipe_gets_the_same_bytes_with_and_without_a_terminal(terminal, bench, tmp_path):
    document = tmp_path / "a.json"
    result = bench("copy", *QUICK, "--output", document)
    assert "\x1b" not in result.stdout
    read, write = os.pipe()
    with os.fdopen(read) as ours:
        seen = terminal("table", str(document), stdout=write)
        os.close(write)
        assert ours.read() == bench("table", document).stdout
    assert seen.text == ""


def rows(text, word):
    return [line for line in text.split("\r\n") if word in line and line.startswith("  ")]


def test_colours_on_a_terminal(terminal, bench):
    seen = terminal("copy", *QUICK)
    assert seen.status == 0
    skipped = rows(seen.text, "skipped:")
    assert skipped
    assert all(line.startswith("  \x1b[2m") and line.endswith("\x1b[0m") for line in skipped)
    bold = [line for line in seen.text.split("\r\n") if "\x1b[1m" in line]
    assert bold
    assert all(ESCAPE.sub("", line).endswith(" 1.00") for line in bold)


def test_tables_of_every_language_have_them(terminal):
    for language, skipped in (("en", "skipped:"), ("pt", "omitidas:"), ("fr", "ignorées :")):
        text = terminal("table", RECORDED, "--lang", language).text
        assert all(line.startswith("  \x1b[2m") for line in rows(text, skipped))
        assert rows(text, skipped)
        assert text.count("\x1b[1m") >= 6, "the best row of each table"
        assert "\x1b" not in terminal("table", RECORDED, "--format", "markdown").text


def test_doubts_of_every_language_have_them(terminal):
    for language, doubt in {
        "en": "warning: one",
        "pt": "aviso: uma",
        "fr": "avertissement",
    }.items():
        text = terminal("doctor", "--lang", language, OMP_NUM_THREADS="1").text
        assert f"\x1b[33m{doubt} " in text


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False),
        ({"TERM": "dumb", "CLICOLOR_FORCE": "1"}, True),
    ],
)
def test_colours_are_as_the_user_wants_them(terminal, variables, coloured):
    for arguments in (("copy", *QUICK), ("no_such_workload",)):
        seen = terminal(*arguments, **variables)
        assert ("\x1b" in seen.text) is coloured, seen.text


def test_colours_may_be_forced_into_a_pipe(bench):
    assert "\x1b[2m" in bench("copy", *QUICK, CLICOLOR_FORCE="1").stdout
    assert "\x1b" not in bench("copy", *QUICK, "--format", "json", CLICOLOR_FORCE="1").stdout


def test_a_mistake_is_red(terminal):
    seen = terminal("--dtype", "f8")
    assert seen.status == 2
    assert seen.text.startswith("\x1b[31mbench: --dtype f8")
    assert seen.text.endswith("\x1b[0m\r\n")


def test_a_run_ends_with_its_file_and_the_next_command(bench, tmp_path):
    result = bench("copy", *QUICK, "--output", "a.json")
    *_, file, following = result.stdout.splitlines()
    assert file == "result file: a.json"
    assert following.startswith("next: ")
    words = following.split()[1:]
    assert "a.json" in words
    if words[1] == "table":
        again = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert again.returncode == 0
        assert again.stdout in result.stdout


def test_a_command_in_python_is_named_only_where_the_package_is(bench):
    result = bench("copy", *QUICK, "--output", "a.json")
    command = result.stdout.splitlines()[-1].split()[2]
    in_its_tree = os.path.dirname(os.path.dirname(os.path.realpath(BENCH))) == str(ROOT)
    there = in_its_tree and importlib.util.find_spec("jinja2")
    assert command == ("report" if there else "table")
