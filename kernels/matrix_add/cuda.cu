// matrix_add on a GPU: C = A + B, rows × cols, any shape.
//
// 12 bytes per element in f32 and one addition: memory bandwidth is the limit, if accesses are
// coalesced. Memory moves in sectors of 32 bytes, and a warp accesses 32 addresses at once, of
// threads that differ in threadIdx.x first. Neighbouring addresses share sectors (coalescing),
// addresses a row apart take one sector each. Two-dimensional blocks and grids only number the
// threads. What matters is which index runs along the row.

#include <algorithm>

#include "harness/cuda/kernel.hpp"
#include "kernels/matrix_add/matrix_add.hpp"

namespace kernels::matrix_add {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::store_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

/// Threads of a block in each of its two dimensions.
constexpr unsigned edge = 32;

/// Blocks for x × y elements; threadIdx.x counts the first. A grid has at most 65 535 blocks in y:
/// threads reach elements past them with a stride.
bench::cuda::Configuration in_two_dimensions(std::size_t x, std::size_t y) {
  const std::size_t across = (x + edge - 1) / edge;
  const std::size_t down = std::clamp<std::size_t>((y + edge - 1) / edge, 1, 65'535);
  return {{static_cast<unsigned>(across), static_cast<unsigned>(down)}, {edge, edge}};
}

// Change: one thread per element, numbered in two dimensions: x for the row, y for the column, like
// `row, col = cuda.grid(2)` in Numba.
// Cost: uncoalesced: the threads of a warp are a row apart, and each access needs 32 sectors
// instead of 4 in f32. Other warps find the rest of each sector in L1, unless it is evicted by
// then.
__global__ void uncoalesced_kernel(const Real* a, const Real* b, Real* c, std::size_t rows,
                                   std::size_t cols) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::size_t stride = std::size_t{gridDim.y} * blockDim.y;
  if (row >= rows) return;
  for (std::size_t col = first; col < cols; col += stride) {
    c[row * cols + col] = a[row * cols + col] + b[row * cols + col];
  }
}

void uncoalesced(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  launch(uncoalesced_kernel, in_two_dimensions(rows, cols), a, b, c, rows, cols);
}

// Before: the threads of a warp walk down a column (uncoalesced).
// Change: x for the column, y for the row: a warp accesses 32 neighbours of a row. (To see which
// thread writes where, store threadIdx.x + threadIdx.y / 10.0 instead of the sum.)
// Cost: blocks extend past the edges of odd shapes. A matrix of one column uses 1 thread of 32.
__global__ void coalesced_kernel(const Real* a, const Real* b, Real* c, std::size_t rows,
                                 std::size_t cols) {
  const std::size_t col = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t first = std::size_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::size_t stride = std::size_t{gridDim.y} * blockDim.y;
  if (col >= cols) return;
  for (std::size_t row = first; row < rows; row += stride) {
    c[row * cols + col] = a[row * cols + col] + b[row * cols + col];
  }
}

void coalesced(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  launch(coalesced_kernel, in_two_dimensions(cols, rows), a, b, c, rows, cols);
}

/// Threads of the blocks below, which have one dimension.
constexpr unsigned block = 256;

// Before: two indices, two comparisons, and blocks that the shape leaves partly empty.
// Change: a matrix in memory is one flat array: a one-dimensional grid of resident blocks, with a
// grid-stride loop in each thread.
// Cost: row and column are not known; they would take a division.
__global__ void flat_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t k = first; k < n; k += stride) c[k] = a[k] + b[k];
}

void flat(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  const std::size_t n = rows * cols;
  launch(flat_kernel, bench::cuda::fill_device(flat_kernel, n, block), a, b, c, n);
}

// Before: each access of a thread moves one element, 4 or 8 bytes.
// Change: 128 bits per access: fewer memory instructions, more bytes in flight. In a flat array
// rows need not be whole vectors.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    const std::size_t k = v * Wide::lanes;
    const Wide x = load_wide(a + k);
    const Wide y = load_wide(b + k);
    Wide sums;
    for (std::size_t l = 0; l < Wide::lanes; ++l) sums.lane[l] = x.lane[l] + y.lane[l];
    store_wide(c + k, sums);
  }
  for (std::size_t k = vectors * Wide::lanes + first; k < n; k += stride) c[k] = a[k] + b[k];
}

void wide(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  const std::size_t n = rows * cols;
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), a, b, c, n);
}

// Change: one vector per thread and no loop; copy's no_loop explains it.
// Cost: many small blocks.
constexpr unsigned small_block = 128;

__global__ void no_loop_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  std::size_t k = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * Wide::lanes;
  if (k + Wide::lanes <= n) {
    const Wide x = load_wide(a + k);
    const Wide y = load_wide(b + k);
    Wide sums;
    for (std::size_t l = 0; l < Wide::lanes; ++l) sums.lane[l] = x.lane[l] + y.lane[l];
    store_wide(c + k, sums);
  } else {
    for (; k < n; ++k) c[k] = a[k] + b[k];
  }
}

void no_loop(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  const std::size_t n = rows * cols;
  const std::size_t threads = (n + Wide::lanes - 1) / Wide::lanes;
  launch(no_loop_kernel, bench::cuda::per_element(threads, small_block), a, b, c, n);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks of the flat array in several streams: one arrives while another is computed and a
// third leaves. To the kernel a chunk is a matrix of one row.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  in_chunks(rows * cols, 2 * sizeof(Real), [=](Chunk chunk) {
    upload(a + chunk.first, chunk.count);
    upload(b + chunk.first, chunk.count);
    no_loop(a + chunk.first, b + chunk.first, c + chunk.first, 1, chunk.count);
    download(c + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"uncoalesced", "a 2-D grid, threadIdx.x counts rows: uncoalesced, a sector per thread",
       uncoalesced},
      {"coalesced", "the two indices exchanged: threadIdx.x counts columns", coalesced},
      {"flat", "a matrix is one flat array: a 1-D grid-stride loop", flat},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "one vector per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::matrix_add
