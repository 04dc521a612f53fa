// What g++ sees instead of CUDA's header: enough of the language and of the runtime's interface to
// run unmodified kernel text on the CPU. What is tested so is kernel logic executed on the CPU, not
// CUDA. Without control.hpp's plug_in() there is no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

// ---- the language ----

#define __global__
#define __device__
#define __host__
#define __constant__
#define __launch_bounds__(...)
// <string> of libc++ has an attribute of this name: it is included above.
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
// One section holds them all, so that each block finds its shared memory poisoned; "used": the
// compiler may not conclude from the text what values it finds there.
#if !defined(BENCH_SHARED_SECTION)
#define BENCH_SHARED_SECTION "bench_shared"
#endif
#define __shared__ static __attribute__((section(BENCH_SHARED_SECTION), used))

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace bench::cuda::stand_in {

/// The thread that runs; the scheduler keeps it up to date.
struct Position {
  uint3 thread{};
  uint3 block{};
  dim3 block_size;
  dim3 grid;
};
inline Position position;

/// The block's dynamic shared memory: exactly as large as the launch says.
void* dynamic_shared_bytes();

}  // namespace bench::cuda::stand_in

inline constexpr const uint3& threadIdx = bench::cuda::stand_in::position.thread;
inline constexpr const uint3& blockIdx = bench::cuda::stand_in::position.block;
inline constexpr const dim3& blockDim = bench::cuda::stand_in::position.block_size;
inline constexpr const dim3& gridDim = bench::cuda::stand_in::position.grid;
// Kernels are compiled for warps of one size, and the device must have it (Device::lanes).
#if !defined(BENCH_WARP_LANES)
#define BENCH_WARP_LANES 32
#endif
constexpr int warpSize = BENCH_WARP_LANES;

void __syncthreads();
/// The clock in nanoseconds: the stand-in runs at 1 GHz.
long long clock64();
[[noreturn]] void __trap();
/// The upper half of the product.
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long long>(Wide{a} * b >> 64U);
}

namespace bench::cuda::stand_in {

/// Other threads may go on before this one does: called before accesses in which they meet.
void give_way();

/// The thread waits for others to set this flag, and looks at it afterwards. Fails the launch where
/// none of its block can: later blocks begin when this one has ended.
void wait_for(const void* flag);

/// Waits for all threads of a cooperative launch.
void wait_for_grid();

/// A bit for each lane.
using LaneMask = std::conditional_t<warpSize == 64, unsigned long long, unsigned>;

/// The number of the thread in its warp.
unsigned lane();

/// Waits for all lanes of the mask; returns what each of them brought along. `fence`: they have
/// then seen each other's memory, too. Traps where the lane is not in its mask, or where others of
/// its warp wait with another one.
const std::uint64_t* meet(std::uint64_t mask, std::uint64_t value, bool fence = false);

/// What each block has for itself, where the linker does not know it.
void share(void* memory, std::size_t bytes);

/// The lanes of its warp that ask so at the same place of the program.
std::uint64_t active_lanes(const void* place);

/// A copy to shared memory that is under way until its thread waits for it.
struct AsyncCopy {
  void* to;
  alignas(16) unsigned char data[16];
  unsigned bytes;
  unsigned batch;
};
/// Adds one to the batch that the thread has open.
void begin_copy(const AsyncCopy& copy);
void close_batch();
/// The next copy to be done where the thread waits for all of its batches but the last ones; null:
/// all of them are. It stays there until the next call.
const AsyncCopy* due_copy(unsigned but_last);

/// A line of a source; without a header's name it is the source's own.
struct Line {
  const char* header = nullptr;
  int number = 0;
};
/// The thread has come to this line, which complaints name from then on.
void at(const Line& line);

/// The value of the lane `from`, or this one's where that is outside of its part of the warp.
template <class T>
T exchange(LaneMask mask, T value, unsigned from, int width) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  const std::uint64_t* const all = meet(mask, bits);
  const auto part = static_cast<unsigned>(width);
  if (from / part != lane() / part) return value;
  std::memcpy(&value, &all[from], sizeof(T));
  return value;
}

/// Makes ThreadSanitizer forget who has been there.
void forget_others(void* address, std::size_t bytes);

/// An atomic operation: others may go on before it. After it, a thread that writes there without
/// one does not race with the atomic operations of others before, as where the last block sets a
/// counter back.
template <class T>
class Atomic {
 public:
  explicit Atomic(T* address) : address_(address) { give_way(); }
  ~Atomic() {
    forget_others(address_, sizeof(T));
    T own;
    __atomic_load(address_, &own, __ATOMIC_RELAXED);
  }
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

 private:
  T* address_;
};

template <class T>
T atomic_add(T* address, T value) {
  const Atomic operation(address);
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (;;) {
    T sum = old + value;
    if (__atomic_compare_exchange(address, &old, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return old;
    }
  }
}

}  // namespace bench::cuda::stand_in

template <class T>
T __shfl_sync(bench::cuda::stand_in::LaneMask mask, T value, int from, int width = warpSize) {
  const unsigned lane = bench::cuda::stand_in::lane();
  const auto part = static_cast<unsigned>(width);
  return bench::cuda::stand_in::exchange(
      mask, value, lane / part * part + static_cast<unsigned>(from) % part, width);
}
template <class T>
T __shfl_down_sync(bench::cuda::stand_in::LaneMask mask, T value, unsigned delta,
                   int width = warpSize) {
  return bench::cuda::stand_in::exchange(mask, value, bench::cuda::stand_in::lane() + delta, width);
}
template <class T>
T __shfl_up_sync(bench::cuda::stand_in::LaneMask mask, T value, unsigned delta,
                 int width = warpSize) {
  return bench::cuda::stand_in::exchange(mask, value, bench::cuda::stand_in::lane() - delta, width);
}
template <class T>
T __shfl_xor_sync(bench::cuda::stand_in::LaneMask mask, T value, int lanes, int width = warpSize) {
  return bench::cuda::stand_in::exchange(
      mask, value, bench::cuda::stand_in::lane() ^ static_cast<unsigned>(lanes), width);
}
inline bench::cuda::stand_in::LaneMask __ballot_sync(bench::cuda::stand_in::LaneMask mask,
                                                     int predicate) {
  using bench::cuda::stand_in::LaneMask;
  const std::uint64_t* const all = bench::cuda::stand_in::meet(mask, predicate != 0 ? 1U : 0U);
  LaneMask votes = 0;
  for (unsigned i = 0; i < warpSize; ++i) {
    if ((mask >> i & 1U) != 0 && all[i] != 0) votes |= LaneMask{1} << i;
  }
  return votes;
}
inline int __any_sync(bench::cuda::stand_in::LaneMask mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(bench::cuda::stand_in::LaneMask mask, int predicate) {
  return __ballot_sync(mask, predicate) == mask;
}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
inline void __syncwarp(bench::cuda::stand_in::LaneMask mask = ~bench::cuda::stand_in::LaneMask{0}) {
  bench::cuda::stand_in::meet(mask, 0, true);
}

inline int atomicAdd(int* address, int value) {
  const bench::cuda::stand_in::Atomic operation(address);
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
inline unsigned atomicAdd(unsigned* address, unsigned value) {
  const bench::cuda::stand_in::Atomic operation(address);
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
inline unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
  const bench::cuda::stand_in::Atomic operation(address);
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
inline unsigned atomicXor(unsigned* address, unsigned value) {
  const bench::cuda::stand_in::Atomic operation(address);
  return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}
inline float atomicAdd(float* address, float value) {
  return bench::cuda::stand_in::atomic_add(address, value);
}
inline double atomicAdd(double* address, double value) {
  return bench::cuda::stand_in::atomic_add(address, value);
}

// ---- the runtime, with CUDA's own numbers ----

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorStubLibrary = 34,
  cudaErrorInsufficientDriver = 35,
  cudaErrorDevicesUnavailable = 46,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorECCUncorrectable = 214,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorIllegalState = 401,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchTimeout = 702,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorHostMemoryNotRegistered = 713,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorUnknown = 999,
};

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrDirectManagedMemAccessFromHost = 101,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
};

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2,
};

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

struct cudaFuncAttributes {
  int numRegs;
};

constexpr unsigned cudaHostRegisterDefault = 0;
constexpr unsigned cudaMemAttachGlobal = 1;
constexpr unsigned cudaStreamNonBlocking = 1;
constexpr unsigned cudaEventDisableTiming = 2;

using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;

struct cudaUUID_t {
  char bytes[16];
};

struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  std::size_t totalGlobalMem;
  std::size_t sharedMemPerBlock;
  int major;
  int minor;
  int multiProcessorCount;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiProcessor;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int regsPerBlock;
  int l2CacheSize;
  int ECCEnabled;
  int pciDomainID;
  int pciBusID;
  int pciDeviceID;
};

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

cudaError_t cudaMalloc(void** memory, std::size_t bytes);
/// Memory that the host may use, too.
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes,
                              unsigned flags = cudaMemAttachGlobal);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* memory);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
/// Only for streams that do not wait for the default one.
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaDeviceSynchronize();

/// Launches of kernels alone are recorded.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags);
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_size, std::size_t shared_bytes);

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  void* bare = nullptr;
  const cudaError_t status = cudaMalloc(&bare, bytes);
  if (status == cudaSuccess) *memory = static_cast<T*>(bare);
  return status;
}

namespace bench::cuda::stand_in {

/// Runs a launch of `function` whose threads each call thread(kernel).
cudaError_t start(const void* function, dim3 grid, dim3 block, std::size_t shared_bytes,
                  cudaStream_t stream, void (*thread)(const void* kernel),
                  std::shared_ptr<const void> kernel, bool cooperative = false);

template <class Bound>
void call(const void* bound) {
  (*static_cast<const Bound*>(bound))();
}

template <class... P, std::size_t... index>
cudaError_t start(void (*kernel)(P...), dim3 grid, dim3 block, [[maybe_unused]] void** arguments,
                  std::size_t shared_bytes, cudaStream_t stream, bool cooperative,
                  std::index_sequence<index...>) {
  // The arguments are copied now: the kernel may run later.
  const auto bound = [kernel, values = std::tuple<P...>(*static_cast<P*>(arguments[index])...)] {
    std::apply(kernel, values);
  };
  using Bound = std::remove_const_t<decltype(bound)>;
  return start(reinterpret_cast<const void*>(kernel), grid, block, shared_bytes, stream,
               kernel == nullptr ? nullptr : call<Bound>, std::make_shared<const Bound>(bound),
               cooperative);
}

}  // namespace bench::cuda::stand_in

/// What goes wrong while the kernel runs is seen by a later call, as on a device.
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return bench::cuda::stand_in::start(kernel, grid, block, arguments, shared_bytes, stream, false,
                                      std::index_sequence_for<P...>{});
}
/// The same of a grid whose blocks may wait for each other.
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
  return bench::cuda::stand_in::start(kernel, grid, block, arguments, shared_bytes, stream, true,
                                      std::index_sequence_for<P...>{});
}

namespace cooperative_groups {

/// All threads of a cooperative launch.
struct grid_group {
  static void sync() { bench::cuda::stand_in::wait_for_grid(); }
  static bool is_valid() { return true; }
  static unsigned long long num_blocks() { return 1ULL * gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long block_rank() {
    return blockIdx.x + 1ULL * gridDim.x * (blockIdx.y + 1ULL * gridDim.y * blockIdx.z);
  }
  static unsigned long long size() { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return block_rank() * blockDim.x * blockDim.y * blockDim.z + threadIdx.x +
           blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
};
inline grid_group this_grid() { return {}; }

}  // namespace cooperative_groups
