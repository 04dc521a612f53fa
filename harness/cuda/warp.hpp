// A warp as the calling thread sees it. The last one of a block need not be full.
#pragma once

#include <type_traits>

#include "harness/cuda/runtime.hpp"

namespace bench::cuda {

/// Threads of a full warp, which a kernel is compiled for: the build says where it is not 32.
#if defined(BENCH_WARP_LANES)
constexpr unsigned warp_lanes = BENCH_WARP_LANES;
#else
constexpr unsigned warp_lanes = 32;
#endif

/// Threads that every multiprocessor of this architecture holds: bounds that ask for more are
/// ignored, with a warning.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr unsigned resident_threads = 1024;
#else
constexpr unsigned resident_threads = 1536;
#endif

/// A bit for each lane of a warp: which take part in shuffles and votes.
using LaneMask = std::conditional_t<(warp_lanes > 32), unsigned long long, unsigned>;
constexpr LaneMask all_lanes = ~LaneMask{0};

/// The first lanes, `count` of them: fewer than all.
__device__ inline LaneMask first_lanes(unsigned count) { return (LaneMask{1} << count) - 1; }

/// How many lanes are in a mask.
__device__ inline unsigned lanes_in(LaneMask mask) {
  if constexpr (warp_lanes > 32) return static_cast<unsigned>(__popcll(mask));
  return static_cast<unsigned>(__popc(static_cast<unsigned>(mask)));
}

struct WarpLanes {
  unsigned lane;   ///< the calling thread's number in its warp
  unsigned lanes;  ///< that there are, the first ones
  LaneMask mask;   ///< those
};

__device__ inline WarpLanes lanes_of_warp() {
  const unsigned lane = threadIdx.x % warp_lanes;
  const unsigned left = blockDim.x - (threadIdx.x - lane);
  if (left >= warp_lanes) return {lane, warp_lanes, all_lanes};
  return {lane, left, first_lanes(left)};
}

}  // namespace bench::cuda
