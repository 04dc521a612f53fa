// E(x) as both CPU ladders compute it.
#pragma once

#include <cmath>
#include <cstddef>

#include "harness/simd/math.hpp"
#include "kernels/streaming.hpp"

namespace kernels::energy {
namespace {

/// E(x) by the mathematical library, for every x.
inline Real energy_of(Real x) {
  const Real sine = std::sin(x);
  return sine * sine + std::sqrt(std::abs(x)) + std::exp(-x * x / 50);
}

/// E(x) without branches or calls, for |x| ≤ sin_reach: compilers vectorise a loop of it.
inline Real vector_energy(Real x) {
  const Real sine = vector_sin_unsigned(x);
  return mul_add(sine, sine, std::sqrt(std::abs(x))) + vector_exp(x * x * static_cast<Real>(-0.02));
}

constexpr std::size_t chunk = 256 * line;  // elements

/// The results of whole lines, with streaming stores. If an x is too large for the short reduction
/// of the sine, the library computes its chunk again. The check costs next to nothing per chunk.
inline void stream_chunk(const Real* x, Real* energy, std::size_t n) {
  Real largest[line] = {};
  for (std::size_t first = 0; first < n; first += line) {
    alignas(cache_line) Real results[line];
#pragma omp simd
    for (std::size_t i = 0; i < line; ++i) {
      const Real size = std::abs(x[first + i]);
      largest[i] = size > largest[i] ? size : largest[i];
      results[i] = vector_energy(x[first + i]);
    }
    stream_line(energy + first, results);
  }
  bool within_reach = true;
  for (const Real size : largest) within_reach = within_reach && size <= sin_reach<Real>;
  if (within_reach) return;
  stream_fence();
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

}  // namespace
}  // namespace kernels::energy
