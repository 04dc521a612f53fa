// monte_carlo_pi on a GPU: how many of n random points are inside the quarter circle.
//
// Two words are read and one is written, for any n. No memory and no transfer matter, only the
// throughput of 32-bit products with 64-bit results: ten to draw a point, two to test it. The
// generator is counter-based (Philox4x32-10): a block of four words, two points, is a function of
// its number. So any thread can draw any block, and the count is the same as on a CPU. The threads
// share only that count.

#include <cstdint>

#include "harness/cuda/kernel.hpp"
#include "kernels/block_reduce.hpp"
#include "kernels/monte_carlo_pi/monte_carlo_pi.hpp"
#include "kernels/monte_carlo_pi/philox.hpp"

namespace kernels::monte_carlo_pi {
namespace {

using bench::cuda::launch;

constexpr unsigned block = 256;

// Change: the CPU's loop on one GPU thread, the launch [1, 1] of a first lesson.
// Cost: all other threads are idle, and one thread alone is far slower than a CPU core.
__global__ void one_thread_kernel(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  Word count = 0;
  for (std::size_t b = 0; b < blocks; ++b) count += count_inside(b, n, key);
  inside[0] = count;
}

void one_thread(const Word* key, std::size_t n, Word* inside) {
  launch(one_thread_kernel, {1, 1}, key, n, inside);
}

// Before: one block of numbers is drawn at a time.
// Change: one thread per block of numbers; each adds its 0, 1 or 2 to the count, atomically.
// Cost: all warps of the GPU contend for one word. Compilers add up within a warp first, since
// compute capability 8.0 by one instruction (REDUX).
__global__ void global_atomics_kernel(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  const std::size_t b = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (b < blocks) atomicAdd(inside, count_inside(b, n, key));
}

void global_atomics(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  bench::cuda::zero(inside, 1);
  launch(global_atomics_kernel, bench::cuda::per_element(blocks, block), key, n, inside);
}

// Before: one atomic addition for every two points.
// Change: a grid-stride loop in as many threads as are resident, each with a count in a register:
// one atomic addition per thread.
// Cost: thousands of warps still contend for one word, all at the end.
__global__ void grid_stride_kernel(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  Word count = 0;
  for (std::size_t b = first; b < blocks; b += stride) count += count_inside(b, n, key);
  atomicAdd(inside, count);
}

void grid_stride(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  bench::cuda::zero(inside, 1);
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, blocks, block), key, n,
         inside);
}

/// Adds the counts of a block's threads to inside[0], by one atomic addition.
__device__ void add_per_block(Word count, Word* inside) {
  count = block_reduce(count);
  if (threadIdx.x == 0) atomicAdd(inside, count);
}

// Before: one atomic addition per thread.
// Change: a reduction in registers (shuffles) and shared memory: one atomic addition per block.
// Cost: a barrier, at which the block waits for its slowest thread.
__global__ void per_block_kernel(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  Word count = 0;
  for (std::size_t b = first; b < blocks; b += stride) count += count_inside(b, n, key);
  add_per_block(count, inside);
}

void per_block(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  bench::cuda::zero(inside, 1);
  launch(per_block_kernel, bench::cuda::fill_device(per_block_kernel, blocks, block), key, n,
         inside);
}

/// The first two rounds of the counter (b, 0, 0, 0). Of their four products one has a factor 0, and
/// one is the same for all b: `fixed`, of the first factor and the key.
__device__ Words two_rounds(Word b, Word key_0, Word key_1, std::uint64_t fixed) {
  const std::uint64_t first = factor_0 * b;
  const std::uint64_t second = factor_2 * (high(first) ^ key_1);
  return {{high(second) ^ (key_0 + key_step_0), low(second),
           high(fixed) ^ low(first) ^ (key_1 + key_step_1), low(fixed)}};
}

// Before: all ten rounds for every block of numbers.
// Change: compute once per thread what does not depend on the block's number: two of the four
// products of the first two rounds.
// Cost: needs less than 2^32 blocks, so that the counter's second word is 0. It saves two products
// of twenty, and compilers find one of them.
__global__ void hoisted_kernel(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::uint64_t fixed = factor_0 * key[0];
  const Word key_0 = key[0] + 2 * key_step_0;  // of the third round
  const Word key_1 = key[1] + 2 * key_step_1;
  Word count = 0;
  for (std::size_t b = first; b < blocks; b += stride) {
    const Words words = two_rounds(low(b), key[0], key[1], fixed);
    count += points_inside(philox<8>(words, key_0, key_1), b, n);
  }
  add_per_block(count, inside);
}

void hoisted(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  bench::cuda::zero(inside, 1);
  launch(hoisted_kernel, bench::cuda::fill_device(hoisted_kernel, blocks, block), key, n, inside);
}

}  // namespace

template <>
bench::Ladder<Kernel> cuda<Real>() {
  static constexpr bench::Variant<Kernel> ladder[] = {
      {"one_thread", "the naive loop on a single GPU thread, deliberately slow", one_thread,
       100'000},
      {"global_atomics", "one thread per block of numbers, each adds to one count", global_atomics},
      {"grid_stride", "only as many threads as are resident, one atomic per thread", grid_stride},
      {"per_block", "reduced in registers and shared memory: one atomic per block", per_block},
      {"hoisted", "two of twenty products, the same for all blocks, computed once", hoisted},
  };
  return ladder;
}

}  // namespace kernels::monte_carlo_pi
