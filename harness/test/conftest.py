"""What the tests of the whole program share: the binary, and ways to run it."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
QUICK = ["--size", "tiny", "--samples", "9", "--max-time", "0.05"]


@pytest.fixture
def bench(tmp_path):
    """Runs bench in an empty folder; returns the finished process."""

    def run(*arguments, timeout=900, **environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "BENCH_"))}
        env.setdefault("OMP_WAIT_POLICY", "passive")
        env.update(environment)
        return subprocess.run(
            [BENCH, *map(str, arguments)],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=timeout,
            check=False,
        )

    return run


@pytest.fixture
def document(bench):
    """Runs bench and returns its JSON result file."""

    def run(*arguments, **environment):
        result = bench(*arguments, "--output", "-", **environment)
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    return run
