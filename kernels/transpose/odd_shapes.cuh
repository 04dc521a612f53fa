// Matrices that square tiles do not fit well: rows of the result that start within a sector of
// memory, and matrices with few rows or columns. The last variants in cuda.cu use both.
#pragma once

#include <cstdint>

#include "harness/cuda/kernel.hpp"
#include "kernels/transpose/tiles.cuh"

namespace kernels::transpose {
namespace {

using Vector = bench::cuda::Wide<Real>;

/// Elements in a sector, and the most of them that precede the start of a row in its sector.
constexpr unsigned sector = 32 / sizeof(Real);
constexpr unsigned halo = sector - 1;

/// Rows of the result are cut at sectors. So a tile has some more rows, a halo.
__global__ void __launch_bounds__(threads)
    aligned_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr unsigned height = large_edge + halo;
  constexpr unsigned each = (height + step - 1) / step;
  __shared__ Real square[height][large_edge + 1];
  const Tile tile = DownColumns::tile(rows + halo, cols, large_edge, large_edge);
  const unsigned x = threadIdx.x % large_edge;
  const unsigned y = threadIdx.x / large_edge;
  Real values[each] = {};
  for (unsigned k = 0; k < each; ++k) {
    const std::size_t i = tile.row + y + k * step - halo;  // wraps above the first row
    if (y + k * step < height && i < rows && tile.col + x < cols)
      values[k] = in[i * cols + tile.col + x];
  }
  for (unsigned k = 0; k < each; ++k) {
    if (y + k * step < height) square[y + k * step][x] = values[k];
  }
  __syncthreads();
  for (unsigned k = 0; k < large_edge / step; ++k) {
    const unsigned line = y + k * step;
    const std::size_t row = (tile.col + line) * rows;
    const unsigned earlier = row % sector;
    const std::size_t i = tile.row + x - earlier;
    if (tile.col + line < cols && i < rows) out[row + i] = square[x + halo - earlier][line];
  }
}

void turn_with_halo(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const auto shape = one_block_per_tile(rows + halo, cols, threads, large_edge, large_edge);
  bench::cuda::launch(aligned_kernel, shape, in, out, rows, cols);
}

/// The transpose of a vector is a copy of it.
__global__ void copy_kernel(const Real* in, Real* out, std::size_t n) {
  std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * Vector::lanes;
  if (i + Vector::lanes <= n) {
    bench::cuda::store_wide(out + i, bench::cuda::load_wide(in + i));
  } else {
    for (; i < n; ++i) out[i] = in[i];
  }
}

/// Threads that transpose, or copy, 8 KB of a thin matrix.
constexpr unsigned few_threads = 128;
constexpr unsigned thin_elements = 8192 / sizeof(Real);

/// A tile of all the few rows of a matrix, and as many columns as fit, or the other way round. It
/// is contiguous on one side, in the result or in the input.
struct Thin {
  explicit Thin(std::size_t thinner) : side(static_cast<unsigned>(thinner)) {
    while (thinner << log_length > thin_elements) --log_length;
    reciprocal = static_cast<unsigned>(((std::uint64_t{1} << 32U) + side - 1) / side);
  }

  __host__ __device__ unsigned length() const { return 1U << log_length; }
  /// The pitch in shared memory, with one more element per row to avoid bank conflicts.
  __host__ __device__ unsigned pitch() const { return length() + 1; }
  /// k / side by one multiplication, exact for these small numbers.
  __device__ unsigned quotient(unsigned k) const {
    return static_cast<unsigned>(std::uint64_t{k} * reciprocal >> 32U);
  }

  unsigned side;
  unsigned log_length = 12;
  unsigned reciprocal;
};

bench::cuda::Configuration one_block_per_length(std::size_t longer, const Thin& tile) {
  return {static_cast<unsigned>((longer + tile.length() - 1) >> tile.log_length), few_threads,
          std::size_t{tile.side} * tile.pitch() * sizeof(Real)};
}

/// Few rows: the block reads along them, and writes one contiguous piece.
__global__ void __launch_bounds__(few_threads)
    few_rows_kernel(const Real* in, Real* out, std::size_t cols, Thin tile) {
  constexpr unsigned lanes = Vector::lanes;
  constexpr unsigned each = thin_elements / few_threads;
  Real* const turned = bench::cuda::dynamic_shared<Real>();
  const std::size_t begin = std::size_t{blockIdx.x} * tile.length();
  const auto here =
      static_cast<unsigned>(cols - begin < tile.length() ? cols - begin : tile.length());
  Real values[each] = {};
  BENCH_UNROLL for (unsigned k = 0; k < each; ++k) {
    const unsigned at = threadIdx.x + k * few_threads;
    const unsigned i = at >> tile.log_length;
    const unsigned j = at % tile.length();
    if (i < tile.side && j < here) values[k] = in[i * cols + begin + j];
  }
  BENCH_UNROLL for (unsigned k = 0; k < each; ++k) {
    const unsigned at = threadIdx.x + k * few_threads;
    const unsigned i = at >> tile.log_length;
    if (i < tile.side) turned[i * tile.pitch() + at % tile.length()] = values[k];
  }
  __syncthreads();
  const unsigned count = here * tile.side;
  Real* const to = out + begin * tile.side;
  const auto element = [=](unsigned k) {
    const unsigned j = tile.quotient(k);
    return turned[(k - j * tile.side) * tile.pitch() + j];
  };
  BENCH_UNROLL for (unsigned v = 0; v < each / lanes; ++v) {
    unsigned k = (threadIdx.x + v * few_threads) * lanes;
    if (k + lanes <= count) {
      Vector wide;
      for (unsigned lane = 0; lane < lanes; ++lane) wide.lane[lane] = element(k + lane);
      bench::cuda::store_wide(to + k, wide);
    } else {
      for (; k < count; ++k) to[k] = element(k);
    }
  }
}

/// Few columns: the block reads one contiguous piece, and writes along them.
__global__ void __launch_bounds__(few_threads)
    few_columns_kernel(const Real* in, Real* out, std::size_t rows, Thin tile) {
  constexpr unsigned lanes = Vector::lanes;
  constexpr unsigned each = thin_elements / few_threads;
  Real* const turned = bench::cuda::dynamic_shared<Real>();
  const std::size_t begin = std::size_t{blockIdx.x} * tile.length();
  const auto here =
      static_cast<unsigned>(rows - begin < tile.length() ? rows - begin : tile.length());
  const unsigned count = here * tile.side;
  const Real* const from = in + begin * tile.side;
  Vector values[each / lanes];
  BENCH_UNROLL for (unsigned v = 0; v < each / lanes; ++v) {
    const unsigned k = (threadIdx.x + v * few_threads) * lanes;
    if (k + lanes <= count) {
      values[v] = bench::cuda::load_wide(from + k);
    } else {
      for (unsigned lane = 0; lane < lanes; ++lane)
        values[v].lane[lane] = k + lane < count ? from[k + lane] : Real{};
    }
  }
  BENCH_UNROLL for (unsigned v = 0; v < each / lanes; ++v) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned k = (threadIdx.x + v * few_threads) * lanes + lane;
      const unsigned i = tile.quotient(k);
      if (k < count) turned[(k - i * tile.side) * tile.pitch() + i] = values[v].lane[lane];
    }
  }
  __syncthreads();
  BENCH_UNROLL for (unsigned k = 0; k < each; ++k) {
    const unsigned at = threadIdx.x + k * few_threads;
    const unsigned j = at >> tile.log_length;
    const unsigned i = at % tile.length();
    if (j < tile.side && i < here) out[j * rows + begin + i] = turned[j * tile.pitch() + i];
  }
}

/// Transposes a matrix with less than 64 rows or columns.
void turn_thin(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  using bench::cuda::launch;
  if (rows <= 1 || cols <= 1) {
    const std::size_t n = rows * cols;
    const std::size_t vectors = (n + Vector::lanes - 1) / Vector::lanes;
    launch(copy_kernel, bench::cuda::per_element(vectors, few_threads), in, out, n);
  } else if (rows <= cols) {
    const Thin tile(rows);
    launch(few_rows_kernel, one_block_per_length(cols, tile), in, out, cols, tile);
  } else {
    const Thin tile(cols);
    launch(few_columns_kernel, one_block_per_length(rows, tile), in, out, rows, tile);
  }
}

}  // namespace
}  // namespace kernels::transpose
