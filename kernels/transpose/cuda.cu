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
using bench::cuda::load_wide;
using bench::cuda::store_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

/// Rows and columns of the tile that one block turns, where it has a thread for each element.
constexpr unsigned edge = 32;

/// First row and column of a block's tile.
struct Tile {
  std::size_t row;
  std::size_t col;
};

/// Blocks are numbered along rows of tiles: only in x may a grid have more than 65 535 of them. In
/// 32 bits, since each division of 64 takes dozens of instructions.
__device__ Tile tile_of_block(std::size_t cols, unsigned height, unsigned width) {
  const auto across = static_cast<unsigned>((cols + width - 1) / width);
  const unsigned down = blockIdx.x / across;
  return {std::size_t{down} * height, std::size_t{blockIdx.x - down * across} * width};
}

bench::cuda::Configuration one_block_per_tile(std::size_t rows, std::size_t cols, dim3 block,
                                              std::size_t height, std::size_t width) {
  const std::size_t tiles = ((rows + height - 1) / height) * ((cols + width - 1) / width);
  return {static_cast<unsigned>(tiles), block};
}

// Here: one thread per element, a block per tile. Neighbouring threads read neighbouring addresses.
// Price: they write addresses a column apart, a sector of 32 bytes for each element.
__global__ void naive_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const Tile tile = tile_of_block(cols, edge, edge);
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
  const Tile tile = tile_of_block(cols, edge, edge);
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
  const Tile tile = tile_of_block(cols, edge, edge);
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

/// Threads of the blocks below, which turn larger tiles.
constexpr unsigned threads = 256;
constexpr unsigned large_edge = 64;

// Above: one access per thread on its way, and more blocks to start than tiles are worth.
// Here: tiles of 64 × 64, of which each thread moves 16 elements, all in flight at once.
// Price: four times the shared memory per block: the last tiles leave more of the device idle.
__global__ void __launch_bounds__(threads)
    several_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr unsigned step = threads / large_edge;  // rows that the block moves at a time
  constexpr unsigned each = large_edge / step;
  __shared__ Real square[large_edge][large_edge + 1];
  const Tile tile = tile_of_block(cols, large_edge, large_edge);
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
  launch(several_kernel, one_block_per_tile(rows, cols, threads, large_edge, large_edge), in, out,
         rows, cols);
}

/// Elements of a tile that is as thin as its matrix, and banks of shared memory that hold one each.
constexpr unsigned log_elements = 12;
constexpr unsigned banks = 128 / sizeof(Real);

/// Elements from one row of such a tile in shared memory to the next: neither those of a row nor
/// those of a column that a warp moves meet in a bank.
__host__ __device__ unsigned pitch_of(unsigned log_rows) {
  const unsigned cols = 1U << (log_elements - log_rows);
  return cols + (1U << log_rows < banks ? banks >> log_rows : 1);
}

// Above: of a matrix with few rows or columns a square tile holds little, and most threads wait.
// Here: for these, tiles as thin as the matrix, 2 × 2048 to 2048 × 2, the sides in powers of two.
// Price: no shape is known to the compiler, and each index is worked out.
__global__ void __launch_bounds__(threads)
    fitted_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                  unsigned log_rows) {
  constexpr unsigned each = (1U << log_elements) / threads;
  Real* const square = bench::cuda::dynamic_shared<Real>();
  const unsigned pitch = pitch_of(log_rows);
  const unsigned log_cols = log_elements - log_rows;
  const Tile tile = tile_of_block(cols, 1U << log_rows, 1U << log_cols);
  Real values[each] = {};
  BENCH_UNROLL for (unsigned k = 0; k < each; ++k) {
    const unsigned at = threadIdx.x + k * threads;  // along the rows
    const std::size_t i = tile.row + (at >> log_cols);
    const std::size_t j = tile.col + at % (1U << log_cols);
    if (i < rows && j < cols) values[k] = in[i * cols + j];
  }
  BENCH_UNROLL for (unsigned k = 0; k < each; ++k) {
    const unsigned at = threadIdx.x + k * threads;
    square[(at >> log_cols) * pitch + at % (1U << log_cols)] = values[k];
  }
  __syncthreads();
  BENCH_UNROLL for (unsigned k = 0; k < each; ++k) {
    const unsigned at = threadIdx.x + k * threads;  // along the columns
    const unsigned y = at % (1U << log_rows);
    const unsigned x = at >> log_rows;
    if (tile.row + y < rows && tile.col + x < cols) {
      out[(tile.col + x) * rows + tile.row + y] = square[y * pitch + x];
    }
  }
}

void fitted(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if (rows >= large_edge && cols >= large_edge) return several(in, out, rows, cols);
  unsigned log_rows = log_elements / 2;
  while (log_rows > 1 && rows <= std::size_t{1} << (log_rows - 1)) --log_rows;
  while (log_rows < log_elements - 1 && cols <= std::size_t{1} << (log_elements - log_rows - 1)) {
    ++log_rows;
  }
  auto shape = one_block_per_tile(rows, cols, threads, std::size_t{1} << log_rows,
                                  std::size_t{1} << (log_elements - log_rows));
  shape.shared_bytes = (std::size_t{pitch_of(log_rows)} << log_rows) * sizeof(Real);
  launch(fitted_kernel, shape, in, out, rows, cols, log_rows);
}

/// Vectors in a row of a tile whose elements are moved by whole vectors on both sides.
constexpr unsigned units = 16;
constexpr unsigned wide_edge = units * Wide::lanes;
static_assert(units * units == threads);

/// Blocks are numbered down the columns of a few rows of tiles: those that run at the same time
/// write pieces of the same rows of the result, long ones, and read such pieces.
__device__ Tile tile_in_group(std::size_t rows, std::size_t cols, unsigned side) {
  constexpr unsigned most = 8;
  const auto across = static_cast<unsigned>((cols + side - 1) / side);
  const auto down = static_cast<unsigned>((rows + side - 1) / side);
  const unsigned first = blockIdx.x / (across * most) * most;
  const unsigned rest = blockIdx.x - first * across;
  const unsigned height = down - first < most ? down - first : most;
  const unsigned col = rest / height;
  return {std::size_t{first + rest - col * height} * side, std::size_t{col} * side};
}

// Above: each access to memory moves one element, 4 or 8 bytes.
// Here: 128 bits per access, to memory and to shared memory: each thread turns a small square in
// its registers. The vectors of a row of the tile are exchanged (xor), so that neither rows nor
// columns of them meet in a bank.
// Price: only for rows and columns of whole vectors, and enough of both; the rung above does the
// others.
__global__ void __launch_bounds__(threads)
    wide_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr unsigned lanes = Wide::lanes;
  constexpr unsigned groups = 8;  // vectors that shared memory moves at once, all banks of it
  __shared__ Wide square[wide_edge][units];
  const Tile tile = tile_in_group(rows, cols, wide_edge);
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

/// The transpose of a vector is a copy of it.
__global__ void copy_kernel(const Real* in, Real* out, std::size_t n, std::size_t vectors) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t v = first; v < vectors; v += stride) {
    store_wide(out + v * Wide::lanes, load_wide(in + v * Wide::lanes));
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) out[i] = in[i];
}

bool aligned(const Real* address) {
  return reinterpret_cast<std::uintptr_t>(address) % sizeof(Wide) == 0;
}

void wide(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  const bool at_vectors = aligned(in) && aligned(out);
  if (rows == 1 || cols == 1) {
    const std::size_t n = rows * cols;
    const std::size_t vectors = at_vectors ? n / Wide::lanes : 0;
    launch(copy_kernel, bench::cuda::fill_device(copy_kernel, n, threads), in, out, n, vectors);
  } else if (at_vectors && rows % Wide::lanes == 0 && cols % Wide::lanes == 0 &&
             rows >= wide_edge / 2 && cols >= wide_edge / 2) {
    launch(wide_kernel, one_block_per_tile(rows, cols, threads, wide_edge, wide_edge), in, out,
           rows, cols);
  } else {
    fitted(in, out, rows, cols);
  }
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
      {"several", "larger tiles: 16 elements per thread in flight", several},
      {"fitted", "tiles as thin as the matrix, where it is thin", fitted},
      {"wide", "128 bits per access on both sides, turned in registers", wide},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::transpose
