// A pulse as both CPU ladders compute it.
#pragma once

#include <cmath>
#include <cstddef>

#include "harness/simd/math.hpp"
#include "kernels/streaming.hpp"

namespace kernels::pulse_train {
namespace {

/// 0.3 as it stands is a double: all that it meets would be computed in f64, too.
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

/// Likewise at first + k, without branches or calls, by a product instead of a quotient: one
/// rounding more, a dozen cycles less. No instruction of AVX2 converts a size_t; the sum of doubles
/// is exact, and rounded once.
inline Real vector_pulse_at(double first, int k, Real amplitude, Real frequency) {
  const auto t = static_cast<Real>(first + k);
  return amplitude * above(vector_sin(t * frequency));
}

constexpr std::size_t piece = 4096;  ///< elements whose indices differ by an int

/// As vectors, `count` elements that begin here and have the indices first, first + 1, …
[[gnu::always_inline]] inline void vector_pulses(const Real* noise, Real* wave, std::size_t first,
                                                 int count, Real amplitude, Real period) {
  const auto begin = static_cast<double>(first);
  const Real frequency = 1 / period;
#pragma omp simd
  for (int k = 0; k < count; ++k) {
    wave[k] = vector_pulse_at(begin, k, amplitude, frequency) + noise[k];
  }
}

/// The line that begins at `first`, by streaming stores.
inline void stream_pulses(const Real* noise, Real* wave, std::size_t first, Real amplitude,
                          Real period) {
  alignas(cache_line) Real results[line];
  vector_pulses(noise + first, results, first, static_cast<int>(line), amplitude, period);
  stream_line(wave + first, results);
}

}  // namespace
}  // namespace kernels::pulse_train
