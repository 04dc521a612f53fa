"""The ranges that a profiler sees, as NVTX hands them to a tool that is injected."""

import os
import pathlib
import subprocess

import pytest

NVCC = os.environ.get("BENCH_NVCC", "")
TOOL = """
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

static int push(const char* name) { return fprintf(stderr, "push %s\\n", name); }
static int pop(void) { return fprintf(stderr, "pop\\n"); }

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of) {
  const NvtxExportTableCallbacks* callbacks = table_of(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable table;
  unsigned size = 0;
  if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size)) return 0;
  *table[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)push;
  *table[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)pop;
  return 1;
}
"""


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    """A profiler that prints what it is told."""
    include = pathlib.Path(os.path.realpath(NVCC)).parents[1] / "include" if NVCC else None
    if not include or not (include / "nvtx3" / "nvToolsExt.h").exists():
        pytest.skip("no headers of NVTX")
    folder = tmp_path_factory.mktemp("tool")
    (folder / "tool.c").write_text(TOOL)
    library = folder / "tool.so"
    compiler = ["cc", "-shared", "-fPIC", f"-I{include}", "-o", library, folder / "tool.c"]
    subprocess.run(compiler, check=True)
    return str(library)


def test_a_profile_is_one_range_around_one_run(bench, tool):
    told = bench(
        "--profile", "energy/serial/simd", "--size", "tiny", NVTX_INJECTION64_PATH=tool
    ).stderr.splitlines()
    assert told == ["push profiled", "push energy/serial/simd/f32/1000/kernel", "pop", "pop"]


def test_in_a_run_each_sample_is_a_range_of_its_case(bench, tool, tmp_path):
    words = ["energy/serial/simd", "--size", "tiny", "--samples", "3", "--output", "a.json"]
    told = bench(*words, "--quiet", NVTX_INJECTION64_PATH=tool).stderr.splitlines()
    assert told.count("push energy/serial/simd/f32/1000/kernel") == 3
    assert told.count("push energy/serial/naive/f32/1000/kernel") == 3
    assert all(a.startswith("push") and b == "pop" for a, b in zip(told[::2], told[1::2]))
