"""What the job scripts load first, with modules that say nothing of what goes wrong."""

import os
import subprocess

import pytest

from conftest import JOBS

# Of Environment Modules 3.2: returns 0 whatever happens.
OLD_MODULES = """module() {
  case $1 in
    purge) %s ;;
    load) if [[ -d $MODULEPATH/$2 ]]; then LOADEDMODULES=$2; else echo "ERROR:105" >&2; fi ;;
  esac
  return 0
}
"""


def load(folder, name, purge="LOADEDMODULES=", **environment):
    (folder / "modules" / "cuda").mkdir(parents=True, exist_ok=True)
    script = f"{OLD_MODULES % purge}\nsource {JOBS}/lib.sh\nload_modules\necho went on"
    variables = {"PATH": os.environ["PATH"], "MODULEPATH": str(folder / "modules"), **environment}
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**variables, "BENCH_MODULES": name},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_what_is_there_is_loaded(tmp_path):
    assert load(tmp_path, "cuda")[:2] == (0, "went on\n")


def test_a_module_that_is_missing_stops_the_job(tmp_path):
    code, out, err = load(tmp_path, "gcc")
    assert (code, out) == (2, "")
    assert err.endswith(
        "bench: module load gcc has loaded nothing: correct BENCH_MODULES in site.env\n"
    )


def test_a_purge_that_takes_the_path_of_modules(tmp_path):
    assert load(tmp_path, "cuda", "unset MODULEPATH")[:2] == (0, "went on\n")


@pytest.mark.parametrize("job", ["", "7"])
def test_a_purge_that_takes_srun(tmp_path, job):
    code, out, err = load(tmp_path, "cuda", "PATH=/nowhere", SLURM_JOB_ID=job)
    assert (code, out) == ((2, "") if job else (0, "went on\n"))
    assert ("module purge has taken Slurm's commands (srun)" in err) == bool(job)
