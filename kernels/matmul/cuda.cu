// matmul on a GPU: C = A·B, m×k times k×n, row-major, any shape.
//
// 2·m·n·k operations: with one thread per element of C there are more than enough threads, but each
// multiplication takes two loads. A GPU multiplies many times faster than it loads, so a number
// that is loaded must serve many threads (shared memory), then many results of one thread
// (registers). What is left is to load in time, and in few instructions.

#include "harness/cuda/kernel.hpp"
#include "kernels/matmul/matmul.hpp"
#include "kernels/matmul/tiles.cuh"

namespace kernels::matmul {
namespace {

using bench::cuda::launch;

// Change: one thread per element of C; threadIdx.x counts the columns.
// Cost: two loads per multiplication. Those of B are coalesced, and of A a warp takes one element.
__global__ void one_per_element_kernel(const Real* a, const Real* b, Real* c, std::size_t m,
                                       std::size_t n, std::size_t k) {
  const Place block = place_of_block(n, blockDim.y, blockDim.x);
  const std::size_t row = block.row + threadIdx.y;
  const std::size_t col = block.col + threadIdx.x;
  if (row >= m || col >= n) return;
  Real sum = 0;
  for (std::size_t p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
  c[row * n + col] = sum;
}

void one_per_element(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                     std::size_t k) {
  launch(one_per_element_kernel, blocks_of(m, n, few_rows, edge, {edge, few_rows}), a, b, c, m, n,
         k);
}

// Change: threadIdx.x counts the rows, as in many first attempts (`row, col = cuda.grid(2)` in
// Numba). The rest is the same.
// Cost: uncoalesced: of A and C a warp accesses 32 rows, a sector of memory for each element.
__global__ void uncoalesced_kernel(const Real* a, const Real* b, Real* c, std::size_t m,
                                   std::size_t n, std::size_t k) {
  const Place block = place_of_block(n, blockDim.x, blockDim.y);
  const std::size_t row = block.row + threadIdx.x;
  const std::size_t col = block.col + threadIdx.y;
  if (row >= m || col >= n) return;
  Real sum = 0;
  for (std::size_t p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
  c[row * n + col] = sum;
}

void uncoalesced(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                 std::size_t k) {
  launch(uncoalesced_kernel, blocks_of(m, n, edge, few_rows, {edge, few_rows}), a, b, c, m, n, k);
}

// Before: every thread loads all that it multiplies, although its block shares rows and columns.
// Change: tiles of 32 × 32 of A and B in shared memory: each thread loads one element of both, and
// each element that is loaded serves 32 threads.
// Cost: two barriers per tile. Still two loads per multiplication, from shared memory.
__global__ void tiled_kernel(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                             std::size_t k) {
  __shared__ Real of_a[edge][edge];
  __shared__ Real of_b[edge][edge];
  const Place block = place_of_block(n, edge, edge);
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t row = block.row + y;
  const std::size_t col = block.col + x;
  Real sum = 0;
  for (std::size_t first = 0; first < k; first += edge) {
    of_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    of_b[y][x] = first + y < k && col < n ? b[(first + y) * n + col] : 0;
    __syncthreads();
    BENCH_UNROLL for (unsigned p = 0; p < edge; ++p) sum += of_a[y][p] * of_b[p][x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void tiled(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  launch(tiled_kernel, blocks_of(m, n, edge, edge, {edge, edge}), a, b, c, m, n, k);
}

// Before: two loads from shared memory per multiplication.
// Change: 8 × 8 results per thread, in registers: 16 loads for 64 multiplications.
// Cost: 64 registers for sums. A block computes 128 × 128 elements: small matrices leave most of
// the GPU idle.
__global__ void __launch_bounds__(threads)
    register_tile_kernel(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                         std::size_t k) {
  __shared__ Real of_a[deep][side];
  __shared__ Real of_b[deep][side];
  const Place block = place_of_block(n, side, side);
  const unsigned x = threadIdx.x % across;
  const unsigned y = threadIdx.x / across;
  Real sums[each][each] = {};
  for (std::size_t first = 0; first < k; first += deep) {
    for (unsigned e = threadIdx.x; e < side * deep; e += threads) {
      const std::size_t row = block.row + e / deep;
      const std::size_t p = first + e % deep;
      of_a[e % deep][e / deep] = row < m && p < k ? a[row * k + p] : 0;
    }
    for (unsigned e = threadIdx.x; e < side * deep; e += threads) {
      const std::size_t p = first + e / side;
      const std::size_t col = block.col + e % side;
      of_b[e / side][e % side] = p < k && col < n ? b[p * n + col] : 0;
    }
    __syncthreads();
    BENCH_UNROLL for (unsigned p = 0; p < deep; ++p) {
      Real left[each];
      Real right[each];
      BENCH_UNROLL for (unsigned i = 0; i < each; ++i) left[i] = of_a[p][y + i * across];
      BENCH_UNROLL for (unsigned j = 0; j < each; ++j) right[j] = of_b[p][x + j * across];
      add_products(sums, left, right);
    }
    __syncthreads();
  }
  BENCH_UNROLL for (unsigned i = 0; i < each; ++i) {
    const std::size_t row = block.row + y + i * across;
    BENCH_UNROLL for (unsigned j = 0; j < each; ++j) {
      const std::size_t col = block.col + x + j * across;
      if (row < m && col < n) c[row * n + col] = sums[i][j];
    }
  }
}

void register_tile(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                   std::size_t k) {
  launch(register_tile_kernel, blocks_of(m, n, side, side, threads), a, b, c, m, n, k);
}

// Before: each access moves one element, 4 or 8 bytes, also from shared memory.
// Change: 16 bytes per access everywhere. The tile of A is transposed on its way to shared memory,
// so that the rows of a thread are next to each other there.
// Cost: n and k must be whole vectors; else the variant before.
__global__ void __launch_bounds__(threads)
    wide_kernel(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                std::size_t k) {
  __shared__ Tiles tiles;
  const Place block = place_of_block(n, side, side);
  Real sums[each][each] = {};
  for (std::size_t first = 0; first < k; first += deep) {
    store(tiles, loaded(a, b, block, first, m, n, k));
    __syncthreads();
    multiply(sums, tiles);
    __syncthreads();
  }
  store(c, sums, block, m, n);
}

void wide(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  if (n % lanes != 0 || k % lanes != 0) return register_tile(a, b, c, m, n, k);
  launch(wide_kernel, blocks_of(m, n, side, side, threads), a, b, c, m, n, k);
}

// Before: while tiles are loaded the block multiplies nothing, and the other way round.
// Change: the next tiles are loaded into registers while these are multiplied, and go to a second
// place in shared memory: one barrier per tile (double buffering).
// Cost: twice the shared memory, and registers for what is on its way. (cp.async would need none,
// but it cannot transpose.)
__global__ void __launch_bounds__(threads)
    pipelined_kernel(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                     std::size_t k) {
  __shared__ Tiles tiles[2];
  const Place block = place_of_block(n, side, side);
  Real sums[each][each] = {};
  store(tiles[0], loaded(a, b, block, 0, m, n, k));
  __syncthreads();
  unsigned now = 0;
  for (std::size_t first = 0; first < k; first += deep) {
    const Loaded next = loaded(a, b, block, first + deep, m, n, k);
    multiply(sums, tiles[now]);
    now ^= 1U;
    store(tiles[now], next);
    __syncthreads();
  }
  store(c, sums, block, m, n);
}

void pipelined(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  if (n % lanes != 0 || k % lanes != 0) return register_tile(a, b, c, m, n, k);
  launch(pipelined_kernel, blocks_of(m, n, side, side, threads), a, b, c, m, n, k);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_per_element", "one thread per element, which loads all that it multiplies",
       one_per_element},
      {"uncoalesced", "threadIdx.x for the row: a warp accesses 32 rows at once", uncoalesced},
      {"tiled", "tiles of 32 × 32 in shared memory, loaded once per block", tiled},
      {"register_tile", "8 × 8 results per thread: 16 loads for 64 multiplications", register_tile},
      {"wide", "16 bytes per access, A transposed in shared memory", wide},
      {"pipelined", "the next tiles are loaded while these are multiplied", pipelined},
  };
  return ladder;
}

}  // namespace kernels::matmul
