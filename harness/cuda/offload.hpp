// Whether OpenMP's target regions reach the device that CUDA has: the backend `target`.
#pragma once

#include "harness/base/reason.hpp"

namespace bench::cuda {

/// Whether this program's target regions were compiled for devices.
bool built_with_offload();

/// Empty, or why a target region cannot take addresses of the open device's memory. From then on
/// regions are on that device.
Reason why_no_offload();

}  // namespace bench::cuda
