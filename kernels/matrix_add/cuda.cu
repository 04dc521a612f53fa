// matrix_add on a GPU: C = A + B, rows × cols, any shape.
//
// 12 bytes per element in f32 and one addition: the device's memory is the limit, if it is asked
// well. It is moved in sectors of 32 bytes, and the 32 threads of a warp, which differ in
// threadIdx.x first, give their addresses together: neighbours in memory share sectors
// (coalescing), addresses a row apart take a sector each. Blocks and grids of two dimensions are
// only a way to number the threads; which of the two numbers counts along the row decides.

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

/// Threads of a block in each of two dimensions.
constexpr unsigned edge = 32;

/// Blocks for x × y elements, of which threadIdx.x counts the first. In y a grid has at most
/// 65 535 blocks: what is beyond them the threads reach in strides.
bench::cuda::Configuration in_two_dimensions(std::size_t x, std::size_t y) {
  const std::size_t across = (x + edge - 1) / edge;
  const std::size_t down = std::clamp<std::size_t>((y + edge - 1) / edge, 1, 65'535);
  return {{static_cast<unsigned>(across), static_cast<unsigned>(down)}, {edge, edge}};
}

// Here: one thread per element, numbered in two dimensions as it is read: x for the row, y for the
// column, which is what `row, col = cuda.grid(2)` gives in Numba.
// Price: the 32 threads of a warp are a row apart (uncoalesced): one access asks for 32 sectors
// where 4 hold as many elements in f32, and they are served one after the other. The other warps of
// the block find the rest of each sector in the L1 cache: what is wasted are transactions, and
// bytes only where it is gone by then.
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

// Above: the threads of a warp go down a column.
// Here: x for the column, y for the row, nothing else: a warp has 32 neighbours of a row. (To see
// which thread writes where, store threadIdx.x + threadIdx.y / 10.0 in place of the sum: the first
// row reads 0.0, 1.0, 2.0 …)
// Price: blocks hang over the edges of odd shapes; a matrix of one column uses 1 thread of 32.
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

/// Threads of the blocks below, in one dimension.
constexpr unsigned block = 256;

// Above: two indices, two comparisons, and blocks that the shape leaves partly empty.
// Here: a matrix in memory is one long array: a grid of one dimension, as many blocks as fit at
// once (occupancy), each thread in strides of the grid.
// Price: no row or column at hand; who needs them must divide.
__global__ void flat_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t k = first; k < n; k += stride) c[k] = a[k] + b[k];
}

void flat(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  const std::size_t n = rows * cols;
  launch(flat_kernel, bench::cuda::fill_device(flat_kernel, n, block), a, b, c, n);
}

// Above: each access of a thread moves one element, 4 or 8 bytes.
// Here: 128 bits per access: fewer instructions for the memory, more bytes in flight at once. As
// one array, rows need not be whole vectors.
// Price: arrays aligned to 16 bytes; what does not fill a vector at the end is done one by one.
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

// Above: each thread asks for its next vector only once the last one has come and is stored.
// Here: one vector per thread and no loop: where a block is done, the next one begins. (Why that is
// faster is not settled; what is on its way at any time lies closer together in memory.)
// Price: many small blocks to start; with 64 threads each, an H200 could not start enough of them.
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

// Above: with the transfers, the bus waits for the kernel and the kernel for the bus, and only one
// direction of the bus is busy.
// Here: chunks of the one long array in several streams: one arrives while another is worked on and
// a third leaves. To the kernel a chunk is a matrix of one row.
// Price: a kernel and transfers to start for each chunk; the first and the last are waited for.
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
      {"flat", "a matrix is one long array: a 1-D grid, in strides", flat},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "one vector per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::matrix_add
