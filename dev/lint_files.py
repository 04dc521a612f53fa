"""Runs clang-tidy for scripts/lint.sh: lint_files.py LOG JOBS [--all] SOURCE...

It looks at the units that read a file that was changed; with --all at each source, by itself.
What is found is on stdout, and how far it is in LOG.

Changed are the files of the commits of the last day before the last one, and what is not committed.
What is wrong in a header shows in every unit that includes it, so that one of them is enough. That
each file includes what it needs is seen by --all. What clang-tidy found clean, here or in another
clone, is left out until it changes.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

DAY = 24 * 3600
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)
# What changes the findings in all files.
OF_ALL = {".clang-tidy", "scripts/requirements/lint.txt"}
ROOT = Path.cwd()
UNITS = ROOT / "build" / "units"
LINT = Path("build") / "lint"
CLEAN = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bench-lint"


def git(*arguments):
    # The setting is for checkouts that belong to another user, as in containers.
    command = ["git", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def changed_files():
    since = int(git("log", "-1", "--format=%ct")[0]) - DAY
    return {
        *git("log", f"--since={since}", "--name-only", "--format="),
        *git("diff", "--name-only", "HEAD"),
        *git("ls-files", "--others", "--exclude-standard"),
    }


def sources_of(file):
    """The sources in a file that is compiled: several where it is a unit."""
    path = Path(file)
    return INCLUDE.findall(path.read_text("utf-8")) if UNITS in path.parents else [name_of(file)]


def name_of(file):
    return os.path.relpath(file, ROOT)


def with_headers(names, texts):
    """These files, and those that they include."""
    seen = list(names)
    for one in seen:  # which grows
        seen += [
            name
            for name in INCLUDE.findall(texts.get(one, ""))
            if name in texts and name not in seen
        ]
    return seen


def chosen(changed, read):
    """The files to look at; `read`: of each the names of what it reads, its sources first."""
    if changed & OF_ALL:
        return list(read)
    found = set()
    for name in changed:
        beside = str(Path(name).with_suffix(".cpp"))
        readers = [file for file, names in read.items() if name in names]
        found.update(sorted(readers, key=lambda file: beside not in read[file])[:1])
    return sorted(found)


def as_clang_takes_it(entry, file):
    """The compilation, of that file: without options of gcc that clang does not know, and without
    what gcc has precompiled. Of gcc's own headers clang has all but that of OpenMP."""
    text = re.sub(r" -include \S+cmake_pch\.hxx", "", entry["command"])
    words = [
        word for word in text.split(" ") if not word.startswith(("-W", "-fsanitize-", "-foffload"))
    ]
    words.append(f"-isystem{(LINT / 'include').resolve()}")
    text = " ".join(words).replace(entry["file"], file)
    return {"directory": entry["directory"], "command": text, "file": file}


def stamp_of(command, names):
    """The file that says that clang-tidy found nothing, in whatever clone: of the command, and of
    the names and contents of files of the project."""
    seen = hashlib.sha256(command.replace(str(ROOT), "").encode())
    for name in names:
        seen.update(f"\0{name}\0".encode() + (ROOT / name).read_bytes())
    return CLEAN / seen.hexdigest()


def is_clean(stamp):
    """Notes that it was asked for, too: those of the past are removed."""
    if stamp.exists():
        stamp.touch()
    return stamp.exists()


def forget_old():
    CLEAN.mkdir(parents=True, exist_ok=True)
    for stamp in CLEAN.iterdir():
        if stamp.stat().st_mtime < time.time() - 30 * DAY:
            stamp.unlink(missing_ok=True)


def first_compilations(entries):
    """One entry of each source: ladders are compiled for several instruction sets and precisions,
    and once is enough.
    """
    first = {}
    for entry in entries:
        for name in sources_of(entry["file"]):
            first.setdefault(name, entry)
    return first


def looked_at(sources, first, alone):
    """What clang-tidy may be called with. What is not compiled here, for want of CUDA, is looked at
    by itself."""
    units = (first[name]["file"] if name in first and not alone else name for name in sources)
    return [*dict.fromkeys(str(ROOT / file) for file in units)]


def clean(file, stamp):
    """Whether clang-tidy finds nothing; shows what it prints of files with findings only."""
    options = ["--quiet", "-p", LINT]
    if UNITS in Path(file).parents:  # it includes its sources
        options.append("--checks=-bugprone-suspicious-include")
    command = [".venv/bin/clang-tidy", *options, file]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode == 0:
        stamp.touch()
    else:
        sys.stdout.buffer.write(done.stdout + done.stderr)
    return done.returncode == 0


def main(log, jobs, *arguments):
    alone = arguments[0] == "--all"
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "*.hpp", "*.h", "*.cpp")
    texts = {name: Path(name).read_text("utf-8") for name in listed if Path(name).is_file()}
    first = first_compilations(json.loads(Path("build/compile_commands.json").read_text("utf-8")))
    commands = {
        file: as_clang_takes_it(entry, file)
        for name, entry in first.items()
        for file in (str(ROOT / name), entry["file"])
    }
    (LINT / "compile_commands.json").write_text(json.dumps([*commands.values()], indent=1))

    files = looked_at(arguments[alone:], first, alone)
    read = {file: with_headers(sources_of(file), texts) for file in files}
    forget_old()
    stamps = {}
    for file in files if alone else chosen(changed_files(), read):
        command = commands.get(file, {"command": ""})["command"]
        stamps[file] = stamp_of(command, [*read[file], *sorted(OF_ALL)])
    wanted = {file: stamp for file, stamp in stamps.items() if not is_clean(stamp)}
    found = 0
    with ThreadPoolExecutor(int(jobs)) as pool, open(log, "w", encoding="utf-8") as progress:
        results = pool.map(clean, wanted, wanted.values())
        for number, (file, fine) in enumerate(zip(wanted, results), 1):
            found += not fine
            print(f"[{number}/{len(wanted)}] {name_of(file)}", file=progress, flush=True)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
