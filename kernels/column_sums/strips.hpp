// Shared by both CPU ladders: rows added to totals, and results from totals.
#pragma once

#include <cstddef>

#include "harness/workload/target.hpp"
#include "kernels/column_sums/column_sums.hpp"

namespace kernels::column_sums {
namespace {

/// Columns of a strip: their totals are 32 KB, about the size of an L1 cache. Strips of 1024 and
/// 2048 columns leave room for the rows, but are slower: the hardware prefetcher restarts at each
/// row of a strip.
constexpr std::size_t strip = 4096;

/// The columns of the strip that starts at column `left`.
inline std::size_t width_of(std::size_t left, std::size_t cols) {
  return cols - left < strip ? cols - left : strip;
}

inline void clear(double* totals, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) totals[j] = 0;
}

inline void add_row(const Real* row, std::size_t n, double* totals) {
#pragma omp simd
  for (std::size_t j = 0; j < n; ++j) totals[j] += row[j];
}

/// Rows of n elements, `pitch` apart. Eight at a time are added in Real first, so that each total
/// is converted, loaded and stored once for eight elements.
inline void add_rows(const Real* in, std::size_t rows, std::size_t pitch, std::size_t n,
                     double* totals) {
  std::size_t i = 0;
  for (; i + 8 <= rows; i += 8) {
    const Real* const eight = in + i * pitch;
#pragma omp simd
    for (std::size_t j = 0; j < n; ++j) {
      Real sum = eight[j];
      for (std::size_t k = 1; k < 8; ++k) sum += eight[k * pitch + j];
      totals[j] += sum;
    }
  }
  for (; i < rows; ++i) add_row(in + i * pitch, n, totals);
}

/// The result of a column. A sum of eight in Real may overflow though the column's sum does not.
/// The total is then infinite or NaN, and the column is added again in double.
inline Real result_of(double total, const Real* in, std::size_t rows, std::size_t cols,
                      std::size_t column) {
  if (__builtin_isfinite(total)) return static_cast<Real>(total);
  total = 0;
  for (std::size_t i = 0; i < rows; ++i) total += in[i * cols + column];
  return static_cast<Real>(total);
}

}  // namespace
}  // namespace kernels::column_sums
