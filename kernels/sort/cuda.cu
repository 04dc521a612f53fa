// sort on a GPU: the elements in ascending order.
//
// Thousands of threads need as many independent comparisons. A sorting network has them: which
// positions are compared does not depend on the elements. That of bubble sort has n phases.
// Batcher's bitonic network has ½·log² n. Each is a launch and a pass over memory, until all
// compared positions are in a block's shared memory. Small arrays are bound by launch latency. From
// a few hundred elements on, one CPU core with a better algorithm than O(n²) is faster. A radix
// sort compares nothing: it looks at the bits of numbers, and passes over memory a fixed number of
// times.

#include "harness/cuda/kernel.hpp"
#include "kernels/sort/radix.cuh"
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

/// Counters behind the n elements of the workspace: for each digit one per tile, then one for each
/// digit.
struct Counters {
  Counters(Real* work, std::size_t n)
      : tiles((n + radix_tile - 1) / radix_tile),
        of_tiles(reinterpret_cast<unsigned*>(work + n)),
        of_all(of_tiles + digits * tiles) {}

  std::size_t tiles;
  unsigned* of_tiles;
  unsigned* of_all;
};

/// Calls move(from, to, shift) for each digit. There is an even number of them: the last one moves
/// the elements from `work` to `out`.
template <class F>
void by_digits(const Real* in, Real* out, Real* work, F move) {
  const Real* from = in;
  for (unsigned shift = 0; shift < 8 * sizeof(Real); shift += digit_bits) {
    Real* const to = from == work ? out : work;
    move(from, to, shift);
    from = to;
  }
}

__global__ void count_kernel(const Real* from, std::size_t n, unsigned shift, unsigned* counts) {
  counts[std::size_t{threadIdx.x} * gridDim.x + blockIdx.x] =
      count_tile(from, n, blockIdx.x, shift);
}

/// The count of a tile becomes that of all tiles before it, for the digit of the block.
__global__ void add_up_kernel(unsigned* counts, std::size_t tiles, unsigned* of_all) {
  unsigned* const row = counts + blockIdx.x * tiles;
  const std::size_t each = (tiles + radix_block - 1) / radix_block;
  const std::size_t begin = threadIdx.x * each < tiles ? threadIdx.x * each : tiles;
  const std::size_t end = tiles - begin < each ? tiles : begin + each;
  unsigned mine = 0;
  for (std::size_t i = begin; i < end; ++i) mine += row[i];
  unsigned before = sum_before(mine);
  for (std::size_t i = begin; i < end; ++i) {
    const unsigned count = row[i];
    row[i] = before;
    before += count;
  }
  if (threadIdx.x == radix_block - 1) of_all[blockIdx.x] = before;
}

// Before: a network compares each element ½·log² n times.
// Change: radix sort. For each byte of the elements tiles count its 256 digits, the counts are
// added up, and each element moves to where its digit begins, behind those that were before it.
// Cost: three launches per digit, and three passes over memory; what is stored together is apart.
__global__ void radix_kernel(const Real* from, Real* to, std::size_t n, unsigned shift,
                             const unsigned* counts, const unsigned* of_all) {
  const unsigned of_smaller = sum_before(of_all[threadIdx.x]);
  move_tile(from, to, n, blockIdx.x, shift, [=](unsigned digit, unsigned /*count*/) {
    return of_smaller + counts[std::size_t{digit} * gridDim.x + blockIdx.x];
  });
}

void radix(const Real* in, Real* out, Real* work, std::size_t n) {
  constexpr std::size_t most = 0xffff'ffff;  // that a counter holds
  if (n > most) return bitonic_shared(in, out, work, n);
  const Counters counts(work, n);
  const bench::cuda::Configuration tiles{static_cast<unsigned>(counts.tiles), radix_block};
  by_digits(in, out, work, [&](const Real* from, Real* to, unsigned shift) {
    launch(count_kernel, tiles, from, n, shift, counts.of_tiles);
    launch(add_up_kernel, {digits, radix_block}, counts.of_tiles, counts.tiles, counts.of_all);
    launch(radix_kernel, tiles, from, to, n, shift, counts.of_tiles, counts.of_all);
  });
}

/// How often each digit occurs, for all places of digits at once.
__global__ void count_all_kernel(const Real* in, std::size_t n, unsigned* of_all) {
  __shared__ unsigned count[sizeof(Real)][digits];
  for (auto& of_place : count) of_place[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * radix_block;
  for (std::size_t i = std::size_t{blockIdx.x} * radix_block + threadIdx.x; i < n; i += stride) {
    const Real x = in[i];
    for (unsigned place = 0; place < sizeof(Real); ++place) {
      atomicAdd(&count[place][digit_of(x, place * digit_bits)], 1U);
    }
  }
  __syncthreads();
  for (unsigned place = 0; place < sizeof(Real); ++place) {
    atomicAdd(&of_all[place * digits + threadIdx.x], count[place][threadIdx.x]);
  }
}

// What a flag says of a digit in a tile, in its last two bits; the others hold a count.
constexpr unsigned of_tile = 1;
constexpr unsigned up_to_tile = 2;  // with all tiles before it

// Before: the elements are read twice per digit, and the counts are read again.
// Change: one pass per digit. The digits of all places are counted at the beginning. A tile
// publishes its counts, and looks back at those of the tiles before it until one knows its total.
// Cost: flags, a fence for each. A ticket gives out the tiles, so that all before one have begun.
__global__ void one_sweep_kernel(const Real* from, Real* to, std::size_t n, unsigned shift,
                                 const unsigned* of_all, unsigned* flags, unsigned* next) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(next, 1U);
  __syncthreads();
  const std::size_t which = ticket;
  const unsigned of_smaller = sum_before(of_all[threadIdx.x]);
  move_tile(from, to, n, which, shift, [=](unsigned digit, unsigned count) {
    unsigned* const own = flags + which * digits + digit;
    bench::cuda::publish(*own, count << 2U | of_tile);
    unsigned before = 0;
    for (std::size_t other = which; other-- > 0;) {
      const unsigned known = bench::cuda::awaited(flags[other * digits + digit]);
      before += known >> 2U;
      if ((known & up_to_tile) != 0) break;
    }
    bench::cuda::publish(*own, (before + count) << 2U | up_to_tile);
    return of_smaller + before;
  });
}

void one_sweep(const Real* in, Real* out, Real* work, std::size_t n) {
  constexpr std::size_t most = 0x3fff'ffff;  // that a flag holds
  if (n > most) return radix(in, out, work, n);
  const Counters counts(work, n);
  unsigned* const next = counts.of_all + sizeof(Real) * digits;
  const bench::cuda::Configuration tiles{static_cast<unsigned>(counts.tiles), radix_block};
  bench::cuda::zero(counts.of_all, sizeof(Real) * digits);
  constexpr std::size_t most_blocks = 1024;  // each adds to all counters once
  const std::size_t blocks = counts.tiles < most_blocks ? counts.tiles : most_blocks;
  launch(count_all_kernel, {static_cast<unsigned>(blocks), radix_block}, in, n, counts.of_all);
  by_digits(in, out, work, [&](const Real* from, Real* to, unsigned shift) {
    bench::cuda::zero(counts.of_tiles, digits * counts.tiles);
    bench::cuda::zero(next, 1);
    launch(one_sweep_kernel, tiles, from, to, n, shift, counts.of_all + shift / digit_bits * digits,
           counts.of_tiles, next);
  });
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
      {"radix", "by the bits: three launches for each byte", radix},
      {"one_sweep", "one pass for each byte: tiles publish their counts and look back", one_sweep},
  };
  return ladder;
}

}  // namespace kernels::sort
