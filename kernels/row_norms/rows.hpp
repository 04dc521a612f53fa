// Rows for both CPU ladders: a long one alone, short ones together.
#pragma once

#include <cmath>
#include <cstddef>

#include "harness/workload/target.hpp"

namespace kernels::row_norms {
namespace {

constexpr std::size_t side_by_side = 8;
/// Rows of fewer elements are processed together.
constexpr std::size_t short_row = 2 * side_by_side;

/// Σ x², in eight independent sums that fill whole vectors.
inline double sum_of_squares(const Real* x, std::size_t n) {
  double sums[side_by_side] = {};
  std::size_t j = 0;
  for (; j + side_by_side <= n; j += side_by_side) {
#pragma omp simd
    for (std::size_t k = 0; k < side_by_side; ++k) {
      const double value = x[j + k];
      sums[k] += value * value;
    }
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  for (; j < n; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(x[j]);
  return sum;
}

inline Real norm(const Real* x, std::size_t n) {
  return static_cast<Real>(std::sqrt(sum_of_squares(x, n)));
}

constexpr std::size_t streams = 4;

/// The norms of four rows, which are read as four streams. Each is added as by norm().
inline void norms_in_streams(const Real* in, Real* out, std::size_t cols) {
  double sums[streams][side_by_side] = {};
  std::size_t j = 0;
  for (; j + side_by_side <= cols; j += side_by_side) {
    for (std::size_t row = 0; row < streams; ++row) {
#pragma omp simd
      for (std::size_t k = 0; k < side_by_side; ++k) {
        const double value = in[row * cols + j + k];
        sums[row][k] += value * value;
      }
    }
  }
  for (std::size_t row = 0; row < streams; ++row) {
    double sum = 0;
    for (const double part : sums[row]) sum += part;
    for (std::size_t rest = j; rest < cols; ++rest) {
      const double value = in[row * cols + rest];
      sum += value * value;
    }
    out[row] = static_cast<Real>(std::sqrt(sum));
  }
}

/// The norms of eight rows: eight independent sums, and roots by whole vectors.
inline void norms_side_by_side(const Real* in, Real* out, std::size_t cols) {
  double sums[side_by_side] = {};
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t k = 0; k < side_by_side; ++k) {
      const double value = in[k * cols + j];
      sums[k] += value * value;
    }
  }
  for (std::size_t k = 0; k < side_by_side; ++k) out[k] = static_cast<Real>(std::sqrt(sums[k]));
}

}  // namespace
}  // namespace kernels::row_norms
