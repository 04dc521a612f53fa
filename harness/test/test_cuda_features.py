# ruff: noqa: E501
"""Right CUDA as students write it, one feature a piece: right on the CPU, or honestly left to a GPU; never a fault. All
of them copy, so that one file has many."""
# CTest: release full

import os

import pytest
from test_cuda_guests import HEAD, INDEX, copying, pytestmark, rows  # noqa: F401

COPY = "  if (i < n) out[i] = in[i];\n"
KERNEL = HEAD + INDEX + COPY + "}\nvoid copy_f32(const float* in, float* out, size_t n) {\n"

# What a kernel does.
BODIES = {
    "atomic_int": """  __shared__ int a;
  if (t == 0) a = 0;
  __syncthreads();
  atomicAdd(&a, 1);
  atomicSub(&a, 1);
  atomicMin(&a, 3);
  atomicMax(&a, 3);
  atomicExch(&a, 3);
  atomicCAS(&a, 3, 4);
  atomicAnd(&a, 3);
  atomicOr(&a, 3);
  atomicXor(&a, 3);
  __syncthreads();
  if (i < n) out[i] = in[i] + 0 * (float)a;""",
    "atomic_unsigned": """  __shared__ unsigned a;
  if (t == 0) a = 0;
  __syncthreads();
  atomicAdd(&a, 1u);
  atomicInc(&a, 7u);
  atomicDec(&a, 7u);
  atomicMin(&a, 3u);
  atomicMax(&a, 3u);
  atomicXor(&a, 3u);
  atomicAnd(&a, 1u);
  __syncthreads();
  if (i < n) out[i] = in[i] + 0 * (float)a;""",
    "atomic_ull": """  __shared__ unsigned long long a;
  if (t == 0) a = 0;
  __syncthreads();
  atomicAdd(&a, 1ull);
  atomicMax(&a, 3ull);
  atomicCAS(&a, 3ull, 4ull);
  atomicExch(&a, 1ull);
  atomicXor(&a, 3ull);
  atomicOr(&a, 3ull);
  __syncthreads();
  if (i < n) out[i] = in[i] + 0 * (float)a;""",
    "atomic_float": """  __shared__ float a;
  if (t == 0) a = 0;
  __syncthreads();
  atomicAdd(&a, 1.f);
  atomicExch(&a, 2.f);
  __syncthreads();
  if (i < n) out[i] = in[i] + 0 * (float)a;""",
    "atomic_double": """  __shared__ double a;
  if (t == 0) a = 0;
  __syncthreads();
  atomicAdd(&a, 1.0);
  __syncthreads();
  if (i < n) out[i] = in[i] + 0 * (float)a;""",
    "atomic_block": """  __shared__ int a;
  if (t == 0) a = 0;
  __syncthreads();
  atomicAdd_block(&a, 1);
  __syncthreads();
  if (i < n && a == 256) out[i] = in[i];""",
    "match_any": """  unsigned m = __match_any_sync(~0u, (int)(t % 4));
  if (i < n) out[i] = in[i] + (__popc(m) - 8);""",
    "match_all": """  int all;
  __match_all_sync(~0u, 7, &all);
  if (i < n && all) out[i] = in[i];""",
    "reduce_sync": """  unsigned r = __reduce_add_sync(~0u, 1u);
  int m = __reduce_max_sync(~0u, (int)t) - __reduce_min_sync(~0u, (int)t);
  if (i < n) out[i] = in[i] + (r - 32) + (m - 31);""",
    "ldg": """  if (i < n) out[i] = __ldg(in + i);""",
    "lambda_local": """  auto same = [](float x) { return x; };
  if (i < n) out[i] = same(in[i]);""",
    "clock64": """  long long a = clock64();
  clock_t b = clock();
  if (i < n) out[i] = in[i] + 0 * (float)(clock64() - a) + 0 * (float)(clock() - b);""",
    "nanosleep": """  __nanosleep(20);
  if (i < n) out[i] = in[i];""",
    "shared_struct": """  struct S { float a; int b; };
  __shared__ S s[256];
  s[t] = {i < n ? in[i] : 0, 1};
  __syncthreads();
  if (i < n) out[i] = s[t].a;""",
    "shared_several_on_a_line": """  __shared__ float a[256], b[256], c;
  a[t] = i < n ? in[i] : 0;
  if (t == 0) c = 1;
  __syncthreads();
  b[t] = a[t] * c;
  if (i < n) out[i] = b[t];""",
    "syncthreads_count": """  int c = __syncthreads_count(1), a = __syncthreads_and(1), o = __syncthreads_or(0);
  if (i < n && c == 256 && a && !o) out[i] = in[i];""",
    "shfl_double_int": """  double d = __shfl_sync(~0u, (double)t, 0); int x = __shfl_up_sync(~0u, (int)t, 1); unsigned u = __shfl_xor_sync(~0u, (unsigned)t, 1); long long l = __shfl_down_sync(~0u, 1ll, 1);
  if (i < n) out[i] = in[i] + 0 * (float)(d + x + u + l);""",
    "ballot": """  unsigned b = __ballot_sync(__activemask(), i < n);
  if (i < n && b && __any_sync(__activemask(), 1) && __all_sync(__activemask(), 1)) out[i] = in[i];""",
    "math": """  if (i < n) out[i] = in[i] + 0 * (fmaf(1.f, 2.f, 3.f) + sinpif(.5f) + erff(.1f) + tgammaf(2.f) + norm3df(1, 2, 3) + cbrtf(8) + exp10f(1) + rhypotf(3, 4) + lgammaf(3) + normcdff(0) + j0f(1) + copysignf(1, -1) + ldexpf(1, 2) + truncf(1.5f));""",
    "exp10": """  if (i < n) out[i] = in[i] + 0 * (exp10f(1) + (float)exp10(1.0));""",
    "int_intrinsics": """  if (i < n) out[i] = in[i] + 0 * (__clz(5) + __ffs(5) + __popc(5) + __brev(1) + __mul24(2, 3) + __umulhi(1, 2) + __byte_perm(1, 2, 3) + __funnelshift_l(1, 2, 3) + __sad(1, 2, 3) + __mulhi(1, 2) + __hadd(2, 4) + __rhadd(2, 4));""",
    "device_new": """  if (i < n) { float* p = new float[2]; p[0] = in[i]; out[i] = p[0]; delete[] p; }""",
    "volatile_shared": """  __shared__ volatile float s[256];
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = s[t];""",
    "long_index": """  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) out[j] = in[j];""",
    "saturate": """  if (i < n) out[i] = in[i] + 0 * (__saturatef(2.f) + __fdividef(1, 2) + __int_as_float(0) + __uint2float_rn(3) + __ll2float_rn(3));""",
    "isnan": """  if (i < n) out[i] = isnan(in[i]) || isinf(in[i]) || !isfinite(in[i]) || signbit(in[i]) ? in[i] : in[i];""",
}
# What the host's function does.
HOSTS = {
    "launch_kernel": """void* args[] = {&in, &out, &n}; cudaLaunchKernel((const void*)k, dim3((n + 255) / 256), dim3(256), args, 0, 0);""",
    "launch_kernel_void": """void* args[] = {(void*)&in, (void*)&out, (void*)&n}; cudaLaunchKernel((void*)k, (n + 255) / 256, 256, args, 0, nullptr);""",
    "graph": """cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<(n + 255) / 256, 256, 0, s>>>(in, out, n); cudaStreamEndCapture(s, &g); cudaStreamSynchronize(s); k<<<(n + 255) / 256, 256>>>(in, out, n);""",
    "graph_launched": """cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<(n + 255) / 256, 256, 0, s>>>(in, out, n); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s); cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaStreamDestroy(s);""",
    "managed": """float* m; cudaMallocManaged(&m, n * sizeof(float)); k<<<(n + 255) / 256, 256>>>(in, m, n); cudaDeviceSynchronize(); float s = m[0]; (void)s; k<<<(n + 255) / 256, 256>>>(m, out, n); cudaDeviceSynchronize(); cudaFree(m);""",
    "stream_of_default_flags": """cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamDefault); k<<<(n + 255) / 256, 256, 0, s>>>(in, out, n); cudaStreamSynchronize(s); cudaStreamDestroy(s);""",
    "blocking_streams_wait_for_the_default_one": """static cudaStream_t s = [] { cudaStream_t one; cudaStreamCreate(&one); return one; }();
  float* t; cudaMalloc(&t, 4 * n); cudaMemsetAsync(t, 0xff, 4 * n, 0); k<<<(n + 255) / 256, 256, 0, s>>>(in, t, n); cudaMemcpyAsync(out, t, 4 * n, cudaMemcpyDeviceToDevice, 0); cudaFree(t);""",
    "streams": """cudaStream_t a, b; cudaStreamCreate(&a); cudaStreamCreate(&b); size_t h = n / 2;
 if (h > 0) k<<<(h + 255) / 256, 256, 0, a>>>(in, out, h); k<<<(n - h + 255) / 256, 256, 0, b>>>(in + h, out + h, n - h);
 cudaStreamSynchronize(a); cudaStreamSynchronize(b); cudaStreamDestroy(a); cudaStreamDestroy(b);""",
    "events": """cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); cudaEventRecord(a);
k<<<(n + 255) / 256, 256>>>(in, out, n);
cudaEventRecord(b); cudaEventSynchronize(b); float ms; cudaEventElapsedTime(&ms, a, b); cudaEventDestroy(a); cudaEventDestroy(b);""",
    "event_flags": """cudaEvent_t a; cudaEventCreateWithFlags(&a, cudaEventDisableTiming); cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); k<<<(n + 255) / 256, 256, 0, s>>>(in, out, n); cudaEventRecord(a, s); cudaStreamWaitEvent(0, a, 0); cudaStreamSynchronize(s); cudaStreamDestroy(s); cudaEventDestroy(a);""",
    "streams_with_an_event": """cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking); cudaEvent_t e; cudaEventCreate(&e); float* m; cudaMalloc(&m, 4 * n);
for (int i = 0; i < 2; ++i) { k<<<(n + 255) / 256, 256, 0, a>>>(in, m, n); cudaEventRecord(e, a); cudaStreamWaitEvent(b, e, 0); k<<<(n + 255) / 256, 256, 0, b>>>(m, out, n); cudaEventRecord(e, b); cudaStreamWaitEvent(a, e, 0); }
cudaStreamDestroy(a); cudaStreamSynchronize(b); cudaStreamDestroy(b); cudaEventDestroy(e); cudaFree(m);""",
    "streams_that_the_host_waits_for": """cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking); float* m; cudaMallocManaged(&m, 4 * n);
k<<<(n + 255) / 256, 256, 0, a>>>(in, m, n); cudaStreamSynchronize(a); m[0] += 0; k<<<(n + 255) / 256, 256, 0, b>>>(m, out, n); while (cudaStreamQuery(b) == cudaErrorNotReady) cudaStreamSynchronize(b); m[0] = 0; cudaStreamDestroy(a); cudaStreamDestroy(b); cudaFree(m);""",
    "mapped_and_waited_for": """float *h, *m; cudaHostAlloc((void**)&h, 4 * n, cudaHostAllocDefault); cudaHostGetDevicePointer((void**)&m, h, 0); k<<<(n + 255) / 256, 256>>>(in, m, n); cudaDeviceSynchronize(); h[0] += 0 * h[n - 1]; k<<<(n + 255) / 256, 256>>>(m, out, n); cudaFreeHost(h);""",
    "pageable_copies_return_when_done": """float h[8]; size_t few = n < 8 ? n : 8; k<<<(n + 255) / 256, 256>>>(in, out, n); cudaMemcpyAsync(h, in, 4 * few, cudaMemcpyDeviceToHost, 0); h[0] += 0; cudaMemcpyAsync(out, h, 4 * few, cudaMemcpyHostToDevice, 0); h[0] = 7;""",
    "malloc_async": """float* p; cudaMallocAsync(&p, 4 * n, 0); k<<<(n + 255) / 256, 256>>>(in, p, n); cudaMemcpyAsync(out, p, 4 * n, cudaMemcpyDeviceToDevice, 0); cudaFreeAsync(p, 0);""",
    "mem_get_info": """size_t f, t; cudaMemGetInfo(&f, &t);
k<<<(n + 255) / 256, 256>>>(in, out, n);""",
    "occupancy": """int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0); k<<<(n + b - 1) / b, b>>>(in, out, n);""",
    "host_alloc": """float* h; cudaHostAlloc((void**)&h, 64, cudaHostAllocDefault); h[0] = 1; cudaFreeHost(h); cudaMallocHost((void**)&h, 64); cudaFreeHost(h);
k<<<(n + 255) / 256, 256>>>(in, out, n);""",
    "launch_in_if": """if (n > 100) k<<<(n + 255) / 256, 256>>>(in, out, n); else k<<<1, 128>>>(in, out, n);""",
    "memset_async": """cudaMemsetAsync(out, 0, 4 * n, 0);
k<<<(n + 255) / 256, 256>>>(in, out, n);""",
}
# Files.
WHOLE = {
    "cooperative": """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  auto b = cg::this_thread_block(); b.sync();
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "symbol_address": """__device__ float buffer[300007];
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) {
float* b; cudaGetSymbolAddress((void**)&b, buffer); k<<<(n + 255) / 256, 256>>>(in, b, n); k<<<(n + 255) / 256, 256>>>(b, out, n);
}""",
    "tiles": """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out, size_t n) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto four = cg::tiled_partition<4>(warp);
  size_t i = (size_t)blockIdx.x * block.size() + block.thread_rank();
  float x = i < n ? in[i] : 0;
  unsigned ones = cg::reduce(warp, 1u, cg::plus<unsigned>());
  unsigned most = cg::reduce(four, four.thread_rank(), cg::greater<unsigned>());
  unsigned sum = 1;
  for (unsigned half = warp.size() / 2; half > 0; half /= 2) sum += warp.shfl_down(sum, half);
  bool right = ones == 32 && most == 3 && warp.shfl(sum, 0) == 32 && four.shfl_xor(four.thread_rank(), 1) == (four.thread_rank() ^ 1) &&
               four.ballot(four.thread_rank() == 2) == 4 && warp.shfl_up(7, 1) == 7 && warp.any(1) && warp.all(1) &&
               warp.meta_group_rank() == block.thread_rank() / 32 && warp.meta_group_size() == 8;
  warp.sync();
  cg::sync(block);
  if (i < n) out[i] = right ? x : -x;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "tiles_of_a_short_block": """#include <cooperative_groups.h>
__global__ void k(const float* in, float* out, size_t n) {
  auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned last = tile.shfl(tile.thread_rank(), tile.size() - 1);
  if (i < n) out[i] = last == (threadIdx.x < 32 ? 31 : 7) ? in[i] : -1;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 39) / 40, 40>>>(in, out, n); }""",
    "coalesced_threads": """#include <cooperative_groups.h>
__global__ void k(const float* in, float* out, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    auto here = cooperative_groups::coalesced_threads();
    unsigned first = here.shfl((unsigned)i, 0);
    out[i] = first + here.thread_rank() <= i && here.thread_rank() < here.size() ? in[i] : -1;
  }
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "pipeline": """#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out, size_t n) {
  __shared__ alignas(16) float t[2][256];
  size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
  if (i < n) __pipeline_memcpy_async(&t[0][threadIdx.x], in + i, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (i < n) out[i] = t[0][threadIdx.x];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "pipeline_of_two_buffers": """#include <cuda_pipeline_primitives.h>
__global__ void k(const float* in, float* out, size_t n) {
  __shared__ alignas(16) float buffer[2][4 * 64];
  size_t first = (size_t)blockIdx.x * 1024;
  for (int step = 0; step < 5; ++step) {
    size_t i = first + step * 256 + 4 * threadIdx.x;
    if (step < 4 && i + 3 < n) __pipeline_memcpy_async(&buffer[step % 2][4 * threadIdx.x], in + i, 16);
    __pipeline_commit();
    if (step == 0) continue;
    __pipeline_wait_prior(1);
    size_t before = i - 256;
    for (size_t j = before; j < before + 4 && j < n; ++j) out[j] = before + 3 < n ? buffer[(step - 1) % 2][4 * threadIdx.x + j - before] : in[j];
  }
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 1023) / 1024, 64>>>(in, out, n); }""",
    "group_copy": """#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out, size_t n) {
  __shared__ alignas(16) float t[256];
  auto block = cg::this_thread_block();
  size_t first = (size_t)blockIdx.x * 256, many = n - first < 256 ? n - first : 256;
  cg::memcpy_async(block, t, in + first, many * sizeof(float));
  cg::wait(block);
  if (threadIdx.x < many) out[first + threadIdx.x] = t[threadIdx.x];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "volatile_flags": """__device__ volatile unsigned turn;
__device__ unsigned tickets;
__device__ float first_of_block[2048];
__global__ void k(const float* in, float* out, size_t n) {
  __shared__ unsigned me;
  if (threadIdx.x == 0) me = atomicAdd(&tickets, 1u);
  __syncthreads();
  size_t i = (size_t)me * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    while (turn != me) {}
    __threadfence();
    float before = me > 0 ? first_of_block[me - 1] : 0;
    first_of_block[me] = i < n ? in[i] : before;
    __threadfence();
    turn = me + 1;
    if (me + 1 == gridDim.x) turn = tickets = 0;
  }
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "grid_sync": """#include <cooperative_groups.h>
__device__ float turned[512];
__global__ void k(const float* in, float* out, size_t n) {
  auto grid = cooperative_groups::this_grid();
  unsigned all = (unsigned)grid.size(), me = (unsigned)grid.thread_rank();
  for (size_t begin = 0; begin < n; begin += all) {
    size_t i = begin + me;
    if (i < n) turned[all - 1 - me] = in[i];
    grid.sync();
    if (begin + all - 1 - me < n) out[begin + all - 1 - me] = turned[me];
    grid.sync();
  }
}
void copy_f32(const float* in, float* out, size_t n) {
  int can = 0; cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0); if (!can) return;
  void* args[] = {&in, &out, &n}; cudaLaunchCooperativeKernel((void*)k, dim3(4), dim3(128), args, 0, 0);
}""",
    "float4": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  size_t j = 4 * i;
  if (j + 3 < n) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  else for (; j < n; ++j) out[j] = in[j];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 1023) / 1024, 256>>>(in, out, n); }""",
    "ldg_float4": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  size_t j = 4 * i;
  if (j + 3 < n) { float4 v = __ldg(reinterpret_cast<const float4*>(in) + i); reinterpret_cast<float4*>(out)[i] = v; }
  else for (; j < n; ++j) out[j] = in[j];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 1023) / 1024, 256>>>(in, out, n); }""",
    "grid_3d": """__global__ void k(const float* in, float* out, size_t n) {
  size_t i = ((size_t)(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * 64 + (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<dim3((n + 255) / 256, 2, 2), dim3(4, 4, 4)>>>(in, out, n); }""",
    "last_block_sets_the_counter_back": """__device__ unsigned ticket = 0;
__global__ void k(const float* in, float* out, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicInc(&ticket, gridDim.x) == gridDim.x - 1) ticket = 0;
  }
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "constant": """__constant__ float one[1];
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i] * one[0];
}
void copy_f32(const float* in, float* out, size_t n) { float h = 1; cudaMemcpyToSymbol(one, &h, sizeof h); k<<<(n + 255) / 256, 256>>>(in, out, n);
}""",
    "constant_init": """__constant__ float one = 1;
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i] * one;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "device_array": """__device__ float table[4] = {1, 1, 1, 1};
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i] * table[i % 4];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "dynamic_several": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  extern __shared__ float all[];
  float* a = all;
  int* b = (int*)(a + 256);
  a[t] = i < n ? in[i] : 0; b[t] = (int)t;
  __syncthreads();
  if (i < n) out[i] = a[b[t]];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256, 256 * 8>>>(in, out, n); }""",
    "template_function": """template <typename T> __device__ T twice(T x) { return x + x; }
template <typename T> __global__ void k(const T* in, T* out, size_t n) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = twice(in[i]) / 2; }
void copy_f32(const float* in, float* out, size_t n) { k<float><<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "template_block": """template <unsigned BLOCK> __global__ void k(const float* in, float* out, size_t n) {
  __shared__ float s[BLOCK];
  size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x];
}
void copy_f32(const float* in, float* out, size_t n) {
  switch (n % 2) { case 0: k<128><<<(n + 127) / 128, 128>>>(in, out, n); break; default: k<256><<<(n + 255) / 256, 256>>>(in, out, n); }
}""",
    "functor": """struct Same { __host__ __device__ float operator()(float x) const { return x; } };
template <class Op> __global__ void k(const float* in, float* out, size_t n, Op op) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = op(in[i]); }
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n, Same{}); }""",
    "lambda": """template <class Op> __global__ void k(size_t n, Op op) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) op(i); }
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(n, [=] __device__ (size_t i) { out[i] = in[i]; }); }""",
    "struct_by_value": """struct P { const float* in; float* out; size_t n; float f[4]; };
__global__ void k(P p) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < p.n) p.out[i] = p.in[i] * p.f[2]; }
void copy_f32(const float* in, float* out, size_t n) { P p{in, out, n, {0, 0, 1, 0}}; k<<<(n + 255) / 256, 256>>>(p); }""",
    "forceinline": """__device__ __forceinline__ float same(float x) { return x; }
__host__ __device__ __noinline__ float also(float x) { return x; }
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = also(same(in[i]));
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "launch_bounds": """__global__ void __launch_bounds__(256, 2) k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "restrict": """__global__ void k(const float* __restrict__ in, float* __restrict__ out, const size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "assert": """#include <cassert>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  assert(blockDim.x == 256);
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "printf": """#include <cstdio>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i == 0) printf("%d\\n", (int)n);
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "unroll": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
#pragma unroll 4
  for (size_t j = i; j < n; j += (size_t)gridDim.x * blockDim.x) out[j] = in[j];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<8, 256>>>(in, out, n); }""",
    "shared_in_device": """__device__ float through(float x) { __shared__ float s[256]; s[threadIdx.x] = x; __syncthreads(); return s[threadIdx.x]; }
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  float v = through(i < n ? in[i] : 0);
  if (i < n) out[i] = v;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "shared_in_inline": """__device__ __forceinline__ float through(float x) { __shared__ float s[256]; s[threadIdx.x] = x; __syncthreads(); return s[threadIdx.x]; }
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  float v = through(i < n ? in[i] : 0);
  if (i < n) out[i] = v;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "shared_in_template_device": """template <int N> __device__ float through(float x) { __shared__ float s[N]; s[threadIdx.x] = x; __syncthreads(); return s[threadIdx.x]; }
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  float v = through<256>(i < n ? in[i] : 0);
  if (i < n) out[i] = v;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "warp_reduce": """__inline__ __device__ float sum(float v) { for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o); return v; }
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  float s = sum(i < n ? in[i] : 0);
  if (i < n && s != -1) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "cas_loop": """__device__ float maximum(float* a, float v) { int* p = (int*)a; int old = *p, was; do { was = old; old = atomicCAS(p, was, __float_as_int(fmaxf(v, __int_as_float(was)))); } while (was != old); return __int_as_float(old); }
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  __shared__ float m;
  if (t == 0) m = 0;
  __syncthreads();
  maximum(&m, (float)t);
  __syncthreads();
  if (i < n) out[i] = in[i] + (m - 255);
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "pitch": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { float* p; size_t pitch; cudaMallocPitch(&p, &pitch, 4 * n, 1); cudaMemcpy2D(p, pitch, in, 4 * n, 4 * n, 1, cudaMemcpyDeviceToDevice); k<<<(n + 255) / 256, 256>>>(p, out, n); cudaDeviceSynchronize(); cudaFree(p); }""",
    "memcpy_dtod": """void copy_f32(const float* in, float* out, size_t n) { cudaMemcpy(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice); }""",
    "memcpy_default": """void copy_f32(const float* in, float* out, size_t n) { cudaMemcpy(out, in, n * sizeof *in, cudaMemcpyDefault); }""",
    "error_macro": """#include <cstdio>
#include <cstdlib>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s:%d %s\\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) {
k<<<(n + 255) / 256, 256>>>(in, out, n);
CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());
}""",
    "symbol": """__device__ int counter;
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) { atomicAdd(&counter, 1); out[i] = in[i]; }
}
void copy_f32(const float* in, float* out, size_t n) { int z = 0; cudaMemcpyToSymbol(counter, &z, sizeof z); k<<<(n + 255) / 256, 256>>>(in, out, n);
 cudaMemcpyFromSymbol(&z, counter, sizeof z); }""",
    "enum_namespace": """namespace mine { enum class E { a }; constexpr int block = 256; __device__ float f(float x) { return x; } }
using namespace mine;
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = f(in[i]);
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + block - 1) / block, block>>>(in, out, n); }""",
    "using_size": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<dim3{(unsigned)((n + 255) / 256), 1, 1}, dim3{256}>>>(in, out, n); }""",
    "negative_loop": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  for (long long j = (long long)i; j < (long long)n; j += gridDim.x * blockDim.x) out[j] = in[j];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<16, 64>>>(in, out, n); }""",
    "half": """#include <cuda_fp16.h>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  __half h = __float2half(1.5f), one = __float2half_rn(1.0f); half2 p = __floats2half2_rn(1.f, 2.f); p = __hfma2(p, p, __half2half2(one)); h = __hadd(h, h); h = __hmul(h, one); h = __hfma(h, one, one); h += one; h = h * h - h / one; bool b = __hgt(h, one);
  float v = __half2float(h) + __low2float(p) + __high2float(p) + (float)h;
  if (i < n && b) out[i] = in[i] + 0 * v;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "half_shared": """#include <cuda_fp16.h>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  __shared__ half s[256];
  s[t] = __float2half(1.f);
  __syncthreads();
  half v = __shfl_xor_sync(~0u, s[255 - t], 1);
  if (i < n) out[i] = in[i] * __half2float(hsqrt(v));
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "bfloat16": """#include <cuda_bf16.h>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  __nv_bfloat16 b = __float2bfloat16(1.f); __nv_bfloat162 p = __floats2bfloat162_rn(1.f, 2.f); p = __hadd2(p, p); b = __hmul(b, b);
  if (i < n) out[i] = in[i] * __bfloat162float(b) + 0 * __low2float(p);
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "complex": """#include <cuComplex.h>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  cuFloatComplex a = make_cuFloatComplex(1, 0), b = cuCmulf(a, a); cuDoubleComplex d = cuCadd(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(1, 2));
  if (i < n) out[i] = in[i] * cuCrealf(b) * cuCabsf(cuConjf(a)) + 0 * (float)cuCimag(d);
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "math_constants": """#include <math_constants.h>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i] + 0 * CUDART_PI_F;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "includes": """#include <cuda.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <cmath>
#include <algorithm>
#include <vector>
#include <iostream>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i] + 0 * std::sqrt(2.0f);
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "std_lambda_host": """#include <functional>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) {
auto go = [&](size_t m) { k<<<(m + 255) / 256, 256>>>(in, out, m); };
go(n);
}""",
    "launch_macro": """#define LAUNCH(kernel, n, ...) kernel<<<((n) + 255) / 256, 256>>>(__VA_ARGS__)
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) {
LAUNCH(k, n, in, out, n);
}""",
    "class_static": """struct Run { static void go(const float* in, float* out, size_t n); };
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void Run::go(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n);
}
void copy_f32(const float* in, float* out, size_t n) { Run::go(in, out, n); }""",
    "switch_kernel": """__global__ void a(const float* in, float* out, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
void copy_f32(const float* in, float* out, size_t n) { void (*f)(const float*, float*, size_t) = a; f<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "static_kernel": """static __global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "noexcept": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) noexcept { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "printf_only_host": """#include <stdio.h>
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) {
printf("launch\\n");
k<<<(n + 255) / 256, 256>>>(in, out, n);
}""",
    "double_atomic_cas": """__device__ double add(double* a, double v) { unsigned long long* p = (unsigned long long*)a; unsigned long long old = *p, was; do { was = old; old = atomicCAS(p, was, __double_as_longlong(v + __longlong_as_double(was))); } while (was != old); return __longlong_as_double(old); }
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  __shared__ double m;
  if (t == 0) m = 0;
  __syncthreads();
  add(&m, 1.0);
  __syncthreads();
  if (i < n) out[i] = in[i] + (float)(m - 256);
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
}
# What only a GPU can show.
HOSTS_BEYOND = {
    "stream_priority": """int lo, hi; cudaDeviceGetStreamPriorityRange(&lo, &hi); cudaStream_t s; cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, hi); k<<<(n + 255) / 256, 256, 0, s>>>(in, out, n); cudaStreamSynchronize(s); cudaStreamDestroy(s);""",
    "properties": """cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int d; cudaGetDevice(&d); int sms; cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, d); if (p.sharedMemPerMultiprocessor > 0 && p.totalConstMem > 0 && p.memPitch > 0 && sms > 0) {}
k<<<(n + 255) / 256, 256>>>(in, out, n);""",
}
BEYOND = {
    "texture": """__global__ void k(cudaTextureObject_t tex, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = tex1Dfetch<float>(tex, (int)i);
}
void copy_f32(const float* in, float* out, size_t n) {
 cudaResourceDesc r = {}; r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = (void*)in; r.res.linear.desc = cudaCreateChannelDesc<float>(); r.res.linear.sizeInBytes = n * 4; cudaTextureDesc d = {}; d.readMode = cudaReadModeElementType; cudaTextureObject_t t; cudaCreateTextureObject(&t, &r, &d, nullptr); k<<<(n + 255) / 256, 256>>>(t, out, n); cudaDestroyTextureObject(t); }""",
    "ptx": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  unsigned lane; asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (i < n && lane < 32) out[i] = in[i];
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "simd": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i] + 0 * (__vadd2(1, 2) + __dp4a(1, 2, 3));
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "managed_variable": """__managed__ int z = 0;
__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i] + z;
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
    "erfcx": """__global__ void k(const float* in, float* out, size_t n) {
  size_t t = threadIdx.x, i = (size_t)blockIdx.x * blockDim.x + t;
  if (i < n) out[i] = in[i] + 0 * (erfcinvf(.5f) + normcdff(0));
}
void copy_f32(const float* in, float* out, size_t n) { k<<<(n + 255) / 256, 256>>>(in, out, n); }""",
}
FEATURES = {
    **{name: copying(body + "\n") for name, body in BODIES.items()},
    **{name: f"{KERNEL}{body}\n}}\n" for name, body in HOSTS.items()},
    **WHOLE,
}

CHAIN = """
void copy_f32(const float* in, float* out, size_t n) {
  void (*const all[])(const float*, float*, size_t) = {%s};
  float* other;
  cudaMalloc(&other, n * sizeof(float));
  const float* from = in;
  for (auto* const copies : all) {
    float* const to = from == other ? out : other;
    cudaMemset(to, 0xff, n * sizeof(float));
    copies(from, to, n);
    from = to;
  }
  if (from == other) cudaMemcpy(out, other, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(other);
}
"""


def chain(features):
    """One file in which each feature copies what the last one has copied."""
    heads = {}
    spaces = []
    for name, text in features.items():
        lines = text.replace("void copy_f32(", "void copy(").splitlines()
        heads.update(dict.fromkeys(line for line in lines if line.startswith("#include")))
        body = "\n".join(line for line in lines if not line.startswith("#include"))
        spaces.append(f"namespace of_{name} {{\n{body}\n}}\n")
    calls = CHAIN % ", ".join(f"of_{name}::copy" for name in features)
    return "\n".join([*heads, *spaces, calls])


# Tensor cores: a workload of halves.
WMMA = """#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, const half* b, float* c, size_t m, size_t n, size_t kk) {
  __shared__ alignas(32) half sa[16][16], sb[16][16];
  __shared__ alignas(32) float sc[16][16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  size_t row = blockIdx.y * 16, col = blockIdx.x * 16;
  for (size_t p = 0; p < kk; p += 16) {
    for (int e = threadIdx.x; e < 256; e += 32) {
      int i = e / 16, j = e % 16;
      sa[i][j] = row + i < m && p + j < kk ? a[(row + i) * kk + p + j] : __float2half(0.f);
      sb[i][j] = p + i < kk && col + j < n ? b[(p + i) * n + col + j] : __float2half(0.f);
    }
    __syncwarp();
    wmma::load_matrix_sync(fa, &sa[0][0], 16);
    wmma::load_matrix_sync(fb, &sb[0][0], 16);
    wmma::mma_sync(fc, fa, fb, fc);
    __syncwarp();
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 1.0f;
  wmma::store_matrix_sync(&sc[0][0], fc, 16, wmma::mem_row_major);
  __syncwarp();
  for (int e = threadIdx.x; e < 256; e += 32) {
    int i = e / 16, j = e % 16;
    if (row + i < m && col + j < n) c[(row + i) * n + col + j] = sc[i][j];
  }
}
void matmul_f16(const half* a, const half* b, float* c, size_t m, size_t n, size_t kk) {
  k<<<dim3((n + 15) / 16, (m + 15) / 16), 32>>>(a, b, c, m, n, kk);
}"""


def test_what_right_files_use_is_right(bench, tmp_path):
    names = sorted(FEATURES)
    files = {f"chain_{i}": chain({name: FEATURES[name] for name in names[i::4]}) for i in range(4)}
    files["wmma"] = WMMA
    for name, case in rows(bench, tmp_path, files, 0).items():
        assert case["status"] == "checked", (name, case["reason"])


@pytest.mark.parametrize("nvcc", [True, False])
def test_what_only_a_gpu_can_show_is_no_fault(bench, tmp_path, monkeypatch, nvcc):
    if not nvcc:
        broken = tmp_path / "nvcc"  # it takes nothing, so it has seen nothing
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        monkeypatch.setenv("CUDACXX", os.fspath(broken))
    files = BEYOND | {name: f"{KERNEL}{body}\n}}\n" for name, body in HOSTS_BEYOND.items()}
    for name, case in rows(bench, tmp_path, files, 0).items():
        assert case["status"] == "skipped", (name, case["reason"])
        assert case["reason"].startswith("cannot be checked without a GPU: "), case["reason"]
