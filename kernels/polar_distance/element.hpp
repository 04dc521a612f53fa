// A distance as both CPU ladders compute it.
#pragma once

#include <cmath>

#include "harness/simd/math.hpp"
#include "harness/workload/target.hpp"

namespace kernels::polar_distance {
namespace {

/// Both points converted to Cartesian coordinates.
inline Real by_coordinates(Real rho_1, Real theta_1, Real rho_2, Real theta_2) {
  const Real x = rho_1 * std::cos(theta_1) - rho_2 * std::cos(theta_2);
  const Real y = rho_1 * std::sin(theta_1) - rho_2 * std::sin(theta_2);
  return std::sqrt(x * x + y * y);
}

/// √((ρ₁ − ρ₂)² + 4·ρ₁·ρ₂·s²): the law of cosines with 1 − cos φ = 2·sin²(φ/2). s is the sine of
/// half the angle between the points, with either sign.
inline Real from_half_angle(Real rho_1, Real rho_2, Real sine) {
  const Real difference = rho_1 - rho_2;
  return std::sqrt(difference * difference + 4 * rho_1 * rho_2 * (sine * sine));
}

inline Real by_half_angle(Real rho_1, Real theta_1, Real rho_2, Real theta_2) {
  return from_half_angle(rho_1, rho_2, std::sin((theta_1 - theta_2) / 2));
}

/// The same without a call.
inline Real vector_distance(Real rho_1, Real theta_1, Real rho_2, Real theta_2) {
  return from_half_angle(rho_1, rho_2, vector_sin_unsigned((theta_1 - theta_2) / 2));
}

}  // namespace
}  // namespace kernels::polar_distance
