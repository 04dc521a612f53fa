"""What several tests of the scripts need: to be a user who owns nothing; the program; pictures."""

import os
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.path.append(str(pathlib.Path(__file__).parent / "test"))  # of what several tests make


@pytest.fixture
def open_folder():
    """A folder that everybody may read."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="open"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def as_nobody():
    """What to put before a command so that permissions hold for it; root has all of them."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        pytest.skip("root may do everything, and there is no setpriv")
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.fixture(scope="session")
def bench():
    """The built program; tests that need it say so where there is none."""
    built = pathlib.Path(__file__).parents[1] / "build" / "bench"
    path = pathlib.Path(os.environ.get("BENCH_BINARY") or built)
    if not os.access(path, os.X_OK):
        pytest.skip("no bench: build it, or set BENCH_BINARY")
    return str(path)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """One synthetic result file for each question, by name."""
    import synthetic

    folder = tmp_path_factory.mktemp("documents")
    gpu = synthetic.only(synthetic.with_gpu(), "energy", "hypot", "histogram", "transpose")
    return {
        "gpu": synthetic.write(folder, gpu, "gpu"),
        "sweep": synthetic.write(folder, synthetic.sweep(), "sweep"),
        "scaling": synthetic.write(folder, synthetic.scaling(), "scaling"),
        "default": synthetic.REFERENCE / "default.json",
        "peers": synthetic.REFERENCE / "peers.json",
    }
