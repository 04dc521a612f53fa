// matmul on a GPU, A and B in halves: C = A·B, m×k times k×n, row-major, any shape.
//
// Half the bytes of f32, and sums in floats: with ordinary units that is all. Tensor cores multiply
// tiles of 16 × 16 halves in one instruction of a warp, many times as fast: then loading is the
// limit again, as in f32.

#include "harness/cuda/half.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/matmul/matmul.hpp"
#include "kernels/matmul/place.cuh"

namespace kernels::matmul {
namespace {

using bench::cuda::add_product;
using bench::cuda::launch;
using bench::cuda::load_tile;
using bench::cuda::load_wide;
using bench::cuda::set_to_zero;
using bench::cuda::store_tile;
using bench::cuda::tensor_edge;
using bench::cuda::warp_lanes;
using bench::cuda::widened;
using Wide = bench::cuda::Wide<Half>;

// Change: one thread per element of C, as in f32. What is loaded is converted.
// Cost: two loads and two conversions for each product.
__global__ void one_per_element_kernel(const Half* a, const Half* b, float* c, std::size_t m,
                                       std::size_t n, std::size_t k) {
  const Place block = place_of_block(n, blockDim.y, blockDim.x);
  const std::size_t row = block.row + threadIdx.y;
  const std::size_t col = block.col + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (std::size_t p = 0; p < k; ++p) sum += widened(a[row * k + p]) * widened(b[p * n + col]);
  c[row * n + col] = sum;
}

void one_per_element(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n,
                     std::size_t k) {
  launch(one_per_element_kernel, blocks_of(m, n, few_rows, edge, {edge, few_rows}), a, b, c, m, n,
         k);
}

// Before: every thread loads all that it multiplies.
// Change: tiles of 32 × 32 in shared memory, converted once on their way there.
// Cost: as in f32, two loads from shared memory for each product.
__global__ void tiled_kernel(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n,
                             std::size_t k) {
  __shared__ float of_a[edge][edge];
  __shared__ float of_b[edge][edge];
  const Place block = place_of_block(n, edge, edge);
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const std::size_t row = block.row + y;
  const std::size_t col = block.col + x;
  float sum = 0;
  for (std::size_t first = 0; first < k; first += edge) {
    of_a[y][x] = row < m && first + x < k ? widened(a[row * k + first + x]) : 0;
    of_b[y][x] = first + y < k && col < n ? widened(b[(first + y) * n + col]) : 0;
    __syncthreads();
    BENCH_UNROLL for (unsigned p = 0; p < edge; ++p) sum += of_a[y][p] * of_b[p][x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void tiled(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n, std::size_t k) {
  launch(tiled_kernel, blocks_of(m, n, edge, edge, {edge, edge}), a, b, c, m, n, k);
}

/// Rows and columns of C of a block, and products of a step. A warp has a part of 2 × 4 tiles.
constexpr unsigned side = 128;
constexpr unsigned deep = 32;
constexpr unsigned warps = 8;
constexpr unsigned threads = warps * warp_lanes;
constexpr unsigned tiles_down = 2;
constexpr unsigned tiles_across = 4;
constexpr unsigned part_rows = tiles_down * tensor_edge;
constexpr unsigned part_cols = tiles_across * tensor_edge;
static_assert(side / part_rows * (side / part_cols) == warps);
constexpr unsigned lanes = Wide::lanes;

/// One vector more in each row avoids bank conflicts.
struct Inputs {
  alignas(32) Half of_a[side][deep + lanes];
  alignas(32) Half of_b[deep][side + lanes];
};

/// Zeros stand for what is beyond the matrices.
__device__ inline void load(Inputs& inputs, const Half* a, const Half* b, const Place& block,
                            std::size_t first, std::size_t m, std::size_t n, std::size_t k) {
  for (unsigned e = threadIdx.x * lanes; e < side * deep; e += threads * lanes) {
    const std::size_t row = block.row + e / deep;
    const std::size_t p = first + e % deep;
    *reinterpret_cast<Wide*>(&inputs.of_a[e / deep][e % deep]) =
        row < m && p < k ? load_wide(a + row * k + p) : Wide{};
    const std::size_t q = first + e / side;
    const std::size_t col = block.col + e % side;
    *reinterpret_cast<Wide*>(&inputs.of_b[e / side][e % side]) =
        q < k && col < n ? load_wide(b + q * n + col) : Wide{};
  }
}

// Before: an instruction multiplies one number in each lane.
// Change: tensor cores. A warp multiplies tiles of 16 × 16 × 16 at once, and keeps eight tiles of
// C. Cost: n and k must be whole vectors of 8; else the variant before. Which lane has which
// element of a tile is not known: C goes through shared memory.
__global__ void __launch_bounds__(threads)
    tensor_kernel(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n,
                  std::size_t k) {
  __shared__ Inputs inputs;
  alignas(32) __shared__ float results[warps][tensor_edge][tensor_edge];
  const Place block = place_of_block(n, side, side);
  const unsigned warp = threadIdx.x / warp_lanes;
  const unsigned top = warp / (side / part_cols) * part_rows;
  const unsigned left = warp % (side / part_cols) * part_cols;
  bench::cuda::TileOfSums sums[tiles_down][tiles_across];
  for (auto& row : sums) {
    for (auto& tile : row) set_to_zero(tile);
  }
  for (std::size_t first = 0; first < k; first += deep) {
    load(inputs, a, b, block, first, m, n, k);
    __syncthreads();
    BENCH_UNROLL for (unsigned p = 0; p < deep; p += tensor_edge) {
      bench::cuda::TileOfB of_b[tiles_across];
      BENCH_UNROLL for (unsigned j = 0; j < tiles_across; ++j) {
        load_tile(of_b[j], &inputs.of_b[p][left + j * tensor_edge], side + lanes);
      }
      BENCH_UNROLL for (unsigned i = 0; i < tiles_down; ++i) {
        bench::cuda::TileOfA of_a;
        load_tile(of_a, &inputs.of_a[top + i * tensor_edge][p], deep + lanes);
        BENCH_UNROLL for (unsigned j = 0; j < tiles_across; ++j) {
          add_product(sums[i][j], of_a, of_b[j]);
        }
      }
    }
    __syncthreads();
  }
  BENCH_UNROLL for (unsigned t = 0; t < tiles_down * tiles_across; ++t) {
    store_tile(&results[warp][0][0], sums[t / tiles_across][t % tiles_across], tensor_edge);
    __syncthreads();
    for (unsigned e = threadIdx.x % warp_lanes; e < tensor_edge * tensor_edge; e += warp_lanes) {
      const std::size_t row = block.row + top + t / tiles_across * tensor_edge + e / tensor_edge;
      const std::size_t col = block.col + left + t % tiles_across * tensor_edge + e % tensor_edge;
      if (row < m && col < n) c[row * n + col] = results[warp][e / tensor_edge][e % tensor_edge];
    }
    __syncthreads();
  }
}

void tensor(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n, std::size_t k) {
  if (n % lanes != 0 || k % lanes != 0) return tiled(a, b, c, m, n, k);
  launch(tensor_kernel, blocks_of(m, n, side, side, threads), a, b, c, m, n, k);
}

}  // namespace

template <>
bench::Ladder<Kernel<Half>> cuda<Half>() {
  static constexpr bench::Variant<Kernel<Half>> ladder[] = {
      {"one_per_element", "one thread per element, which loads all that it multiplies",
       one_per_element},
      {"tiled", "tiles of 32 × 32 in shared memory, loaded once per block", tiled},
      {"tensor", "halves (f16): tensor cores multiply tiles of 16 × 16 at once", tensor},
  };
  return ladder;
}

}  // namespace kernels::matmul
