"""HIP files of others on a node without an AMD GPU: executed on the CPU with warps of 64 lanes."""
# CTest: release full

import os
import re
import shutil

import pytest
from test_cuda_guests import rows

pytestmark = [
    pytest.mark.skipif(shutil.which("g++") is None, reason="no g++"),
    pytest.mark.skipif(os.path.exists("/dev/kfd"), reason="here they are measured"),
]

SUM = """#include <hip/hip_runtime.h>
template <int size>
__global__ void sum_kernel(const float* x, size_t n, double* sum) {
  double mine = 0;
  size_t i = (size_t)hipBlockIdx_x * size + hipThreadIdx_x;
  for (; i < n; i += (size_t)hipGridDim_x * size) mine += (double)x[i] * x[i];
  %s
}
void sum_of_squares_f32(const float* x, size_t n, double* sum, double* partial) {
  (void)partial;
  hipMemsetAsync(sum, 0, sizeof(double), 0);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(sum_kernel<256>), dim3(16), dim3(256), 0, 0,
                     x, n, sum);
}
"""
COPY = """#include "hip/hip_runtime.h"
#include <hip/hip_fp16.h>
__global__ void k(const float* in, float* out, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  %s
}
void copy_f32(const float* in, float* out, size_t n) {
  // hipLaunchKernelGGL(in a comment) stays
  k<<<(n + 255) / 256, 256>>>(in, out, n);
  if (hipGetLastError() == hipErrorOutOfMemory) printf("hipMalloc");
}
"""
REDUCE = """for (int d = %s; d > 0; d /= 2) mine += %s;
  if (threadIdx.x %% %s == 0) atomicAdd(sum, mine);"""
RIGHT = {
    "copy": COPY % "if (i < n) out[i] = in[i];",
    "of_a_warp": SUM % (REDUCE % ("warpSize / 2", "__shfl_down(mine, d)", "warpSize")),
    "of_halves": SUM % (REDUCE % ("16", "__shfl_xor(mine, d)", "32")),
    "names_of_hip": COPY
    % """HIP_DYNAMIC_SHARED(float, tile);
  (void)tile;
  if (i < n) out[i] = in[i];"""
    + """void unused() {
  hipDeviceProp_t properties;
  float* memory = nullptr;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return;
  if (hipHostMalloc(&memory, 4) != hipErrorOutOfMemory) hipHostFree(memory);
}
""",
    "votes": COPY
    % """const unsigned long long votes = __ballot(i < n);
  if (__popcll(votes) > 0 && __any(i < n) && i < n) out[i] = __shfl(in[i], __lane_id());""",
}
# What is right where a warp has 32 lanes, and what says so.
WRONG = {
    "half_of_a_warp": (
        SUM % (REDUCE % ("16", "__shfl_down(mine, d)", "warpSize")),
        "wrong with",
    ),
    "lane_and_31": (
        SUM % "if (threadIdx.x & 31) return;\n  atomicAdd(sum, __shfl(mine, threadIdx.x & 31));",
        "wrong with",
    ),
    "mask_of_32_lanes": (
        SUM % (REDUCE % ("warpSize / 2", "__shfl_down_sync(0xffffffff, mine, d)", "warpSize")),
        "line 7: warp 0 of block (0,0,0): lane 32 is not in its own mask 0xffffffff",
    ),
    "votes_in_32_bits": (
        """#include <hip/hip_runtime.h>
__global__ void k(const float* x, size_t n, float threshold, unsigned* count) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes = __ballot(i < n && x[i] < threshold);
  if (__lane_id() == 0) atomicAdd(count, __popc(votes));
}
void counter_f32(const float* x, size_t n, float threshold, uint32_t* count) {
  hipMemset(count, 0, 4);
  k<<<(n + 255) / 256, 256>>>(x, n, threshold, count);
}
""",
        "wrong with",
    ),
    "no_bounds": (COPY % "out[i] = in[i];", "line 5: reads element 1013 of in"),
}


def test_what_is_right_is_checked_and_waits_for_a_gpu(bench, tmp_path):
    found = rows(bench, tmp_path, RIGHT, 0, "hip")
    for name in RIGHT:
        case = found[name]
        assert case["status"] == "checked", case["reason"]
        assert case["reason"].endswith("timing it requires an AMD GPU")
        says = "hipcc compiles it" if shutil.which("hipcc") else "not compiled with hipcc"
        assert says in case["reason"]


def test_mistakes_with_the_size_of_a_warp_are_found(bench, tmp_path):
    files = {name: text for name, (text, _) in WRONG.items()}
    found = rows(bench, tmp_path, files, 1, "hip", HIPCC="false")  # an old one refuses the mask
    for name, (_, words) in WRONG.items():
        case = found[name]
        assert case["status"] == "failed", (name, case["reason"])
        assert words in case["reason"], (name, case["reason"])


def test_what_cannot_be_checked_is_named_in_the_words_of_hip(bench, tmp_path):
    files = {
        "library": "#include <hipcub/hipcub.hpp>\n" + COPY % "",
        "mistyped": COPY % "hipMallocs(0);",
    }
    found = rows(bench, tmp_path, files, 1, "hip")
    assert found["library"]["reason"].endswith("it has hipcub/hipcub.hpp")
    # Without HIP's own compiler nobody knows whether it is a name of HIP.
    says = "hipMallocs. was not declared" if shutil.which("hipcc") else "it uses hipMallocs"
    assert re.search(says, found["mistyped"]["reason"])


@pytest.mark.parametrize("workload", ["energy", "sum_of_squares", "transpose"])
def test_the_starter_is_in_hip(bench, tmp_path, workload):
    assert bench("try", "--new", workload, "mine.hip").returncode == 0
    text = (tmp_path / "mine.hip").read_text()
    assert "#include <hip/hip_runtime.h>" in text
    assert "cuda" not in text
