// A warp as the calling thread sees it. The last one of a block need not be full.
#pragma once

#include "harness/cuda/runtime.hpp"

namespace bench::cuda {

/// Threads of a full warp, on every device so far.
constexpr unsigned warp_lanes = 32;

struct WarpLanes {
  unsigned lane;   ///< the calling thread's number in its warp
  unsigned lanes;  ///< that there are, the first ones
  unsigned mask;   ///< a bit for each of them: which take part in shuffles and votes
};

__device__ inline WarpLanes lanes_of_warp() {
  const unsigned lane = threadIdx.x % warp_lanes;
  const unsigned left = blockDim.x - (threadIdx.x - lane);
  if (left >= warp_lanes) return {lane, warp_lanes, ~0U};
  return {lane, left, (1U << left) - 1};
}

}  // namespace bench::cuda
