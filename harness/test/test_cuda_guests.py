"""CUDA files of others where there is no GPU: executed on the CPU, their faults in one sentence."""
# CTest: release full

import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from conftest import BENCH, ROOT

pytestmark = [
    pytest.mark.skipif(shutil.which("g++") is None, reason="no g++"),
    pytest.mark.skipif(os.path.exists("/dev/nvidiactl"), reason="here they are measured"),
]

NVCC = shutil.which(os.environ.get("CUDACXX", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")

HEAD = "__global__ void k(const float* in, float* out, size_t n) {\n"
INDEX = "  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;\n"
CALL = "void copy_f32(const float* in, float* out, size_t n) { k<<<%s>>>(in, out, n); }\n"
GRID = "(n + 255) / 256, 256"


def copying(body, grid=GRID):
    return HEAD + INDEX + body + "}\n" + CALL % grid


# Elements of a block change places twice: through shared memory, each is read by another thread.
TURN = """  __shared__ float tile[256];
  size_t first = (size_t)blockIdx.x * blockDim.x, back = first + 255 - t;
  tile[t] = i < n ? in[i] : 0;
  {between}
  if (back < n) out[back] = tile[255 - t];
"""
WARP = """  __shared__ float tile[256];
  tile[t] = i < n ? in[i] : 0;
  {between}
  if ((i ^ 31) < n) out[i ^ 31] = tile[t ^ 31];
"""
SUM = """__global__ void k(const float* x, size_t n, double* sum) {
  extern __shared__ double part[];
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? (double)x[i] * x[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    %(between)s
  }
  if (threadIdx.x == 0) %(update)s;
}
void sum_of_squares_f32(const float* x, size_t n, double* sum, double*) {
  cudaMemset(sum, 0, sizeof(double));
  k<<<(n + 255) / 256, 256, %(room)s * sizeof(double)>>>(x, n, sum);
}
"""
SOUND_SUM = {"between": "__syncthreads();", "update": "atomicAdd(sum, part[0])", "room": 256}
COUNT = """__global__ void k(const float* x, size_t n, float threshold, unsigned* count) {
  __shared__ unsigned found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] < threshold) %s;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, found);
}
void counter_f32(const float* x, size_t n, float threshold, uint32_t* count) {
  cudaMemset(count, 0, 4);
  k<<<(n + 255) / 256, 256>>>(x, n, threshold, count);
}
"""
BINS = """__global__ void k(const float* x, size_t n, unsigned* counts, int bins, float lo,
                  float hi, float scale) {
  extern __shared__ unsigned table[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) %s;
  __syncthreads();
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
    if (x[i] >= lo && x[i] < hi) atomicAdd(&table[min((int)((x[i] - lo) * scale), bins - 1)], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = table[b];
}
void histogram_f32(const float* x, size_t n, uint32_t* counts, size_t bins, float lo, float hi) {
  k<<<1, 256, bins * sizeof(unsigned)>>>(x, n, counts, (int)bins, lo, hi, bins / (hi - lo));
}
"""
WIDE = """  size_t first = 4 * i;
  if (first + 3 < n) *(float4*)(out + first) = *(const float4*)(in + first);
  {tail}
"""
TAIL = "else for (size_t j = first; j < n; ++j) out[j] = in[j];"
SHUFFLED = """  float v = i < n ? in[i] : 0;
  v = __shfl_xor_sync(~0u, __shfl_xor_sync(~0u, v, 1), 1);
  if (i < n) out[i] = v;
"""
TEMPLATE = """template <class T>
__global__ void through_shared(const T* in, T* out, size_t n) {
  extern __shared__ unsigned char bytes[];
  T* tile = (T*)bytes;
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x];
}
void copy_f64(const double* in, double* out, size_t n) {
  cudaFuncSetAttribute(through_shared<double>, cudaFuncAttributeMaxDynamicSharedMemorySize, 61440);
  through_shared<<<(n + 255) / 256, 256, 60 * 1024>>>(in, out, n);
}
template <class T, int STEP>
static __global__ void k(const T* in, T* out, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += STEP) out[i] = in[i];
}
// k<<<1, 2>>>(in, "a comment", n); is not a launch
void copy_f32(const float* in, float* out, size_t n) {
  k<float, 4 * 64>
      <<<dim3(4),
         dim3(64)>>>(in, out, n);
}
"""

FAULTS = {
    "direction": (
        "void copy_f32(const float* in, float* out, size_t n) {\n"
        "  cudaMemcpy(out, in, n * sizeof(float), cudaMemcpyHostToDevice);\n}\n",
        [
            "line 2: cudaMemcpy(out, in, n * sizeof(float), cudaMemcpyHostToDevice): in is on the "
            "device already; launch on it"
        ],
    ),
    "is_the_kernel": (
        HEAD.replace("k(", "copy_f32(") + INDEX + "  if (i < n) out[i] = in[i];\n}\n",
        ["copy_f32 must be a host function that launches your kernel; here it is the kernel"],
    ),
    "is_the_kernel_of_an_int": (
        "__global__ void __launch_bounds__(256)\n"
        "copy_f32(const float* in, float* out, int n) { out[threadIdx.x] = in[threadIdx.x]; }\n",
        ["copy_f32 must be a host function that launches your kernel; here it is the kernel"],
    ),
    "barrier": (
        copying(TURN.format(between="")),
        ["lines 5 and 7", "same element of tile", "is a barrier missing"],
    ),
    "syncwarp": (
        copying(WARP.format(between="")),
        ["lines 4 and 6", "same element of tile", "is a barrier missing"],
    ),
    "barrier_in_a_loop": (SUM % {**SOUND_SUM, "between": ""}, ["line 7", "is a barrier missing"]),
    "not_zeroed": (
        BINS % "0",
        ["wrong with 1013 elements in 10 bins: ", "is it set to zero before?"],
    ),
    "not_atomic_in_a_block": (
        COUNT % "found += 1",
        ["line 6", "nothing orders them: should the update be atomic (atomicAdd)?"],
    ),
    "not_atomic_across_blocks": (
        SUM % {**SOUND_SUM, "update": "*sum += part[0]"},
        ["line 10", "same element of sum", "should the update be atomic (atomicAdd)?"],
    ),
    "one_too_many": (
        copying("  if (i <= n) out[i] = in[i];\n"),
        ["line 3: reads element 1013 of in, which has 1013 (thread (245,0,0) of block (3,0,0))"],
    ),
    "writes_before": (
        copying("  if (i < n) out[(long)i - 1] = in[i];\n"),
        ["line 3: writes element -1 of out, which has 1013"],
    ),
    "one_too_few": (
        copying("  if (i + 1 < n) out[i] = in[i];\n"),
        ["left out 1 of 1013 elements, the first at index 1012"],
    ),
    "grid_not_rounded_up": (
        copying("  if (i < n) out[i] = in[i];\n", "n / 256, 256"),
        ["left out 245 of 1013 elements, the first at index 768 (is the grid rounded up?)"],
    ),
    "tail_of_a_wide_loop": (
        copying(WIDE.format(tail=""), "(n + 1023) / 1024, 256"),
        ["wrong with 1013 elements: left out 1 of 1013 elements"],
    ),
    "misaligned": (
        copying("  if (i == 0) *(float4*)(out + 1) = *(const float4*)(in + 1);\n"),
        ["line 3: a float4 at an address that is not a multiple of 16 bytes"],
    ),
    "returns_before_a_barrier": (
        copying("  if (i >= n) return;\n" + TURN.format(between="__syncthreads();")),
        ["line 7: __syncthreads is reached by 245 of 256 threads of block (3,0,0): it is in an if"],
    ),
    "behind_shared_memory": (
        copying("  __shared__ float tile[256];\n  tile[t + 1] = in[0];\n"),
        ["line 4: writes past the end of tile, which has 1024 bytes"],
    ),
    "behind_dynamic_shared_memory": (
        SUM % {**SOUND_SUM, "room": 128},
        ["line 4: writes past the end of the block's dynamic shared memory of 1024 bytes"],
    ),
    "block_too_large": (
        copying("", "1, 2048"),
        [
            "line 4: the launch <<<(1,1,1), (2048,1,1), 0>>> is refused: invalid configuration "
            "argument: at most 1024 threads in a block"
        ],
    ),
    "frees_its_arguments": (
        copying("  if (i < n) out[i] = in[i];\n").replace(
            "(in, out, n); }", "(in, out, n);\n  cudaFree((void*)in); cudaFree(out); }"
        ),
        ["line 6: cudaFree((void*)in): this array is not the function's, and is still needed"],
    ),
    "null": (copying("  *(float*)nullptr = 1;\n"), ["line 3: writes where no array is"]),
    "forgotten_launch": ("void copy_f32(const float*, float*, size_t) {}\n", ["wrote nothing"]),
    "host_pointer": (
        copying("").replace(
            "k<<<", "float* x; cudaMemcpy(&x, in, 8, cudaMemcpyHostToDevice); k<<<"
        ),
        ["in is on the device already"],
    ),
    "loop_on_the_host": (
        "void copy_f32(const float* in, float* out, size_t n) {\n"
        "  for (size_t i = 0; i < n; ++i)\n    out[i] = in[i];\n}\n",
        ["line 3: the host reads in, which is on the device: only kernels and cudaMemcpy"],
    ),
    "memcpy_on_the_host": (
        "void copy_f32(const float* in, float* out, size_t n) {\n  float all[9999];\n"
        "  cudaMemcpy(all, in, n * 4, cudaMemcpyDeviceToHost);\n  memcpy(out, all, n * 4);\n}\n",
        ["line 4: the host writes out, which is on the device"],
    ),
    "own_memory_on_the_host": (
        "void copy_f32(const float*, float*, size_t n) {\n  float* mine;\n"
        "  cudaMalloc(&mine, n * 4);\n  mine[0] = 1;\n}\n",
        ["line 4: the host writes memory of the device"],
    ),
    "kernel_on_the_host_s_array": (
        copying("  if (i < n) out[i] = in[i];\n")
        .replace("k<<<", "float* out_of_reach = (float*)malloc(n * 4);\n  k<<<")
        .replace("(in, out, n)", "(in, // its input\n out_of_reach, n)"),
        ["line 6: argument 2 of the kernel is in the host's memory, where no kernel gets"],
    ),
    "fixed_grid": (
        copying("  if (i < n) out[i] = in[i];\n", "32, 128"),
        ["wrong with 20011 elements: left out 15915 of 20011 elements, the first at index 4096"],
    ),
    "wrong_stride": (
        copying("  for (; i < n; i += blockDim.x * 8) out[i] = in[i];\n", "4, 256"),
        ["wrong with 20011 elements: left out "],
    ),
    "syntax": (copying("  out[j] = in[i];\n"), ["does not compile: syntax.cu:3:"]),
    "signature": (copying("").replace("size_t n) { k", "int n) { k"), ["wanted: void copy_f32("]),
}
SOUND = {
    "turn": copying(TURN.format(between="__syncthreads();")),
    "warp": copying(WARP.format(between="__syncwarp();")),
    "sum": SUM % SOUND_SUM,
    "count": COUNT % "atomicAdd(&found, 1)",
    "bins": BINS % "table[b] = 0",
    "wide": copying(WIDE.format(tail=TAIL), "(n + 1023) / 1024, 256"),
    "shuffled": copying(SHUFFLED),
    "template": TEMPLATE,
    "stream": copying("  if (i < n) out[i] = in[i];\n", f"{GRID}, 0, 0"),
    "managed_and_pinned": copying("  if (i < n) out[i] = in[i];\n").replace(
        "k<<<",
        "float* mine; cudaMallocManaged(&mine, 4); *mine = 1; cudaFree(mine);\n"
        "  static float pinned[9]; cudaHostRegister(pinned, 36, 0); k<<<1, 1>>>(pinned, pinned, 1);"
        " cudaHostUnregister(pinned); k<<<",
    ),
    "constant_and_streams": "__constant__ float factor[2];\n"
    + HEAD
    + INDEX
    + "  if (i < n) out[i] = in[i] * factor[1];\n}\n"
    "void copy_f32(const float* in, float* out, size_t n) {\n"
    "  const float two[2] = {2, 1};\n  cudaMemcpyToSymbol(factor, two, sizeof two);\n"
    "  cudaStream_t stream;\n  cudaStreamCreate(&stream);\n"
    "  k<<<(n + 255) / 256, 256, 0, stream>>>(in, out, n);\n"
    "  cudaStreamSynchronize(stream);\n  cudaStreamDestroy(stream);\n}\n",
    # Each half of a warp is a branch of its own, and its mask names who comes there.
    "half_warps": HEAD + INDEX + "  float v = i < n ? in[i] : 0;\n"
    "  if (t % 32 < 16) v = __shfl_xor_sync(0x0000ffff, __shfl_xor_sync(0x0000ffff, v, 8), 8);\n"
    "  else v = __shfl_xor_sync(0xffff0000, __shfl_xor_sync(0xffff0000, v, 4), 4);\n"
    "  if (i < n) out[i] = v;\n}\n" + CALL % GRID,
    # Those of a branch elect a leader, which adds for all of them.
    "active": """__global__ void k(const float* x, size_t n, float threshold, unsigned* count) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] < threshold) {
    unsigned active = __activemask();
    if (__ffs(active) - 1 == threadIdx.x % 32) atomicAdd(count, __popc(active));
    __syncwarp(active);
  }
}
void counter_f32(const float* x, size_t n, float threshold, uint32_t* count) {
  cudaMemset(count, 0, 4);
  k<<<(n + 255) / 256, 256>>>(x, n, threshold, count);
}
""",
    "formatted": copying("  if (i < n) out[i] = in[i];\n")
    .replace("<<<", " << <")
    .replace(">>>", " >> >"),
    "mark": "\ufeff" + copying("  if (i < n) out[i] = in[i];\n"),
    "by_pointer": 'const char* const shown = R"(k<<<1, 1>>>(x);)";\n'
    + copying("  if (i < n) out[i] = in[i];\n").replace("k<<<", "auto* copies = k; (*copies)<<<"),
    "guarded": "#if defined(__CUDACC__) && __CUDACC_VER_MAJOR__ >= 11\n"
    + copying("  if (i < n) out[i] = in[i];\n")
    + "#endif\n",
    "template_tile": """template <int TILE, class T>
__global__ void turn(const T* in, T* out, size_t rows, size_t cols) {
  __shared__ T tile[TILE][TILE + 1], unused;
  size_t i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
  if (i < rows && j < cols) tile[threadIdx.y][threadIdx.x] = in[i * cols + j];
  __syncthreads();
  i = blockIdx.y * TILE + threadIdx.x, j = blockIdx.x * TILE + threadIdx.y;
  if (i < rows && j < cols) out[j * rows + i] = tile[threadIdx.x][threadIdx.y];
}
void transpose_f32(const float* in, float* out, size_t rows, size_t cols) {
  turn<16><<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(in, out, rows, cols);
}
int main() { cudaDeviceReset(); }
""",
    "words": copying(
        "  short2 s = make_short2(1, 2);\n  unsigned m = __brev(__popcll(3ull)) + s.x + s.y;\n"
        "  if (i < n) __stcs(&out[i], __fmul_rn(__ldcs(&in[i]), __float2int_rn(1.2f) + 0 * m));\n"
    ),
    "vectors": copying(
        "  float4 v = make_float4(1, 2, 3, 4);\n"
        "  if (i < n) out[i] = __ldg(&in[i]) + 0 * fmaxf(v.x, rsqrtf(v.y)) * min(1, 2);\n"
    ),
}


# What the CPU finds is found without nvcc, too, which takes a second for each file.
WITHOUT_NVCC = {"CUDACXX": "false"}


def rows(bench, folder, files, expected, kind="cu", **environment):
    for name, text in files.items():
        (folder / f"{name}.{kind}").write_text(text, encoding="utf-8")
    names = ",".join(f"{name}.{kind}" for name in files)
    run = bench(
        "*/serial/naive", "--with", names, "--size", "tiny", "--samples", "1", "--quiet",
        "--patience", "60", "--output", "-", LC_ALL="C.UTF-8", timeout=1200, **environment,
    )  # fmt: skip
    assert run.returncode == expected, run.stderr
    cases = json.loads(run.stdout)["cases"]
    return {case["variant"]: case for case in cases if "guest" in case}


def test_each_fault_has_a_sentence_of_its_own(bench, tmp_path):
    files = {name: text for name, (text, _) in FAULTS.items()}
    found = rows(bench, tmp_path, files, 1, **WITHOUT_NVCC)
    for name, (_, words) in FAULTS.items():
        case = found[name]
        assert case["status"] == "failed", (name, case["reason"])
        assert [word for word in words if word not in case["reason"]] == [], (name, case["reason"])


def test_what_is_sound_passes_and_has_no_time(bench, tmp_path):
    for name, case in rows(bench, tmp_path, SOUND, 0).items():
        assert case["status"] == "checked", (name, case["reason"])
        misled = ", which its __CUDACC__ may mislead" if "__CUDACC__" in SOUND[name] else ""
        long = "3x20011, 20011x3, 997x2053" if "x" in case["size"] else "20011, 300007"
        sizes = f"{case['size'].split(':')[0]}, {long}"
        assert re.sub(r":\d+(?=[,)])", "", case["reason"]) == (
            "right on the CPU (3 orders of its threads, AddressSanitizer and ThreadSanitizer"
            f"{misled}; {'nvcc compiles it' if NVCC else 'not compiled with nvcc'}; "
            f"largest sizes: {sizes}); timing it requires a GPU"
        ), name


def test_sanitizers_do_not_speak_for_what_misleads_them(bench, tmp_path):
    text = SOUND["stream"].replace(
        "__global__", '__attribute__((no_sanitize("address", "thread"))) __global__'
    )
    found = rows(bench, tmp_path, {"hidden": text}, 0)
    assert "which its no_sanitize may mislead" in found["hidden"]["reason"]


@pytest.mark.skipif(not NVCC, reason="no nvcc to refuse anything")
def test_what_is_a_kernel_for_the_cpu_only_is_refused_by_nvcc(bench, tmp_path):
    sound = SOUND["stream"]
    files = {
        "no_global": sound.replace("__global__ ", ""),
        "an_int": sound.replace("__global__ void", "__global__ int"),
        "host_function": "float twice(float x) { return x + x; }\n"
        + sound.replace("in[i]", "twice(in[i]) / 2"),
    }
    found = rows(bench, tmp_path, files | {"sound": sound}, 1)
    assert found.pop("sound")["status"] == "checked"
    for name, case in found.items():
        assert case["status"] == "failed", (name, case["reason"])
        assert case["reason"].startswith(f"does not compile: {name}.cu("), case["reason"]
        assert case["reason"].endswith("(nvcc)"), case["reason"]


@pytest.mark.skipif(not NVCC, reason="no nvcc to refuse anything")
def test_what_nvcc_refuses_as_the_host_s_is_its_fault(bench, tmp_path):
    """An atomicAdd of one's own, for devices that had none: nvcc sees it where it compiles for the
    host."""
    text = (
        "#if __CUDA_ARCH__ < 600\n__device__ double atomicAdd(double* to, double value) {\n"
        "  return *to += value;\n}\n#endif\n" + SUM % SOUND_SUM
    )
    case = rows(bench, tmp_path, {"own": text, "sound": SOUND["stream"]}, 1)["own"]
    assert case["status"] == "failed"
    assert case["reason"].startswith("does not compile: own.cu(2): error: "), case["reason"]
    assert "atomicAdd(double *, double)" in case["reason"]


def test_launches_are_looked_at_at_the_size_that_is_asked_for(bench, tmp_path):
    """No CPU executes a launch of that size, and no GPU takes it."""
    rows_in_y = """__global__ void k(const float* a, const float* b, float* c, size_t cols) {
  size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j < cols) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
}
void matrix_add_f32(const float* a, const float* b, float* c, size_t rows, size_t cols) {
  k<<<dim3((cols + 127) / 128, rows), 128>>>(a, b, c, cols);
}
"""
    # How many it launches is known when the first has been executed only.
    from_a_result = (
        copying("  if (i < n) out[i] = in[i];\n")
        .replace(
            "{ k<<<",
            "{ unsigned *d, blocks = 0; cudaMalloc(&d, 4); unsigned wanted = (n + 255) / 256;\n"
            "  cudaMemcpy(d, &wanted, 4, cudaMemcpyHostToDevice);\n"
            "  cudaMemcpy(&blocks, d, 4, cudaMemcpyDeviceToHost); cudaFree(d); k<<<",
        )
        .replace(GRID, "blocks, 256")
    )
    cols_in_a_block = rows_in_y.replace(
        "dim3((cols + 127) / 128, rows), 128", "rows, cols"
    ).replace(
        "blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y", "threadIdx.x, i = blockIdx.x"
    )
    for name, text, sizes, first, refused in (
        ("tall", rows_in_y, ["65535x3", "65536x3"], "checked",
         "(1,65536,1), (128,1,1), 0>>> is refused: "
         "invalid configuration argument: at most 65535 blocks in y and in z"),
        ("wide", cols_in_a_block, ["3x1024", "3x1025"], "failed",
         "(3,1,1), (20011,1,1), 0>>> is refused: "
         "invalid configuration argument: at most 1024 threads in a block"),
        ("counted", from_a_result, ["5", "1000000"], "checked", ""),
    ):  # fmt: skip
        (tmp_path / f"{name}.cu").write_text(text)
        run = bench(
            "try", f"{name}.cu", "--size", ",".join(sizes), "--samples", "1", "--quiet",
            "--max-time", "0.01", "--output", "-", LC_ALL="C.UTF-8",
        )  # fmt: skip
        found = [one for one in json.loads(run.stdout)["cases"] if "guest" in one]
        assert [one["size"] for one in found] == sizes, run.stderr
        wanted = [first, "failed" if refused else "checked"]
        assert [one["status"] for one in found] == wanted, found
        if refused:
            assert found[1]["reason"] == f"line 6: the launch <<<{refused}"


def test_an_nvcc_that_takes_nothing_has_seen_nothing(bench, tmp_path, monkeypatch):
    broken = tmp_path / "nvcc"
    broken.write_text(
        '#!/bin/sh\necho "host_config.h(9): error: unsupported GNU version" >&2\nexit 1\n'
    )
    broken.chmod(0o755)
    monkeypatch.setenv("CUDACXX", str(broken))
    (case,) = rows(bench, tmp_path, {"mine": SOUND["stream"]}, 0).values()
    assert (
        "; not compiled with nvcc: host_config.h(9): error: unsupported GNU version ("
        in (case["reason"])
    )


def test_launches_and_faults_in_headers_are_found(bench, tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "launch.cuh").write_text(
        '#pragma once\n#include "kernel.cuh"\n'
        "inline void all(const float* in, float* out, size_t n) {\n"
        "  k<<<(n + 255) / 256, 256>>>(in, out, n);\n}\n"
    )
    main = (
        '#include <cuda_runtime.h>\n#include "inner/launch.cuh"\n'
        "void copy_f32(const float* in, float* out, size_t n) { all(in, out, n); }\n"
    )
    kernel = tmp_path / "inner" / "kernel.cuh"
    kernel.write_text("#pragma once\n" + HEAD + INDEX + "  if (i < n) out[i] = in[i];\n}\n")
    assert rows(bench, tmp_path, {"mine": main}, 0)["mine"]["status"] == "checked"
    kernel.write_text("#pragma once\n" + HEAD + INDEX + "  out[i] = in[i];\n}\n")
    reason = rows(bench, tmp_path, {"mine": main}, 1)["mine"]["reason"]
    assert reason.startswith("inner/kernel.cuh:4: reads element 1013 of in, which has 1013"), reason


def test_any_temporary_folder_will_do(bench, tmp_path, monkeypatch):
    folder = tmp_path / "a b,c:d"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    wrong = copying("  if (i <= n) out[i] = in[i];\n")
    reason = rows(bench, tmp_path, {"mine": wrong}, 1)["mine"]["reason"]
    assert reason.startswith("line 3: reads element 1013 of in, which has 1013"), reason


def test_doubles_that_nobody_asked_for_are_named(bench, tmp_path):
    if not NVCC:
        pytest.skip("no nvcc")
    power = copying("  if (i < n) out[i] = in[i] == in[i] ? in[i] : (float)sin(in[i] * 1.0);\n")
    reason = rows(bench, tmp_path, {"mine": power}, 0)["mine"]["reason"]
    assert "; line 3 turns floats into doubles, which is slow: write 50.0f, sinf" in reason, reason


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("  size_t k = (n + 63) / 64;\n"
         "  for (size_t j = i * k; j < i * k + k && j < n; ++j)\n    out[j] = in[j];\n", 5),
        ("  __shared__ float s[256 * 32];\n  s[t * 32] = t;\n"
         "  if (i < n) out[i] = in[i - t + (size_t)s[t * 32]];\n", None),
    ],
)  # fmt: skip
def test_a_warp_whose_threads_are_far_apart_is_named(bench, tmp_path, body, said):
    mine = copying(body, "1, 64" if said else GRID)
    reason = rows(bench, tmp_path, {"mine": mine}, 0)["mine"]["reason"]
    assert ("far apart" in reason) is (said is not None), reason
    named = f"; mine.cu:{said}: neighbouring threads access memory far apart, so a warp moves 8"
    assert said is None or named in reason, reason


def test_a_graded_file_is_checked_in_the_sandbox(bench, tmp_path):
    # What the kernel cannot forbid is written, and run.sandbox says so.
    text = "#include <cstdio>\n" + SOUND["stream"].replace(
        "void copy_f32(const float* in, float* out, size_t n) {",
        "void copy_f32(const float* in, float* out, size_t n) {\n"
        f'  if (FILE* f = fopen("{tmp_path}/planted", "w")) fclose(f);\n',
    )
    (tmp_path / "mine.cu").write_text(text)
    options = ["--size", "tiny", "--samples", "1", "--quiet", "--output", "-"]
    for graded in (["--graded"], []):
        run = bench("copy/serial/naive", "--with", "mine.cu", *options, *graded, LC_ALL="C.UTF-8")
        document = json.loads(run.stdout)
        (case,) = [case for case in document["cases"] if "guest" in case]
        assert case["status"] == "checked", case["reason"]
        if graded:
            kept = "writing files" in document["context"]["run"]["sandbox"]["forbids"]
            assert (tmp_path / "planted").exists() is not kept
    assert (tmp_path / "planted").exists()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("#include <cub/cub.cuh>\n", "has cub/cub.cuh"),
        ("#include <cuda_fp8.h>\n", "has cuda_fp8.h"),
        ("extern __shared__ float all[];\n", "has a dynamic shared array outside of a kernel"),
        ("void sized() { cudaDeviceSetLimit(cudaLimitStackSize, 4096); }\n",
         "uses cudaLimitStackSize"),
    ],
)  # fmt: skip
def test_what_the_cpu_cannot_do_is_no_fault(bench, tmp_path, text, what):
    found = rows(bench, tmp_path, {"mine": text + SOUND["stream"]}, 0)
    assert found["mine"]["reason"] == f"cannot be checked without a GPU: it {what}"


def test_every_starter_in_cuda_is_right(bench, tmp_path):
    names = sorted(path.parent.name for path in ROOT.glob("kernels/*/starter.cu"))
    assert len(names) == len(list(ROOT.glob("kernels/*/starter.c"))) > 10
    starters = {}
    for name in names:
        made = bench("try", "--new", name, f"{name}.cu")
        assert made.returncode == 0, made.stderr
        starters[name] = (tmp_path / f"{name}.cu").read_text()
    found = rows(bench, tmp_path, starters, 0)
    assert {name: case["status"] for name, case in found.items()} == dict.fromkeys(names, "checked")


def test_a_file_without_a_function_is_one_line(bench, tmp_path):
    (tmp_path / "mine.cu").write_text("__global__ void copy() {}\n")
    run = bench("try", "mine.cu")
    assert run.returncode == 2
    assert (
        "mine.cu: exports no kernel: it has copy (did you mean copy_f32?)"
        in run.stderr.splitlines()[0]
    )


def test_without_a_compiler_there_is_a_line(bench, tmp_path):
    (tmp_path / "mine.cu").write_text(SOUND["stream"])
    run = bench("verify", "copy/serial", "--with", "mine.cu", "--size", "9", CXX="nowhere++")
    assert run.returncode == 2
    assert "cannot be compiled: nowhere++ (CXX): No such file or directory" in run.stderr
    assert not list(pathlib.Path("/tmp").glob("bench-check-*")), "reports are gone"


def test_the_example_of_a_class_says_what_its_page_says(bench, tmp_path):
    shutil.copytree(ROOT / "course" / "handin", tmp_path / "handin")
    (tmp_path / "handin" / "joao").rename(tmp_path / "handin" / "joão")  # as students write names
    page = (ROOT / "docs" / "teacher" / "class.md").read_text(encoding="utf-8")
    files = sorted(map(str, (tmp_path / "handin").glob("*/energy.*")))
    files = [os.path.relpath(file, tmp_path) for file in files]
    options = ["--graded", "--size", "10000", "--max-time", "0.05", "--output", "class.json"]
    run = bench("try", *files, *options, BENCH_PYTHON=sys.executable)
    assert run.returncode == 1, run.stderr
    for fault in ("does not compile", "left out 1 of 10000 elements", "reads element 1013 of x"):
        assert fault in " ".join(run.stdout.split()), fault
    (points,) = re.findall(r"^\$ (bench table .* \| bench points)$", page, re.MULTILINE)
    command = points.replace("bench ", f"{BENCH} ")
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    found = {row["file"]: row["points"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert set(found) == set(files)
    wrong = {file for file, value in found.items() if value == "0"}
    assert wrong == {file for file in files if file.split("/")[1] not in ("ana", "eva", "rui")}
    # On a busy node who is right has no points yet.
    assert all(10 <= float(found[file] or 10) <= 20 for file in files if file not in wrong)
