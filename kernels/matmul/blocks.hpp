// The product by blocks that stay in a cache, for both CPU ladders.
#pragma once

#include <cstddef>

#include "harness/workload/target.hpp"

namespace kernels::matmul {
namespace {

/// Elements of a block of B: in f64 it takes half of an L2 cache of 256 KB.
constexpr std::size_t block_rows = 64;
constexpr std::size_t block_cols = 256;

constexpr std::size_t end_of_block(std::size_t first, std::size_t length, std::size_t n) {
  return first + length < n ? first + length : n;
}

/// Rows `first` to `end` of C: a block of B serves for all of them before the next one is read.
inline void multiply_rows_by_blocks(const Real* a, const Real* b, Real* c, std::size_t n,
                                    std::size_t k, std::size_t first, std::size_t end) {
  for (std::size_t q = first * n; q < end * n; ++q) c[q] = 0;
  for (std::size_t col = 0; col < n; col += block_cols) {
    const std::size_t last_col = end_of_block(col, block_cols, n);
    for (std::size_t row = 0; row < k; row += block_rows) {
      const std::size_t last_row = end_of_block(row, block_rows, k);
      for (std::size_t i = first; i < end; ++i) {
        for (std::size_t p = row; p < last_row; ++p) {
          const Real factor = a[i * k + p];
          for (std::size_t j = col; j < last_col; ++j) c[i * n + j] += factor * b[p * n + j];
        }
      }
    }
  }
}

}  // namespace
}  // namespace kernels::matmul
