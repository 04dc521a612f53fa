"""Each script says what it is for, without a compiler and before it does anything."""

import importlib.util
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCRIPTS = [
    str(file.relative_to(ROOT))
    for folder in ("scripts", "dev", "jobs", "packaging")
    for file in sorted((ROOT / folder).iterdir())
    if file.is_file() and os.access(file, os.X_OK)
]
# What a script imports before it reads its options.
NEEDS = {
    "scripts/plot.py": "matplotlib",
    "scripts/report.py": "jinja2",
    "scripts/lesson.py": "jinja2",
}
AT_WORK = ("apt-get", "c++", "cmake", "ctest", "g++", "sbatch", "setarch", "srun")


def test_there_are_some():
    assert {"scripts/run.sh", "scripts/plot.py", "jobs/submit", "jobs/cpu.sbatch"} <= {*SCRIPTS}


@pytest.mark.parametrize("option", ["--help", "-h"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_it_answers(script, option, tmp_path):
    needed = NEEDS.get(script)
    if needed and not importlib.util.find_spec(needed):
        pytest.skip(f"{needed} is not installed (scripts/setup.sh all)")
    for name in AT_WORK:
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\necho {name} >>{tmp_path}/asked\nexit 1\n")
        tool.chmod(0o755)
    done = subprocess.run(
        [ROOT / script, option],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert any(
        name in done.stdout for name in (script, script.rpartition("/")[2], "jobs/submit", "bench ")
    )
    assert not (tmp_path / "asked").exists()
