// Parts of a transposition for both CPU ladders: blocks, columns, and rows cut at cache lines.
#pragma once

#include <cstddef>

#include "harness/simd/block.hpp"
#include "harness/simd/stream.hpp"
#include "harness/workload/target.hpp"

namespace kernels::transpose {
namespace {

constexpr std::size_t line = cache_line / sizeof(Real);  // elements

/// block[j][i] = in[i][j] for all rows of the block and one line of columns.
template <std::size_t height>
inline void transpose_strip(const Real* in, std::size_t cols, Real (&block)[line][height]) {
  for (std::size_t i = 0; i < height; i += lanes<Real>) {
    for (std::size_t j = 0; j < line; j += lanes<Real>) {
      transpose_block(in + i * cols + j, cols, &block[j][i], height);
    }
  }
}

/// Column `j` of the input, from row `begin` to `end`: a part of a row of the output.
inline void column(const Real* in, Real* out, std::size_t rows, std::size_t cols, std::size_t j,
                   std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) out[j * rows + i] = in[i * cols + j];
}

/// The part of an output row that one strip writes: elements begin … end; from `lines` on, `tall`
/// elements that are full lines.
struct Part {
  std::size_t begin;
  std::size_t lines;
  std::size_t end;
};

template <std::size_t tall, std::size_t extra>
inline Part part_of(const Real* row, std::size_t top, std::size_t rows) {
  const std::size_t skew = extra > 0 ? elements_before_line(row) : 0;
  const std::size_t end = top + tall + skew;
  return {top == 0 ? 0 : top + skew, top + skew, top + tall < rows && end < rows ? end : rows};
}

}  // namespace
}  // namespace kernels::transpose
