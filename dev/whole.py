"""Result files that may take several tries: what is there stays, and what is missing is
measured: whole.py NAME ARGUMENTS... writes NAME.json here. For whatever Python 3 a node has."""

import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys

USAGE = 2  # the status of bench where it refuses what was asked


def read(file):
    """A result file, {} where there is none."""
    try:
        found = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def finished(document):
    return document.get("context", {}).get("run", {}).get("finished") is True


def cases(document, status):
    return [case for case in document.get("cases", []) if case["status"] == status]


def lost(document):
    """The variants that were skipped because another one had lost the device."""

    def names(found):
        return {"/".join(case[key] for key in ("workload", "backend", "variant")) for case in found}

    reasons = document.get("reasons", {})
    after_loss = [
        one
        for one in cases(document, "skipped")
        if reasons.get(one["reason"], {}).get("key") == "device_lost"
    ]
    return sorted(names(after_loss) - names(cases(document, "failed")))


def bench(words, folder, quiet):
    """Its status. What ends this ends its whole group, so that bench writes its result file."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    environment = {"BENCH_PYTHON": sys.executable, **os.environ}
    binary = environment.get("BENCH_BINARY")
    command = ["bench", *words, quiet]
    with subprocess.Popen(command, executable=binary, env=environment, cwd=folder) as running:
        return running.wait()


def measure(arguments, folder, file, quiet="--no-progress"):
    """bench ARGUMENTS into `file`; variants after one that had lost the device into another file,
    by a new process, once. Returns its status."""
    code = measure_one(arguments, folder, file, quiet)
    document = read(folder / file)
    again = lost(document) if finished(document) else []
    if not again:
        return code
    options = itertools.dropwhile(lambda word: not word.startswith("-"), arguments)
    beside = file.replace(".json", "-again.json")
    return measure_one([*again, *options], folder, beside, quiet) or code


def measure_one(arguments, folder, file, quiet):
    path = folder / file
    before = read(path)
    if finished(before):
        return int(bool(cases(before, "failed")))
    if path.exists():
        code = bench(["--resume", file], folder, quiet)
        if code != USAGE:
            return code
        path.replace(path.with_suffix(".begun"))  # on another node, or by another build
    return bench([*arguments, "--output", file], folder, quiet)


if __name__ == "__main__":
    sys.exit(measure(sys.argv[2:], pathlib.Path(), f"{sys.argv[1]}.json") % 256)
