// scan on a GPU: out[i] = x[0] + … + x[i].
//
// 8 bytes and one addition per element in f32: memory bound, if the order of additions allows it.
// A block scans its part in log2 steps. The sums of all parts before it come from other blocks,
// which no barrier waits for within a kernel. Three launches read the data twice. One launch is
// enough if blocks wait for each other by flags, and if all that are waited for make progress.
// A block adds in the precision of the data, at most 32 numbers in a row; sums of blocks are added
// in double.

#include <type_traits>

#include "harness/cuda/kernel.hpp"
#include "kernels/block_reduce.hpp"
#include "kernels/scan/scan.hpp"

namespace kernels::scan {
namespace {

using bench::cuda::all_lanes;
using bench::cuda::awaited;
using bench::cuda::Configuration;
using bench::cuda::first_lanes;
using bench::cuda::LaneMask;
using bench::cuda::launch;
using bench::cuda::publish;
using bench::cuda::warp_lanes;
using Wide = bench::cuda::Wide<Real>;
using Total = std::conditional_t<std::is_floating_point_v<Real>, double, Real>;

// Whole warps only.
constexpr unsigned block = 256;
constexpr unsigned most_threads = 1024;  // of any block

Configuration blocks_of(std::size_t n, std::size_t elements, unsigned threads) {
  return {static_cast<unsigned>((n + elements - 1) / elements), threads};
}

/// The sum over the calling lane and the lanes before it.
template <class T>
__device__ T warp_scan(T sum) {
  const unsigned lane = threadIdx.x % warp_lanes;
  for (unsigned distance = 1; distance < warp_lanes; distance *= 2) {
    const T other = __shfl_up_sync(all_lanes, sum, distance);
    if (lane >= distance) sum += other;
  }
  return sum;
}

/// The value of the lane before the calling one: zero for the first.
template <class T>
__device__ T of_lane_before(T value) {
  const T other = __shfl_up_sync(all_lanes, value, 1);
  return threadIdx.x % warp_lanes > 0 ? other : T{0};
}

/// The sum over the threads of the block before the calling one.
template <class T>
__device__ T sum_before(T value) {
  __shared__ T of_warp[most_threads / warp_lanes];
  const unsigned warp = threadIdx.x / warp_lanes;
  const T sum = warp_scan(value);
  if (threadIdx.x % warp_lanes == warp_lanes - 1) of_warp[warp] = sum;
  __syncthreads();
  T before = of_lane_before(sum);
  for (unsigned w = 0; w < warp; ++w) before += of_warp[w];
  return before;
}

/// sums[b] becomes the sum of the blocks before block b. One block: each thread has some of them.
__global__ void scan_sums_kernel(double* sums, std::size_t count) {
  const std::size_t each = (count + blockDim.x - 1) / blockDim.x;
  const std::size_t begin = threadIdx.x * each < count ? threadIdx.x * each : count;
  const std::size_t end = count - begin < each ? count : begin + each;
  Total mine = 0;
  for (std::size_t i = begin; i < end; ++i) mine += static_cast<Total>(sums[i]);
  Total before = sum_before(mine);
  for (std::size_t i = begin; i < end; ++i) {
    const auto sum = static_cast<Total>(sums[i]);
    sums[i] = before;
    before += sum;
  }
}

/// Each block adds the sum of all blocks before it.
__global__ void add_sums_kernel(Real* out, std::size_t n, const double* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<Real>(static_cast<Total>(sums[blockIdx.x]) + out[i]);
}

/// The second and the third step, after each block has scanned its elements.
void add_blocks_before(Real* out, std::size_t n, double* sums, unsigned elements) {
  const Configuration blocks = blocks_of(n, elements, elements);
  launch(scan_sums_kernel, {1, most_threads}, sums, blocks.grid.x);
  launch(add_sums_kernel, blocks, out, n, sums);
}

// Change: one thread per element. A block scans in shared memory in log2 steps: each adds the
// element 1, 2, 4 … before. Then the sums of the blocks are scanned, and added to later blocks.
// Cost: log2 n additions per element, a barrier per step, and the results are moved three times.
__global__ void hillis_steele_kernel(const Real* in, Real* out, std::size_t n, double* sums) {
  __shared__ Real sum[2][block];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * block + t;
  unsigned now = 0;
  sum[now][t] = i < n ? in[i] : Real{0};
  __syncthreads();
  for (unsigned distance = 1; distance < block; distance *= 2) {
    const Real before = t < distance ? Real{0} : sum[now][t - distance];
    sum[1 - now][t] = sum[now][t] + before;
    now = 1 - now;
    __syncthreads();
  }
  if (i < n) out[i] = sum[now][t];
  if (t == block - 1) sums[blockIdx.x] = sum[now][t];
}

void hillis_steele(const Real* in, Real* out, std::size_t n, double* sums, Word* /*flags*/) {
  launch(hillis_steele_kernel, blocks_of(n, block, block), in, out, n, sums);
  add_blocks_before(out, n, sums, block);
}

// Before: all threads add in each step: log2 n additions per element.
// Change: a tree: sums of pairs, of pairs of pairs …; then the same way back, from the root to the
// leaves. Two additions per element, for two elements per thread.
// Cost: twice as many steps, with ever fewer threads, and strides that cause bank conflicts.
__global__ void blelloch_kernel(const Real* in, Real* out, std::size_t n, double* sums) {
  constexpr unsigned elements = 2 * block;
  __shared__ Real tree[elements];
  const std::size_t first = std::size_t{blockIdx.x} * elements;
  for (unsigned i = threadIdx.x; i < elements; i += block) {
    tree[i] = first + i < n ? in[first + i] : Real{0};
  }
  for (unsigned distance = 1; distance < elements; distance *= 2) {
    __syncthreads();
    const unsigned right = 2 * distance * (threadIdx.x + 1) - 1;
    if (right < elements) tree[right] += tree[right - distance];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = tree[elements - 1];
    tree[elements - 1] = 0;
  }
  for (unsigned distance = block; distance > 0; distance /= 2) {
    __syncthreads();
    const unsigned right = 2 * distance * (threadIdx.x + 1) - 1;
    if (right >= elements) continue;
    const Real left = tree[right - distance];
    tree[right - distance] = tree[right];
    tree[right] += left;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < elements && first + i < n; i += block) {
    out[first + i] = tree[i] + in[first + i];
  }
}

void blelloch(const Real* in, Real* out, std::size_t n, double* sums, Word* /*flags*/) {
  launch(blelloch_kernel, blocks_of(n, 2 * block, block), in, out, n, sums);
  add_blocks_before(out, n, sums, 2 * block);
}

// Before: each step goes through shared memory, and is a barrier for the whole block.
// Change: the lanes of a warp exchange registers (shuffle). One number per warp goes through shared
// memory.
// Cost: compiled for one size of warps; log2 n additions per element again.
__global__ void shuffles_kernel(const Real* in, Real* out, std::size_t n, double* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  const Real x = i < n ? in[i] : Real{0};
  const Real sum = sum_before(x) + x;
  if (i < n) out[i] = sum;
  if (threadIdx.x == block - 1) sums[blockIdx.x] = sum;
}

void shuffles(const Real* in, Real* out, std::size_t n, double* sums, Word* /*flags*/) {
  launch(shuffles_kernel, blocks_of(n, block, block), in, out, n, sums);
  add_blocks_before(out, n, sums, block);
}

/// What a thread has of the elements of its block: one of 32 neighbouring vectors in each row of
/// its warp.
constexpr unsigned rows = 4;
constexpr std::size_t in_row = std::size_t{warp_lanes} * Wide::lanes;
constexpr std::size_t tile = std::size_t{block} * rows * Wide::lanes;
struct Tile {
  Wide row[rows];
};

/// Where the first row of the thread begins.
__device__ std::size_t begin_of_rows(std::size_t which) {
  const unsigned lane = threadIdx.x % warp_lanes;
  return which * tile + threadIdx.x / warp_lanes * rows * in_row + lane * Wide::lanes;
}

/// Zeros stand where the array has ended.
__device__ Tile load_tile(const Real* in, std::size_t n, std::size_t which) {
  Tile mine{};
  BENCH_UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    const std::size_t first = begin_of_rows(which) + r * in_row;
    if (first + Wide::lanes <= n) {
      mine.row[r] = bench::cuda::load_wide(in + first);
    } else {
      BENCH_UNROLL
      for (unsigned i = 0; i < Wide::lanes; ++i) {
        if (first + i < n) mine.row[r].lane[i] = in[first + i];
      }
    }
  }
  return mine;
}

__device__ void store_tile(Real* out, std::size_t n, std::size_t which, const Tile& mine) {
  BENCH_UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    const std::size_t first = begin_of_rows(which) + r * in_row;
    if (first + Wide::lanes <= n) {
      bench::cuda::store_wide(out + first, mine.row[r]);
    } else {
      BENCH_UNROLL
      for (unsigned i = 0; i < Wide::lanes; ++i) {
        if (first + i < n) out[first + i] = mine.row[r].lane[i];
      }
    }
  }
}

/// The rows of a warp become their scan, one row after the other; returns the sum over all of them.
__device__ Real scan_rows(Tile& mine) {
  Real before = 0;
  BENCH_UNROLL
  for (Wide& row : mine.row) {
    BENCH_UNROLL
    for (unsigned i = 1; i < Wide::lanes; ++i) row.lane[i] += row.lane[i - 1];
    const Real sum = warp_scan(row.lane[Wide::lanes - 1]);
    const Real offset = before + of_lane_before(sum);
    BENCH_UNROLL
    for (Real& x : row.lane) x += offset;
    before += __shfl_sync(all_lanes, sum, warp_lanes - 1);
  }
  return before;
}

/// The sums over the warps before the calling one, and over all of the block.
struct OfBlock {
  Real before;
  Real all;
};
__device__ OfBlock sums_of_warps(Real sum) {
  __shared__ Real of_warp[block / warp_lanes];
  const unsigned warp = threadIdx.x / warp_lanes;
  if (threadIdx.x % warp_lanes == 0) of_warp[warp] = sum;
  __syncthreads();
  OfBlock sums{0, 0};
  BENCH_UNROLL
  for (unsigned w = 0; w < block / warp_lanes; ++w) {
    if (w == warp) sums.before = sums.all;
    sums.all += of_warp[w];
  }
  return sums;
}

__device__ void add_to_all(Tile& mine, Real offset) {
  BENCH_UNROLL
  for (Wide& row : mine.row) {
    BENCH_UNROLL
    for (Real& x : row.lane) x += offset;
  }
}

/// The sum over each tile.
__global__ void reduce_kernel(const Real* in, std::size_t n, double* sums) {
  const Tile mine = load_tile(in, n, blockIdx.x);
  Real sum = 0;
  BENCH_UNROLL
  for (const Wide& row : mine.row) {
    BENCH_UNROLL
    for (const Real x : row.lane) sum += x;
  }
  sum = block_reduce(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// Before: results are written, read and written again: four accesses per element.
// Change: the sums of the blocks come first. Then each block scans its part and adds what is before
// it at the same time. A thread has four vectors of 128 bits, and there are fewer sums.
// Cost: the input is read twice: three accesses per element.
__global__ void reduce_then_scan_kernel(const Real* in, Real* out, std::size_t n,
                                        const double* sums) {
  Tile mine = load_tile(in, n, blockIdx.x);
  const OfBlock of_block = sums_of_warps(scan_rows(mine));
  const auto before = static_cast<Total>(sums[blockIdx.x]);
  add_to_all(mine, static_cast<Real>(before + of_block.before));
  store_tile(out, n, blockIdx.x, mine);
}

void reduce_then_scan(const Real* in, Real* out, std::size_t n, double* sums, Word* /*flags*/) {
  const Configuration tiles = blocks_of(n, tile, block);
  launch(reduce_kernel, tiles, in, n, sums);
  launch(scan_sums_kernel, {1, most_threads}, sums, tiles.grid.x);
  launch(reduce_then_scan_kernel, tiles, in, out, n, sums);
}

// What a flag says of a tile. 0: nothing yet.
constexpr Word has_sum = 1;    // its own sum is there
constexpr Word has_total = 2;  // and that over it and all tiles before it

/// The sum over all tiles before this one, by one warp: its lanes look at 32 tiles at a time, back
/// to the nearest one that has its total.
__device__ Total sum_of_tiles_before(std::size_t which, const double* sums, const double* totals,
                                     const Word* flags) {
  const unsigned lane = threadIdx.x % warp_lanes;
  Total before = 0;
  for (std::size_t end = which;; end -= warp_lanes) {
    const bool exists = lane < end;
    const std::size_t other = exists ? end - 1 - lane : 0;
    const Word known = exists ? awaited(flags[other]) : has_total;
    const LaneMask complete = __ballot_sync(all_lanes, known == has_total);
    const bool counts = exists && (complete & first_lanes(lane)) == 0;
    const double* const where = known == has_total ? totals : sums;
    auto part = counts ? static_cast<Total>(where[other]) : Total{0};
    for (unsigned half = warp_lanes / 2; half > 0; half /= 2) {
      part += __shfl_xor_sync(all_lanes, part, static_cast<int>(half));
    }
    before += part;
    if (complete != 0) return before;
  }
}

// Before: the input is read twice, because no block knows the sum before its part.
// Change: one pass. A block publishes its sum behind a flag, and looks back at the flags of others.
// A ticket gives out the tiles, so all that a block waits for have started (forward progress).
// Cost: fences between sums and flags; the last digits may differ between runs.
__global__ void look_back_kernel(const Real* in, Real* out, std::size_t n, double* sums,
                                 double* totals, Word* flags, Word* next) {
  __shared__ Word ticket;
  __shared__ Total before;
  if (threadIdx.x == 0) ticket = atomicAdd(next, 1U);
  __syncthreads();
  const std::size_t which = ticket;
  Tile mine = load_tile(in, n, which);
  const OfBlock of_block = sums_of_warps(scan_rows(mine));
  if (threadIdx.x == 0) {
    sums[which] = of_block.all;
    publish(flags[which], has_sum);
  }
  if (threadIdx.x < warp_lanes) {
    const Total found = sum_of_tiles_before(which, sums, totals, flags);
    if (threadIdx.x == 0) {
      before = found;
      totals[which] = found + of_block.all;
      publish(flags[which], has_total);
    }
  }
  __syncthreads();
  add_to_all(mine, static_cast<Real>(before + of_block.before));
  store_tile(out, n, which, mine);
}

void look_back(const Real* in, Real* out, std::size_t n, double* sums, Word* flags) {
  const Configuration tiles = blocks_of(n, tile, block);
  const std::size_t count = tiles.grid.x;
  bench::cuda::zero(flags, count + 1);
  launch(look_back_kernel, tiles, in, out, n, sums, sums + count, flags, flags + count);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"hillis_steele", "log2 steps in shared memory; sums of blocks added afterwards",
       hillis_steele},
      {"blelloch", "up and down a tree in shared memory: two additions per element", blelloch},
      {"shuffles", "shuffles within warps, one value per warp through shared memory", shuffles},
      {"reduce_then_scan", "the sums of the blocks, then each block: the input is read twice",
       reduce_then_scan},
      {"look_back", "one pass: blocks publish their sums and look back (decoupled look-back)",
       look_back},
  };
  return ladder;
}

}  // namespace kernels::scan
