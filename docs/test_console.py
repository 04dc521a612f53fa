"""What the pages tell their readers to type works, block by block: developer/writing-docs.md."""
# CTest: full, checks the node

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import blocks
import pytest
from bench_hpc import program

ROOT = blocks.ROOT
FOLDERS = {path.name for path in ROOT.glob("[!.]*") if path.is_dir()} - {"build", "results"}
# Packages that commands need; those of Python blocks are what they import.
NEEDS = {"plot": "matplotlib", "report": "jinja2", "lesson": "jinja2", "--board": "jinja2"}
TOOLS = ["jq"]
SECONDS = 180  # of a block; a page should need far less


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    """What bench keeps for later runs of its user: made once for all pages."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def reader(tmp_path, cache):
    """A folder like a fresh clone with the program built, and the environment of a shell in it."""
    root = tmp_path / "bench"
    for name in FOLDERS:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", ".venv"):
        if (ROOT / name).exists():
            (root / name).symlink_to(ROOT / name)
    (root / "results").mkdir()
    for name in ("reference", "schema.json"):
        (root / "results" / name).symlink_to(ROOT / "results" / name)
    (root / "build").mkdir()
    (root / "build" / "bench").symlink_to(Path(program.binary()).resolve())
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "BENCH_"))}
    path = [root / "build", Path(sys.executable).parent, env["PATH"]]
    env.update(PATH=os.pathsep.join(map(str, path)), HOME=str(tmp_path), XDG_CACHE_HOME=str(cache))
    env.setdefault("OMP_WAIT_POLICY", "passive")
    return root, env


def script(commands):
    """All but the last must succeed; the exit code is that of the last."""
    *first, last = commands
    return "\n".join(["trap 'exit 125' ERR; set -Ex", *first, "trap - ERR", last])


def run(block, root, env):
    """What went wrong with a block, or None."""
    if block.file:
        (root / block.file).parent.mkdir(parents=True, exist_ok=True)
        (root / block.file).write_text(block.text, encoding="utf-8")
        return None
    command = [sys.executable, "-c", block.text]
    if block.language == "console":
        command = ["bash", "-c", script(block.commands)]
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return f"{block.where}: not done after {late.timeout} s"
    if done.returncode == block.code:
        return None
    return f"{block.where}: exit code {done.returncode}, not {block.code}:\n{done.stdout[-3000:]}"


def lacking(block):
    """The packages that a block needs and that are not installed."""
    needed = {NEEDS.get(word) for word in block.text.split()} - {None}
    if block.language == "python":
        needed |= set(re.findall(r"^import ([\w, ]+)", block.text, re.MULTILINE))
    names = {name.strip() for some in needed for name in some.split(",")}
    tools = [one for one in TOOLS if f"$ {one} " in block.text and not shutil.which(one)]
    return sorted(name for name in names if not importlib.util.find_spec(name)) + tools


def to_run(its):
    return [
        one for one in its if not one.reason and (one.file or one.language in ("console", "python"))
    ]


@pytest.mark.parametrize("page", [page for page in blocks.pages() if to_run(blocks.of(page))])
def test_the_blocks_of_a_page_work_from_top_to_bottom(page, reader):
    its = to_run(blocks.of(page))
    missing = sorted({name for block in its if not block.file for name in lacking(block)})
    if missing:
        pytest.skip(f"{', '.join(missing)}: not installed (scripts/setup.sh all)")
    for block in its:
        wrong = run(block, *reader)
        assert not wrong, wrong


@pytest.mark.parametrize("page", blocks.pages())
def test_the_blocks_of_a_page_follow_the_rules(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    if page.startswith("docs/") or "\n```console\n" in text:
        assert blocks.faults(page, text) == []


PAGE = """# Page

<!-- file mine.txt -->
```text
here
```

- In a list:

  <!-- another comment -->
  <!-- exit 3 -->

  ```console
  $ cat mine.txt \\
      mine.txt
  here
  here
  $ exit 3
  ```

<!-- not run: needs a GPU -->
```console
$ false
```

```python
assert open("mine.txt").read() == "here\\n"
```
"""


def test_a_page_is_cut_into_blocks():
    written, listed, left_out, python = blocks.blocks("p.md", PAGE)
    assert (written.file, written.text) == ("mine.txt", "here\n")
    assert listed.where == "p.md:13"
    assert listed.code == 3
    assert listed.commands == ["cat mine.txt \\\n    mine.txt", "exit 3"]
    assert left_out.reason == "needs a GPU"
    assert to_run([written, listed, left_out, python]) == [written, listed, python]
    assert blocks.faults("p.md", PAGE) == []


def test_a_later_block_sees_what_an_earlier_one_left(reader):
    for block in to_run(blocks.blocks("p.md", PAGE)):
        assert run(block, *reader) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("$ false", "exit code 1, not 0"),
        ("$ false\n$ true", "exit code 125, not 0"),
        ("$ no-such-program", "no-such-program: command not found"),
        ("$ bench energy --no-such-option", "unknown option"),
    ],
)
def test_a_command_that_fails_is_shown(reader, text, said):
    (block,) = blocks.blocks("p.md", f"```console\n{text}\n```\n")
    assert said in run(block, *reader)


def test_an_unexpected_success_is_a_failure(reader):
    (block,) = blocks.blocks("p.md", "<!-- exit 3 -->\n```console\n$ bench list energy\n```\n")
    assert "exit code 0, not 3" in run(block, *reader)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```\nbench\n```\n", "name the language"),
        ("```sh\nbench\n```\n", "name the language"),
        ("```console\nbench\n```\n", "no line"),
        ("```text\n$ bench\n```\n", "is a console block"),
        ("<!-- not run -->\n```console\n$ false\n```\n", "<!-- not run -->: not one of"),
        ("<!-- not run: -->\n```console\n$ false\n```\n", "<!-- not run: -->: not one of"),
        ("<!-- Exit 3 -->\n```console\n$ false\n```\n", "<!-- Exit 3 -->: not one of"),
        ("<!-- exit 3 -->\n\nText.\n\n```console\n$ false\n```\n", "no block follows"),
    ],
)
def test_a_block_that_breaks_a_rule_is_named(text, said):
    ((_, what),) = blocks.faults("p.md", text)
    assert said in what


def called(command):
    """The program of a command, without the variables before it."""
    words = command.split()
    return next((word for word in words if "=" not in word), "")


@pytest.mark.parametrize("page", blocks.pages())
def test_scripts_that_are_named_but_not_run_are_there(page):
    its = [block for block in blocks.of(page) if block.language == "console" and block.reason]
    programs = {called(command) for block in its for command in block.commands}
    paths = {one for one in programs if one.split("/")[0] in FOLDERS}
    assert [one for one in sorted(paths) if not (ROOT / one).is_file()] == []
