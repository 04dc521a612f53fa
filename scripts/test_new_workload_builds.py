"""A new workload is configured, built, verified, and has its starters."""
# CTest: full

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def with_few_workloads(tree):
    """Two, and those of other types than floats, since a library of none is an error; matmul is
    compared with multiply_add."""
    registry = tree / "kernels" / "registry.def"
    lines = registry.read_text().splitlines(keepends=True)
    kept = "copy|energy|multiply_add"
    few = [line for line in lines if not re.match(rf"WORKLOAD\((?!({kept})\))", line)]
    registry.write_text("".join(few))


def copied(tree):
    listed = run("git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", cwd=ROOT)
    files = [name for name in listed.splitlines() if (ROOT / name).is_file()]
    run("cp", "--parents", "-t", str(tree), *files, cwd=ROOT)
    with_few_workloads(tree)


def test_a_new_workload_works_like_its_neighbour(tmp_path):
    copied(tmp_path)
    build = tmp_path / "build"
    run("scripts/new_workload", "soft_sign", "--like", "energy", cwd=tmp_path)
    run("cmake", "-S", ".", "-B", build, "-DBENCH_CUDA=OFF", cwd=tmp_path)
    run("cmake", "--build", build, "--target", "bench", "--parallel", "2", cwd=tmp_path)
    bench = build / "bench"
    both = [run(bench, "list", name, cwd=tmp_path) for name in ("energy", "soft_sign")]
    variants = [re.findall(r"^ +(\w+/\w+)", text, re.MULTILINE) for text in both]
    assert variants[0]
    assert variants[0] == variants[1]
    run(bench, "verify", "soft_sign", "--size", "1000", cwd=tmp_path)
    for ending in ("c", "cu", "py"):
        run(bench, "try", "--new", "soft_sign", f"mine.{ending}", cwd=tmp_path)
        assert "soft_sign" in (tmp_path / f"mine.{ending}").read_text()
