// Reductions over the threads of a warp and of a block, as several workloads use them: by shuffles
// within each warp, then through shared memory, one value per warp.
#pragma once

#include "harness/cuda/kernel.hpp"

namespace kernels {
namespace {

/// An operation of a reduction: the order does not matter, and T{} is its neutral element.
struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

/// The reduction over all lanes of a warp, in its first lane.
template <class Operation = Sum, class T>
__device__ T warp_reduce(T value) {
  const auto [lane, lanes, mask] = bench::cuda::lanes_of_warp();
  for (unsigned half = bench::cuda::warp_lanes / 2; half > 0; half /= 2) {
    const T other = __shfl_down_sync(mask, value, half);
    if (lane + half < lanes) value = Operation()(value, other);
  }
  return value;
}

/// The reduction over all threads of a block, in its first thread. All threads must call it, and
/// must meet (__syncthreads) before they call it again.
template <class Operation = Sum, class T>
__device__ T block_reduce(T value) {
  constexpr unsigned warp_lanes = bench::cuda::warp_lanes;
  constexpr unsigned most_threads = 1024;  // of any block
  __shared__ T of_warp[most_threads / warp_lanes];
  value = warp_reduce<Operation>(value);
  if (threadIdx.x % warp_lanes == 0) of_warp[threadIdx.x / warp_lanes] = value;
  __syncthreads();
  if (threadIdx.x >= warp_lanes) return value;
  const unsigned warps = (blockDim.x + warp_lanes - 1) / warp_lanes;
  return warp_reduce<Operation>(threadIdx.x < warps ? of_warp[threadIdx.x] : T{});
}

}  // namespace
}  // namespace kernels
