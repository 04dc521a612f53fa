"""Installed below a prefix: `module load bench`, then the program and the jobs from any folder."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pytest

from conftest import BENCH, ROOT, TINY, documents

BUILD = os.environ.get("BENCH_BUILD", str(pathlib.Path(BENCH).resolve().parent))
MODULE_COMMANDS = {
    "Environment Modules": "/usr/share/modules/init/bash",
    "Lmod": "/usr/share/lmod/lmod/init/bash",
}


RECORDED = ROOT / "harness" / "test" / "recorded" / "epyc-vm-2cores" / "default.json"


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix") / "software"
    subprocess.run(
        ["cmake", "--install", BUILD, "--prefix", folder], check=True, capture_output=True
    )
    return folder


def shell(cluster, start, prefix, script, cwd):
    """A login shell's commands on the cluster, with a module command and the installation."""
    lines = ["set -e", f"source {start}", f"module use {prefix}/share/modulefiles", script]
    return cluster.check("bash", "-c", "\n".join(lines), cwd=cwd, timeout=300)


@pytest.fixture(params=MODULE_COMMANDS)
def start(request):
    file = MODULE_COMMANDS[request.param]
    if not pathlib.Path(file).exists():
        pytest.skip(f"{request.param} is not installed")
    return file


def test_only_what_is_needed_is_installed(prefix):
    files = {str(f.relative_to(prefix)) for f in prefix.rglob("*") if not f.is_dir()}
    assert {"share/man/man1/bench.1", "share/man/man1/bench-plot.1"} <= files
    assert {f"share/doc/bench/{one}" for one in ("README.md", "docs/README.md")} <= files
    pages = ("share/man/man1/", "share/doc/bench/")
    files -= {name for name in files if name.startswith(pages)}
    version = re.search(
        r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text().split("project")[1]
    )
    scripts = {f"share/bench/jobs/{f.name}" for f in (ROOT / "jobs").glob("*.sbatch")}
    package = {name for name in files if name.startswith("share/bench/python/bench_hpc/")}
    test = re.compile("test|conftest|__pycache__|README")
    assert [name for name in package if test.search(name)] == []
    assert files - package == scripts | {
        "bin/bench",
        "bin/bench-submit",
        "share/bash-completion/completions/bench",
        "share/bench/LICENSE",
        "share/bench/schema.json",
        "share/bench/jobs/README.md",
        "share/bench/jobs/alerts.yml",
        "share/bench/jobs/grafana.json",
        "share/bench/jobs/lib.sh",
        "share/bench/jobs/nodes.sh",
        "share/bench/jobs/passes",
        "share/bench/jobs/site.env.example",
        "share/bench/jobs/submit",
        f"share/modulefiles/bench/{version.group(1)}",
    }


def test_peers_are_installed_too(prefix, tmp_path):
    done = subprocess.run(
        [prefix / "bin" / "bench", "copy/numpy", "--peers", "--size", "100", "--dry-run"],
        cwd=tmp_path,
        env={**os.environ, "BENCH_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "copy f32 100: 6 cases" in done.stdout, "four of them are references"


IMPORTED = {"plot": ["matplotlib"], "report": ["jinja2", "matplotlib"], "lesson": ["jinja2"]}


@pytest.fixture(scope="module")
def moved(prefix, tmp_path_factory):
    """A copy at another place, which nobody may write, and whose Python has no source tree."""
    folder = tmp_path_factory.mktemp("open")
    folder.chmod(0o755)
    subprocess.run(["cp", "-a", prefix, folder / "software"], check=True)
    subprocess.run(["chmod", "-R", "a+rX,a-w", folder], check=True)
    yield folder / "software"
    subprocess.run(["chmod", "-R", "u+w", folder], check=True)


def installed(moved, folder, *words, user=(), python=sys.executable):
    environment = {**os.environ, "BENCH_PYTHON": str(python), "HOME": str(folder)}
    environment.pop("BENCH_BINARY", None)
    return subprocess.run(
        [*user, moved / "bin" / "bench", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", IMPORTED)
def test_pictures_and_pages_are_made_by_the_installation(moved, tmp_path, command):
    for package in IMPORTED[command]:
        pytest.importorskip(package, reason=f"{package} is not installed (scripts/setup.sh all)")
    more = ["roofline"] * (command == "plot")
    output = {"plot": "roofline.svg", "report": "report.html", "lesson": "lessons"}[command]
    done = installed(moved, tmp_path, command, *more, RECORDED, "-o", output)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / output).exists()


def test_another_user_may_use_it(moved, tmp_path):
    python = shutil.which("python3", path="/usr/bin")  # where everybody may reach it
    if os.geteuid() != 0 or not shutil.which("setpriv") or not python:
        pytest.skip("only root becomes another user, by setpriv, with a Python of the system")
    for folder in moved.parents:
        if str(folder).startswith(tempfile.gettempdir() + "/"):
            folder.chmod(folder.stat().st_mode | 0o711)
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "-C", "/"]
    done = installed(moved, tmp_path, "points", "--help", user=user, python=python)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_the_installation_lacks_is_one_line_with_a_remedy(moved, tmp_path):
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')  # without site-packages
    python.chmod(0o755)
    done = installed(moved, tmp_path, "report", "run.json", python=python)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "jinja2 is not installed: " in done.stderr
    assert "-m pip install matplotlib jinja2" in done.stderr


def test_result_files_are_read_by_pandas(prefix):
    pytest.importorskip("pandas", reason="pandas is not installed (scripts/setup.sh all)")
    code = (
        "import bench_hpc, sys; print(bench_hpc.__file__); rows = bench_hpc.read(*sys.argv[1:])\n"
    )
    code += "rows = rows[rows.status == 'measured']; print(len(rows), rows.file.nunique())\n"
    code += "print(rows['seconds.median'].min() > 0, rows['over_serial.value'].max() > 1)"
    done = subprocess.run(
        [sys.executable, "-c", code, RECORDED, RECORDED],
        env={**os.environ, "PYTHONPATH": str(prefix / "share" / "bench" / "python")},
        capture_output=True,
        text=True,
        check=True,
    )
    file, counts, facts = done.stdout.splitlines()
    assert file.startswith(str(prefix))
    measured = json.loads(RECORDED.read_text())["cases"]
    measured = [one for one in measured if one["status"] == "measured"]
    assert counts == f"{2 * len(measured)} 1"
    assert facts == "True True"


def test_module_load_then_srun_from_any_folder(large, prefix, start, tmp_path):
    out = shell(
        large,
        start,
        prefix,
        f"module load bench\nsrun --partition=gpu --gres=gpu:1 bench {' '.join(TINY)}\nwhich bench",
        tmp_path,
    )
    ((name, document),) = documents(tmp_path / "results").items()
    assert document["context"]["run"]["finished"] is True
    assert f"result file: results/{name}" in out
    assert out.strip().endswith(f"{prefix}/bin/bench")


def test_jobs_of_the_installation(large, prefix, start, tmp_path):
    out = shell(
        large,
        start,
        prefix,
        f"module load bench\nbench-submit cpu -- {' '.join(TINY)}",
        tmp_path,
    )
    job = re.search(r"submitted job (\d+)", out).group(1)
    assert large.wait_for(job)["JobState"] == "COMPLETED"
    # A script of the installation alone works too, since the module says where the scripts are.
    out = shell(
        large,
        start,
        prefix,
        f"module load bench\nsbatch --parsable $BENCH_JOB_SCRIPTS/cpu.sbatch {' '.join(TINY)}",
        tmp_path,
    )
    job = out.split()[-1]
    assert large.wait_for(job)["JobState"] == "COMPLETED"
    assert len(documents(tmp_path / "results")) == 2


def test_a_moved_installation_works(large, prefix, start, tmp_path):
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    subprocess.run(["cp", "-a", prefix, moved / "software"], check=True)
    lines = [
        "set -e",
        f"source {start}",
        f"module use {moved}/software/share/modulefiles",
        "module load bench",
        "bench list",
        "which bench",
    ]
    out = large.check("bash", "-c", "\n".join(lines), cwd=tmp_path)
    assert out.strip().endswith(f"{moved}/software/bin/bench")
