// Mean and deviation from two sums, and their use, for both CPU ladders.
#pragma once

#include <cmath>
#include <cstddef>

#include "harness/workload/target.hpp"
#include "kernels/streaming.hpp"

namespace kernels::standardize {
namespace {

/// The sums of all elements: Σ(x − shift) and Σ(x − shift)². A shift from among the data avoids
/// cancellation: Σx² − (Σx)²/n loses all digits for data like 10⁶ ± 1.
struct Sums {
  double first = 0;
  double second = 0;
};

/// Turns an element into a result, by two subtractions and a product. The mean rounded to Real
/// would alone be too inexact where σ is small compared with it.
struct Scale {
  Real mean;
  Real rest;  ///< of the mean
  Real factor;

  Scale(const Sums& sums, double shift, std::size_t n) {
    const auto count = static_cast<double>(n);
    const double from_shift = sums.first / count;
    const double exact = shift + from_shift;
    const double variance = sums.second / count - from_shift * from_shift;
    mean = static_cast<Real>(exact);
    rest = static_cast<Real>(exact - static_cast<double>(mean));
    factor = static_cast<Real>(1 / std::sqrt(variance > 0 ? variance : 0));
  }

  Real operator()(Real x) const { return (x - mean - rest) * factor; }
};

/// x[0], if there is one.
inline double first_of(const Real* x, std::size_t n) { return n > 0 ? x[0] : 0; }

/// The naive loop.
inline void add_to(Sums& sums, double deviation) {
  sums.first += deviation;
  sums.second += deviation * deviation;
}

/// Sixteen accumulators of each kind in turn: vectors of doubles whose additions are independent.
[[gnu::always_inline]] inline Sums sums_of_vectors(const Real* x, std::size_t n, double shift) {
  constexpr std::size_t chains = 16;
  double first[chains] = {};
  double second[chains] = {};
  const std::size_t whole = n - n % chains;
  for (std::size_t begin = 0; begin < whole; begin += chains) {
#pragma omp simd
    for (std::size_t k = 0; k < chains; ++k) {
      const double deviation = x[begin + k] - shift;
      first[k] += deviation;
      second[k] += deviation * deviation;
    }
  }
  Sums sums;
  for (std::size_t k = 0; k < chains; ++k) {
    sums.first += first[k];
    sums.second += second[k];
  }
  for (std::size_t i = whole; i < n; ++i) add_to(sums, x[i] - shift);
  return sums;
}

}  // namespace
}  // namespace kernels::standardize
