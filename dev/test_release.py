# CTest: full
"""The archive of a release: nothing is missing in it, and it builds without a network."""

import hashlib
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIBRARIES = ["benchmark", "cli11", "fmt", "gtest", "hwloc", "nlohmann_json", "xxhash"]


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def libraries():
    if not shutil.which("apt-get"):
        pytest.skip("no apt-get: the sources of the libraries come from Debian")
    return run(ROOT / "scripts" / "test" / "libraries.sh").split()


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """This tree with all changes, as a checkout in which they are committed."""
    folder = tmp_path_factory.mktemp("clean")
    git = ["git", "-c", "safe.directory=*", "-c", "user.name=test", "-c", "user.email=test@invalid"]
    listed = [*git, "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("this is not a git checkout")
    files = "\n".join(one for one in done.stdout.split("\n") if (ROOT / one).is_file())
    copied = ["tar", "-C", ROOT, "-c", "-T", "-"]
    archive = subprocess.run(copied, input=files.encode(), capture_output=True, check=True)
    subprocess.run(["tar", "-C", folder, "-x"], input=archive.stdout, check=True)
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        run(*git, *command, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def released(clean, libraries, tmp_path_factory):
    """The folder with the files of the release."""
    folder = tmp_path_factory.mktemp("release")
    run(clean / "dev" / "release.sh", folder, "--", *libraries)
    return folder


@pytest.fixture(scope="module")
def unpacked(released, tmp_path_factory):
    (archive,) = released.glob("bench-*[0-9].tar.gz")
    folder = tmp_path_factory.mktemp("unpacked")
    run("tar", "-C", folder, "-xf", archive)
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def offline():
    """What to put before a command that must not reach the network."""
    cut = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*cut, "true"], capture_output=True, check=False).returncode == 0:
        return cut
    nowhere = "http://127.0.0.1:9"
    return ["env", f"http_proxy={nowhere}", f"https_proxy={nowhere}", f"all_proxy={nowhere}"]


def test_the_sums_are_those_of_the_files(released):
    listed = dict(
        reversed(line.split("  ")) for line in (released / "SHA256SUMS").read_text().splitlines()
    )
    assert set(listed) == {one.name for one in released.glob("bench-*")}
    for name, digest in listed.items():
        assert hashlib.sha256((released / name).read_bytes()).hexdigest() == digest


def test_recipes_have_the_version_and_the_checksum(released, unpacked, tmp_path):
    run("tar", "-C", tmp_path, "-xf", released / f"{unpacked.name}-recipes.tar.gz")
    files = [one for one in tmp_path.rglob("*") if one.is_file()]
    texts = {one.name: one.read_text() for one in files}
    version = unpacked.name.removeprefix("bench-")
    digest = hashlib.sha256((released / f"{unpacked.name}.tar.gz").read_bytes()).hexdigest()
    for name in ("package.py", f"bench-hpc-{version}.eb", "recipe.yaml"):
        assert version in texts[name]
        assert digest in texts[name]
    assert f"{unpacked.name}.tar.gz" in texts["bench.def"]
    assert not any("@VERSION@" in one or "@SHA256@" in one for one in texts.values())


def test_what_is_fetched_elsewhere_is_in_the_archive(unpacked, offline, tmp_path):
    assert sorted(one.name for one in (unpacked / "libraries").iterdir()) == LIBRARIES
    options = ["-DBENCH_FETCH=ON", "-DBENCH_CUDA=OFF", "-DBENCH_TESTS=ON"]
    told = run(*offline, "cmake", "-S", unpacked, "-B", tmp_path, *options)
    assert "fetching" not in told
    parts = ["fmt", "hwloc_build"]
    run(*offline, "cmake", "--build", tmp_path, "--parallel", "2", "--target", *parts)


def test_the_archive_is_complete(unpacked, clean, offline):
    """Installed libraries are used: ccache has these objects from this tree's build."""
    build = unpacked / "build"
    run(*offline, "cmake", "-S", unpacked, "-B", build, "-DBENCH_CUDA=OFF")
    run(*offline, "cmake", "--build", build, "--parallel", "2", "--target", "bench")
    assert f"bench-{run(build / 'bench', '--version').split()[1]}" == unpacked.name
    told = run(build / "bench", "doctor", "--format", "json")
    assert run("git", "-C", clean, "rev-parse", "HEAD").strip() in told
    run(build / "bench", "verify", "energy", "--size", "tiny")


def test_the_same_commit_gives_the_same_archive(released, clean, libraries, tmp_path):
    run(clean / "dev" / "release.sh", tmp_path, "--", *libraries)
    assert (tmp_path / "SHA256SUMS").read_text() == (released / "SHA256SUMS").read_text()


def test_a_tree_with_changes_gives_no_release(clean, tmp_path):
    (clean / "mine.txt").write_text("not committed")
    script = [clean / "dev" / "release.sh", tmp_path / "none"]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    (clean / "mine.txt").unlink()
    assert done.returncode == 1
    assert done.stderr == "release: the tree is not clean: commit or remove mine.txt\n"
    assert not (tmp_path / "none").exists()
