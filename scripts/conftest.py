"""What several tests of the scripts need: to be a user who owns nothing."""

import os
import pathlib
import shutil
import tempfile

import pytest


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
