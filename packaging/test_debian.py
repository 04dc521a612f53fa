# CTest: release full
"""The Debian package: what lintian says of it, which is nothing."""

import os
import pathlib
import shutil
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "dev")]
from test_release import run  # noqa: E402

BUILD = pathlib.Path(os.environ.get("BENCH_BINARY", ROOT / "build" / "bench")).parent


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    for tool in ("cpack", "dpkg-shlibdeps"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    folder = tmp_path_factory.mktemp("debian")
    run("cpack", "-G", "DEB", "-B", folder, cwd=BUILD)
    (file,) = folder.glob("bench-hpc_*.deb")
    return file


def test_lintian_finds_nothing(package):
    if not shutil.which("lintian"):
        pytest.skip("lintian is not installed")
    assert run("lintian", "--fail-on", "error,warning", "--allow-root", package).strip() == ""


def test_it_runs_where_it_is_unpacked(package, tmp_path):
    run("dpkg-deb", "-x", package, tmp_path)
    bench = tmp_path / "usr" / "bin" / "bench"
    assert run(bench, "verify", "energy/serial/naive", "--size", "tiny").startswith("ok ")
    documents = tmp_path / "usr" / "share" / "doc"
    assert [one.name for one in documents.iterdir()] == ["bench-hpc"]
    assert (documents / "bench-hpc" / "docs" / "README.md").is_file()
    pages = tmp_path / "usr" / "share" / "man" / "man1"
    assert (pages / "bench-submit.1.gz").resolve() == pages / "bench.1.gz"
