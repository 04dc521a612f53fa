// transpose on a GPU: out[j][i] = in[i][j].
//
// No arithmetic: 8 bytes per element in f32. Memory moves in sectors of 32 bytes, and the 32
// threads of a warp access their addresses together, so the order of accesses is everything. A row
// is read at neighbouring addresses (coalesced), but written to addresses a whole column apart.
// Shared memory is small, fast and has no sectors: there a block can transpose its tile.

#include "harness/cuda/kernel.hpp"
#include "kernels/transpose/odd_shapes.cuh"
#include "kernels/transpose/tiles.cuh"
#include "kernels/transpose/transpose.hpp"

namespace kernels::transpose {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download_rows;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::store_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

/// Rows and columns of a tile with one thread per element.
constexpr unsigned edge = 32;

// Change: one thread per element, one block per tile. Neighbouring threads read neighbouring
// addresses.
// Cost: they write to addresses a column apart: a sector of 32 bytes for each element.
__global__ void naive_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const Tile tile = AlongRows::tile(rows, cols, edge, edge);
  const std::size_t i = tile.row + threadIdx.y;
  const std::size_t j = tile.col + threadIdx.x;
  if (i < rows && j < cols) out[j * rows + i] = in[i * cols + j];
}

void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  launch(naive_kernel, one_block_per_tile(rows, cols, {edge, edge}, edge, edge), in, out, rows,
         cols);
}

// Before: writes are scattered (uncoalesced).
// Change: the block transposes its tile in shared memory: read along rows, written along rows.
// Cost: a barrier. A column of the tile is in one of the 32 banks of shared memory, so a warp reads
// it one element after the other (bank conflicts).
__global__ void tiled_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  __shared__ Real square[edge][edge];
  const Tile tile = AlongRows::tile(rows, cols, edge, edge);
  const std::size_t i = tile.row + threadIdx.y;
  const std::size_t j = tile.col + threadIdx.x;
  if (i < rows && j < cols) square[threadIdx.y][threadIdx.x] = in[i * cols + j];
  __syncthreads();
  const std::size_t out_row = tile.col + threadIdx.y;
  const std::size_t out_col = tile.row + threadIdx.x;
  if (out_row < cols && out_col < rows) {
    out[out_row * rows + out_col] = square[threadIdx.x][threadIdx.y];
  }
}

void tiled(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  launch(tiled_kernel, one_block_per_tile(rows, cols, {edge, edge}, edge, edge), in, out, rows,
         cols);
}

// Before: 32 threads wait for one bank (f64: the 16 threads of a half-warp, for one pair of banks).
// Change: one unused column more in each row of the tile, so that a column is in different banks.
// Cost: 3 % more shared memory.
__global__ void padded_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  __shared__ Real square[edge][edge + 1];
  const Tile tile = AlongRows::tile(rows, cols, edge, edge);
  const std::size_t i = tile.row + threadIdx.y;
  const std::size_t j = tile.col + threadIdx.x;
  if (i < rows && j < cols) square[threadIdx.y][threadIdx.x] = in[i * cols + j];
  __syncthreads();
  const std::size_t out_row = tile.col + threadIdx.y;
  const std::size_t out_col = tile.row + threadIdx.x;
  if (out_row < cols && out_col < rows) {
    out[out_row * rows + out_col] = square[threadIdx.x][threadIdx.y];
  }
}

void padded(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  launch(padded_kernel, one_block_per_tile(rows, cols, {edge, edge}, edge, edge), in, out, rows,
         cols);
}

// Before: one access in flight per thread, and many block starts for small tiles.
// Change: tiles of 64 × 64. Each thread moves 8 elements, all in flight at once.
// Cost: four times the shared memory per block: the last tiles leave more of the GPU idle.
template <class Order>
__global__ void __launch_bounds__(threads)
    several_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr unsigned each = large_edge / step;
  __shared__ Real square[large_edge][large_edge + 1];
  const Tile tile = Order::tile(rows, cols, large_edge, large_edge);
  const unsigned x = threadIdx.x % large_edge;
  const unsigned y = threadIdx.x / large_edge;
  Real values[each] = {};
  for (unsigned k = 0; k < each; ++k) {
    const std::size_t i = tile.row + y + k * step;
    if (i < rows && tile.col + x < cols) values[k] = in[i * cols + tile.col + x];
  }
  for (unsigned k = 0; k < each; ++k) square[y + k * step][x] = values[k];
  __syncthreads();
  for (unsigned k = 0; k < each; ++k) {
    const std::size_t j = tile.col + y + k * step;
    if (j < cols && tile.row + x < rows) out[j * rows + tile.row + x] = square[x][y + k * step];
  }
}

void several(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  launch(several_kernel<AlongRows>, one_block_per_tile(rows, cols, threads, large_edge, large_edge),
         in, out, rows, cols);
}

// Before: blocks that run at the same time write pieces of rows of the result that are far apart.
// Change: blocks are numbered down the columns. They write next to each other in the same rows of
// the result, and the L2 merges sectors that two blocks share.
// Cost: they read pieces that are far apart, but the L2 keeps the other half of a shared sector.
void down_columns(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  launch(several_kernel<DownColumns>,
         one_block_per_tile(rows, cols, threads, large_edge, large_edge), in, out, rows, cols);
}

// Before: unless the number of rows is a multiple of 8 (f64: 4), pieces of the result start and end
// within a sector, which is written in two parts.
// Change: cut each row of the result at sectors, up to 7 (3) elements earlier, with as many more
// rows per tile (a halo).
// Cost: the halo is read twice, the second time from the L2.
void aligned(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if (rows % sector == 0) return down_columns(in, out, rows, cols);
  turn_with_halo(in, out, rows, cols);
}

// Before: a matrix with few rows or columns fills little of a square tile, and most threads are
// idle.
// Change: tiles as thin as the matrix, contiguous on one side, which is accessed by whole vectors.
// Small blocks end soon. A vector is copied.
// Cost: the compiler does not know the shape: each index takes a multiplication.
void fitted(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if (rows >= large_edge && cols >= large_edge) return aligned(in, out, rows, cols);
  turn_thin(in, out, rows, cols);
}

/// Vectors in a row of a tile that is accessed by whole vectors on both sides.
constexpr unsigned units = 16;
constexpr unsigned wide_edge = units * Wide::lanes;
constexpr unsigned wide_threads = units * units;

// Before: each access to memory moves one element, 4 or 8 bytes.
// Change: 128 bits per access, also to shared memory. Each thread transposes a small square in
// registers. An xor of indices (swizzle) avoids bank conflicts.
// Cost: needs rows and columns of whole vectors, and enough of both; else the variant before.
__global__ void __launch_bounds__(wide_threads)
    wide_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr unsigned lanes = Wide::lanes;
  constexpr unsigned groups = 8;  // vectors that shared memory moves at once, all banks of it
  __shared__ Wide square[wide_edge][units];
  const Tile tile = DownColumns::tile(rows, cols, wide_edge, wide_edge);
  const unsigned x = threadIdx.x % units;
  const unsigned y = threadIdx.x / units;
  const std::size_t i = tile.row + y * lanes;
  const std::size_t j = tile.col + x * lanes;
  if (i < rows && j < cols) {
    Wide read[lanes];
    for (unsigned k = 0; k < lanes; ++k) read[k] = load_wide(in + (i + k) * cols + j);
    for (unsigned c = 0; c < lanes; ++c) {
      Wide turned;
      for (unsigned k = 0; k < lanes; ++k) turned.lane[k] = read[k].lane[c];
      square[x * lanes + c][y ^ x % groups] = turned;
    }
  }
  __syncthreads();
  const std::size_t out_col = tile.row + x * lanes;
  for (unsigned k = 0; k < lanes; ++k) {
    const unsigned line = y + k * units;
    const std::size_t out_row = tile.col + line;
    if (out_row < cols && out_col < rows) {
      store_wide(out + out_row * rows + out_col, square[line][x ^ line / lanes % groups]);
    }
  }
}

void wide(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const bool of_vectors = rows % Wide::lanes == 0 && cols % Wide::lanes == 0;
  if (!of_vectors || rows < wide_edge / 2 || cols < wide_edge / 2) {
    return fitted(in, out, rows, cols);
  }
  launch(wide_kernel, one_block_per_tile(rows, cols, wide_threads, wide_edge, wide_edge), in, out,
         rows, cols);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: strips of rows in several streams. A strip is a narrow matrix of its own for the same
// kernel, and a strided download puts its rows in place.
// Cost: that transfer is strided on the host. (Strips of columns would need a strided upload, and
// another order of the input on the GPU.)
void overlapped(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  in_chunks(rows, cols * sizeof(Real), [=](Chunk strip) {
    const std::size_t first = strip.first * cols;
    upload(in + first, strip.count * cols);
    wide(in + first, out + first, strip.count, cols);
    download_rows(out + first, strip.count, out + strip.first, rows, cols);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "one thread per element: reads coalesced, writes scattered", naive},
      {"tiled", "tiles transposed in shared memory: reads and writes coalesced", tiled},
      {"padded", "one column more in the tile: no bank conflicts", padded},
      {"several", "larger tiles: 8 elements per thread in flight", several},
      {"down_columns", "blocks numbered down the columns: they write next to each other",
       down_columns},
      {"aligned", "rows that start within a sector: cut at sectors", aligned},
      {"fitted", "thin matrices: thin tiles, full SIMD vectors on one side", fitted},
      {"wide", "128 bits per access on both sides, transposed in registers", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::transpose
