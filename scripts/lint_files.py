"""What clang-tidy shall look at, of the sources named on the command line: the units of those that
were changed, or include a header that was. With --all: each source, by itself.

Changed are the files of the commits of the last day before the last one, and what is not committed.
What is wrong in a header shows in every source that includes it, so that one of them is enough.
Nearly all of the time goes to reading headers, which the files of a unit share; that each of them
includes what it needs is seen by --all. What clang-tidy found clean is left out until it changes.
"""

import json
import pathlib
import re
import subprocess
import sys

DAY = 24 * 3600
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)
# What changes the findings in all files.
OF_ALL = {".clang-tidy", "scripts/requirements.txt"}
BUILD = pathlib.Path("build")
LINT = BUILD / "lint"


def git(*arguments):
    # The setting is for checkouts that belong to another user, as in containers.
    command = ["git", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")


def changed_files():
    since = int(git("log", "-1", "--format=%ct")[0]) - DAY
    return {
        *git("log", f"--since={since}", "--name-only", "--format="),
        *git("diff", "--name-only", "HEAD"),
        *git("ls-files", "--others", "--exclude-standard"),
    } - {""}


def includers(texts):
    """Of each file those that include it."""
    found = {}
    for name, text in texts.items():
        for included in INCLUDE.findall(text):
            found.setdefault(included, []).append(name)
    return found


def sees(header, including, sources):
    """A source that includes a header: that of its name, or the nearest; None: there is none."""
    beside = str(pathlib.PurePath(header).with_suffix(".cpp"))
    if beside in sources:
        return beside
    seen = [header]
    for one in seen:  # which grows
        if one in sources:
            return one
        seen += [name for name in including.get(one, []) if name not in seen]
    return None


def chosen(changed, texts, sources):
    """`texts`: of all files by their names; `sources`: the names of those to choose among."""
    if changed & OF_ALL:
        return sorted(sources)
    including = includers(texts)
    seeing = {sees(name, including, sources) for name in changed & texts.keys()}
    return sorted(seeing - {None})


def files_of(entry):
    """The sources that a compilation compiles: several where CMake made one unit of them."""
    unit = pathlib.Path(entry["file"])
    if "Unity" not in unit.parts:
        return [str(unit)]
    return re.findall(r'#include "(.+)"', unit.read_text(encoding="utf-8"))


def as_clang_takes_it(entry, source):
    """The compilation, of that source: without options of gcc that clang does not know, and without
    what gcc has precompiled. Of gcc's own headers clang has all but that of OpenMP."""
    text = re.sub(r" -include \S+cmake_pch\.hxx", "", entry["command"])
    words = [word for word in text.split(" ") if not word.startswith(("-W", "-fsanitize-"))]
    words.append(f"-isystem{(LINT / 'include').resolve()}")
    text = " ".join(words).replace(entry["file"], source)
    return {"directory": entry["directory"], "command": text, "file": source}


def first_compilations(entries):
    """Of each source: ladders are compiled for several instruction sets and precisions, and once is
    enough."""
    first = {}
    for entry in entries:
        for source in files_of(entry):
            first.setdefault(source, entry)
    return first


def looked_at(sources, first, alone):
    """What clang-tidy is called with, and the sources in it. What is not compiled here, for want of
    CUDA, is looked at by itself."""
    seen = {}
    for source in sources:
        entry = None if alone else first.get(source)
        seen.setdefault(entry["file"] if entry else source, []).append(source)
    return seen


def write_if_new(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def is_clean(name, sources, others):
    """clang-tidy found nothing in it, and neither its sources nor the others changed since."""
    stamp = LINT / f"{name}.clean"
    if not stamp.exists():
        return False
    since = stamp.stat().st_mtime
    return all(pathlib.Path(path).stat().st_mtime < since for path in [*sources, *others])


def main(arguments):
    alone = arguments[0] == "--all"
    sources = set(arguments[alone:])
    files = [name for name in git("ls-files", "--cached", "--others", "--exclude-standard") if name]
    ours = [name for name in files if name.endswith((".hpp", ".h", ".cpp"))]
    texts = {name: pathlib.Path(name).read_text() for name in ours if pathlib.Path(name).is_file()}
    wanted = sorted(sources) if alone else chosen(changed_files(), texts, sources)

    entries = json.loads((BUILD / "compile_commands.json").read_text())
    first = first_compilations(entries)
    commands = {
        name: as_clang_takes_it(entry, name)
        for source, entry in first.items()
        for name in (source, entry["file"])
    }
    write_if_new(LINT / "compile_commands.json", json.dumps([*commands.values()], indent=1))

    others = [".clang-tidy", LINT / "compile_commands.json"]
    others += [name for name in texts if not name.endswith(".cpp")]
    root = pathlib.Path.cwd()
    for path, parts in looked_at([str(root / name) for name in wanted], first, alone).items():
        name = pathlib.Path(path).relative_to(root)
        if not is_clean(name, parts, others):
            print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
