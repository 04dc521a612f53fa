"""Result files that may take several tries: what is there stays, and what is missing is
measured: whole.py NAME ARGUMENTS... writes NAME.json here. For whatever Python 3 a node has."""

import itertools
import json
import pathlib
import signal
import subprocess
import sys

USAGE = 2  # the status of bench where it refuses what was asked


def read(file):
    """A result file, {} where there is none."""
    try:
        found = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def finished(document):
    return document.get("context", {}).get("run", {}).get("finished") is True


def cases(document, status):
    return [case for case in document.get("cases", []) if case["status"] == status]


def lost(document):
    """The variants that were skipped because another one had lost the device."""

    def names(found):
        return {"/".join(case[key] for key in ("workload", "backend", "variant")) for case in found}

    skipped = cases(document, "skipped")
    reasons = document.get("reasons", {})
    after_loss = [
        one for one in skipped if reasons.get(one["reason"], {}).get("key") == "device_lost"
    ]
    return sorted(names(after_loss) - names(cases(document, "failed")))


def measure(bench, arguments, folder, file):
    """bench ARGUMENTS into `file`; variants after one that had lost the device into another file,
    by a new process, once. `bench` starts it in `folder` and returns its status."""
    code = measure_one(bench, arguments, folder, file)
    document = read(folder / file)
    again = lost(document) if finished(document) else []
    if not again:
        return code
    options = itertools.dropwhile(lambda word: not word.startswith("-"), arguments)
    beside = file.replace(".json", "-again.json")
    return measure_one(bench, [*again, *options], folder, beside) or code


def measure_one(bench, arguments, folder, file):
    path = folder / file
    before = read(path)
    if finished(before):
        return int(bool(cases(before, "failed")))
    if path.exists():
        code = bench("--resume", file)
        if code != USAGE:
            return code
        path.replace(path.with_suffix(".begun"))  # on another node, or by another build
    return bench(*arguments, "--output", file)


def main(name, *arguments):
    def bench(*words):
        return subprocess.run(["bench", *words, "--no-progress"], check=False).returncode

    # What ends this ends bench, too, which writes its result file then.
    signal.signal(signal.SIGTERM, lambda *_: None)
    return measure(bench, arguments, pathlib.Path(), f"{name}.json") % 256


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
