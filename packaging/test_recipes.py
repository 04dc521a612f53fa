# CTest: full
"""The recipes: each is read by its own tool, but for Spack's, and ReFrame's check runs."""

import json
import os
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "dev")]
from test_release import run  # noqa: E402

FILLED = {"@VERSION@": "1.2.3", "@SHA256@": "0123456789abcdef" * 4}
RECIPES = [
    "conda/recipe.yaml",
    "container/bench.def",
    "container/Containerfile",
    "easybuild/bench-hpc.eb",
    "spack/spack_repo/bench/packages/bench_hpc/package.py",
]


@pytest.fixture(scope="session")
def tools(python_with):
    return python_with("recipes", HERE / "checks.txt")


@pytest.fixture
def filled(tmp_path):
    """The text of a recipe as dev/release.sh gives it, in a file."""

    def fill(name):
        text = (HERE / name).read_text()
        for key, value in FILLED.items():
            text = text.replace(key, value)
        file = tmp_path / pathlib.Path(name).name
        file.write_text(text)
        return file

    return fill


@pytest.mark.parametrize("name", RECIPES)
def test_no_version_is_copied(name):
    text = (HERE / name).read_text()
    assert "@VERSION@" in text
    version = re.search(
        r"^project\(bench VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE
    )[1]
    assert version not in text


def test_conda_renders_the_recipe(tools, filled):
    told = run(
        tools,
        "-c",
        "import json, sys; from rattler_build import *\n"
        "platform = PlatformConfig(target_platform='linux-64', build_platform='linux-64')\n"
        "recipe = Stage0Recipe.from_yaml(open(sys.argv[1]).read())\n"
        "(one,) = recipe.render(VariantConfig.from_file(sys.argv[2]), RenderConfig(platform))\n"
        "print(json.dumps(one.recipe.to_dict()))",
        filled("conda/recipe.yaml"),
        HERE / "conda" / "variants.yaml",
    )
    recipe = json.loads(told)
    assert recipe["package"] == {"name": "bench-hpc", "version": FILLED["@VERSION@"]}
    (source,) = recipe["source"]
    assert source == {"path": "bench-1.2.3.tar.gz", "sha256": FILLED["@SHA256@"]}
    build = {one.split()[0] for one in recipe["requirements"]["build"]}
    assert {"gxx_linux-64", "sysroot_linux-64"} <= build
    assert {"matplotlib-base", "jinja2"} <= {*recipe["requirements"]["run"]}


def test_containers_build_outside_of_tmp():
    """Apptainer has /tmp from the host."""
    for name in ("bench.def", "Containerfile", "install.sh"):
        text = (HERE / "container" / name).read_text()
        assert "/tmp/" not in "\n".join(
            line for line in text.splitlines() if not line.startswith("#")
        )


def test_the_container_is_built_in_the_folder_of_its_script(tmp_path):
    build, tools = tmp_path / "build", tmp_path / "tools"
    for folder in (build, tools, tmp_path / "bench-1.2.3"):
        folder.mkdir()
    (tmp_path / "bench-1.2.3" / "CMakeLists.txt").touch()
    run("tar", "-C", tmp_path, "-czf", build / "bench-1.2.3.tar.gz", "bench-1.2.3")
    (build / "install.sh").write_text((HERE / "container" / "install.sh").read_text())
    asked = tmp_path / "asked"
    for name in ("apt-get", "cmake", "rm"):
        (tools / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{asked}\n')
        (tools / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    run("sh", build / "install.sh", tmp_path / "prefix", env=environment)
    lines = asked.read_text().splitlines()
    assert f"cmake -S {build}/bench -B {build}/bench/build -DBENCH_FETCH=ON" in lines
    assert f"cmake --install {build}/bench/build --prefix {tmp_path}/prefix" in lines
    assert (build / "bench" / "CMakeLists.txt").is_file()


def test_easybuild_reads_the_easyconfig(tools, filled):
    told = run(
        tools,
        "-c",
        "import json, sys\n"
        "from easybuild.framework.easyconfig.parser import EasyConfigParser\n"
        "one = EasyConfigParser(sys.argv[1]).get_config_dict()\n"
        "print(json.dumps([one[key] for key in ('easyblock', 'name', 'version', 'checksums')]))",
        filled("easybuild/bench-hpc.eb"),
    )
    assert json.loads(told) == ["CMakeMake", "bench-hpc", "1.2.3", [FILLED["@SHA256@"]]]


def test_spack_recipe_is_python(filled):
    file = filled("spack/spack_repo/bench/packages/bench_hpc/package.py")
    compile(file.read_text(), file, "exec")


@pytest.fixture
def bench():
    path = os.environ.get("BENCH_BINARY") or str(ROOT / "build" / "bench")
    if not os.access(path, os.X_OK):
        pytest.skip("no bench: build it, or set BENCH_BINARY")
    return pathlib.Path(path)


def test_reframe_runs_the_check(tools, bench, tmp_path):
    environment = {**os.environ, "PATH": f"{bench.parent}:{os.environ['PATH']}"}
    environment.pop("BENCH_MODULE", None)
    run(
        tools.with_name("reframe"),
        "-c",
        HERE / "reframe" / "bench_check.py",
        f"--prefix={tmp_path}",
        "--report-file=report.json",
        "--setvar=size=tiny",
        # Of a few elements the share says nothing.
        "--setvar=least_share=0.0001",
        "--name=BenchCheck",
        "--run",
        cwd=tmp_path,
        env=environment,
    )
    (session,) = json.loads((tmp_path / "report.json").read_text())["runs"]
    cases = session["testcases"]
    assert {one["workload"] for one in cases} == {"add", "energy"}
    assert {one["device"] for one in cases} == {"cpu"}, "this system names no GPU"
    for one in cases:
        values = one["perfvalues"]
        assert any("openmp_share_of_copy" in name for name in values)
        assert any("serial_speedup" in name for name in values)
