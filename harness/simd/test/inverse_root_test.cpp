#include "harness/simd/inverse_root.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bench::simd {
namespace {

template <class Real>
void expect_as_many_bits() {
  const double least = std::ldexp(1.0, -inverse_root_bits);
  constexpr int steps = 12'486;  // to 0.9e37
  for (int step = 0; step < steps; ++step) {
    const double at = 1.5e-37 * std::pow(1.0137, step);
    Vector<Real> v{};
    for (std::size_t k = 0; k < lanes<Real>; ++k) {
      v[k] = static_cast<Real>(at * (1 + 0.001 * static_cast<double>(k)));
    }
    const Vector<Real> y = approximate_inverse_root(v);
    for (std::size_t k = 0; k < lanes<Real>; ++k) {
      const double exact = 1 / std::sqrt(static_cast<double>(v[k]));
      ASSERT_LE(std::abs(static_cast<double>(y[k]) / exact - 1), least) << v[k];
    }
  }
}

TEST(InverseRoot, HasAsManyBitsAsItSaysInSinglePrecision) { expect_as_many_bits<float>(); }
TEST(InverseRoot, HasAsManyBitsAsItSaysInDoublePrecision) { expect_as_many_bits<double>(); }

// What corrects it relies on a small error, not on an accurate root.
TEST(InverseRoot, ANewtonStepDoublesTheBits) {
  constexpr int steps = 145;  // to 1e3
  for (int step = 0; step < steps; ++step) {
    const double at = 1e-3 * std::pow(1.1, step);
    const Vector<double> v = Vector<double>{} + at;
    const Vector<double> y = approximate_inverse_root(v);
    const Vector<double> better = y * (1.5 - 0.5 * v * y * y);
    EXPECT_LE(std::abs(better[0] * std::sqrt(at) - 1), std::ldexp(2.0, -2 * inverse_root_bits));
  }
}

}  // namespace
}  // namespace bench::simd
