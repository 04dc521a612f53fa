// tanh as both CPU ladders compute it.
#pragma once

#include <cmath>

#include "harness/simd/math.hpp"
#include "harness/workload/target.hpp"

namespace kernels::hidden_layer {
namespace {

/// The formula as it is written: ∞/∞ is NaN if e^|v| overflows.
inline Real tanh_by_formula(Real v) {
  return (std::exp(v) - std::exp(-v)) / (std::exp(v) + std::exp(-v));
}

/// Numerator and denominator divided by e^|v|, for every v: e^(−2|v|) does not overflow.
inline Real tanh_by_one(Real v) {
  const Real e = std::exp(-2 * std::abs(v));
  return std::copysign((1 - e) / (1 + e), v);
}

/// The same without a call.
inline Real vector_tanh(Real v) {
  const Real e = vector_exp(-2 * std::abs(v));
  return std::copysign((1 - e) / (1 + e), v);
}

}  // namespace
}  // namespace kernels::hidden_layer
