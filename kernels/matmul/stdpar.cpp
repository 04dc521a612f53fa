// matmul on all cores by the parallel algorithms of C++: C = A·B, m×k times k×n, row-major, any
// shape.
//
// The rows of C are independent, and std::for_each shares them out. Reuse, which decides how fast a
// product is, is not something that an algorithm of the library knows of.

#include <algorithm>
#include <execution>

#include "harness/workload/target.hpp"
#include "kernels/indices.hpp"
#include "kernels/matmul/blocks.hpp"
#include "kernels/matmul/matmul.hpp"

namespace kernels::matmul {
namespace {

// Change: the naive loops, the rows of C as std::for_each.
// Cost: each thread walks down all columns of B.
void naive(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  std::for_each(std::execution::par, Index(0), Index(m), [=](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  });
}

constexpr std::size_t strip = 32;  // rows of a task

// Before: columns of B, element by element.
// Change: along rows, and by blocks of B that stay in the L2 cache. Threads share strips of rows.
// Cost: a block of B serves for the rows of a strip only.
void blocked(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  std::for_each(std::execution::par, Index(0), Index((m + strip - 1) / strip), [=](std::size_t s) {
    multiply_rows_by_blocks(a, b, c, n, k, s * strip, end_of_block(s * strip, strip, m));
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> stdpar<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loops, rows as std::for_each", naive, most_of_naive},
      {"blocked", "threads over strips of rows, blocks of B that stay in the L2 cache", blocked},
  };
  return ladder;
}

}  // namespace kernels::matmul
