// What a device allows at most, as its device query says: free of CUDA's headers.
#pragma once

#include "harness/node/gpu_facts.hpp"

namespace bench::cuda {

/// Nothing for what the driver does not say; units where the compute capability is known here.
GpuLimits limits(int device, int major, int minor);

}  // namespace bench::cuda
