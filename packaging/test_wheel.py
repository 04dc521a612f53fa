# CTest: full
"""The wheel: made from the archive of a release, it runs without a compiler."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "dev")]
from test_new_workload_builds import with_few_workloads  # noqa: E402
from test_release import clean, libraries, run  # noqa: E402, F401

SCRIPT = ROOT / "packaging" / "wheel.sh"


def make(script, **environment):
    environment = {**os.environ, **environment}
    done = subprocess.run(script, capture_output=True, text=True, check=False, env=environment)
    if "cannot install packaging/requirements.txt" in done.stderr:
        pytest.skip("the tools of packaging/requirements.txt cannot be installed here")
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def wheel(clean, libraries, tmp_path_factory):  # noqa: F811
    with_few_workloads(clean)  # each is compiled alike
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@invalid"]
    run(*git, "commit", "--quiet", "-am", "fewer workloads", cwd=clean)
    # The tools stay in this build folder, so that ccache knows their headers.
    tools = ROOT / "build" / "wheel"
    tools.mkdir(parents=True, exist_ok=True)
    (clean / "build").mkdir(exist_ok=True)
    (clean / "build" / "wheel").symlink_to(tools)
    folder = tmp_path_factory.mktemp("release")
    script = [clean / "dev" / "release.sh", "--wheel", folder, "--", *libraries]
    # It is packed alike, whatever the compilers do with the loops.
    make(script, CUDAARCHS="90", WHEEL_CXXFLAGS="-O0")
    (file,) = folder.glob("bench_hpc-*.whl")
    assert file.name in (folder / "SHA256SUMS").read_text()
    return file


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Programs of a virtual environment, and no others."""
    venv = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", venv)
    run(venv / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-index", wheel)
    environment = {key: value for key, value in os.environ.items() if key != "CXX"}
    return venv / "bin", {**environment, "PATH": str(venv / "bin")}


@pytest.fixture(scope="module")
def for_arm(clean, wheel, tmp_path_factory):  # noqa: F811
    """What pip installs on aarch64, without CUDA."""
    for tool in ("aarch64-linux-gnu-g++", "qemu-aarch64-static"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    folder = tmp_path_factory.mktemp("arm")
    (archive,) = wheel.parent.glob("bench-*[0-9].tar.gz")
    run("tar", "-C", folder, "-xf", archive)
    source = folder / archive.name.removesuffix(".tar.gz")
    script = [clean / "packaging" / "wheel.sh", "--machine", "aarch64", source, folder]
    make(script, CUDACXX="none")
    (file,) = folder.glob("bench_hpc-*-py3-none-manylinux_2_28_aarch64.whl")
    with zipfile.ZipFile(file) as opened:
        opened.extractall(folder)
    (data,) = folder.glob("bench_hpc-*.data/data")
    (data / "bin" / "bench").chmod(0o755)
    return data


def test_it_is_for_any_linux(wheel):
    assert wheel.name.endswith("-py3-none-manylinux_2_28_x86_64.whl")


def test_it_measures_and_names_its_compiler(installed, tmp_path):
    programs, environment = installed
    file = tmp_path / "run.json"
    run(programs / "bench", "energy", "--size", "tiny", "--output", file, env=environment)
    build = json.loads(file.read_text())["context"]["build"]
    assert build["compiler"].startswith("Clang ")
    assert set(build["kernel_flags"]) == {"baseline", "avx2", "avx512"}
    nvcc = shutil.which("nvcc", path=f"{os.environ['PATH']}:/usr/local/cuda/bin")
    assert bool(build["cuda"]) == bool(nvcc)


def test_the_one_for_arm_runs_under_an_emulator(for_arm):
    program = for_arm / "bin" / "bench"
    bench = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu", program]
    told = run(*bench, "verify", "energy", "copy", "--backend", "serial,openmp", "--size", "tiny")
    assert {line.split()[0] for line in told.splitlines()} == {"ok"}
    build = json.loads(run(*bench, "doctor", "--format", "json"))["context"]["build"]
    assert build["compiler"].startswith("Clang ")
    assert set(build["kernel_flags"]) == {"baseline", "sve"}
    page = for_arm / "share" / "man" / "man1" / "bench.1"
    assert page.read_text().startswith(".TH")


def test_it_says_that_there_is_no_compiler(installed, tmp_path):
    programs, environment = installed
    file = tmp_path / "mine.cpp"
    run(programs / "bench", "try", "--new", "energy", file, env=environment)
    command = [programs / "bench", "try", file, "--size", "tiny"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith(f"bench: {file}: cannot be compiled: no compiler found: set CXX")


def test_its_python_package_is_found(installed):
    programs, environment = installed
    run(programs / "python", "-c", "import bench_hpc", env=environment)


def test_licences_of_what_it_contains_are_in_it(installed):
    programs, _ = installed
    share = programs.parent / "share" / "bench" / "licences"
    names = {one.name for one in share.iterdir()}
    assert names >= {"benchmark", "cli11", "fmt", "hwloc", "nlohmann_json", "xxhash"}
    beside = programs.parent / "lib" / "bench"
    assert "LLVM" in (beside / "LICENSE.TXT").read_text()
    assert "GCC Runtime Library Exception" in (beside / "copyright").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "usage: wheel.sh [--machine aarch64] SOURCE FOLDER"),
        (["--machine", "vax", "{tmp}"], "usage: wheel.sh [--machine aarch64] SOURCE FOLDER"),
        (
            ["{tmp}", "{tmp}/out"],
            "{tmp}: has no libraries/: give the unpacked archive of dev/release.sh",
        ),
        (
            ["{tmp}/with", "{tmp}/file/out"],
            "{tmp}/file/out: cannot write there: name another folder",
        ),
    ],
)
def test_what_is_wrong_is_one_line(arguments, message, tmp_path):
    (tmp_path / "with" / "libraries").mkdir(parents=True)
    (tmp_path / "file").touch()
    given = [one.format(tmp=tmp_path) for one in arguments]
    done = subprocess.run([SCRIPT, *given], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"wheel: {message.format(tmp=tmp_path)}\n"
