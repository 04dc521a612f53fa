// Of a program that was compiled with target regions for a device.
#include "harness/cuda/offload.hpp"

#include <omp.h>

#include <map>

#include "harness/base/reasons.hpp"
#include "harness/cuda/device_memory.hpp"
#include "harness/cuda/error.hpp"
#include "harness/cuda/launch.hpp"

namespace bench::cuda {
namespace {

/// Regions fall back to the host, which does not have the device's memory.
bool is_on_device(int device) {
  int on_host = 1;
  if (device >= omp_get_num_devices()) return false;
  omp_set_default_device(device);
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  return on_host == 0;
}

/// Their context may be another than CUDA's.
bool sees_memory_of_cuda(int device) {
  const int written = 27;
  int read = 0;
  DeviceBuffer buffer(sizeof written);
  buffer.upload(&written);
  const int failed =
      omp_target_memcpy(&read, buffer.data(), sizeof read, 0, 0, omp_get_initial_device(), device);
  return failed == 0 && read == written;
}

/// PTX of regions is for one architecture, and for those after it.
bool is_new_enough(int device) {
  int major = 0;
  int minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "the device");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "the device");
  return 10 * major + minor >= BENCH_OFFLOAD_ARCHITECTURE;
}

Reason asked(int device) {
  try {
    // OpenMP's library ends the program where a region does not suit the device.
    if (!is_new_enough(device) || !is_on_device(device)) return said<reasons::no_offload_device>();
    if (!sees_memory_of_cuda(device)) return said<reasons::offload_elsewhere>();
  } catch (const Error& error) {
    return error.reason;
  }
  return {};
}

}  // namespace

bool built_with_offload() { return true; }

std::size_t stacks_of_regions() {
  return std::size_t{1} << 30U;  // 128 KiB of each warp that is resident
}

Reason why_no_offload() {
  int device = 0;
  cudaGetDevice(&device);
  static std::map<int, Reason> known;
  const auto [found, is_new] = known.try_emplace(device);
  if (is_new) found->second = asked(device);
  omp_set_default_device(device);
  return found->second;
}

}  // namespace bench::cuda
