// The density as both CPU ladders compute it on vectors.
#pragma once

#include "harness/simd/math.hpp"
#include "harness/workload/target.hpp"

namespace kernels::gaussian_pdf {
namespace {

constexpr Real sqrt_two_pi = static_cast<Real>(2.5066282746310005);

/// The density at x, without branches, for factors that are the same for all x. The rounding error
/// r of z² is corrected: exp(a + r) ≈ exp(a)·(1 + r). Without FMA it is unknown, and counts as 0.
inline Real density(Real x, Real mu, Real inverse_sigma, Real scale) {
  const Real z = (x - mu) * inverse_sigma;
  const Real square = z * z;
  const Real lost = square < 2000 ? mul_add(z, z, -square) : 0;  // beyond, the density is gone
  const Real power = scale * vector_exp(square * static_cast<Real>(-0.5));
  return mul_add(power * lost, static_cast<Real>(-0.5), power);
}

}  // namespace
}  // namespace kernels::gaussian_pdf
