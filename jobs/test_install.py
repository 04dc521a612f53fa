"""Installed below a prefix: `module load bench`, then the program and the jobs from any folder."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from conftest import BENCH, ROOT, TINY, documents

BUILD = os.environ.get("BENCH_BUILD", str(pathlib.Path(BENCH).resolve().parent))
MODULE_COMMANDS = {
    "Environment Modules": "/usr/share/modules/init/bash",
    "Lmod": "/usr/share/lmod/lmod/init/bash",
}


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
    return cluster.check("bash", "-c", "\n".join(lines), cwd=cwd, timeout=90)


@pytest.fixture(params=MODULE_COMMANDS)
def start(request):
    file = MODULE_COMMANDS[request.param]
    if not pathlib.Path(file).exists():
        pytest.skip(f"{request.param} is not installed")
    return file


def test_only_what_is_needed_is_installed(prefix):
    files = {str(f.relative_to(prefix)) for f in prefix.rglob("*") if not f.is_dir()}
    # Pages are there where scripts/docs.sh has made them.
    pages = ("share/man/man1/", "share/doc/bench/html/")
    files -= {name for name in files if name.startswith(pages)}
    version = re.search(
        r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text().split("project")[1]
    )
    scripts = {f"share/bench/jobs/{f.name}" for f in (ROOT / "jobs").glob("*.sbatch")}
    peers = {f"share/bench/peers/{f.name}" for f in (ROOT / "scripts" / "peers").glob("*.py")}
    peers = {name for name in peers if "/test_" not in name}
    assert files == scripts | peers | {
        "share/bench/peers/requirements.txt",
        "bin/bench",
        "bin/bench-submit",
        "share/bash-completion/completions/bench",
        "share/bench/LICENSE",
        "share/bench/schema.json",
        "share/bench/jobs/README.md",
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
        f"module load bench\nsbatch --parsable $BENCH_JOBS/cpu.sbatch {' '.join(TINY)}",
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
