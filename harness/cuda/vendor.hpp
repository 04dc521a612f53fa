// What the harness asks NVIDIA's runtime in its own way; hip/vendor.hpp has the same for AMD's.
#pragma once

#include <fmt/format.h>

#include <string>

#include "harness/base/reasons.hpp"
#include "harness/cuda/runtime.hpp"
#include "harness/workload/backend.hpp"

namespace bench::cuda::vendor {

constexpr const Backend& backend = backends::cuda;
constexpr bool has_nvml = true;

inline std::string dotted(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

inline std::string uuid_of(int /*device*/, const cudaDeviceProp& properties) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof properties.uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(properties.uuid.bytes[i]));
  }
  return text;
}

inline std::string architecture_of(const cudaDeviceProp& properties) {
  return fmt::format("{}.{}", properties.major, properties.minor);
}

/// Why a device is missing, and what to do about it.
inline Reason absence(cudaError_t error) {
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaGetLastError();
  if (error == cudaSuccess || error == cudaErrorNoDevice) {
    return said<reasons::no_device_because>(said<reasons::cuda_sees_none>());
  }
  if (error == cudaErrorStubLibrary) {
    return said<reasons::no_device_because>(std::string(
        "libcuda is the toolkit's stub, not the driver: take its folder out of LD_LIBRARY_PATH"));
  }
  const bool no_driver = error == cudaErrorInsufficientDriver;
  if (no_driver && driver == 0) return said<reasons::no_device_because>(said<reasons::no_driver>());
  if (no_driver) {
    return said<reasons::no_device_because>(
        said<reasons::driver_too_old>("CUDA " + dotted(driver), "CUDA " + dotted(runtime)));
  }
  return said<reasons::no_device_because>(std::string(cudaGetErrorString(error)));
}

}  // namespace bench::cuda::vendor
