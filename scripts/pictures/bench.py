"""Verdicts on nodes come from `bench compare`: their statistics are in harness/survey.cpp only."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from .documents import UsageError

BUILT = Path(__file__).resolve().parents[2] / "build" / "bench"
CODES = (0, 3, 4, 5)  # verdicts; anything else is an error


def program():
    """BENCH_BINARY, else the one that was built here, else one in PATH."""
    chosen = os.environ.get("BENCH_BINARY")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise UsageError(f"BENCH_BINARY={chosen}: no program")
        return chosen
    if os.access(BUILT, os.X_OK):
        return str(BUILT)
    found = shutil.which("bench")
    if not found:
        raise UsageError(
            "nodes are compared by bench, and there is none: "
            "build it (scripts/run.sh list) or set BENCH_BINARY"
        )
    return found


def _named(answer, links):
    """With the paths that the user gave in place of links."""
    if isinstance(answer, dict):
        return {key: _named(value, links) for key, value in answer.items()}
    if isinstance(answer, list):
        return [_named(value, links) for value in answer]
    return links.get(answer, answer) if isinstance(answer, str) else answer


def compare(paths):
    """What `bench compare` says of the nodes of these documents."""
    command = program()
    # A folder always means nodes, whereas two files are a before and an after.
    with tempfile.TemporaryDirectory() as folder:
        links = {}
        for number, path in enumerate(paths):
            link = Path(folder) / f"{number:05}.json"
            link.symlink_to(Path(path).resolve())
            links[str(link)] = str(path)
        try:
            done = subprocess.run(
                [command, "compare", folder, "--format", "json"],
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise UsageError(f"{command}: cannot be run: {error.strerror}") from None
    if done.returncode not in CODES:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        raise UsageError(f"{command} compare: {said[-1]}")
    try:
        return _named(json.loads(done.stdout), links)
    except ValueError:
        raise UsageError(f"{command} compare: its answer is no JSON; is it too old?") from None
