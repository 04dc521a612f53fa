// transpose on a GPU: out[j][i] = in[i][j].
//
// No arithmetic at all: 8 bytes per element in f32. Memory is moved in sectors of 32 bytes, and the
// 32 threads of a warp move their addresses together, so the order of access decides everything: a
// row is read in neighbouring addresses (coalesced), but written to ones a whole column apart.
// Shared memory, small and fast and without such sectors, is where a block can turn its tile.

#include <cstdint>

#include "harness/cuda/kernel.hpp"
#include "kernels/transpose/transpose.hpp"

namespace kernels::transpose {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download_rows;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

/// Rows and columns of the tile that one block turns.
constexpr unsigned edge = 32;

/// First row and column of a block's tile.
struct Tile {
  std::size_t row;
  std::size_t col;
};

/// Blocks are numbered along rows of tiles: only in x may a grid have more than 65 535 of them.
__device__ Tile tile_of_block(std::size_t cols) {
  const std::size_t across = (cols + edge - 1) / edge;
  return {blockIdx.x / across * edge, blockIdx.x % across * edge};
}

bench::cuda::Configuration one_block_per_tile(std::size_t rows, std::size_t cols, dim3 block) {
  const std::size_t tiles = ((rows + edge - 1) / edge) * ((cols + edge - 1) / edge);
  return {static_cast<unsigned>(tiles), block};
}

// Here: one thread per element, a block per tile. Neighbouring threads read neighbouring addresses.
// Price: they write addresses a column apart, a sector of 32 bytes for each element.
__global__ void naive_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const Tile tile = tile_of_block(cols);
  const std::size_t i = tile.row + threadIdx.y;
  const std::size_t j = tile.col + threadIdx.x;
  if (i < rows && j < cols) out[j * rows + i] = in[i * cols + j];
}

void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  launch(naive_kernel, one_block_per_tile(rows, cols, {edge, edge}), in, out, rows, cols);
}

// Above: writes are scattered.
// Here: the block turns its tile in shared memory: read along rows, written along rows.
// Price: a barrier; and a column of the tile lies in a single one of the 32 banks of shared memory,
// so that a warp reads it one element after the other (a bank conflict).
__global__ void tiled_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  __shared__ Real square[edge][edge];
  const Tile tile = tile_of_block(cols);
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
  launch(tiled_kernel, one_block_per_tile(rows, cols, {edge, edge}), in, out, rows, cols);
}

// Above: 32 threads wait for one bank.
// Here: one unused column more in each row of the tile, and a column lies in 32 different banks.
// Price: 3 % more shared memory.
__global__ void padded_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  __shared__ Real square[edge][edge + 1];
  const Tile tile = tile_of_block(cols);
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
  launch(padded_kernel, one_block_per_tile(rows, cols, {edge, edge}), in, out, rows, cols);
}

__device__ bool aligned(const Real* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(Wide) == 0;
}

/// The next elements of a row, of which `left` are there: in one access if all are, and aligned.
__device__ Wide load(const Real* from, std::size_t left) {
  if (left >= Wide::lanes && aligned(from)) return bench::cuda::load_wide(from);
  Wide values{};
  for (std::size_t k = 0; k < Wide::lanes; ++k) {
    if (k < left) values.lane[k] = from[k];
  }
  return values;
}

__device__ void store(Real* to, const Wide& values, std::size_t left) {
  if (left >= Wide::lanes && aligned(to)) {
    bench::cuda::store_wide(to, values);
    return;
  }
  for (std::size_t k = 0; k < Wide::lanes; ++k) {
    if (k < left) to[k] = values.lane[k];
  }
}

// Above: each access to memory moves one element, 4 or 8 bytes.
// Here: 128 bits per access and several elements per thread: fewer instructions and threads for the
// same tile.
// Price: rows whose length is no multiple of 16 bytes are moved element by element.
__global__ void wide_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  __shared__ Real square[edge][edge + 1];
  const Tile tile = tile_of_block(cols);
  const std::size_t across = threadIdx.x * Wide::lanes;
  const std::size_t i = tile.row + threadIdx.y;
  const std::size_t j = tile.col + across;
  if (i < rows && j < cols) {
    const Wide values = load(in + i * cols + j, cols - j);
    for (std::size_t k = 0; k < Wide::lanes; ++k) square[threadIdx.y][across + k] = values.lane[k];
  }
  __syncthreads();
  const std::size_t out_row = tile.col + threadIdx.y;
  const std::size_t out_col = tile.row + across;
  if (out_row < cols && out_col < rows) {
    Wide values;
    for (std::size_t k = 0; k < Wide::lanes; ++k) values.lane[k] = square[across + k][threadIdx.y];
    store(out + out_row * rows + out_col, values, rows - out_col);
  }
}

void wide(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const dim3 block(edge / Wide::lanes, edge);
  launch(wide_kernel, one_block_per_tile(rows, cols, block), in, out, rows, cols);
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
      {"wide", "128 bits per access to memory", wide},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::transpose
