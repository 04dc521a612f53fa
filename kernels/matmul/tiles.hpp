// Tiles of C in vector registers, for both CPU ladders: how A and B are packed for them, and how
// they are multiplied.
#pragma once

#include <cstddef>

#include "harness/simd/vector_mul_add.hpp"
#include "harness/workload/target.hpp"
#include "kernels/matmul/matmul.hpp"

namespace kernels::matmul {
namespace {

using V = Vector<Real>;

// A tile and what it is multiplied from fill the vector registers: two vectors in each row of C,
// two of B, and one element of A.
constexpr std::size_t width = 2 * lanes<Real>;
constexpr std::size_t height = vector_registers / 2 - 2;
static_assert(width <= most_of_a_tile && height <= most_of_a_tile);

/// Products per element before the next tile: so much of a panel of B takes half of the L1 cache.
constexpr std::size_t depth = 16 * 1024 / (width * sizeof(Real));
/// Rows and columns of a block of tiles: as many panels of A and B stay in the L2 cache.
constexpr std::size_t block_height = 96 / sizeof(Real) * height;
constexpr std::size_t block_width = 8 * width;

constexpr std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

/// A and B in panels: of `height` rows or `width` columns, in the order in which a tile is
/// multiplied from them. Zeros fill the last ones.
struct Panels {
  Real* of_a;
  Real* of_b;
  std::size_t m;
  std::size_t n;
  std::size_t k;
};

inline Panels panels_in(Real* packed, std::size_t m, std::size_t n, std::size_t k) {
  const std::size_t rows = (m + height - 1) / height * height;
  return {packed, packed + rows * k, m, n, k};
}

/// A panel of `count` lines from `first` on, of which `there` exist; their elements are `along`
/// apart.
template <std::size_t count>
[[gnu::always_inline]] inline void pack(const Real* from, std::size_t first, std::size_t across,
                                        std::size_t along, std::size_t there, std::size_t k,
                                        Real* to) {
  if (there >= count) {
    for (std::size_t p = 0; p < k; ++p) {
#pragma GCC unroll 32
      for (std::size_t i = 0; i < count; ++i)
        to[p * count + i] = from[first + i * across + p * along];
    }
  } else {
    for (std::size_t p = 0; p < k; ++p) {
      for (std::size_t i = 0; i < count; ++i) {
        to[p * count + i] = i < there ? from[first + i * across + p * along] : 0;
      }
    }
  }
}

inline void pack_rows(const Panels& panels, const Real* a, std::size_t i) {
  const auto& [of_a, of_b, m, n, k] = panels;
  pack<height>(a, i * k, k, 1, m - i, k, of_a + i * k);
}

inline void pack_columns(const Panels& panels, const Real* b, std::size_t j) {
  const auto& [of_a, of_b, m, n, k] = panels;
  pack<width>(b, j, 1, n, n - j, k, of_b + j * k);
}

[[gnu::always_inline]] inline V load(const Real* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

/// Stores the sums, or adds them to what is there.
[[gnu::always_inline]] inline void put(Real* to, V sums, bool add) {
  if (add) sums += load(to);
  __builtin_memcpy(to, &sums, sizeof sums);
}

/// A whole tile, of k products per element: every element of both panels that is loaded serves for
/// a row or a column of the tile. C is far away, so it is asked for in time.
inline void multiply_tile(const Real* a, const Real* b, std::size_t k, Real* c, std::size_t pitch,
                          bool add) {
  V sums[height][2] = {};
  for (std::size_t i = 0; i < height; ++i) {
    __builtin_prefetch(c + i * pitch, 1);
    __builtin_prefetch(c + i * pitch + width - 1, 1);
  }
  for (std::size_t p = 0; p < k; ++p) {
    const V left = load(b + p * width);
    const V right = load(b + p * width + lanes<Real>);
#pragma GCC unroll 32
    for (std::size_t i = 0; i < height; ++i) {
      const V of_a = a[p * height + i] - V{};
      sums[i][0] = mul_add(of_a, left, sums[i][0]);
      sums[i][1] = mul_add(of_a, right, sums[i][1]);
    }
  }
#pragma GCC unroll 32
  for (std::size_t i = 0; i < height; ++i) {
    put(c + i * pitch, sums[i][0], add);
    put(c + i * pitch + lanes<Real>, sums[i][1], add);
  }
}

/// The same where C has fewer rows or columns: of a whole tile, these are copied.
inline void multiply_last_tile(const Real* a, const Real* b, std::size_t k, Real* c,
                               std::size_t pitch, bool add, std::size_t rows, std::size_t cols) {
  Real whole[height * width];
  multiply_tile(a, b, k, whole, width, false);
  for (std::size_t i = 0; i < smaller(rows, height); ++i) {
    for (std::size_t j = 0; j < smaller(cols, width); ++j) {
      const Real before = add ? c[i * pitch + j] : 0;
      c[i * pitch + j] = before + whole[i * width + j];
    }
  }
}

/// The block of C from this row and column on. Even of no products at all C is zero.
inline void multiply_block(const Panels& panels, Real* c, std::size_t row, std::size_t col,
                           std::size_t rows = block_height) {
  const auto& [of_a, of_b, m, n, k] = panels;
  std::size_t p = 0;
  do {
    const std::size_t deep = smaller(depth, k - p);
    for (std::size_t j = col; j < smaller(n, col + block_width); j += width) {
      for (std::size_t i = row; i < smaller(m, row + rows); i += height) {
        const Real* const a = of_a + i * k + p * height;
        const Real* const b = of_b + j * k + p * width;
        Real* const to = c + i * n + j;
        if (i + height <= m && j + width <= n) {
          multiply_tile(a, b, deep, to, n, p > 0);
        } else {
          multiply_last_tile(a, b, deep, to, n, p > 0, m - i, n - j);
        }
      }
    }
    p += depth;
  } while (p < k);
}

}  // namespace
}  // namespace kernels::matmul
