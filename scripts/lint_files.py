"""Which sources clang-tidy shall look at, of those named on the command line: that were changed, or
include a header that was.

Changed are the files of the commits of the last day before the last one, and what is not committed.
What is wrong in a header shows in every source that includes it, so that one of them is enough.
"""

import pathlib
import re
import subprocess
import sys

DAY = 24 * 3600
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)
# What changes the findings in all files.
OF_ALL = {".clang-tidy", "scripts/requirements.txt"}


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


def main(sources):
    files = [name for name in git("ls-files", "--cached", "--others", "--exclude-standard") if name]
    ours = [name for name in files if name.endswith((".hpp", ".h", ".cpp"))]
    texts = {name: pathlib.Path(name).read_text() for name in ours if pathlib.Path(name).is_file()}
    print("\n".join(chosen(changed_files(), texts, set(sources))))


if __name__ == "__main__":
    main(sys.argv[1:])
