// The sum over the threads of a block, as reductions of several workloads take it: by shuffles
// within each warp, then through shared memory, one number per warp.
#pragma once

#include "harness/cuda/kernel.hpp"

namespace kernels {
namespace {

/// The sum over all lanes of a warp, in its first lane.
__device__ double sum_of_warp(double total) {
  const auto [lane, lanes, mask] = bench::cuda::lanes_of_warp();
  for (unsigned half = bench::cuda::warp_lanes / 2; half > 0; half /= 2) {
    const double other = __shfl_down_sync(mask, total, half);
    if (lane + half < lanes) total += other;
  }
  return total;
}

/// The sum over all threads of a block, in its first thread: of each warp, then of the warps. All
/// threads have to call it, and to meet (__syncthreads) before they do so again.
__device__ double sum_of_block(double total) {
  constexpr unsigned warp_lanes = bench::cuda::warp_lanes;
  constexpr unsigned most_threads = 1024;  // of any block
  __shared__ double of_warp[most_threads / warp_lanes];
  total = sum_of_warp(total);
  if (threadIdx.x % warp_lanes == 0) of_warp[threadIdx.x / warp_lanes] = total;
  __syncthreads();
  if (threadIdx.x >= warp_lanes) return total;
  const unsigned warps = (blockDim.x + warp_lanes - 1) / warp_lanes;
  return sum_of_warp(threadIdx.x < warps ? of_warp[threadIdx.x] : 0);
}

}  // namespace
}  // namespace kernels
