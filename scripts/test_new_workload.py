"""scripts/new_workload copies a workload under a new name."""

import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
NEIGHBOURS = ["energy", "read", "sum_of_squares", "transpose", "monte_carlo_pi"]


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "new_workload", tmp_path / "scripts")
    shutil.copytree(ROOT / "kernels", tmp_path / "kernels")
    shutil.copytree(ROOT / "harness", tmp_path / "harness")
    return tmp_path


def new_workload(tree, *arguments):
    command = [tree / "scripts" / "new_workload", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("like", NEIGHBOURS)
def test_files_and_identifiers_have_the_new_name(tree, like):
    before = (tree / "kernels" / "registry.def").read_text()
    done = new_workload(tree, "soft_sign", "--like", like)
    assert done.returncode == 0, done.stderr
    added = (tree / "kernels" / "registry.def").read_text().removeprefix(before)
    (line,) = re.findall(rf"^WORKLOAD.*\({like}\b.*$", before, re.MULTILINE)
    assert added == line.replace(like, "soft_sign") + "\n"
    old, new = tree / "kernels" / like, tree / "kernels" / "soft_sign"
    names = {file.name.replace(like, "soft_sign") for file in old.iterdir()}
    assert {file.name for file in new.iterdir()} == names
    assert {"starter.c", "starter.cu", "starter.py", "soft_sign_test.cpp"} <= names
    assert "void soft_sign_" in (new / "starter.c").read_text()
    for file in new.iterdir():
        text = file.read_text()
        assert f"kernels/{like}" not in text
        assert f"kernels::{like}" not in text
        assert f'"{like}"' not in text
    assert re.search(r"^TEST\w*\(SoftSign\w*, ", (new / "soft_sign_test.cpp").read_text(), re.M)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["energy"], "energy: there is such a workload already"),
        (["block_reduce.hpp"], "block_reduce.hpp: a name has small letters"),
        (["../x"], "../x: a name has small letters"),
        (["Mine"], "Mine: a name has small letters"),
        (["my__own"], "my__own: a name has small letters"),
        (["double"], "double: a name has small letters"),
        (
            ["mine", "--like", "nothing"],
            "--like nothing: there is no such workload; there are copy",
        ),
    ],
)
def test_bad_requests_are_one_line_and_change_nothing(tree, arguments, said):
    before = sorted(tree.rglob("*"))
    done = new_workload(tree, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"new_workload: {said}")
    assert done.stderr.count("\n") == 1
    assert sorted(tree.rglob("*")) == before
