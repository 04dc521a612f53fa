"""The two lines at the head of code files."""

import pytest
import spdx

HEAD = "// SPDX-FileCopyrightText: The bench developers\n// SPDX-License-Identifier: MIT\n"
HASHES = HEAD.replace("//", "#")


@pytest.mark.parametrize(
    ("name", "text", "made"),
    [
        ("a/b.cpp", "#include <map>\n", f"{HEAD}#include <map>\n"),
        ("a/b.hpp", "// What it is.\n#pragma once\n", f"{HEAD}\n// What it is.\n#pragma once\n"),
        ("a.py", '"""What it is."""\n', f'{HASHES}"""What it is."""\n'),
        ("a.sh", "#!/bin/sh\n# What it does.\n", f"#!/bin/sh\n{HASHES}\n# What it does.\n"),
        ("jobs/submit", "#!/bin/sh\necho\n", f"#!/bin/sh\n{HASHES}echo\n"),
        ("CMakeLists.txt", "project(x)\n", f"{HASHES}project(x)\n"),
    ],
)
def test_heads(name, text, made):
    assert spdx.with_head(text, spdx.sign(name, text)) == made


@pytest.mark.parametrize(
    "name",
    [
        "kernels/energy/starter.cu",
        "course/handin/ana/energy.cpp",
        "README.md",
        "results/schema.json",
    ],
)
def test_no_head(name):
    assert spdx.sign(name, "") is None
