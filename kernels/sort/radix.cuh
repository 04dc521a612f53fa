// Radix sorts of cuda.cu: the elements move by one digit of their bits after the other, from the
// last digit to the first. Each move is stable, so it keeps the order that the others have made.
#pragma once

#include <type_traits>

#include "harness/cuda/kernel.hpp"
#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

using bench::cuda::LaneMask;
using bench::cuda::warp_lanes;

constexpr unsigned digit_bits = 8;
constexpr unsigned digits = 1U << digit_bits;
constexpr unsigned radix_block = digits;  // a thread for each digit, too
constexpr unsigned warps = radix_block / warp_lanes;
constexpr unsigned per_thread = 16;
constexpr unsigned radix_tile = radix_block * per_thread;

/// A whole number that is ordered as the elements are: a negative one has all bits turned, for
/// its magnitude grows the other way.
__device__ inline auto ordered(Real x) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
  Bits bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & sign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
}

__device__ inline unsigned digit_of(Real x, unsigned shift) {
  return static_cast<unsigned>(ordered(x) >> shift) % digits;
}

/// The lanes of the calling warp whose element is there and has the same digit.
__device__ inline LaneMask lanes_alike(bool there, unsigned digit) {
  LaneMask alike = __ballot_sync(bench::cuda::all_lanes, there);
  BENCH_UNROLL
  for (unsigned bit = 0; bit < digit_bits; ++bit) {
    const bool mine = (digit >> bit & 1U) != 0;
    const LaneMask set = __ballot_sync(bench::cuda::all_lanes, mine);
    alike &= mine ? set : ~set;
  }
  return alike;
}

/// The sum over the threads of the block before the calling one.
__device__ inline unsigned sum_before(unsigned value) {
  __shared__ unsigned sum[radix_block];
  sum[threadIdx.x] = value;
  __syncthreads();
  for (unsigned distance = 1; distance < radix_block; distance *= 2) {
    const unsigned other = threadIdx.x < distance ? 0 : sum[threadIdx.x - distance];
    __syncthreads();
    sum[threadIdx.x] += other;
    __syncthreads();
  }
  return sum[threadIdx.x] - value;
}

/// How many elements of a tile have each digit, by the threads of its block: thread d knows it of
/// the digit d.
__device__ inline unsigned count_tile(const Real* from, std::size_t n, std::size_t which,
                                      unsigned shift) {
  __shared__ unsigned count[digits];
  count[threadIdx.x] = 0;
  __syncthreads();
  BENCH_UNROLL
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::size_t i = which * radix_tile + k * radix_block + threadIdx.x;
    if (i < n) atomicAdd(&count[digit_of(from[i], shift)], 1U);
  }
  __syncthreads();
  return count[threadIdx.x];
}

/// Moves a tile. Each warp has a piece of it, in rows of a warp. `first(digit, count)`: where the
/// first of `count` elements of the tile with that digit goes; thread d is asked for the digit d.
template <class First>
__device__ void move_tile(const Real* from, Real* to, std::size_t n, std::size_t which,
                          unsigned shift, First first) {
  __shared__ unsigned next[warps][digits];  // where the next element of a warp with a digit goes
  const unsigned warp = threadIdx.x / warp_lanes;
  const unsigned lane = threadIdx.x % warp_lanes;
  const std::size_t rows = which * radix_tile + warp * (radix_tile / warps);
  const std::size_t begin = rows + lane;
  BENCH_UNROLL
  for (unsigned w = 0; w < warps; ++w) next[w][threadIdx.x] = 0;
  __syncthreads();
  Real mine[per_thread];
  BENCH_UNROLL
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::size_t i = begin + k * warp_lanes;
    if (i >= n) continue;
    mine[k] = from[i];
    atomicAdd(&next[warp][digit_of(mine[k], shift)], 1U);
  }
  __syncthreads();
  unsigned count = 0;
  BENCH_UNROLL
  for (unsigned w = 0; w < warps; ++w) count += next[w][threadIdx.x];
  unsigned place = first(threadIdx.x, count);
  BENCH_UNROLL
  for (unsigned w = 0; w < warps; ++w) {
    const unsigned of_warp = next[w][threadIdx.x];
    next[w][threadIdx.x] = place;
    place += of_warp;
  }
  __syncthreads();
  BENCH_UNROLL
  for (unsigned k = 0; k < per_thread; ++k) {
    if (rows + k * warp_lanes >= n) break;  // for the whole warp
    const bool there = begin + k * warp_lanes < n;
    const unsigned digit = there ? digit_of(mine[k], shift) : 0;
    const LaneMask alike = lanes_alike(there, digit);
    const unsigned before = bench::cuda::lanes_in(alike & bench::cuda::first_lanes(lane));
    const unsigned at = next[warp][digit] + before;
    __syncwarp();
    if (there) to[at] = mine[k];
    if (there && before == 0) next[warp][digit] = at + bench::cuda::lanes_in(alike);
    __syncwarp();
  }
}

}  // namespace
}  // namespace kernels::sort
