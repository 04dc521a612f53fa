// A step of one row, or of two, for both CPU ladders.
#pragma once

#include <cstddef>

#include "kernels/stencil/stencil.hpp"
#include "kernels/streaming.hpp"

namespace kernels::stencil {
namespace {

constexpr Real c = static_cast<Real>(conduction);

/// Where a step leads to, so that the last one leads to `out`.
inline Real* plate_after(std::size_t step, std::size_t steps, Real* out, Real* spare) {
  return (steps - step) % 2 == 0 ? out : spare;
}

inline void copy(const Real* from, Real* to, std::size_t n) {
#pragma omp simd
  for (std::size_t j = 0; j < n; ++j) to[j] = from[j];
}

/// Element j of a row a step later; `up` and `down` are the rows next to it. The sum of stencil.hpp
/// in six operations instead of seven: what is kept of u, and what comes from around it.
[[gnu::always_inline]] inline Real next(const Real* up, const Real* here, const Real* down,
                                        std::size_t j) {
  return (1 - 4 * c) * here[j] + c * (up[j] + down[j] + (here[j - 1] + here[j + 1]));
}

/// The elements begin … end of a row a step later.
inline void step_part(const Real* up, const Real* here, const Real* down, Real* to,
                      std::size_t begin, std::size_t end) {
#pragma omp simd
  for (std::size_t j = begin; j < end; ++j) to[j] = next(up, here, down, j);
}

/// Row i of a plate a step later. An edge stays as it is.
inline void step_row(const Real* from, Real* to, std::size_t i, std::size_t rows,
                     std::size_t cols) {
  const Real* const here = from + i * cols;
  Real* const row = to + i * cols;
  if (i == 0 || i + 1 == rows || cols < 3) return copy(here, row, cols);
  row[0] = here[0];
  step_part(here - cols, here, here + cols, row, 1, cols - 1);
  row[cols - 1] = here[cols - 1];
}

/// Two rows, those next to them, and where they are a step later.
struct Pair {
  const Real* up;
  const Real* first;
  const Real* second;
  const Real* down;
  Real* to_first;
  Real* to_second;
};

/// The elements begin … end of both rows a step later: each that is loaded serves for both.
inline void step_pair(Pair p, std::size_t begin, std::size_t end) {
#pragma omp simd
  for (std::size_t j = begin; j < end; ++j) {
    p.to_first[j] = next(p.up, p.first, p.second, j);
    p.to_second[j] = next(p.first, p.second, p.down, j);
  }
}

/// step_part() by streaming stores; the caller must call stream_fence().
inline void stream_part(const Real* up, const Real* here, const Real* down, Real* to,
                        std::size_t begin, std::size_t end) {
  const auto element = [=](std::size_t k) { return next(up, here, down, begin + k); };
  const Lines lines = store_ends(to + begin, end - begin, element);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(to + begin, first, element);
  }
}

/// step_pair() by streaming stores; the caller must call stream_fence(). Lines of one row are
/// written after those of the other, from the cache: two streams of lines at a time are slow. What
/// later rows take from memory is asked for early.
inline void stream_pair(Pair p, std::size_t begin, std::size_t end) {
  constexpr std::size_t piece = 4 * line;
  const std::size_t to_line = elements_before_line(p.to_first + begin);
  if (to_line != elements_before_line(p.to_second + begin) || to_line > end - begin) {
    stream_part(p.up, p.first, p.second, p.to_first, begin, end);
    return stream_part(p.first, p.second, p.down, p.to_second, begin, end);
  }
  const std::size_t first = begin + to_line;
  const std::size_t last = end - (end - first) % line;
  const auto ahead = 4 * (p.down - p.second);
  step_pair(p, begin, first);
  for (std::size_t from = first; from < last; from += piece) {
    const std::size_t count = last - from < piece ? last - from : piece;
    alignas(cache_line) Real rows[2][piece];
    for (std::size_t k = 0; k < count; k += line) {
      __builtin_prefetch(p.second + ahead + from + k);
      __builtin_prefetch(p.down + ahead + from + k);
#pragma omp simd
      for (std::size_t i = k; i < k + line; ++i) {
        rows[0][i] = next(p.up, p.first, p.second, from + i);
        rows[1][i] = next(p.first, p.second, p.down, from + i);
      }
    }
    for (std::size_t k = 0; k < count; k += line) stream_line(p.to_first + from + k, rows[0] + k);
    for (std::size_t k = 0; k < count; k += line) stream_line(p.to_second + from + k, rows[1] + k);
  }
  step_pair(p, last, end);
}

/// Rows i and i + 1 of a plate a step later; part(pair, begin, end) does what is not at an edge.
template <class Part>
[[gnu::always_inline]] inline void step_rows(const Real* from, Real* to, std::size_t i,
                                             std::size_t rows, std::size_t cols, Part part) {
  if (i == 0 || i + 2 >= rows || cols < 3) {
    step_row(from, to, i, rows, cols);
    if (i + 1 < rows) step_row(from, to, i + 1, rows, cols);
    return;
  }
  const Real* const here = from + i * cols;
  Real* const there = to + i * cols;
  part({here - cols, here, here + cols, here + 2 * cols, there, there + cols}, 1, cols - 1);
  for (std::size_t at = 0; at < 2 * cols; at += cols) {
    there[at] = here[at];
    there[at + cols - 1] = here[at + cols - 1];
  }
}

}  // namespace
}  // namespace kernels::stencil
