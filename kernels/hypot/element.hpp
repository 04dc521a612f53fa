// The formula of hypot as both CPU ladders vectorise it.
#pragma once

#include <cmath>
#include <limits>

#include "harness/workload/target.hpp"

namespace kernels::hypot {
namespace {

/// √(x² + y²) without branches: the larger one is factored out of the root.
inline Real length_of(Real a, Real b) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const Real x = std::abs(a);
  const Real y = std::abs(b);
  const Real large = x > y ? x : y;
  const Real small = x > y ? y : x;
  const Real ratio = small == large ? 1 : small / large;  // 0/0 and ∞/∞ among them
  const Real length = large * std::sqrt(1 + ratio * ratio);
  return x == infinity || y == infinity ? infinity : length;
}

}  // namespace
}  // namespace kernels::hypot
