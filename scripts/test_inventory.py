"""The inventory of courses: each command runs at a tiny size and shows what its row names."""
# CTest: full

import dataclasses
import functools
import importlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
INVENTORY = ROOT / "docs" / "developer" / "course-inventory.md"
HEAD = ["place", "what it does", "command", "look at"]

# Tools of CUDA that look at the kernels of a program: it runs alone here.
AROUND = ("compute-sanitizer",)
BRIEF = ["--samples", "1", "--min-time", "0", "--max-time", "0.01"]
ENVIRONMENT = {
    "BENCH_PYTHON": sys.executable,
    "BENCH": BENCH,
    "BENCH_JOB_SCRIPTS": str(ROOT / "jobs"),
}
SCOPES = {"kernel", "end_to_end", "pageable", "mapped", "managed"}


@dataclasses.dataclass(frozen=True)
class Row:
    section: str
    place: str
    what: str
    command: str  # empty where there is none, for a reason
    names: tuple  # what the last column has in code marks
    wrong: tuple  # of these, those with the mark of what is deliberately wrong

    def __str__(self):
        return f"{self.section} {self.place}".replace("`", "").replace("/", " ")

    @property
    def expected(self):
        found = re.search(r"exit code (\d)", self.what)
        return int(found[1]) if found else 0


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def rows_of(text):
    """The rows of all tables with that head."""
    rows, section, inside = [], "", False
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:]
        if not line.startswith("|"):
            inside = False
        elif cells(line) == HEAD:
            inside = True
        elif inside and not line.startswith("|---"):
            rows.append(row_of(section, *cells(line)))
    return rows


def row_of(section, place, what, command, look):
    code = re.fullmatch(r"`([^`]+)`", command)
    names = tuple(re.findall(r"`([^`]+)`", look))
    if not (code and names) and not re.match(r"none: \w", command):
        raise ValueError(f"{section}, {place}: a command and names, or 'none: ' and a reason")
    wrong = tuple(re.findall(r"`([^`]+)` ✗", look))
    return Row(section, place, what, code[1] if code else "", names, wrong)


def smaller(size):
    """A size of the same form: a matrix stays one, and keeps which of its sides is longer."""
    if "x" not in size:
        return "tiny" if size.isalpha() or float(size) > 1000 else size
    rows, columns = map(int, size.split("x"))
    sides = (33, 32) if rows >= columns else (32, 33)
    return "x".join(str(min(side, most)) for side, most in zip((rows, columns), sides))


def tiny(words):
    """The words of a command of bench, with a size that takes no time."""
    words = list(words)
    if "--sweep" in words:
        words[words.index("--sweep") + 1] = "1e1:1e3"
    elif "--size" in words:
        at = words.index("--size") + 1
        words[at] = ",".join(dict.fromkeys(map(smaller, words[at].split(","))))
    else:
        words += ["--size", "tiny"]
    return words


@dataclasses.dataclass
class Outcome:
    code: int
    text: str
    cases: list  # (workload, backend/variant, scope)

    @property
    def workloads(self):
        return {workload for workload, _, _ in self.cases}

    def shows(self, name):
        if name in SCOPES:
            return any(name == scope or rung == "cuda/*" for _, rung, scope in self.cases)
        if "/" not in name:
            return name in " ".join(self.text.split())
        alone = len(self.workloads) == 1
        for workload, rung, _ in self.cases:
            if f"{workload}/{rung}" == name or (alone and rung == name):
                return True
            ours = absent(workload, rung)
            if (alone and name in ours) or name.removeprefix(f"{workload}/") in ours:
                return True
        return False


@functools.lru_cache(maxsize=1)
def cupy():
    """Names of CuPy's variants, by workload."""
    peers = str(ROOT / "scripts" / "bench_hpc" / "peers")
    with (
        mock.patch.dict(sys.modules, {"cupy": mock.MagicMock()}),
        mock.patch.object(sys, "path", [peers, *sys.path]),
    ):
        ladders = importlib.import_module("cupy_").LADDERS
    return {workload: {one.name for one in ladder} for workload, ladder in ladders.items()}


@functools.lru_cache(maxsize=1)
def listed():
    """The rows of `bench list --all`: (workload, backend/variant, the mark ✗ or nothing)."""
    command = [BENCH, "list", "--all"]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found, workload = [], ""
    for line in out.splitlines():
        if head := re.match(r"(\w+)  \S", line):
            workload = head[1]
        elif rung := re.match(r"  (\w+/\w+)( ✗)? ", line):
            found.append((workload, rung[1], bool(rung[2])))
    return found


def absent(workload, rung):
    """What one row stands for where this program or machine lacks what they need: the ladder says
    what there would be."""
    if rung == "cupy/*":
        return {f"cupy/{one}" for one in cupy().get(workload, ())}
    if rung == "cuda/*":
        return {one for of, one, _ in listed() if of == workload and one.startswith("cuda/")}
    return set()


def executable(command, document):
    """What is executed for a command, and whether it writes a result file."""
    words = [str(document) if word == "FILE" else word for word in shlex.split(command)]
    if words[0] in AROUND:
        words = words[1:]
    if words[0] == "jobs/submit":
        question, arguments = words[1], tiny(words[words.index("--") + 1 :])
        job = shlex.join([f"{ROOT}/jobs/{question}.sbatch", *arguments])
        return ["bash", "-c", f"bash -n {ROOT}/jobs/submit && BENCH_DRY_RUN=yes bash {job}"], False
    if words[0] != "bench":
        raise ValueError(f"{command}: begins with neither bench nor jobs/submit")
    words = [str(ROOT / word) if (ROOT / word).is_file() else word for word in words[1:]]
    if words[0] in ("table", "doctor", "list", "plot") or "--new" in words:
        return [BENCH, *words], False
    if words[0] in ("verify", "--profile"):
        return [BENCH, *tiny(words)], False
    return [BENCH, *tiny(words), *BRIEF, "--output", "run.json"], True


VERIFIED = re.compile(
    r"^(?:ok|profiled|skipped|deliberately wrong) +(\w+)/(\w+/[\w*]+)/\S+/(\w+)", re.MULTILINE
)
HEADING = re.compile(r"^(\w+) · ")
PRINTED = re.compile(r"^  (\w+/[\w*]+)[ ~]")


def printed(text):
    """(workload, backend/variant, scope) of the lines of verify, and of tables in the terminal."""
    found, workload = VERIFIED.findall(text), ""
    for line in text.splitlines():
        if heading := HEADING.match(line):
            workload = heading[1]
        elif row := PRINTED.match(line):
            found.append((workload, row[1], "end_to_end" if "⇄" in line else "kernel"))
    return found


def outcome_of(command, document, folder):
    folder.mkdir()
    words, writes = executable(command, document)
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    file = folder / "run.json"
    if not (writes and file.exists()):
        return Outcome(done.returncode, done.stdout, printed(done.stdout))
    cases = [
        (case["workload"], f"{case['backend']}/{case['variant']}", case["scope"])
        for case in json.loads(file.read_text())["cases"]
        if not case["beside"]  # a bandwidth reference
    ]
    return Outcome(done.returncode, done.stdout, cases)


ROWS = rows_of(INVENTORY.read_text(encoding="utf-8"))
WITH_COMMAND = [row for row in ROWS if row.command]


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """A run to make tables of."""
    file = tmp_path_factory.mktemp("document") / "FILE.json"
    words = [BENCH, "energy", "--peers", "--size", "tiny", *BRIEF, "--quiet", "--output", file]
    subprocess.run(words, check=True, env={**os.environ, **ENVIRONMENT})
    return file


@pytest.fixture(scope="module")
def outcomes(document, tmp_path_factory):
    """The outcome of each command; two at a time, as most wait for Python to start."""
    folder = tmp_path_factory.mktemp("commands")
    commands = sorted({row.command for row in WITH_COMMAND})
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(
            lambda one: outcome_of(one[1], document, folder / str(one[0])), enumerate(commands)
        )
        return dict(zip(commands, found))


def complaints(row, outcome):
    """What is wrong with a row: nothing, if its command works and shows what it names."""
    if outcome.code != row.expected:
        return [f"exit code {outcome.code}: {outcome.text}"]
    return [f"{name} is not shown" for name in row.names if not outcome.shows(name)]


@pytest.mark.parametrize("row", WITH_COMMAND, ids=str)
def test_the_command_works_and_shows_what_the_row_names(row, outcomes):
    if row.command.startswith("bench plot "):
        pytest.importorskip("matplotlib")
    assert complaints(row, outcomes[row.command]) == []


def test_every_workload_has_a_command(outcomes):
    shown = set().union(*(outcome.workloads for outcome in outcomes.values()))
    assert {workload for workload, _, _ in listed()} <= shown


def test_all_that_is_wrong_on_purpose_is_marked_and_nothing_else(outcomes):
    marked, named = set(), set()
    for row in WITH_COMMAND:
        for workload in outcomes[row.command].workloads:
            marked |= {f"{workload}/{name}" for name in row.wrong}
            named |= {f"{workload}/{name}" for name in row.names if name.count("/") == 1}
    wrong = {f"{workload}/{rung}" for workload, rung, mark in listed() if mark}
    assert wrong
    assert marked == wrong
    assert marked == named & wrong, "each time with its mark"


@pytest.mark.parametrize("name", ["000", "001", "002", "003", "004"])
def test_each_of_the_five_has_a_table(name):
    assert sum(row.section == name for row in ROWS) > 5


def test_it_is_linked():
    assert "(developer/course-inventory.md)" in (ROOT / "docs" / "README.md").read_text()
    page = (ROOT / "docs" / "teacher" / "course-topics.md").read_text()
    assert "(../developer/course-inventory.md)" in page


# Mistakes that such a result file may have: each is found.

PLANTED = (
    "## 000\n\n| place | what it does | command | look at |\n|---|---|---|---|\n| f | g | {} |\n"
)
MISTAKES = {
    "`bench energy/serial` | `serial/nix`": "serial/nix is not shown",
    "`bench energy` | `cuda/nix`": "cuda/nix is not shown",
    # A variant of another workload, and one of the bandwidth reference measured with it.
    "`bench energy hypot` | `energy/cuda/branch_free`, `hypot/cuda/branch_free`": "hypot/cuda/",
    "`bench column_sums` | `cuda/grid_stride`": "cuda/grid_stride is not shown",
    "`bench energyy` | `serial/naive`": "exit code 2",
    "`bench energy --nix` | `serial/naive`": "exit code 2",
    "`bench verify energy/serial` | `openmp/naive`": "openmp/naive is not shown",
    "`bench table FILE --columns nix` | `serial/naive`": "exit code 2",
    "`bench table FILE --preset course` | `Versão`": "Versão is not shown",
    "`bench copy/serial` | `pageable`": "pageable is not shown",
    "`bench doctor` | `nix`": "nix is not shown",
    "`jobs/submit course -- energyy` | `energy`": "exit code 2",
    "`jobs/submit nix -- energy` | `energy`": "exit code 127",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found(mistake, document, tmp_path):
    (row,) = rows_of(PLANTED.format(mistake))
    (complaint,) = complaints(row, outcome_of(row.command, document, tmp_path / "run"))
    assert MISTAKES[mistake] in complaint


@pytest.mark.parametrize("row", ["bench energy | `serial/naive`", "`bench energy` | -", "none | -"])
def test_a_row_without_a_command_names_or_a_reason_is_no_row(row):
    with pytest.raises(ValueError, match="a command and names, or 'none: ' and a reason"):
        rows_of(PLANTED.format(row))


def test_without_cuda_the_one_row_has_the_names_of_the_ladder():
    outcome = Outcome(0, "", printed("skipped  add/cuda/*/f32/1000/kernel: built without CUDA\n"))
    assert outcome.shows("cuda/wide")
    assert outcome.shows("add/cuda/wide")
    assert outcome.shows("pageable")
    assert not outcome.shows("cuda/nix")


def test_peers_that_are_not_installed_have_the_names_of_their_ladder():
    outcome = Outcome(0, "", [("add", "cupy/*", "kernel")])
    assert outcome.shows("cupy/elementwise")
    assert outcome.shows("add/cupy/elementwise")
    assert not outcome.shows("cupy/nix")


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ("course", "tiny"),
        ("1e8", "tiny"),
        ("512", "512"),
        ("16384x16384", "33x32"),
        ("32768x4", "33x4"),
        ("4x4", "4x4"),
        ("64x262144", "32x33"),
    ],
)
def test_a_size_becomes_a_small_one_of_its_form(size, expected):
    assert smaller(size) == expected
