#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/fibers.hpp"
#include "harness/cuda_on_cpu/sanitizers.hpp"
#include "harness/cuda_on_cpu/streams.hpp"

/// A call that waits for an event waits for what was recorded last when it began to wait.
struct CUevent_st {
  struct Record {
    bench::cuda::stand_in::Mark mark;
    std::optional<std::chrono::steady_clock::time_point> time;
  };
  std::shared_ptr<Record> record;
  bool timed = true;
};

/// Launches in their order, for whatever stream they are given to.
struct CUgraph_st {
  std::vector<std::function<void(cudaStream_t)>> launches;
};
struct CUgraphExec_st {
  std::vector<std::function<void(cudaStream_t)>> launches;
};

namespace bench::cuda::stand_in {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t most_shared_bytes = 48 * 1024;

struct Allocation {
  std::size_t bytes = 0;
  bool managed = false;  ///< it is the host's, too
};

struct Runtime {
  std::optional<Device> device;
  int current = 0;                      ///< the device that was set
  std::set<std::pair<int, int>> peers;  ///< devices, and those whose memory they may use
  cudaError_t without = cudaErrorNoDevice;
  cudaError_t last = cudaSuccess;
  cudaError_t sticky = cudaSuccess;
  std::map<std::string, cudaError_t> failures;
  // By address / alignment: LeakSanitizer must not find the addresses here.
  std::map<std::uintptr_t, Allocation> allocations;
  std::map<void*, std::size_t> out_of_reach;  ///< of those, for the host
  bool host_is_out = false;
  int at_work = 0;  ///< what the device does just now
  std::size_t allocated = 0;
  std::map<std::uintptr_t, std::size_t> registered;
  bool looks_only = false;
  bool shared_with_host = false;                ///< some memory is
  bool seen_by_host = false;                    ///< what was not executed
  std::map<const void*, std::size_t> opted_in;  ///< dynamic shared memory of kernels that asked
  std::map<cudaStream_t, std::unique_ptr<CUgraph_st>> captures;  ///< of the streams that record
};

/// Never destroyed: what is destroyed at exit may still free its memory.
Runtime& runtime() {
  static Runtime& the_runtime = *new Runtime;
  return the_runtime;
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) runtime().last = error;
  return error;
}

/// The device is lost after these.
bool is_sticky(cudaError_t error) {
  return error == cudaErrorECCUncorrectable || error == cudaErrorIllegalAddress ||
         error == cudaErrorLaunchTimeout || error == cudaErrorMisalignedAddress ||
         error == cudaErrorLaunchFailure;
}

cudaError_t asked_for(const char* function) {
  auto& failures = runtime().failures;
  const auto failure = failures.find(function);
  if (failure == failures.end()) return cudaSuccess;
  const cudaError_t error = failure->second;
  failures.erase(failure);
  if (is_sticky(error)) runtime().sticky = error;
  return error;
}

/// Why a call fails, whatever its arguments.
cudaError_t refusal(const char* function) {
  const Runtime& r = runtime();
  if (!r.device) return r.without;
  if (r.sticky != cudaSuccess) return r.sticky;
  return asked_for(function);
}

/// The frame of all calls that need a device.
template <class Work>
cudaError_t call_of(const char* function, Work work) {
  cudaError_t status = refusal(function);
  if (status == cudaSuccess) status = work();
  return remember(status);
}

bool is_device(int device) { return device >= 0 && device < runtime().device->count; }

int multiprocessors_of(int device) {
  const Device& d = *runtime().device;
  return device == 0 ? d.multiprocessors : d.other_multiprocessors;
}

/// Nothing where it is not known.
std::optional<int> value_of(cudaDeviceAttr attribute, int device) {
  const Device& d = *runtime().device;
  switch (attribute) {
    case cudaDevAttrClockRate:
      return d.clock_khz;
    case cudaDevAttrMultiProcessorCount:
      return multiprocessors_of(device);
    case cudaDevAttrMemoryClockRate:
      return d.memory_clock_khz;
    case cudaDevAttrGlobalMemoryBusWidth:
      return d.bus_bits;
    case cudaDevAttrManagedMemory:
      return d.managed_memory ? 1 : 0;
    case cudaDevAttrConcurrentManagedAccess:
      return d.concurrent_managed_access ? 1 : 0;
    case cudaDevAttrCooperativeLaunch:
      return 1;
    case cudaDevAttrDirectManagedMemAccessFromHost:
      return d.managed_stays ? 1 : 0;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return d.opt_in_shared_bytes;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<int>(most_shared_bytes);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return d.opt_in_shared_bytes + 1024;
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
      return most_threads;
    case cudaDevAttrMaxBlockDimZ:
      return 64;
    case cudaDevAttrMaxGridDimX:
      return std::numeric_limits<int>::max();
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      return 65'535;
    case cudaDevAttrWarpSize:
      return static_cast<int>(d.lanes);
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return 65'536;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return 2 * most_threads;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return 32;
  }
  return {};
}

/// The allocation that all of it is in, or null.
const Allocation* allocation_of(const void* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const auto& allocations = runtime().allocations;
  auto next = allocations.upper_bound(address / alignment);
  if (next == allocations.begin()) return nullptr;
  const auto& [block, one] = *std::prev(next);
  const std::size_t offset = address - block * alignment;
  return offset <= one.bytes && bytes <= one.bytes - offset ? &one : nullptr;
}

bool is_device_memory(const void* memory, std::size_t bytes) {
  return allocation_of(memory, bytes) != nullptr;
}

/// Whether the host has no business there.
bool is_the_devices(const void* memory) {
  const Allocation* const one = allocation_of(memory, 1);
  return one != nullptr && !one->managed;
}

/// Whether all of it is pinned, at one go.
bool is_registered(const void* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const auto& registered = runtime().registered;
  const auto next = registered.upper_bound(address);
  if (next == registered.begin()) return false;
  const auto& [begin, size] = *std::prev(next);
  return address - begin <= size && bytes <= size - (address - begin);
}

bool is_pageable(const void* memory) {
  return !is_device_memory(memory, 0) && !is_registered(memory, 0);
}

/// While this lives the device works, and its memory is within reach.
class AtWork {
 public:
  AtWork() {
    if (runtime().at_work++ > 0) return;
    for (const auto& [memory, bytes] : runtime().out_of_reach) asan_permit(memory, bytes);
  }
  ~AtWork() {
    if (--runtime().at_work > 0) return;
    for (const auto& [memory, bytes] : runtime().out_of_reach) asan_forbid(memory, bytes);
  }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
};

/// Null where there is none.
void* memory_of(std::size_t bytes) {
  void* found = nullptr;
  if (runtime().looks_only) {
    found = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return found == MAP_FAILED ? nullptr : found;
  }
  if (posix_memalign(&found, alignment, bytes) != 0) return nullptr;
  poison(found, bytes);
  return found;
}

void give_back(void* memory, std::size_t bytes) {
  if (runtime().looks_only) {
    munmap(memory, bytes);
  } else {
    std::free(memory);
  }
}

/// `managed`: the host may use it, too.
cudaError_t allocate(void** memory, std::size_t bytes, bool managed) {
  if (memory == nullptr) return cudaErrorInvalidValue;
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  Runtime& r = runtime();
  const std::size_t room = r.device->memory_bytes;
  if (bytes > room || r.allocated > room - bytes) return cudaErrorMemoryAllocation;
  void* const found = memory_of(bytes);
  if (found == nullptr) return cudaErrorMemoryAllocation;
  r.shared_with_host = r.shared_with_host || managed;
  r.allocations[reinterpret_cast<std::uintptr_t>(found) / alignment] = {bytes, managed};
  r.allocated += bytes;
  if (r.host_is_out && !managed && !r.looks_only) {
    r.out_of_reach[found] = bytes;
    if (r.at_work == 0) asan_forbid(found, bytes);
  }
  *memory = found;
  return cudaSuccess;
}

cudaError_t release(void* memory) {
  Runtime& r = runtime();
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const auto found = r.allocations.find(address / alignment);
  if (address % alignment != 0 || found == r.allocations.end()) return cudaErrorInvalidValue;
  const std::size_t bytes = found->second.bytes;
  r.allocated -= bytes;
  if (!r.looks_only) asan_permit(memory, bytes);
  r.out_of_reach.erase(memory);
  r.allocations.erase(found);
  give_back(memory, bytes);
  return cudaSuccess;
}

/// Gives work to a stream; a device that is lost does none of it.
cudaError_t queue(cudaStream_t stream, std::function<void()> work) {
  if (runtime().captures.contains(stream)) return cudaErrorStreamCaptureUnsupported;
  give(stream, [work = std::move(work)] {
    if (runtime().sticky != cudaSuccess) return;
    const AtWork now;
    work();
  });
  return cudaSuccess;
}

/// The same of work that a graph may have: a stream that records keeps it.
cudaError_t queue_or_record(cudaStream_t stream, std::function<void(cudaStream_t)> work) {
  if (const auto found = runtime().captures.find(stream); found != runtime().captures.end()) {
    found->second->launches.push_back(std::move(work));
    return cudaSuccess;
  }
  return queue(stream, [stream, work = std::move(work)] { work(stream); });
}

/// Waits, and says what went wrong meanwhile.
cudaError_t waited_for(const Mark& mark) {
  if (runtime().captures.contains(mark.stream)) return cudaErrorStreamCaptureUnsupported;
  wait_for(mark);
  if (runtime().shared_with_host) seen_by_host();
  return runtime().sticky;
}

cudaError_t set(const char* function, void* memory, int value, std::size_t bytes,
                cudaStream_t stream) {
  return call_of(function, [=] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (bytes == 0) return cudaSuccess;
    if (!is_device_memory(memory, bytes) && !is_registered(memory, bytes)) {
      return cudaErrorInvalidValue;
    }
    if (runtime().looks_only) return cudaSuccess;
    return queue_or_record(stream, [=](cudaStream_t in) {
      const AsStream now(in);
      std::memset(memory, value, bytes);
    });
  });
}

/// Rows of `width` bytes, the pitch from one to the next.
struct Rows {
  std::size_t width;
  std::size_t height;
  std::size_t to_pitch;
  std::size_t from_pitch;

  /// Bytes from the first one to the last.
  std::size_t span(std::size_t pitch) const { return (height - 1) * pitch + width; }
};

cudaError_t copy(const char* function, void* to, const void* from, const Rows& rows,
                 cudaMemcpyKind kind, cudaStream_t stream) {
  return call_of(function, [=] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
      return cudaErrorInvalidMemcpyDirection;
    }
    if (rows.width == 0 || rows.height == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((to_device && !is_device_memory(to, rows.span(rows.to_pitch))) ||
        (from_device && !is_device_memory(from, rows.span(rows.from_pitch)))) {
      return cudaErrorInvalidValue;
    }
    const bool either = kind == cudaMemcpyDefault;
    if ((!to_device && !either && is_the_devices(to)) ||
        (!from_device && !either && is_the_devices(from))) {
      return cudaErrorInvalidValue;
    }
    if (!is_the_devices(to)) seen_by_host();
    if (runtime().looks_only) return cudaSuccess;
    const bool slow = runtime().current == runtime().device->slow;
    const cudaError_t status = queue_or_record(stream, [=](cudaStream_t in) {
      const AsStream now(in);
      constexpr useconds_t longer = 20'000;
      if (slow) usleep(longer);
      for (std::size_t row = 0; row < rows.height; ++row) {
        std::memcpy(static_cast<char*>(to) + row * rows.to_pitch,
                    static_cast<const char*>(from) + row * rows.from_pitch, rows.width);
      }
    });
    // Memory that is not pinned is the host's again when the call returns.
    if (is_done(mark(stream)) && (is_pageable(to) || is_pageable(from))) wait_for(mark(stream));
    return status;
  });
}

/// Dynamic shared memory that a block of the kernel may have.
std::size_t shared_limit(const void* kernel) {
  const auto& opted_in = runtime().opted_in;
  const auto found = opted_in.find(kernel);
  return found == opted_in.end() ? most_shared_bytes : std::max(most_shared_bytes, found->second);
}

cudaError_t check_limits(const void* kernel, const dim3& grid, const dim3& block,
                         std::size_t shared_bytes) {
  const auto none = [](const dim3& size) { return size.x == 0 || size.y == 0 || size.z == 0; };
  if (none(grid) || none(block) || block.x > most_threads || block.y > most_threads ||
      block.z > 64 || block.x * block.y * block.z > most_threads || grid.x > INT32_MAX ||
      grid.y > 65'535 || grid.z > 65'535) {
    return cudaErrorInvalidConfiguration;
  }
  return shared_bytes > shared_limit(kernel) ? cudaErrorInvalidValue : cudaSuccess;
}

/// Whether the blocks of a grid can all be there at the same time.
bool fit_together(const dim3& grid, const dim3& block) {
  const Runtime& r = runtime();
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const auto held = static_cast<std::uint64_t>(multiprocessors_of(r.current)) *
                    static_cast<std::uint64_t>(r.device->blocks_per_multiprocessor);
  return blocks <= held && blocks * block.x * block.y * block.z <= most_together;
}

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define TEXT(error, text) \
  { error, #error, text }
constexpr ErrorText texts[] = {
    TEXT(cudaSuccess, "no error"),
    TEXT(cudaErrorInvalidValue, "invalid argument"),
    TEXT(cudaErrorMemoryAllocation, "out of memory"),
    TEXT(cudaErrorInitializationError, "initialization error"),
    TEXT(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    TEXT(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    TEXT(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    TEXT(cudaErrorStubLibrary, "CUDA driver is a stub library"),
    TEXT(cudaErrorInsufficientDriver,
         "CUDA driver version is insufficient for CUDA runtime version"),
    TEXT(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    TEXT(cudaErrorInvalidDeviceFunction, "invalid device function"),
    TEXT(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    TEXT(cudaErrorInvalidDevice, "invalid device ordinal"),
    TEXT(cudaErrorNoKernelImageForDevice,
         "no kernel image is available for execution on the device"),
    TEXT(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    TEXT(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    TEXT(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    TEXT(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    TEXT(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    TEXT(cudaErrorNotReady, "device not ready"),
    TEXT(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    TEXT(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    TEXT(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    TEXT(cudaErrorHostMemoryAlreadyRegistered,
         "part or all of the requested memory range is already mapped"),
    TEXT(cudaErrorHostMemoryNotRegistered,
         "pointer does not correspond to a registered memory region"),
    TEXT(cudaErrorMisalignedAddress, "misaligned address"),
    TEXT(cudaErrorLaunchFailure, "unspecified launch failure"),
    TEXT(cudaErrorNotSupported, "operation not supported"),
    TEXT(cudaErrorUnknown, "unknown error"),
};
#undef TEXT

ErrorText text_of(cudaError_t error) {
  for (const ErrorText& text : texts) {
    if (text.error == error) return text;
  }
  return {error, "unrecognized error code", "unrecognized error code"};
}

}  // namespace

void plug_in(const Device& device) {
  forget_all();
  Runtime& r = runtime();
  r.device = device;
  r.current = 0;
  r.peers.clear();
  r.last = r.sticky = cudaSuccess;
  r.failures.clear();
}

void unplug(cudaError_t error) {
  forget_all();
  Runtime& r = runtime();
  r.device.reset();
  r.without = error;
  r.last = r.sticky = cudaSuccess;
  r.failures.clear();
}

void fail_next(const char* function, cudaError_t error) { runtime().failures[function] = error; }

bool failure_pending() { return !runtime().failures.empty(); }

void look_only() {
  Runtime& r = runtime();
  r.looks_only = true;
  r.device->memory_bytes = std::numeric_limits<std::size_t>::max();
}
bool looks_only() { return runtime().looks_only; }
void seen_by_host() { runtime().seen_by_host = true; }

void keep_host_out() { runtime().host_is_out = true; }

namespace {
bool posing = false;
}  // namespace

void pose_as_cuda() { posing = true; }
bool poses_as_cuda() { return posing; }

bool within_reach(const void* memory) { return !is_pageable(memory); }

std::size_t allocated_bytes() { return runtime().allocated; }

cudaError_t start(const void* function, dim3 grid, dim3 block, std::size_t shared_bytes,
                  cudaStream_t stream, void (*thread)(const void*),
                  std::shared_ptr<const void> kernel, bool cooperative) {
  return call_of(cooperative ? "cudaLaunchCooperativeKernel" : "cudaLaunchKernel", [&] {
    if (thread == nullptr) return cudaErrorInvalidDeviceFunction;
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    cudaError_t status = check_limits(function, grid, block, shared_bytes);
    if (status == cudaSuccess && cooperative && !fit_together(grid, block)) {
      status = cudaErrorCooperativeLaunchTooLarge;
    }
    if (looks_only()) return runtime().seen_by_host ? cudaSuccess : status;
    if (status != cudaSuccess) return status;
    auto work = [=, kernel = std::move(kernel)](cudaStream_t in) {
      const Launch launch{grid,         block,        runtime().device->lanes,
                          shared_bytes, thread,       kernel.get(),
                          kind_of(in),  clock_of(in), cooperative};
      bool good = true;
      {
        const AsStream now(in);
        good = run(launch);
      }
      if (!good) runtime().sticky = cudaErrorLaunchFailure;
    };
    return queue_or_record(stream, std::move(work));
  });
}

}  // namespace bench::cuda::stand_in

using namespace bench::cuda::stand_in;

// ---- the device ----

long long clock64() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call_of(__func__, [=] {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = runtime().device->count;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call_of(__func__, [=] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    runtime().current = device;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call_of(__func__, [=] {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = runtime().current;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_of(__func__, [=] {
    if (can == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device) || !is_device(peer)) return cudaErrorInvalidDevice;
    *can = device == peer ? 0 : 1;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call_of(__func__, [=] {
    if (flags != 0) return cudaErrorInvalidValue;
    const int current = runtime().current;
    if (!is_device(peer) || peer == current) return cudaErrorInvalidDevice;
    const bool is_new = runtime().peers.emplace(current, peer).second;
    return is_new ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call_of(__func__, [=] {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const Device& d = *runtime().device;
    *properties = {};
    std::snprintf(properties->name, sizeof properties->name, "%s", d.name);
    for (int i = 0; i < 16; ++i) properties->uuid.bytes[i] = static_cast<char>(16 * device + i);
    properties->totalGlobalMem = d.memory_bytes;
    properties->sharedMemPerBlock = most_shared_bytes;
    properties->major = d.major;
    properties->minor = d.minor;
    properties->multiProcessorCount = multiprocessors_of(device);
    properties->warpSize = static_cast<int>(d.lanes);
    properties->maxThreadsPerBlock = most_threads;
    properties->maxThreadsPerMultiProcessor = 2 * most_threads;
    properties->regsPerBlock = 65'536;
    for (const int i : {0, 1, 2}) {
      properties->maxThreadsDim[i] = i < 2 ? most_threads : 64;
      properties->maxGridSize[i] = i == 0 ? 0x7fff'ffff : 65'535;
    }
    properties->l2CacheSize = d.l2_bytes;
    properties->ECCEnabled = d.ecc ? 1 : 0;
    properties->pciBusID = device + 1;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call_of(__func__, [=] {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const std::optional<int> found = value_of(attribute, device);
    if (!found) return cudaErrorInvalidValue;
    *value = *found;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return call_of(__func__, [=] {
    constexpr int needed = sizeof "0000:00:00.0";
    if (id == nullptr || length < needed) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    std::snprintf(id, static_cast<std::size_t>(length), "0000:%02x:00.0",
                  static_cast<unsigned>(device + 1) & 0xffU);
    return cudaSuccess;
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = asked_for(__func__); error != cudaSuccess) return remember(error);
  *version = runtime().device ? runtime().device->driver_version : 0;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = asked_for(__func__); error != cudaSuccess) return remember(error);
  *version = runtime().device.value_or(Device{}).runtime_version;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call_of(__func__, [=] {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *total = runtime().device->memory_bytes;
    const std::size_t allocated = runtime().allocated;
    *free = *total > allocated ? *total - allocated : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  return call_of(__func__, [=] {
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        value > runtime().device->opt_in_shared_bytes) {
      return cudaErrorInvalidValue;
    }
    runtime().opted_in[kernel] = static_cast<std::size_t>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return call_of(__func__, [=] {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    attributes->numRegs = runtime().device->registers;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_size,
                                                          std::size_t shared_bytes) {
  return call_of(__func__, [=] {
    if (blocks == nullptr || block_size <= 0) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const bool fits =
        block_size <= static_cast<int>(most_threads) && shared_bytes <= shared_limit(kernel);
    *blocks = fits ? runtime().device->blocks_per_multiprocessor : 0;
    return cudaSuccess;
  });
}

// ---- memory ----

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return call_of(__func__, [=] { return allocate(memory, bytes, false); });
}

cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned flags) {
  return call_of(__func__, [=] {
    if (bytes == 0 || flags != cudaMemAttachGlobal) return cudaErrorInvalidValue;
    if (!runtime().device->managed_memory) return cudaErrorNotSupported;
    return allocate(memory, bytes, true);
  });
}

// Where the call fails, its caller can do no more about the memory: that is not a leak.
cudaError_t cudaFree(void* memory) {
  wait_for_all();  // as on a device
  const cudaError_t status = memory == nullptr ? cudaSuccess : release(memory);
  return call_of(__func__, [=] { return status; });
}

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  const cudaError_t status = set(__func__, memory, value, bytes, nullptr);
  wait_for(mark(nullptr));
  return status;
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  return set(__func__, memory, value, bytes, stream);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t status = copy(__func__, to, from, {bytes, 1, bytes, bytes}, kind, nullptr);
  wait_for(mark(nullptr));
  return status;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy(__func__, to, from, {bytes, 1, bytes, bytes}, kind, stream);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  constexpr std::size_t most = INT32_MAX;
  if (to_pitch > most || from_pitch > most || width > to_pitch || width > from_pitch) {
    return call_of(__func__, [] { return cudaErrorInvalidValue; });
  }
  return copy(__func__, to, from, {width, height, to_pitch, from_pitch}, kind, stream);
}

cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags) {
  return call_of(__func__, [=] {
    if (memory == nullptr || bytes == 0 || flags != cudaHostRegisterDefault) {
      return cudaErrorInvalidValue;
    }
    auto& registered = runtime().registered;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const auto next = registered.lower_bound(begin + bytes);  // the first that begins after it
    if (next != registered.begin()) {
      const auto& [other, size] = *std::prev(next);
      if (other + size > begin) return cudaErrorHostMemoryAlreadyRegistered;
    }
    registered[begin] = bytes;
    runtime().shared_with_host = true;
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* memory) {
  const auto erased = runtime().registered.erase(reinterpret_cast<std::uintptr_t>(memory));
  return call_of(__func__,
                 [=] { return erased > 0 ? cudaSuccess : cudaErrorHostMemoryNotRegistered; });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call_of(__func__, [=] {
    if (device == nullptr || flags != 0 || !is_registered(host, 1)) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

// ---- streams and events ----

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call_of(__func__, [=] {
    if (stream == nullptr) return cudaErrorInvalidValue;
    if (flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = open_stream(flags == 0);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const bool open = stream != nullptr && is_stream(stream);
  if (open) close_stream(stream);
  return call_of(__func__, [=] { return open ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call_of(__func__, [=] {
    if (event == nullptr || !is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (flags != 0) return cudaErrorInvalidValue;
    if (!event->record) return cudaSuccess;
    return queue(stream, [stream, until = event->record->mark] { finish(until, stream); });
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call_of(__func__, [=] {
    return is_stream(stream) ? waited_for(mark(stream)) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call_of(__func__, [=] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return is_done(mark(stream)) ? waited_for(mark(stream)) : cudaErrorNotReady;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call_of(__func__, [] {
    wait_for_all();
    if (runtime().shared_with_host) seen_by_host();
    return runtime().sticky;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call_of(__func__, [=] {
    if (event == nullptr) return cudaErrorInvalidValue;
    *event = new CUevent_st;
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call_of(__func__, [=] {
    if (event == nullptr || flags != cudaEventDisableTiming) return cudaErrorInvalidValue;
    *event = new CUevent_st;
    (*event)->timed = false;
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const cudaError_t status = event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess;
  delete event;
  return call_of(__func__, [=] { return status; });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call_of(__func__, [=] {
    if (event == nullptr || !is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const auto record = std::make_shared<CUevent_st::Record>();
    event->record = record;
    record->mark = {stream, mark(stream).number + 1};
    return queue(stream, [record] { record->time = std::chrono::steady_clock::now(); });
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call_of(__func__, [=] {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    return event->record ? waited_for(event->record->mark) : cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call_of(__func__, [=] {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (start == nullptr || end == nullptr || !start->record || !end->record || !start->timed ||
        !end->timed) {
      return cudaErrorInvalidResourceHandle;
    }
    if (!start->record->time || !end->record->time) return cudaErrorNotReady;
    const std::chrono::duration<float, std::milli> elapsed =
        *end->record->time - *start->record->time;
    *milliseconds = elapsed.count();
    return cudaSuccess;
  });
}

// ---- graphs ----

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode /*mode*/) {
  return call_of(__func__, [=] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (stream == nullptr) return cudaErrorStreamCaptureUnsupported;  // others would wait for it
    auto& captures = runtime().captures;
    if (captures.contains(stream)) return cudaErrorIllegalState;
    captures[stream] = std::make_unique<CUgraph_st>();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call_of(__func__, [=] {
    if (graph == nullptr) return cudaErrorInvalidValue;
    const auto capture = runtime().captures.extract(stream);
    if (capture.empty()) return cudaErrorIllegalState;
    *graph = capture.mapped().release();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long /*flags*/) {
  return call_of(__func__, [=] {
    if (executable == nullptr || graph == nullptr) return cudaErrorInvalidValue;
    *executable = new CUgraphExec_st{graph->launches};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call_of(__func__, [=] {
    if (executable == nullptr) return cudaErrorInvalidValue;
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    for (const auto& launch : executable->launches) {
      const cudaError_t status = queue(stream, [stream, launch] { launch(stream); });
      if (status != cudaSuccess) return status;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

// ---- errors ----

cudaError_t cudaGetLastError() {
  Runtime& r = runtime();
  const cudaError_t error = cudaPeekAtLastError();
  r.last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  const Runtime& r = runtime();
  return r.sticky != cudaSuccess ? r.sticky : r.last;
}

const char* cudaGetErrorName(cudaError_t error) { return text_of(error).name; }

const char* cudaGetErrorString(cudaError_t error) { return text_of(error).text; }
