"""Google Benchmark's own compare.py reads our result file and pairs serial with openmp."""
# CTest: release

import pathlib
import subprocess

import pytest

from conftest import QUICK

TOOL = pathlib.Path("/usr/share/benchmark/compare.py")


@pytest.mark.skipif(
    not TOOL.exists(), reason="compare.py is not installed (Debian: libbenchmark-tools)"
)
def test_compare_py_pairs_serial_with_openmp(bench, tmp_path):
    assert bench("energy", "hypot", *QUICK, "--output", "a.json").returncode == 0
    result = subprocess.run(
        # The system's Python, for which Debian packages NumPy and SciPy.
        [
            "/usr/bin/python3",
            str(TOOL),
            "--no-color",
            "filters",
            "a.json",
            "/serial/naive",
            "/openmp/naive",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    for workload in ("energy", "hypot"):
        pair = f"{workload}[/serial/naive vs. /openmp/naive]"
        rows = [line for line in result.stdout.splitlines() if line.startswith(pair)]
        assert any("_pvalue" in row and "U Test" in row for row in rows), result.stdout
        assert len(rows) >= 9
