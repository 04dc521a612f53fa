// E(x) as both CPU ladders compute it.
#pragma once

#include <cmath>
#include <cstddef>

#include "kernels/reach.hpp"

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

/// What chunks are computed of.
struct Map {
  const Real* x;

  Real angle(std::size_t i) const { return std::abs(x[i]); }
  Real vector(std::size_t i) const { return vector_energy(x[i]); }
  Real library(std::size_t i) const { return energy_of(x[i]); }
};

}  // namespace
}  // namespace kernels::energy
