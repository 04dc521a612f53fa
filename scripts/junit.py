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
# As pytest's --tb=short writes them.
BEGIN = re.compile(r"=+ (ERRORS|FAILURES) =+$")
FRAME = re.compile(r"(\S+):\d+: in ")
SUMMARY = re.compile(r"=+ short test summary info =+$")
# As programs end that run many tests: GoogleTest, and pytest with -q.
TOGETHER = re.compile(r"\[  (PASSED|SKIPPED) +\] (\d+) tests?")
PYTEST = re.compile(r"\d+ (?:passed|failed|skipped|xfailed|error).* in [\d.]+s\b")
COUNT = re.compile(r"(\d+) (passed|skipped|xfailed)")
SKIPPED = re.compile(r"SKIPPED \[(\d+)\] (?:[^:]*:)(?:\d+:)? (.*)")


def telling(output):
    """Of pytest the first failures, without what happened inside of libraries, and their number; of
    others the end."""
    begins = [i for i, line in enumerate(output) if BEGIN.match(line)]
    if not begins:
        return output[-MOST_LINES:]
    lines, foreign = [], False
    for line in output[begins[0] + 1 :]:
        if SUMMARY.match(line):
            break
        frame = FRAME.match(line)
        if frame:
            foreign = "/lib/" in frame[1]
        elif not line.startswith("    "):
            foreign = False
        if not foreign:
            lines.append(line)
    return [*lines[: MOST_LINES - 1], output[-1]]


def of_pytest(name, output, skipped):
    """How many tests of a file passed, or None; notes the skipped ones by their reasons."""
    last = next((line for line in reversed(output) if PYTEST.match(line)), None)
    if last is None:
        return None
    for number, reason in (found.groups() for found in map(SKIPPED.match, output) if found):
        skipped[reason] += [name] * int(number)
    return sum(int(number) for number, kind in COUNT.findall(last) if kind != "skipped")


def counts(file, tell):
    """(passed, failed, skipped); `tell` prints the lines for people."""
    passed = failed = 0
    skipped = collections.defaultdict(list)
    for case in ET.parse(file).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        output = (case.findtext("system-out") or "").splitlines()
        reason = next((e.get("message") for e in case if e.tag in ("skipped", "failure")), "")
        if status == "run" and (number := of_pytest(name, output, skipped)) is not None:
            passed += number
        elif status == "run":
            together = {kind: int(n) for line in output for kind, n in TOGETHER.findall(line)}
            passed += together.get("PASSED", 1)
            skipped["by GoogleTest"] += [name] * together.get("SKIPPED", 0)
        elif reason.startswith("SKIP_") and of_pytest(name, output, skipped) is not None:
            pass  # noted by its reasons
        elif status == "disabled" or reason.startswith("SKIP_REGULAR"):
            # GoogleTest's form
            after = [b for a, b in zip(output, output[1:]) if a.endswith(": Skipped")]
            skipped[" ".join(after[:1]) or reason or status].append(name)
        else:  # also what could not be run at all, such as a missing program
            failed += 1
            tell("\n    ".join([f"  FAILED {name} {reason}".rstrip(), *telling(output)]))
    for reason, names in filter(lambda item: item[1], skipped.items()):
        tell(f"  skipped {len(names)} ({names[0]}, ...): {reason}")
    return passed, failed, sum(map(len, skipped.values()))


def slowest(number, files):
    """A line each for what took longest in all stages: minutes, test, stage."""
    cases = [
        (float(case.get("time") or 0), case.get("name"), file.name.removesuffix("-ctest.xml"))
        for file in files
        for case in ET.parse(file).getroot().iter("testcase")
    ]
    return [
        f"  {time / 60:4.1f} {name} ({stage})"
        for time, name, stage in sorted(cases)[: -number - 1 : -1]
    ]


if __name__ == "__main__" and sys.argv[1] == "--slowest":
    stages = [path for path in map(pathlib.Path, sys.argv[3:]) if path.exists()]
    print("slowest, in minutes:", *slowest(int(sys.argv[2]), stages), sep="\n")
elif __name__ == "__main__":
    print(*counts(sys.argv[1], lambda text: print(text, file=sys.stderr)))
