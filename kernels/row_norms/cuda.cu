// row_norms on a GPU: out[i] = √(Σⱼ in[i][j]²).
//
// Two operations for the 4 bytes of an element in f32, and one store per row. It is memory bound if
// enough bytes are in flight and accesses are coalesced. Neighbouring threads must read
// neighbouring elements, which are in the same row. So the threads that share a row must reduce
// their sums. How many should share a row depends on the shape: a row may have two elements or
// millions.

#include <algorithm>
#include <cstdint>

#include "harness/cuda/kernel.hpp"
#include "kernels/block_reduce.hpp"
#include "kernels/row_norms/row_norms.hpp"

namespace kernels::row_norms {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 256;
constexpr unsigned warp = bench::cuda::warp_lanes;

// For six, registers would be spilled.
constexpr unsigned blocks_at_once = std::min(5U, bench::cuda::resident_threads / block);

__device__ double square(Real x) {
  const double value = x;
  return value * value;
}

__device__ Real root(double sum) { return static_cast<Real>(std::sqrt(sum)); }

// Change: thread i walks along row i, as on a CPU.
// Cost: uncoalesced: neighbouring threads are a row apart, and each access of a warp needs 32
// sectors instead of 4 in f32. The L1 cache may keep the rest for the next elements. 4096 rows are
// 2 % of the threads of a large GPU.
__global__ void row_per_thread_kernel(const Real* in, Real* out, std::size_t rows,
                                      std::size_t cols) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  double sum = 0;
  for (std::size_t j = 0; j < cols; ++j) sum += square(in[i * cols + j]);
  out[i] = root(sum);
}

void row_per_thread(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                    double* /*parts*/) {
  launch(row_per_thread_kernel, bench::cuda::per_element(rows, block), in, out, rows, cols);
}

// Before: neighbouring threads are a row apart (uncoalesced).
// Change: the 32 threads of a warp walk along one row together (coalesced), and reduce their sums
// in registers by shuffles.
// Cost: rows of two elements leave 30 of the lanes idle. One load of one element is in flight per
// thread.
__global__ void row_per_warp_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const std::size_t warps = (blockDim.x + warp - 1) / warp;  // of a block
  const auto [lane, lanes, mask] = bench::cuda::lanes_of_warp();
  for (std::size_t i = blockIdx.x * warps + threadIdx.x / warp; i < rows; i += gridDim.x * warps) {
    double sum = 0;
    for (std::size_t j = lane; j < cols; j += lanes) sum += square(in[i * cols + j]);
    sum = warp_reduce(sum);
    if (lane == 0) out[i] = root(sum);
  }
}

void row_per_warp(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                  double* /*parts*/) {
  const auto shape = bench::cuda::fill_device(row_per_warp_kernel, rows * warp, block);
  launch(row_per_warp_kernel, shape, in, out, rows, cols);
}

// Before: a long row has only 32 threads, and few rows have few threads.
// Change: a whole block for each row; its warps reduce their sums in shared memory.
// Cost: two barriers per row; short rows leave most of the block idle.
__global__ void row_per_block_kernel(const Real* in, Real* out, std::size_t rows,
                                     std::size_t cols) {
  for (std::size_t i = blockIdx.x; i < rows; i += gridDim.x) {
    double sum = 0;
    for (std::size_t j = threadIdx.x; j < cols; j += blockDim.x) sum += square(in[i * cols + j]);
    sum = block_reduce(sum);
    if (threadIdx.x == 0) out[i] = root(sum);
    __syncthreads();
  }
}

void row_per_block(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                   double* /*parts*/) {
  const auto shape = bench::cuda::fill_device(row_per_block_kernel, rows * block, block);
  launch(row_per_block_kernel, shape, in, out, rows, cols);
}

/// How a thread walks along x: with a stride of `threads`.
struct OneByOne {
  static constexpr std::size_t each = 4;  ///< elements that are worth a thread
  /// The memory is busy with one in `one_in` of the resident threads.
  static constexpr std::size_t one_in = 1;

  static __device__ double squares(const Real* x, std::size_t n, unsigned thread,
                                   unsigned threads) {
    double sum = 0;
    for (std::size_t j = thread; j < n; j += threads) sum += square(x[j]);
    return sum;
  }
};

/// A power of two of lanes for each row. It is a constant, so the compiler unrolls the loop, and
/// each thread has several loads in flight.
template <class Walk, unsigned lanes>
__global__ void __launch_bounds__(block, blocks_at_once)
    lanes_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const std::size_t i = std::size_t{blockIdx.x} * (block / lanes) + threadIdx.x / lanes;
  const unsigned lane = threadIdx.x % lanes;
  double sum = i < rows ? Walk::squares(in + i * cols, cols, lane, lanes) : 0;
  for (unsigned half = lanes / 2; half > 0; half /= 2) {
    sum += __shfl_down_sync(bench::cuda::all_lanes, sum, half);
  }
  if (i < rows && lane == 0) out[i] = root(sum);
}

/// A block for each piece of a row: the norm if the row is one piece, else a part of its sum.
template <class Walk>
__global__ void __launch_bounds__(block)
    pieces_kernel(const Real* in, Real* out, std::size_t cols, double* parts, unsigned pieces) {
  const std::size_t i = blockIdx.x / pieces;
  const std::size_t piece = blockIdx.x % pieces;
  const std::size_t first = cols * piece / pieces;
  const std::size_t end = cols * (piece + 1) / pieces;
  const double sum =
      block_reduce(Walk::squares(in + i * cols + first, end - first, threadIdx.x, block));
  if (threadIdx.x > 0) return;
  if (pieces == 1) {
    out[i] = root(sum);
  } else {
    parts[blockIdx.x] = sum;
  }
}

/// A block for the parts of each row.
__global__ void __launch_bounds__(block)
    join_kernel(const double* parts, Real* out, unsigned pieces) {
  double sum = 0;
  for (unsigned p = threadIdx.x; p < pieces; p += block) {
    sum += parts[std::size_t{blockIdx.x} * pieces + p];
  }
  sum = block_reduce(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = root(sum);
}

/// The number of pieces that a row may be cut into, so that all their sums fit in `parts`.
std::size_t most_pieces(std::size_t rows) { return rows > 0 ? most_parts / rows : 0; }

template <class Walk, unsigned lanes = 1>
void fit_lanes(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if constexpr (lanes < warp) {
    if (lanes * Walk::each < cols) return fit_lanes<Walk, 2 * lanes>(in, out, rows, cols);
  }
  constexpr std::size_t rows_of_block = block / lanes;
  const auto blocks = static_cast<unsigned>((rows + rows_of_block - 1) / rows_of_block);
  launch(lanes_kernel<Walk, lanes>, {blocks, block}, in, out, rows, cols);
}

template <class Walk>
void fit_pieces(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts,
                std::size_t pieces) {
  const auto blocks = static_cast<unsigned>(rows * pieces);
  launch(pieces_kernel<Walk>, {blocks, block}, in, out, cols, parts, pieces);
  if (pieces == 1) return;
  launch(join_kernel, {static_cast<unsigned>(rows), block}, parts, out, pieces);
}

// Before: one width for all shapes.
// Change: as many lanes of a warp per row as it has work for. If these rows do not fill the GPU:
// one or several blocks per row, whose sums a second kernel adds.
// Cost: three kernels, and a choice among them.
template <class Walk>
void fit(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts,
         std::size_t most) {
  const std::size_t held = bench::cuda::threads_held(pieces_kernel<Walk>, block);
  const std::size_t worth = cols / (block * Walk::each);  // blocks that a row has work for
  if (worth == 0 || rows == 0 || rows * warp >= held / Walk::one_in) {
    return fit_lanes<Walk>(in, out, rows, cols);
  }
  std::size_t pieces = held / block / rows;
  if (pieces > worth) pieces = worth;
  if (pieces > most) pieces = most;
  fit_pieces<Walk>(in, out, rows, cols, parts, pieces > 1 ? pieces : 1);
}

void fitted(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts) {
  fit<OneByOne>(in, out, rows, cols, parts, most_pieces(rows));
}

/// Elements from `x` on that precede the first whole vector of memory.
__device__ std::size_t before_vector(const Real* x) {
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(x) / sizeof(Real) % Wide::lanes;
  return (Wide::lanes - beyond) % Wide::lanes;
}

// Before: each load moves 4 bytes.
// Change: 128 bits per load, up to four loads in flight.
// Cost: rows start at any address, so elements before the first and after the last whole vector are
// processed one by one. Rows of less than two vectors take the variant before.
struct ByVectors {
  static constexpr std::size_t at_once = 4;
  static constexpr std::size_t each = at_once * Wide::lanes;
  static constexpr std::size_t one_in = 2;  // each has several loads in flight

  static __device__ double squares(const Real* x, std::size_t n, unsigned thread,
                                   unsigned threads) {
    const std::size_t before = before_vector(x) < n ? before_vector(x) : n;
    const std::size_t vectors = (n - before) / Wide::lanes;
    double sum = OneByOne::squares(x, before, thread, threads);
    std::size_t v = thread;
    for (; v + (at_once - 1) * threads < vectors; v += at_once * threads) {
      Wide loaded[at_once];
      for (std::size_t k = 0; k < at_once; ++k)
        loaded[k] = load_wide(x + before + (v + k * threads) * Wide::lanes);
      for (const Wide& wide : loaded) {
        for (const Real value : wide.lane) sum += square(value);
      }
    }
    for (; v < vectors; v += threads) {
      const Wide wide = load_wide(x + before + v * Wide::lanes);
      for (const Real value : wide.lane) sum += square(value);
    }
    const std::size_t behind = before + vectors * Wide::lanes;
    return sum + OneByOne::squares(x + behind, n - behind, thread, threads);
  }
};

void fit_wide(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts,
              std::size_t most) {
  const auto one_fit = cols < 2 * Wide::lanes ? fit<OneByOne> : fit<ByVectors>;
  one_fit(in, out, rows, cols, parts, most);
}

void wide(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts) {
  fit_wide(in, out, rows, cols, parts, most_pieces(rows));
}

// Before: with transfers, the kernel starts when the last element has arrived.
// Change: strips of rows in several streams: one arrives while those before it are computed. Each
// has its own part of `parts`.
// Cost: one launch per strip; few rows are a single strip.
void overlapped(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts) {
  const std::size_t most = most_pieces(rows);
  in_chunks(rows, cols * sizeof(Real), [=](Chunk strip) {
    upload(in + strip.first * cols, strip.count * cols);
    fit_wide(in + strip.first * cols, out + strip.first, strip.count, cols,
             parts + strip.first * most, most);
    download(out + strip.first, strip.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"row_per_thread", "each thread walks along its own row: uncoalesced", row_per_thread},
      {"row_per_warp", "a warp along each row, reduced by shuffles", row_per_warp},
      {"row_per_block", "a block along each row, reduced in shared memory", row_per_block},
      {"fitted", "as many lanes or blocks per row as the shape needs", fitted},
      {"wide", "128 bits per load, four loads in flight", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::row_norms
