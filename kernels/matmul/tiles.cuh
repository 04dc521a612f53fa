// What a block of threads computes of C, and the tiles of A and B that it computes it from.
#pragma once

#include "harness/cuda/kernel.hpp"
#include "kernels/matmul/place.cuh"

namespace kernels::matmul {
namespace {

using bench::cuda::load_wide;
using bench::cuda::store_wide;
using Wide = bench::cuda::Wide<Real>;
constexpr unsigned lanes = Wide::lanes;

/// Rows and columns of C that a larger block computes, products per element from one tile,
/// threads, and the results of each thread in a row or a column.
constexpr unsigned side = 128;
constexpr unsigned deep = 8;
constexpr unsigned threads = 256;
constexpr unsigned each = 8;
constexpr unsigned across = side / each;  ///< threads next to each other

__device__ inline void add_products(Real (&sums)[each][each], const Real (&left)[each],
                                    const Real (&right)[each]) {
  BENCH_UNROLL for (unsigned i = 0; i < each; ++i) {
    BENCH_UNROLL for (unsigned j = 0; j < each; ++j) sums[i][j] += left[i] * right[j];
  }
}

// ---- by whole vectors ----

/// The tile of A transposed, and that of B. One vector more in each row of A avoids bank conflicts.
struct Tiles {
  alignas(16) Real of_a[deep][side + lanes];
  alignas(16) Real of_b[deep][side];
};

/// Vectors of either tile that a thread moves.
constexpr unsigned moved = side * deep / lanes / threads;

/// What a thread moves from memory to both tiles.
struct Loaded {
  Wide of_a[moved];
  Wide of_b[moved];
};

/// The begins of vector v of a thread in the tile of A, which is `deep` wide, and in that of B.
struct Position {
  unsigned row;
  unsigned col;
};
__device__ inline Position in_a(unsigned v) {
  const unsigned e = (threadIdx.x + v * threads) * lanes;
  return {e / deep, e % deep};
}
__device__ inline Position in_b(unsigned v) {
  const unsigned e = (threadIdx.x + v * threads) * lanes;
  return {e / side, e % side};
}

/// Zeros stand for what is beyond the matrices.
__device__ inline Loaded loaded(const Real* a, const Real* b, const Place& block, std::size_t first,
                                std::size_t m, std::size_t n, std::size_t k) {
  Loaded all = {};
  BENCH_UNROLL for (unsigned v = 0; v < moved; ++v) {
    const std::size_t row = block.row + in_a(v).row;
    const std::size_t p = first + in_a(v).col;
    if (row < m && p < k) all.of_a[v] = load_wide(a + row * k + p);
    const std::size_t q = first + in_b(v).row;
    const std::size_t col = block.col + in_b(v).col;
    if (q < k && col < n) all.of_b[v] = load_wide(b + q * n + col);
  }
  return all;
}

__device__ inline void store(Tiles& tiles, const Loaded& all) {
  BENCH_UNROLL for (unsigned v = 0; v < moved; ++v) {
    const auto [row, p] = in_a(v);
    BENCH_UNROLL for (unsigned l = 0; l < lanes; ++l) tiles.of_a[p + l][row] = all.of_a[v].lane[l];
    const auto [q, col] = in_b(v);
    *reinterpret_cast<Wide*>(&tiles.of_b[q][col]) = all.of_b[v];
  }
}

/// The results of a thread lie in groups of vectors, `side` / groups apart.
constexpr unsigned groups = each / lanes;
__device__ inline unsigned place_of(unsigned thread, unsigned group) {
  return (thread + group * across) * lanes;
}

__device__ inline void multiply(Real (&sums)[each][each], const Tiles& tiles) {
  const unsigned x = threadIdx.x % across;
  const unsigned y = threadIdx.x / across;
  BENCH_UNROLL for (unsigned p = 0; p < deep; ++p) {
    Real left[each];
    Real right[each];
    BENCH_UNROLL for (unsigned g = 0; g < groups; ++g) {
      const Wide rows = *reinterpret_cast<const Wide*>(&tiles.of_a[p][place_of(y, g)]);
      const Wide cols = *reinterpret_cast<const Wide*>(&tiles.of_b[p][place_of(x, g)]);
      BENCH_UNROLL for (unsigned l = 0; l < lanes; ++l) {
        left[g * lanes + l] = rows.lane[l];
        right[g * lanes + l] = cols.lane[l];
      }
    }
    add_products(sums, left, right);
  }
}

__device__ inline void store(Real* c, const Real (&sums)[each][each], const Place& block,
                             std::size_t m, std::size_t n) {
  const unsigned x = threadIdx.x % across;
  const unsigned y = threadIdx.x / across;
  BENCH_UNROLL for (unsigned i = 0; i < each; ++i) {
    const std::size_t row = block.row + place_of(y, i / lanes) + i % lanes;
    BENCH_UNROLL for (unsigned g = 0; g < groups; ++g) {
      const std::size_t col = block.col + place_of(x, g);
      if (row >= m || col >= n) continue;
      Wide wide;
      BENCH_UNROLL for (unsigned l = 0; l < lanes; ++l) wide.lane[l] = sums[i][g * lanes + l];
      store_wide(c + row * n + col, wide);
    }
  }
}

}  // namespace
}  // namespace kernels::matmul
