// Several steps of a strip of columns in one pass, for both CPU ladders.
#pragma once

#include <cstddef>

#include "kernels/stencil/steps.hpp"

namespace kernels::stencil {
namespace {

constexpr std::size_t most_levels = 8;
constexpr std::size_t strip = 16384 / sizeof(Real);  // columns; of all levels L2 has four rows
constexpr std::size_t width = strip + 2 * line;      // with what it takes of its neighbours

/// How many passes take these steps, and how many of them a pass takes; the first is 1.
inline std::size_t passes_of(std::size_t steps) { return (steps + most_levels - 1) / most_levels; }
inline std::size_t steps_of(std::size_t pass, std::size_t steps) {
  const std::size_t passes = passes_of(steps);
  return steps * pass / passes - steps * (pass - 1) / passes;
}

/// Rows or columns of a plate, from `begin` to before `end`.
struct Range {
  std::size_t begin;
  std::size_t end;

  bool contains(std::size_t i) const { return begin <= i && i < end; }
  /// The same with as many more on either side, of the n that there are.
  Range wider(std::size_t more, std::size_t n) const {
    return {begin > more ? begin - more : 0, n - end > more ? end + more : n};
  }
};

inline Range strip_from(std::size_t left, std::size_t cols) {
  return {left, cols - left < strip ? cols : left + strip};
}

/// A part of a plate on its way through several steps, its levels: level 0 is `from`, the last one
/// `to`. Of those between them four rows are kept.
class Levels {
 public:
  Levels(const Real* from, Real* to, std::size_t rows, std::size_t cols, std::size_t levels)
      : from_(from), to_(to), rows_(rows), cols_(cols), levels_(levels) {}

  /// These rows and columns after all steps. Two rows of each level in turn, a row behind those of
  /// the level before, which must be there with the next one.
  void advance(Range rows, Range cols) {
    left_ = cols.wider(line, cols_).begin;
    const std::size_t end = rows.end + levels_;
    for (std::size_t front = rows.wider(levels_, rows_).begin; front < end; front += 2) {
      for (std::size_t level = 1; level <= levels_ && level <= front + 1; ++level) {
        const std::size_t more = levels_ - level;
        step(level, front - level, rows.wider(more, rows_), cols.wider(more, cols_));
      }
    }
  }

 private:
  /// Rows i and i + 1, as far as they are wanted; the one before row 0 never is.
  void step(std::size_t level, std::size_t i, Range rows, Range cols) {
    if (i == 0 || !rows.contains(i) || !rows.contains(i + 1) || i + 2 == rows_) {
      if (rows.contains(i)) step_one(level, i, cols);
      if (rows.contains(i + 1)) step_one(level, i + 1, cols);
      return;
    }
    const Range inner = without_edges(level, i, cols);
    without_edges(level, i + 1, cols);
    const auto part = [&](std::size_t begin, std::size_t end) {
      step_pair({before(level, i - 1), before(level, i), before(level, i + 1), before(level, i + 2),
                 after(level, i), after(level, i + 1)},
                begin, end);
    };
    const std::size_t line_end = (inner.begin + line - 1) / line * line;
    const std::size_t aligned = line_end < inner.end ? line_end : inner.end;
    part(inner.begin, aligned);
    part(aligned, inner.end);
  }

  void step_one(std::size_t level, std::size_t i, Range cols) {
    const Real* const here = before(level, i);
    Real* const to = after(level, i);
    if (i == 0 || i + 1 == rows_) {
      return copy(here + cols.begin - left_, to + cols.begin - left_, cols.end - cols.begin);
    }
    const Range inner = without_edges(level, i, cols);
    step_part(before(level, i - 1), here, before(level, i + 1), to, inner.begin, inner.end);
  }

  /// Copies what of a row is at an edge; the columns of the rest, from `left_` on.
  Range without_edges(std::size_t level, std::size_t i, Range cols) {
    const Real* const here = before(level, i);
    Real* const to = after(level, i);
    Range inner{cols.begin - left_, cols.end - left_};
    if (cols.begin == 0) to[inner.begin++] = here[0];
    if (cols.end == cols_ && inner.end > inner.begin) {
      --inner.end;
      to[inner.end] = here[inner.end];
    }
    return inner;
  }

  const Real* before(std::size_t level, std::size_t i) const {
    return level == 1 ? from_ + i * cols_ + left_ : kept_[level - 2][i % 4];
  }
  Real* after(std::size_t level, std::size_t i) {
    return level == levels_ ? to_ + i * cols_ + left_ : kept_[level - 1][i % 4];
  }

  const Real* from_;
  Real* to_;
  std::size_t rows_;
  std::size_t cols_;
  std::size_t levels_;
  std::size_t left_ = 0;  // the first column that is kept
  alignas(cache_line) Real kept_[most_levels - 1][4][width];
};

}  // namespace
}  // namespace kernels::stencil
