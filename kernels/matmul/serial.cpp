// matmul on one core: C = A·B, m×k times k×n, row-major, any shape.
//
// 2·m·n·k operations on m·k + k·n + m·n numbers: of n = 1024 each number is used a thousand times,
// so arithmetic could be the limit. In the order of the definition it is not: most operands come
// from a cache, or from memory, once for each use. All variants do the same multiplications.
// They differ in the order, and in how often an operand is used before it is given up.

#include "harness/workload/target.hpp"
#include "kernels/matmul/blocks.hpp"
#include "kernels/matmul/matmul.hpp"
#include "kernels/matmul/tiles.hpp"

namespace kernels::matmul {
namespace {

// Change: for each element of C the sum over a row of A and a column of B.
// Cost: none, this is the baseline. B is walked down its columns: of each line of memory (64 bytes)
// one element is used, and the next access is a whole row away.
void naive(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

// Before: the inner loop goes down a column of B, and each addition waits for the one before it.
// Change: exchange the inner loops: a multiple of a row of B is added to a row of C. Accesses are
// contiguous, additions are independent, and the compiler vectorises the loop (SIMD).
// Cost: each sum is loaded and stored for every product. All of B is read for each row of C.
void row_order(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) c[i * n + j] = 0;
    for (std::size_t p = 0; p < k; ++p) {
      const Real factor = a[i * k + p];
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += factor * b[p * n + j];
    }
  }
}

// Before: B is larger than the L2 cache: every element comes from further away for every use.
// Change: blocks of B that stay in the L2 cache are used for all rows of A (cache blocking).
// Cost: two more loops. Sums are still loaded and stored for every product.
void blocked(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  multiply_rows_by_blocks(a, b, c, n, k, 0, m);
}

// Before: three accesses to a cache for each multiplication.
// Change: a tile of C stays in registers for hundreds of products, and what is loaded is used for
// a whole row or column of it. A and B are copied first (packed), in the order of the tiles.
// Cost: room for the copies, and copying. Tiles at the edges are computed as whole ones.
void register_tile(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                   std::size_t k, Real* packed) {
  const Panels panels = panels_in(packed, m, n, k);
  for (std::size_t i = 0; i < m; i += height) pack_rows(panels, a, i);
  for (std::size_t j = 0; j < n; j += width) pack_columns(panels, b, j);
  for (std::size_t i = 0; i < m; i += block_height) {
    for (std::size_t j = 0; j < n; j += block_width) multiply_block(panels, c, i, j);
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "i, j, k: the loops of the definition, strict IEEE arithmetic, -O3", naive,
       most_of_naive},
      {"row_order", "i, k, j: the inner loop runs along rows, in whole vectors", row_order},
      {"blocked", "blocks of B that stay in the L2 cache", blocked},
  };
  return ladder;
}

template <>
bench::Ladder<Packing<Real>> packing_serial<Isa, Real>() {
  static constexpr bench::Variant<Packing<Real>> ladder[] = {
      {"register_tile", "a tile of C in vector registers, A and B packed for it", register_tile},
  };
  return ladder;
}

}  // namespace kernels::matmul
