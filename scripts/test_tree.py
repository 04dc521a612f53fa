"""What git tracks can be read by any tool."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]


def tracked():
    # The setting is for checkouts that belong to another user, as in containers.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return [name for name in done.stdout.split(b"\0") if name]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")
def test_file_names_are_ascii():
    assert [name for name in tracked() if not name.isascii()] == []
