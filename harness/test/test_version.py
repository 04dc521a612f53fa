# CTest: release
"""The version that a build says: that of the release, or of what follows it."""

import pathlib
import shutil
import subprocess

import pytest

NODE = pathlib.Path(__file__).resolve().parents[1] / "node"
RELEASED = "\n## [1.4.2] - 2026-01-01\n\n### Added\n\n- something\n"


@pytest.mark.parametrize(
    ("unreleased", "revision", "version"),
    [
        ("## [Unreleased]\n\n### Fixed\n\n- something\n", "$Format:%H$", "1.5.0-dev"),
        ("## [Unreleased]\n", "$Format:%H$", "1.4.2"),
        ("", "$Format:%H$", "1.4.2"),
        ("## [Unreleased]\n\n- something\n", "0123abcd", "1.4.2"),
    ],
)
def test_between_two_releases_it_is_neither(tmp_path, unreleased, revision, version):
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    folder = tmp_path / "harness" / "node"
    folder.mkdir(parents=True)
    (folder / "revision.txt").write_text(revision + "\n")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{unreleased}{RELEASED}")
    made = tmp_path / "build_info.cpp"
    given = (f"SOURCE_DIR={tmp_path}", f"OUTPUT={made}", "VERSION=1.4.2", "COMPILER=g++")
    defined = [word for one in given for word in ("-D", one)]
    subprocess.run(["cmake", *defined, "-P", NODE / "build_info.cmake"], check=True)
    assert f'return "{version}";' in made.read_text()
