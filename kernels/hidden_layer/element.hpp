// tanh as both CPU ladders compute it.
#pragma once

#include <cmath>

#include "harness/simd/math.hpp"
#include "harness/workload/target.hpp"

namespace kernels::hidden_layer {
namespace {

/// The formula as it stands: ∞/∞ is NaN where e^|v| is beyond the largest number.
inline Real tanh_by_formula(Real v) {
  return (std::exp(v) - std::exp(-v)) / (std::exp(v) + std::exp(-v));
}

/// The same divided by e^|v| above and below, for every v: e^(−2|v|) is never large.
inline Real tanh_by_one(Real v) {
  const Real e = std::exp(-2 * std::abs(v));
  return std::copysign((1 - e) / (1 + e), v);
}

/// Likewise, without a call.
inline Real vector_tanh(Real v) {
  const Real e = vector_exp(-2 * std::abs(v));
  return std::copysign((1 - e) / (1 + e), v);
}

}  // namespace
}  // namespace kernels::hidden_layer
