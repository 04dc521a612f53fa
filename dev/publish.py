#!/usr/bin/env python3
"""Writes the values of packaging/publisher.toml where readers look for them.

publish.py           write them
publish.py --check   only name the values that are empty (exit status 1 if one is)
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VALUES = "packaging/publisher.toml"
# Of each file what is replaced, and by what; a value that is empty leaves its places as they are.
PLACES = [
    ("README.md", r"(?m)^(\$ git clone )\S+( bench )", r"\1{repository}\2"),
    ("docs/student/first-run.md", r"(?m)^(\$ git clone )\S+( bench )", r"\1{repository}\2"),
    (
        "SECURITY.md",
        r"(?s)privately to .*?, and not as a public issue",
        "privately to {security}, and not as a public issue",
    ),
    (
        "CITATION.cff",
        r"(?m)^(repository-code: .*\n)?(?=license:)",
        'repository-code: "{repository}"\n',
    ),
    ("CITATION.cff", r"(?m)^(doi: .*\n)?(?=version:)", 'doi: "{doi}"\n'),
    ("CITATION.cff", r"(?m)^date-released: .*$", "date-released: {released}"),
    ("CITATION.cff", r"(?m)^authors:\n(?:  .*\n)+", "authors:\n{names}"),
    (
        "pyproject.toml",
        r"\n(\[project\.urls\]\n.*\n\n)?(?=\[project\.optional-)",
        '\n[project.urls]\nHomepage = "{repository}"\n\n',
    ),
    ("packaging/easybuild/bench-hpc.eb", r"homepage = '.*'", "homepage = '{repository}'"),
    (
        "packaging/spack/spack_repo/bench/packages/bench_hpc/package.py",
        r"(    homepage = .*\n)?(?=    manual_download)",
        '    homepage = "{repository}"\n',
    ),
]


def values(root):
    text = (root / VALUES).read_text(encoding="utf-8")
    found = dict(re.findall(r'(?m)^(\w+) = "([^"]*)"', text))
    names = [f'  - name: "{one.strip()}"\n' for one in found["authors"].split(";") if one.strip()]
    return {**found, "names": "".join(names)}


def main(arguments, root=ROOT):
    given = values(root)
    empty = [key for key, value in given.items() if not value and key != "names"]
    if empty:
        print(f"{VALUES}: empty: {', '.join(empty)}", file=sys.stderr)
    if "--check" in arguments:
        return 1 if empty else 0
    for name, pattern, new in PLACES:
        if not all(given[key] for key in re.findall(r"\{(\w+)\}", new)):
            continue
        path = root / name
        text, count = re.subn(
            pattern, new.format(**given), path.read_text(encoding="utf-8"), count=1
        )
        if not count:
            raise SystemExit(f"{name}: has no place for {pattern}")
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
