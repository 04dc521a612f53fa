// Compiled with somebody's kernels: the device for their host. By nvcc, or with the CUDA of the
// stand-in, which executes kernels on the CPU.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "device.h"

#if !defined(BENCH_STAND_IN)
#include "harness/cuda/wait_kernel.cuh"
#else
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/guests/device/apart.h"
#endif

namespace {

/// What has been said is not said again by the next question.
const char* said(cudaError_t status) {
  if (status == cudaSuccess) return nullptr;
  cudaGetLastError();
  return cudaGetErrorString(status);
}

#if defined(BENCH_STAND_IN)

const char* in_file(const char* end) {
  static char name[4096];
  const char* const begin = std::getenv("BENCH_REPORT");
  std::snprintf(name, sizeof name, "%s%s", begin == nullptr ? "/dev/null" : begin, end);
  return name;
}

/// Where a thread of a kernel was when a sanitizer stopped it.
void tell_thread() {
  if (std::FILE* const file = std::fopen(in_file(".thread"), "w")) {
    std::fprintf(file, "thread (%u,%u,%u) of block (%u,%u,%u)", threadIdx.x, threadIdx.y,
                 threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z);
    std::fclose(file);
  }
}

const char* select(int) {
  bench::cuda::stand_in::Device device;
  device.memory_bytes = std::size_t{4} << 30U;
  device.blocks_per_multiprocessor = 8;
  device.lanes = warpSize;
  bench::cuda::stand_in::plug_in(device);
  bench::cuda::stand_in::keep_host_out();
  if (std::getenv("BENCH_LAUNCHES_ONLY") != nullptr) bench::cuda::stand_in::look_only();
  if (std::getenv("BENCH_ZEROS") != nullptr) bench::cuda::stand_in::start_with_zeros();
  const char* const seed = std::getenv("BENCH_SHUFFLE");
  if (seed != nullptr) {
    bench::cuda::stand_in::set_order(bench::cuda::stand_in::Order::shuffled,
                                     static_cast<unsigned>(std::atoi(seed)));
  }
  const int file = open(in_file(".said"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0) dup2(file, STDERR_FILENO);
#if defined(__SANITIZE_ADDRESS__)  // in a race there are two
  __sanitizer_set_death_callback(tell_thread);
#endif
  return nullptr;
}

const char* allocate(void** memory, size_t bytes) {
  const char* const why = said(cudaMalloc(memory, bytes));
  bench_guest::lend(*memory);
  if (std::FILE* const file = std::fopen(in_file(".arrays"), "a")) {
    std::fprintf(file, "%p\n", *memory);
    std::fclose(file);
  }
  return why;
}

const char* empty_cache() { return nullptr; }

/// There launches return when their kernels have ended.
int hold() { return 0; }
int lapsed() { return 0; }
void release_held() {}
const char* see(const void*, size_t) { return nullptr; }
const char* seen(void*, size_t) { return nullptr; }

#else

const char* select(int number) {
  int count = 0;
  if (const char* const why = said(cudaGetDeviceCount(&count))) return why;
  return said(cudaSetDevice(count > 0 ? number % count : 0));
}

const char* allocate(void** memory, size_t bytes) { return said(cudaMalloc(memory, bytes)); }

__global__ void read_all(const int4* data, size_t n, int* sink) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  int any = 0;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const int4 four = data[i];
    any |= four.x | four.y | four.z | four.w;
  }
  if (any == 42) *sink = any;  // never: all are zero
}

const char* empty_cache() {
  static void* data = nullptr;
  static size_t bytes = 0;
  if (data == nullptr) {
    int device = 0;
    int l2_bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device);
    bytes = 2 * static_cast<size_t>(l2_bytes);
    if (bytes == 0) return nullptr;
    if (const char* const why = said(cudaMalloc(&data, bytes + sizeof(int4)))) return why;
    if (const char* const why = said(cudaMemset(data, 0, bytes + sizeof(int4)))) return why;
  }
  size_t n = bytes / sizeof(int4);
  auto* all = static_cast<const int4*>(data);
  auto* sink = static_cast<int*>(data) + bytes / sizeof(int);
  void* arguments[] = {&all, &n, &sink};
  return said(
      cudaLaunchKernel(reinterpret_cast<const void*>(read_all), 1024, 256, arguments, 0, nullptr));
}

volatile unsigned* words = nullptr;  // in memory of the host that the device reads

bool launch_wait() {
  words[0] = 0;
  words[1] = 0;
  unsigned long long patience = 20'000'000;
  void* arguments[] = {&words, &patience};
  return said(cudaLaunchKernel(reinterpret_cast<const void*>(wait_kernel), 1, 1, arguments, 0,
                               nullptr)) == nullptr;
}

bool launches_return_at_once() {
  void* pinned = nullptr;
  if (said(cudaMallocHost(&pinned, 2 * sizeof *words)) != nullptr) return false;
  words = static_cast<volatile unsigned*>(pinned);
  const bool waits = launch_wait() && cudaStreamQuery(nullptr) == cudaErrorNotReady;
  words[0] = 1;
  cudaDeviceSynchronize();
  cudaGetLastError();  // not ready is not an error
  return waits;
}

int hold() {
  static const bool possible = launches_return_at_once();
  return possible && launch_wait() ? 1 : 0;
}

int lapsed() { return words != nullptr && words[1] != 0 ? 1 : 0; }

void release_held() {
  if (words != nullptr) words[0] = 1;
}

void* memory_for_seen() {
  static void* memory = nullptr;
  if (memory == nullptr && said(cudaMalloc(&memory, BENCH_MOST_SEEN)) != nullptr) memory = nullptr;
  return memory;
}

const char* see(const void* memory, size_t bytes) {
  return said(cudaMemcpyAsync(memory_for_seen(), memory, bytes, cudaMemcpyDeviceToDevice, nullptr));
}

const char* seen(void* host, size_t bytes) {
  return said(cudaMemcpy(host, memory_for_seen(), bytes, cudaMemcpyDeviceToHost));
}

#endif

const char* no_room() { return said(cudaErrorMemoryAllocation); }
const char* release(void* memory) {
#if defined(BENCH_STAND_IN)
  bench_guest::lend(nullptr, memory);
#endif
  return said(cudaFree(memory));
}
const char* pin(void* memory, size_t bytes) {
  return said(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
}
const char* unpin(void* memory) { return said(cudaHostUnregister(memory)); }
const char* upload(void* to, const void* from, size_t bytes) {
  return said(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
const char* download(void* to, const void* from, size_t bytes) {
  return said(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

/// What went wrong with a launch is only asked for afterwards; the device tells the rest at its
/// end.
const char* wait() {
  cudaError_t launched = cudaGetLastError();
  if (launched == cudaErrorNotReady) launched = cudaSuccess;  // a query of the file is not an error
  const cudaError_t ran = cudaDeviceSynchronize();
#if defined(BENCH_STAND_IN)
  bench_guest::tell_apart(in_file(".apart"));
  if (launched != cudaSuccess && bench_guest::refused_launch[0] != '\0') {
    return bench_guest::refused_launch;
  }
#endif
  return said(launched != cudaSuccess ? launched : ran);
}

cudaEvent_t event(int which) {
  static cudaEvent_t events[2] = {};
  if (events[which] == nullptr) cudaEventCreate(&events[which]);
  return events[which];
}

const char* begin() { return said(cudaEventRecord(event(0))); }

const char* end(double* seconds) {
  const cudaError_t recorded = cudaEventRecord(event(1));
  release_held();
  if (const char* const why = wait()) return why;
  float milliseconds = 0;
  const cudaError_t asked = cudaEventElapsedTime(&milliseconds, event(0), event(1));
  *seconds = milliseconds * 1e-3;
  return said(recorded != cudaSuccess ? recorded : asked);
}

#if defined(BENCH_STAND_IN)
constexpr size_t guarded = 0;
#else
constexpr size_t guarded = 1;
#endif

}  // namespace

#if !defined(__HIP_DEVICE_COMPILE__)  // there constants are the device's, too
extern "C" const BenchDevice bench_device = {
    guarded,     select, allocate, no_room, release, pin,   unpin, upload, download,
    empty_cache, hold,   lapsed,   see,     seen,    begin, end,   wait};
#endif
