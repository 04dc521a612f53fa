// What ../instructions.hpp has for NVIDIA's devices: here the compiler chooses the instructions.
#pragma once

#include <cmath>

#include "harness/cuda/hip/runtime.hpp"
#include "harness/cuda/warp.hpp"
#include "harness/cuda/wide.hpp"

namespace bench::cuda {

/// Writes a Wide to an address that is a multiple of 16 bytes, in one access.
template <class T>
__device__ void store_wide(T* to, const Wide<T>& v) {
  *reinterpret_cast<Wide<T>*>(to) = v;
}

/// 2^x and 1/√x, in the precision of the library.
__device__ inline float fast_exp2(float x) { return exp2f(x); }
__device__ inline float fast_rsqrt(float x) { return rsqrtf(x); }
__device__ inline double fast_rsqrt(double x) { return rsqrt(x); }

/// Rounds towards zero; what no unsigned holds becomes 0 or the largest.
template <class T>
__device__ unsigned to_unsigned(T x) {
  constexpr T beyond = 4294967296;
  if (!(x > 0)) return 0;
  return x < beyond ? static_cast<unsigned>(x) : ~0U;
}

/// Counters in shared memory.
class SharedCounters {
 public:
  __device__ explicit SharedCounters(unsigned* first) : first_(first) {}

  __device__ void add(unsigned counter, unsigned count) const {
    atomicAdd(first_ + counter, count);
  }
  /// Returns what was there before.
  __device__ unsigned exchange_add(unsigned counter, unsigned count) const {
    return atomicAdd(first_ + counter, count);
  }

 private:
  unsigned* first_;
};

}  // namespace bench::cuda

// ---- what the lanes of a warp do together: HIP takes all that are active for the mask ----

__device__ inline bench::cuda::LaneMask __ballot_sync(bench::cuda::LaneMask /*mask*/,
                                                      int predicate) {
  return static_cast<bench::cuda::LaneMask>(__ballot(predicate));
}
template <class T>
__device__ T __shfl_sync(bench::cuda::LaneMask /*mask*/, T value, int from) {
  return __shfl(value, from);
}
template <class T>
__device__ T __shfl_down_sync(bench::cuda::LaneMask /*mask*/, T value, unsigned delta) {
  return __shfl_down(value, delta);
}
template <class T>
__device__ T __shfl_up_sync(bench::cuda::LaneMask /*mask*/, T value, unsigned delta) {
  return __shfl_up(value, delta);
}
template <class T>
__device__ T __shfl_xor_sync(bench::cuda::LaneMask /*mask*/, T value, int lanes) {
  return __shfl_xor(value, lanes);
}
/// The lanes go on together: here only the compiler could change their order.
__device__ inline void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
