"""What clang-tidy looks at, of the sources named on the command line: the units of those that
were changed, or include a header that was. With --all: each source, by itself. A line has the name
and, behind a tab, the file to write once it was found clean.

Changed are the files of the commits of the last day before the last one, and what is not committed.
What is wrong in a header shows in every source that includes it, so that one of them is enough.
Nearly all of the time goes to reading headers, which the files of a unit share; that each of them
includes what it needs is seen by --all. What clang-tidy found clean, here or in another clone, is
left out until it changes.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

DAY = 24 * 3600
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)
# What changes the findings in all files.
OF_ALL = {".clang-tidy", "scripts/requirements/lint.txt"}
ROOT = pathlib.Path.cwd()
BUILD = pathlib.Path("build")
UNITS = ROOT / BUILD / "units"
LINT = BUILD / "lint"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
CLEAN = CACHE / "bench-lint"


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
    """The sources that a compilation compiles: several where they are one unit."""
    unit = pathlib.Path(entry["file"])
    if not unit.is_relative_to(UNITS):
        return [str(unit)]
    return [str(ROOT / name) for name in INCLUDE.findall(unit.read_text(encoding="utf-8"))]


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
    """What clang-tidy is called with. What is not compiled here, for want of CUDA, is looked at by
    itself."""
    if alone:
        return sources
    return [*dict.fromkeys(first.get(source, {"file": source})["file"] for source in sources)]


def with_headers(names, texts):
    """These files, and those that they include."""
    seen = list(names)
    for one in seen:  # which grows
        included = INCLUDE.findall(texts.get(one, ""))
        seen += [name for name in dict.fromkeys(included) if name in texts and name not in seen]
    return seen


def stamp_of(command, files):
    """The file that says that clang-tidy found nothing, in whatever clone: of the command, and of
    the names and contents of files of the project."""
    seen = hashlib.sha256(command.replace(str(ROOT), "").encode())
    for name in files:
        seen.update(f"\0{name}\0".encode() + (ROOT / name).read_bytes())
    return CLEAN / seen.hexdigest()


def is_clean(stamp):
    """Notes that it was asked for, too: those of the past are removed."""
    if stamp.exists():
        stamp.touch()
        return True
    return False


def forget_old():
    CLEAN.mkdir(parents=True, exist_ok=True)
    for stamp in CLEAN.iterdir():
        if stamp.stat().st_mtime < time.time() - 30 * DAY:
            stamp.unlink(missing_ok=True)


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
    (LINT / "compile_commands.json").write_text(json.dumps([*commands.values()], indent=1))

    forget_old()
    for path in looked_at([str(ROOT / name) for name in wanted], first, alone):
        names = [str(pathlib.Path(name).relative_to(ROOT)) for name in files_of({"file": path})]
        read = [*with_headers(names, texts), *sorted(OF_ALL)]
        stamp = stamp_of(commands.get(path, {"command": ""})["command"], read)
        if not is_clean(stamp):
            print(pathlib.Path(path).relative_to(ROOT), stamp, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
