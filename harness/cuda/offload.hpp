// Whether OpenMP's target regions reach the device that CUDA has: the backend `target`.
#pragma once

#include <cstddef>

#include "harness/base/reason.hpp"

namespace bench::cuda {

/// Whether this program's target regions were compiled for devices.
bool built_with_offload();

/// Bytes of the device that OpenMP takes for stacks, at most.
std::size_t stacks_of_regions();

/// Empty, or why a target region cannot take addresses of the open device's memory. From then on
/// regions are on that device.
Reason why_no_offload();

}  // namespace bench::cuda
