// p as both CPU ladders compute it.
#pragma once

#include <cmath>
#include <cstddef>

#include "kernels/reach.hpp"

namespace kernels::sin_cos {
namespace {

/// What chunks are computed of.
struct Map {
  const Real* x;
  const Real* y;

  /// The larger angle. A NaN may be left out: the product is NaN, whatever the other angle is.
  Real angle(std::size_t i) const {
    const Real a = std::abs(x[i]);
    const Real b = std::abs(y[i]);
    return a > b ? a : b;
  }
  Real vector(std::size_t i) const { return vector_sin(x[i]) * vector_cos(y[i]); }
  Real library(std::size_t i) const { return std::sin(x[i]) * std::cos(y[i]); }
};

}  // namespace
}  // namespace kernels::sin_cos
