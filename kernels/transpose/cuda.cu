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
constexpr unsigned threads = 512;
constexpr unsigned large_edge = 64;
constexpr unsigned step = threads / large_edge;  ///< rows that such a block moves at a time

// Above: one access per thread on its way, and more blocks to start than tiles are worth.
// Here: tiles of 64 × 64, of which each thread moves 8 elements, all in flight at once.
// Price: four times the shared memory per block: the last tiles leave more of the device idle.
__global__ void __launch_bounds__(threads)
    several_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
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

/// Blocks are numbered down the columns of tiles.
__device__ Tile tile_down_columns(std::size_t rows, unsigned height, unsigned width) {
  const auto down = static_cast<unsigned>((rows + height - 1) / height);
  const unsigned across = blockIdx.x / down;
  return {std::size_t{blockIdx.x - across * down} * height, std::size_t{across} * width};
}

// Above: blocks that run at the same time lie beside each other, and write pieces of rows of the
// result that are far apart.
// Here: the blocks are numbered down the columns: their pieces lie side by side in the same rows of
// the result, and sectors that two of them share are put together in the L2 before they are
// written. Price: pieces that are read lie apart; but of a sector that two need, the L2 has the
// other half.
__global__ void __launch_bounds__(threads)
    down_columns_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr unsigned each = large_edge / step;
  __shared__ Real square[large_edge][large_edge + 1];
  const Tile tile = tile_down_columns(rows, large_edge, large_edge);
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

void down_columns(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  launch(down_columns_kernel, one_block_per_tile(rows, cols, threads, large_edge, large_edge), in,
         out, rows, cols);
}

/// Elements in a sector, and the most of them that lie before the begin of a row in its sector.
constexpr unsigned sector = 32 / sizeof(Real);
constexpr unsigned halo = sector - 1;

// Above: where the number of rows is no multiple of 8 (f64: 4), pieces of the result begin and end
// in the middle of a sector, which is written in two parts.
// Here: each row of the result is cut where its sectors begin, up to 7 (3) elements earlier, and a
// tile has so many rows more (a halo).
// Price: the halo is read twice, the second time from the L2.
__global__ void __launch_bounds__(threads)
    aligned_kernel(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr unsigned height = large_edge + halo;
  constexpr unsigned each = (height + step - 1) / step;
  __shared__ Real square[height][large_edge + 1];
  const Tile tile = tile_down_columns(rows + halo, large_edge, large_edge);
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

void aligned(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if (rows % sector == 0) return down_columns(in, out, rows, cols);
  launch(aligned_kernel, one_block_per_tile(rows + halo, cols, threads, large_edge, large_edge), in,
         out, rows, cols);
}

/// The transpose of a vector is a copy of it.
__global__ void copy_kernel(const Real* in, Real* out, std::size_t n) {
  std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * Wide::lanes;
  if (i + Wide::lanes <= n) {
    store_wide(out + i, load_wide(in + i));
  } else {
    for (; i < n; ++i) out[i] = in[i];
  }
}

/// Threads that turn, or copy, 8 KB of a thin matrix.
constexpr unsigned few_threads = 128;
constexpr unsigned thin_elements = 8192 / sizeof(Real);

/// A tile of all the few rows of a matrix, and as many columns as it has room for; or the other way
/// round. That piece is contiguous on one side, in the result or in the input.
struct Thin {
  explicit Thin(std::size_t thinner) : side(static_cast<unsigned>(thinner)) {
    while (thinner << log_length > thin_elements) --log_length;
    reciprocal = static_cast<unsigned>(((std::uint64_t{1} << 32U) + side - 1) / side);
  }

  __host__ __device__ unsigned length() const { return 1U << log_length; }
  /// In shared memory, with one element more per row for the banks.
  __host__ __device__ unsigned pitch() const { return length() + 1; }
  /// k / side by one multiplication, exact for so small numbers.
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

/// Few rows: read along them, and what the block writes is one contiguous piece.
__global__ void __launch_bounds__(few_threads)
    few_rows_kernel(const Real* in, Real* out, std::size_t cols, Thin tile) {
  constexpr unsigned lanes = Wide::lanes;
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
      Wide wide;
      for (unsigned lane = 0; lane < lanes; ++lane) wide.lane[lane] = element(k + lane);
      store_wide(to + k, wide);
    } else {
      for (; k < count; ++k) to[k] = element(k);
    }
  }
}

/// Few columns: what the block reads is one contiguous piece, and it writes along them.
__global__ void __launch_bounds__(few_threads)
    few_columns_kernel(const Real* in, Real* out, std::size_t rows, Thin tile) {
  constexpr unsigned lanes = Wide::lanes;
  constexpr unsigned each = thin_elements / few_threads;
  Real* const turned = bench::cuda::dynamic_shared<Real>();
  const std::size_t begin = std::size_t{blockIdx.x} * tile.length();
  const auto here =
      static_cast<unsigned>(rows - begin < tile.length() ? rows - begin : tile.length());
  const unsigned count = here * tile.side;
  const Real* const from = in + begin * tile.side;
  Wide values[each / lanes];
  BENCH_UNROLL for (unsigned v = 0; v < each / lanes; ++v) {
    const unsigned k = (threadIdx.x + v * few_threads) * lanes;
    if (k + lanes <= count) {
      values[v] = load_wide(from + k);
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

// Above: of a matrix with few rows or columns a square tile holds little, and most threads wait.
// Here: for these, tiles as thin as the matrix, which lie in one piece on one side: there they are
// moved by whole vectors, and small blocks end soon. A vector is copied.
// Price: no shape is known to the compiler: each index is worked out, by a multiplication.
void fitted(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if (rows >= large_edge && cols >= large_edge) return aligned(in, out, rows, cols);
  if (rows <= 1 || cols <= 1) {
    const std::size_t n = rows * cols;
    const std::size_t vectors = (n + Wide::lanes - 1) / Wide::lanes;
    launch(copy_kernel, bench::cuda::per_element(vectors, few_threads), in, out, n);
  } else if (rows <= cols) {
    const Thin tile(rows);
    launch(few_rows_kernel, one_block_per_length(cols, tile), in, out, cols, tile);
  } else {
    const Thin tile(cols);
    launch(few_columns_kernel, one_block_per_length(rows, tile), in, out, rows, tile);
  }
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
  const Tile tile = tile_down_columns(rows, wide_edge, wide_edge);
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
