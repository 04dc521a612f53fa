"""What needs a CUDA compiler is skipped on a machine without one, and nothing fails."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def run(*command):
    environment = {**os.environ, "CUDACXX": "/nowhere/nvcc"}  # hides those that are installed
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_what_needs_the_compiler_is_skipped_without_one(tmp_path):
    configured = run("cmake", "-S", ROOT, "-B", tmp_path, "-DBENCH_TESTS=ON")
    assert "building without" in configured
    tested = run("ctest", "--test-dir", tmp_path, "--verbose", "--tests-regex", "^test_codegen$")
    assert "100% tests passed" in tested
    assert "skipped" in tested
