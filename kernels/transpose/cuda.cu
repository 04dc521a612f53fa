// transpose on a GPU: out[j][i] = in[i][j].
//
// No arithmetic at all: 8 bytes per element in f32. Memory is moved in sectors of 32 bytes, and the
// 32 threads of a warp move their addresses together, so the order of access decides everything: a
// row is read in neighbouring addresses (coalesced), but written to ones a whole column apart.
// Shared memory, small and fast and without such sectors, is where a block can turn its tile.

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

/// Rows and columns of the tile that one block turns, where it has a thread for each element.
constexpr unsigned edge = 32;

// Here: one thread per element, a block per tile. Neighbouring threads read neighbouring addresses.
// Price: they write addresses a column apart, a sector of 32 bytes for each element.
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

// Above: writes are scattered.
// Here: the block turns its tile in shared memory: read along rows, written along rows.
// Price: a barrier; and a column of the tile lies in a single one of the 32 banks of shared memory,
// so that a warp reads it one element after the other (a bank conflict).
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

// Above: 32 threads wait for one bank.
// Here: one unused column more in each row of the tile, and a column lies in 32 different banks.
// Price: 3 % more shared memory.
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

// Above: one access per thread on its way, and more blocks to start than tiles are worth.
// Here: tiles of 64 × 64, of which each thread moves 8 elements, all in flight at once.
// Price: four times the shared memory per block: the last tiles leave more of the device idle.
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

// Above: blocks that run at the same time lie beside each other, and write pieces of rows of the
// result that are far apart.
// Here: the blocks are numbered down the columns: their pieces lie side by side in the same rows of
// the result, and sectors that two of them share are put together in the L2 before they are
// written. Price: pieces that are read lie apart; but of a sector that two need, the L2 has the
// other half.
void down_columns(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  launch(several_kernel<DownColumns>,
         one_block_per_tile(rows, cols, threads, large_edge, large_edge), in, out, rows, cols);
}

// Above: where the number of rows is no multiple of 8 (f64: 4), pieces of the result begin and end
// in the middle of a sector, which is written in two parts.
// Here: each row of the result is cut where its sectors begin, up to 7 (3) elements earlier, and a
// tile has so many rows more (a halo).
// Price: the halo is read twice, the second time from the L2.
void aligned(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if (rows % sector == 0) return down_columns(in, out, rows, cols);
  turn_with_halo(in, out, rows, cols);
}

// Above: of a matrix with few rows or columns a square tile holds little, and most threads wait.
// Here: for these, tiles as thin as the matrix, which lie in one piece on one side: there they are
// moved by whole vectors, and small blocks end soon. A vector is copied.
// Price: no shape is known to the compiler: each index is worked out, by a multiplication.
void fitted(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if (rows >= large_edge && cols >= large_edge) return aligned(in, out, rows, cols);
  turn_thin(in, out, rows, cols);
}

/// Vectors in a row of a tile whose elements are moved by whole vectors on both sides.
constexpr unsigned units = 16;
constexpr unsigned wide_edge = units * Wide::lanes;
constexpr unsigned wide_threads = units * units;

// Above: each access to memory moves one element, 4 or 8 bytes.
// Here: 128 bits per access, to memory and to shared memory: each thread turns a small square in
// its registers. The vectors of a row of the tile are exchanged (xor), so that neither rows nor
// columns of them meet in a bank.
// Price: only for rows and columns of whole vectors, and enough of both; the rung above does the
// others.
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

// Above: with the transfers, the bus waits for the kernel and the kernel for the bus.
// Here: strips of rows in several streams. A strip becomes a narrow matrix of its own, so that the
// kernel stays the same, and the transfer back puts its rows where they belong.
// Price: that transfer is strided, on the host only. (Strips of columns would stride the other one,
// and leave the input on the device in another order.)
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
      {"tiled", "tiles turned in shared memory: reads and writes coalesced", tiled},
      {"padded", "one column more in the tile: no bank conflicts", padded},
      {"several", "larger tiles: 8 elements per thread in flight", several},
      {"down_columns", "blocks down the columns: what they write lies side by side", down_columns},
      {"aligned", "rows that begin within a sector: cut where sectors begin", aligned},
      {"fitted", "thin matrices: tiles as thin, whole vectors on one side", fitted},
      {"wide", "128 bits per access on both sides, turned in registers", wide},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::transpose
