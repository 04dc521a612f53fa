// What ../vendor.hpp has for NVIDIA's runtime.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "harness/base/reasons.hpp"
#include "harness/cuda/hip/runtime.hpp"
#include "harness/workload/backend.hpp"

namespace bench::cuda::vendor {

constexpr const Backend& backend = backends::hip;
constexpr bool has_nvml = false;  // rocm-smi is not asked

inline std::string dotted(int version) {
  return fmt::format("{}.{}", version / 10'000'000, version / 100'000 % 100);
}

/// The id as rocminfo prints it, 16 characters; empty where the runtime does not say.
inline std::string uuid_of(int device, const cudaDeviceProp& /*properties*/) {
  hipUUID uuid{};
  if (hipDeviceGetUuid(&uuid, device) != hipSuccess) return "";
  return "GPU-" + std::string(uuid.bytes, strnlen(uuid.bytes, sizeof uuid.bytes));
}

/// Such as gfx90a.
inline std::string architecture_of(const cudaDeviceProp& properties) {
  return properties.gcnArchName;
}

/// Why a device is missing, and what to do about it.
inline Reason absence(cudaError_t error) {
  cudaGetLastError();
  if (error != cudaSuccess && error != cudaErrorNoDevice) {
    return said<reasons::no_device_because>(std::string(cudaGetErrorString(error)));
  }
  const bool driver = access("/dev/kfd", F_OK) == 0;
  return said<reasons::no_device_because>(driver ? said<reasons::hip_sees_none>()
                                                 : said<reasons::no_amd_driver>());
}

}  // namespace bench::cuda::vendor
