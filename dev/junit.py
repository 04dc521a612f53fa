"""What CTest's JUnit files say.

junit.py FILE: what failed and why on stderr, three counts on stdout.
junit.py --slowest N FILE...: what took longest.
"""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

MOST_LINES = 40  # of a failed test
# As programs end that run many tests: GoogleTest, and pytest with -q.
TOGETHER = re.compile(r"\[  (PASSED|SKIPPED) +\] (\d+) tests?")
PYTEST = re.compile(r"\d+ (?:passed|failed|skipped|xfailed|error).* in [\d.]+s\b")
COUNT = re.compile(r"(\d+) (?:passed|xfailed)")
SKIPPED = re.compile(r"SKIPPED \[(\d+)\] (?:[^:]*:)(?:\d+:)? (.*)")
# As pytest's --tb=short writes what failed, and what happened inside of libraries.
FAILURES = re.compile(
    r"^=+ (?:ERRORS|FAILURES) =+\n(.*?)(?:^=+ short test summary info =+$|\Z)", re.M | re.S
)
FOREIGN = re.compile(r"^\S*/lib/\S+:\d+: in .*\n(?:    .*\n)*", re.M)


def telling(output):
    """The first failures of pytest and their number; the end of other output."""
    found = FAILURES.search("\n".join(output))
    if not found:
        return output[-MOST_LINES:]
    return [*FOREIGN.sub("", found[1]).splitlines()[: MOST_LINES - 1], output[-1]]


def result_of(case, skipped):
    """(passed, failed) of an entry of CTest; notes skipped tests by their reasons."""
    name, status = case.get("name"), case.get("status")
    output = (case.findtext("system-out") or "").splitlines()
    reason = next((e.get("message") for e in case if e.tag in ("skipped", "failure")), "")
    last = next((line for line in reversed(output) if PYTEST.match(line)), None)
    if last is not None and (status == "run" or reason.startswith("SKIP_")):
        for number, why in (found.groups() for found in map(SKIPPED.match, output) if found):
            skipped[why] += [name] * int(number)
        return sum(map(int, COUNT.findall(last))), 0
    if status == "run":
        together = {kind: int(n) for line in output for kind, n in TOGETHER.findall(line)}
        skipped["by GoogleTest"] += [name] * together.get("SKIPPED", 0)
        return together.get("PASSED", 1), 0
    if status == "disabled" or reason.startswith("SKIP_REGULAR"):  # GoogleTest's form
        after = [b for a, b in zip(output, output[1:]) if a.endswith(": Skipped")]
        skipped[" ".join(after[:1]) or reason or status].append(name)
        return 0, 0
    # Also what could not be run at all, such as a missing program.
    print("\n    ".join([f"  FAILED {name} {reason}".rstrip(), *telling(output)]), file=sys.stderr)
    return 0, 1


def counts(file):
    """(passed, failed, skipped); what failed, and why tests were skipped, is on stderr."""
    skipped = collections.defaultdict(list)
    results = [result_of(case, skipped) for case in ET.parse(file).getroot().iter("testcase")]
    for reason, names in skipped.items():
        if names:
            print(f"  skipped {len(names)} ({names[0]}, ...): {reason}", file=sys.stderr)
    passed, failed = (sum(one[i] for one in results) for i in (0, 1))
    return passed, failed, sum(map(len, skipped.values()))


def slowest(number, files):
    """A line each for what took longest in all stages: minutes, test, stage."""
    cases = [
        (float(case.get("time") or 0), case.get("name"), file.name.removesuffix("-ctest.xml"))
        for file in files
        for case in ET.parse(file).getroot().iter("testcase")
    ]
    longest = sorted(cases, reverse=True)[:number]
    return [f"  {time / 60:4.1f} {name} ({stage})" for time, name, stage in longest]


if __name__ == "__main__" and sys.argv[1] == "--slowest":
    stages = [path for path in map(pathlib.Path, sys.argv[3:]) if path.exists()]
    print("slowest, in minutes:", *slowest(int(sys.argv[2]), stages), sep="\n")
elif __name__ == "__main__":
    print(*counts(sys.argv[1]))
