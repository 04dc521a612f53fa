// Sums of squares by whole vectors, for both CPU ladders.
#pragma once

#include <cstddef>

#include "harness/workload/target.hpp"

namespace kernels::sum_of_squares {
namespace {

/// x² as a double: of a float, without a rounding error.
inline double square(Real x) {
  const double wide = x;
  return wide * wide;
}

constexpr std::size_t lanes = 64 / sizeof(Real);  // of a cache line
constexpr std::size_t at_once = 4;                // cache lines
constexpr std::size_t most_terms = 64;            // that a lane adds before it is emptied

/// The sum over n elements. Vectors that are added together are `distance` elements apart, and the
/// next ones `step` elements further on, up to `end`.
[[gnu::always_inline]] inline double sum_of_vectors(const Real* x, std::size_t n,
                                                    std::size_t distance, std::size_t step,
                                                    std::size_t end) {
  double total[lanes] = {};
  for (std::size_t begin = 0; begin < end; begin += most_terms * step) {
    const std::size_t block = end - begin < most_terms * step ? end - begin : most_terms * step;
    Real lane[at_once][lanes] = {};
    for (std::size_t first = begin; first < begin + block; first += step) {
      for (std::size_t k = 0; k < at_once; ++k) {
        const Real* const line = x + first + k * distance;
#pragma omp simd
        for (std::size_t i = 0; i < lanes; ++i) lane[k][i] += line[i] * line[i];
      }
    }
    for (const auto& one : lane) {
#pragma omp simd
      for (std::size_t i = 0; i < lanes; ++i) total[i] += one[i];
    }
  }
  double sum = 0;
  for (const double one : total) sum += one;
  for (std::size_t i = n - n % (at_once * lanes); i < n; ++i) sum += square(x[i]);
  return sum;
}

/// Four cache lines that follow each other, then the next four.
inline double sum_of_neighbours(const Real* x, std::size_t n) {
  constexpr std::size_t step = at_once * lanes;
  return sum_of_vectors(x, n, lanes, step, n - n % step);
}

/// A cache line of each quarter of the elements, then the next one of each.
inline double sum_of_streams(const Real* x, std::size_t n) {
  const std::size_t quarter = n / (at_once * lanes) * lanes;
  return sum_of_vectors(x, n, quarter, lanes, quarter);
}

}  // namespace
}  // namespace kernels::sum_of_squares
