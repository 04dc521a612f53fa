// A pulse as both CPU ladders compute it.
#pragma once

#include <cmath>
#include <cstddef>

#include "harness/simd/math.hpp"
#include "kernels/streaming.hpp"

namespace kernels::pulse_train {
namespace {

/// The literal 0.3 is a double: expressions with it would be computed in f64.
constexpr auto threshold = static_cast<Real>(0.3);

/// The part of a sine that is above the threshold.
inline Real above(Real sine) {
  const Real height = sine - threshold;
  return height > 0 ? height : 0;
}

/// The pulse at i, by the mathematical library.
inline Real pulse_at(std::size_t i, Real amplitude, Real period) {
  return amplitude * above(std::sin(static_cast<Real>(i) / period));
}

/// The same at first + k, without branches or calls, with a product instead of a quotient: one more
/// rounding, a dozen cycles less. AVX2 has no conversion of size_t. The sum of doubles is exact,
/// and rounded once.
inline Real vector_pulse_at(double first, int k, Real amplitude, Real frequency) {
  const auto t = static_cast<Real>(first + k);
  return amplitude * above(vector_sin(t * frequency));
}

constexpr std::size_t piece = 4096;  ///< elements whose indices differ by an int

/// Vectorised: `count` elements from here on, with the indices first, first + 1, …
[[gnu::always_inline]] inline void vector_pulses(const Real* noise, Real* wave, std::size_t first,
                                                 int count, Real amplitude, Real period) {
  const auto begin = static_cast<double>(first);
  const Real frequency = 1 / period;
#pragma omp simd
  for (int k = 0; k < count; ++k) {
    wave[k] = vector_pulse_at(begin, k, amplitude, frequency) + noise[k];
  }
}

/// The line that starts at `first`, with streaming stores.
inline void stream_pulses(const Real* noise, Real* wave, std::size_t first, Real amplitude,
                          Real period) {
  alignas(cache_line) Real results[line];
  vector_pulses(noise + first, results, first, static_cast<int>(line), amplitude, period);
  stream_line(wave + first, results);
}

}  // namespace
}  // namespace kernels::pulse_train
