// What a device allows at most, as its device query says: free of CUDA's headers.
#pragma once

#include "harness/base/json.hpp"

namespace bench::cuda {

/// Threads and dimensions of a block and a grid, what a block and a multiprocessor have of shared
/// memory (bytes), registers (of 32 bits), threads and blocks, and the multiprocessor's units for
/// f32 and f64; null for what the
/// driver does not say, and where the compute capability is not known here.
Json limits(int device, int major, int minor);

}  // namespace bench::cuda
