// matmul on all cores of the job: C = A·B, m×k times k×n, row-major, any shape.
//
// Each element of C has a sum of its own, so threads that share the rows share no result. Whether
// twice the cores are twice as fast depends on where operands come from: caches of its own each
// core has, the memory and the last cache are everyone's.

#include <omp.h>

#include "harness/workload/target.hpp"
#include "kernels/matmul/blocks.hpp"
#include "kernels/matmul/matmul.hpp"
#include "kernels/matmul/tiles.hpp"

namespace kernels::matmul {
namespace {

// Change: the naive loops, the rows of C divided among the threads.
// Cost: each thread walks down all columns of B.
void naive(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

/// Rows that one thread takes at a time.
constexpr std::size_t strip = 32;

// Before: columns of B, element by element.
// Change: along rows, and by blocks of B that stay in the L2 cache, as on one core. Threads share
// strips of rows.
// Cost: a block of B serves for the rows of a strip only.
void blocked(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; i += strip) {
    multiply_rows_by_blocks(a, b, c, n, k, i, end_of_block(i, strip, m));
  }
}

/// Rows of a block: all blocks are as high, of whole tiles, and each thread has as many of them.
std::size_t rows_of_blocks(std::size_t m, std::size_t n, std::size_t threads) {
  const std::size_t tiles = m / height + 1;  // a loop of no rows has steps, too
  const std::size_t across = (n + block_width - 1) / block_width;
  std::size_t down = m / block_height + 1;
  while (down * across % threads != 0 && down < tiles) ++down;
  return (tiles + down - 1) / down * height;
}

// Before: three accesses to a cache for each multiplication.
// Change: tiles of C in registers. A and B are packed once, by all threads; then they share the
// blocks of C.
// Cost: a barrier after packing. The more threads, the lower blocks are, and each serves less.
void register_tile(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                   std::size_t k, Real* packed) {
  const Panels panels = panels_in(packed, m, n, k);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < m; i += height) pack_rows(panels, a, i);
#pragma omp for schedule(static)
    for (std::size_t j = 0; j < n; j += width) pack_columns(panels, b, j);
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const std::size_t rows = rows_of_blocks(m, n, threads);
#pragma omp for schedule(static) collapse(2)
    for (std::size_t i = 0; i < m; i += rows) {
      for (std::size_t j = 0; j < n; j += block_width) multiply_block(panels, c, i, j, rows);
    }
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loops, rows divided among the threads", naive, most_of_naive},
      {"blocked", "threads over strips of rows, blocks of B that stay in the L2 cache", blocked},
  };
  return ladder;
}

template <>
bench::Ladder<Packing<Real>> packing_openmp<Isa, Real>() {
  static constexpr bench::Variant<Packing<Real>> ladder[] = {
      {"register_tile", "packed once by all threads, which then share blocks of register tiles",
       register_tile},
  };
  return ladder;
}

}  // namespace kernels::matmul
