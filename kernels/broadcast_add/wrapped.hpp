// Shared by both CPU ladders: v from any column on, for the elements of one cache line of results.
#pragma once

#include <cstddef>

#include "kernels/streaming.hpp"

namespace kernels::broadcast_add {
namespace {

/// v, repeated past its end. A matrix with rows of any length is then one flat array.
class Wrapped {
 public:
  Wrapped(const Real* v, std::size_t cols)
      : v_(v),
        cols_(cols),
        begin_(cols > line ? cols - line : 0),
        step_(cols > 0 ? line % cols : 0) {
    for (std::size_t i = 0; i < 2 * line && cols > 0; ++i) around_[i] = v[(begin_ + i) % cols];
  }

  /// `line` elements from column j on.
  const Real* from(std::size_t j) const {
    return j + line <= cols_ ? v_ + j : around_ + (j - begin_);
  }
  /// The column `line` elements after column j.
  std::size_t behind(std::size_t j) const {
    const std::size_t next = j + step_;
    return next < cols_ ? next : next - cols_;
  }
  /// The column of element k of the flat array: a division.
  std::size_t column(std::size_t k) const { return k % cols_; }

 private:
  const Real* v_;
  std::size_t cols_;
  std::size_t begin_;      ///< the column of around_[0]
  std::size_t step_;       ///< columns that a line goes on, whole rows left out
  Real around_[2 * line];  ///< the end of v, and its beginning again
};

/// The line of results that starts at element k of the flat array, in column j.
[[gnu::always_inline]] inline void add_line(const Real* in, const Wrapped& v, Real* out,
                                            std::size_t k, std::size_t j) {
  const Real* const from = v.from(j);
#pragma omp simd
  for (std::size_t i = 0; i < line; ++i) out[i] = in[k + i] + from[i];
}

/// The same with streaming stores to its place in `out`.
[[gnu::always_inline]] inline void stream_sums(const Real* in, const Wrapped& v, Real* out,
                                               std::size_t k, std::size_t j) {
  alignas(cache_line) Real results[line];
  add_line(in, v, results, k, j);
  stream_line(out + k, results);
}

}  // namespace
}  // namespace kernels::broadcast_add
