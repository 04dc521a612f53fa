// sort on a GPU: the elements in ascending order.
//
// Thousands of threads need as many independent comparisons. A sorting network has them: which
// positions are compared does not depend on the elements. That of bubble sort has n phases.
// Batcher's bitonic network has ½·log² n. Each is a launch and a pass over memory, until all
// compared positions are in a block's shared memory. Small arrays are bound by launch latency. From
// a few hundred elements on, one CPU core with a better algorithm than O(n²) is faster.

#include "harness/cuda/kernel.hpp"
#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

using bench::cuda::launch;
using bench::cuda::per_element;

constexpr unsigned block = 256;

/// Two positions in ascending order.
__device__ void order(Real& low, Real& high) {
  const Real a = low;
  const Real b = high;
  if (b < a) {
    low = b;
    high = a;
  }
}

// Change: bubble sort on one GPU thread, like the naive loop under `@cuda.jit`.
// Cost: n²/2 comparisons, one after the other, on a core that is slower than a CPU's.
__global__ void one_thread_kernel(const Real* in, Real* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
  for (std::size_t end = n; end > 1; --end)
    for (std::size_t j = 0; j + 1 < end; ++j) order(out[j], out[j + 1]);
}

void one_thread(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  launch(one_thread_kernel, {1, 1}, in, out, n);
}

__global__ void copy_kernel(const Real* in, Real* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// Before: one thread, though other pairs of neighbours could be compared at the same time.
// Change: one thread per pair of neighbours, at even and at odd positions in turn (odd-even
// transposition). The end of a kernel is the barrier for all blocks.
// Cost: n launches, and still n²/2 comparisons.
__global__ void odd_even_kernel(Real* out, std::size_t n, std::size_t phase) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t low = 2 * i + phase % 2;
  if (low + 1 < n) order(out[low], out[low + 1]);
}

void odd_even(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  launch(copy_kernel, per_element(n, block), in, out, n);
  for (std::size_t phase = 0; phase < n; ++phase)
    launch(odd_even_kernel, per_element(n / 2, block), out, n, phase);
}

/// The positions that comparator i of a step compares. `run` is a power of two. The first step on
/// runs of `run` / 2 elements pairs the first element of two runs with the last, the second with
/// the last but one, and so on. In the steps after it positions are `run` / 2 apart. All
/// comparators put the smaller element first. So comparators past n, where infinitely large
/// elements would stay, can be left out.
struct Places {
  std::size_t low;
  std::size_t high;
};
__device__ Places places_of(std::size_t i, std::size_t run, bool mirrored) {
  const std::size_t half = run / 2;
  const std::size_t offset = i & (half - 1);  // half is a power of two: a division takes far longer
  const std::size_t begin = 2 * (i - offset);
  return {begin + offset, mirrored ? begin + run - 1 - offset : begin + offset + half};
}

__global__ void step_kernel(Real* out, std::size_t n, std::size_t run, bool mirrored) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto [low, high] = places_of(i, run, mirrored);
  if (high < n) order(out[low], out[high]);
}

/// One step of the network over all elements: comparators for the next power of two above n.
void step(Real* out, std::size_t n, std::size_t padded, std::size_t run, bool mirrored) {
  launch(step_kernel, per_element(padded / 2, block), out, n, run, mirrored);
}

std::size_t power_of_two_above(std::size_t n) {
  std::size_t power = 1;
  while (power < n) power *= 2;
  return power;
}

// Before: n phases.
// Change: Batcher's bitonic network: sorted runs of 1, 2, 4 … are merged, each merge in as many
// steps as its length has doublings: ½·log₂² n in all.
// Cost: each step is a launch, and a pass over GPU memory.
void bitonic(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  launch(copy_kernel, per_element(n, block), in, out, n);
  const std::size_t padded = power_of_two_above(n);
  for (std::size_t merged = 2; merged <= padded; merged *= 2) {
    step(out, n, padded, merged, true);
    for (std::size_t run = merged / 2; run > 1; run /= 2) step(out, n, padded, run, false);
  }
}

/// Elements that a block keeps in shared memory, two per thread.
constexpr unsigned tile = 2'048;
constexpr unsigned tile_threads = tile / 2;

__device__ void step_in_tile(Real* part, std::size_t count, std::size_t run, bool mirrored) {
  const auto [low, high] = places_of(threadIdx.x, run, mirrored);
  if (high < count) order(part[low], part[high]);
  __syncthreads();
}

/// Loads the tile of a block from `from`, orders it by `f(part, count)` and stores it to `to`.
template <class F>
__device__ void in_tile(const Real* from, Real* to, std::size_t n, F f) {
  Real* const part = bench::cuda::dynamic_shared<Real>();
  const std::size_t first = std::size_t{blockIdx.x} * tile;
  const std::size_t count = n - first < tile ? n - first : tile;
  for (unsigned i = threadIdx.x; i < count; i += tile_threads) part[i] = from[first + i];
  __syncthreads();
  f(part, count);
  for (unsigned i = threadIdx.x; i < count; i += tile_threads) to[first + i] = part[i];
}

// Before: each step is a launch, and a pass over memory.
// Change: one launch for all steps on runs within a tile, in shared memory: first those that sort
// tiles, then the last ones of each larger merge.
// Cost: barriers in the block, and 8 or 16 KB of shared memory for each.
__global__ void bitonic_shared_kernel(const Real* in, Real* out, std::size_t n) {
  in_tile(in, out, n, [](Real* part, std::size_t count) {
    for (std::size_t merged = 2; merged <= tile; merged *= 2) {
      step_in_tile(part, count, merged, true);
      for (std::size_t run = merged / 2; run > 1; run /= 2) step_in_tile(part, count, run, false);
    }
  });
}

__global__ void finish_kernel(Real* out, std::size_t n) {
  in_tile(out, out, n, [](Real* part, std::size_t count) {
    for (std::size_t run = tile; run > 1; run /= 2) step_in_tile(part, count, run, false);
  });
}

void bitonic_shared(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  auto tiles =
      bench::cuda::Configuration{static_cast<unsigned>((n + tile - 1) / tile), tile_threads};
  tiles.shared_bytes = tile * sizeof(Real);
  launch(bitonic_shared_kernel, tiles, in, out, n);
  const std::size_t padded = power_of_two_above(n);
  for (std::size_t merged = 2 * tile; merged <= padded; merged *= 2) {
    step(out, n, padded, merged, true);
    for (std::size_t run = merged / 2; run > tile; run /= 2) step(out, n, padded, run, false);
    launch(finish_kernel, tiles, out, n);
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_thread", "bubble sort on a single GPU thread, deliberately slow", one_thread, 2'000},
      {"odd_even", "odd-even transposition: a thread per pair, a launch per phase", odd_even,
       20'000},
      {"bitonic", "a bitonic network: ½·log² n launches", bitonic},
      {"bitonic_shared", "the steps within 2048 elements in shared memory, in one launch",
       bitonic_shared},
  };
  return ladder;
}

}  // namespace kernels::sort
