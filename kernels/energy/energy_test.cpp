#include "kernels/energy/energy.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::energy {
namespace {

TEST(Energy, KnownValues) {
  // E(0) = 1; E(π) = √π + exp(−π²/50); for large x the exponential vanishes.
  const double pi = std::acos(-1.0);
  test::for_each_variant<double>(
      workload, {.cols = 3}, {{0.0, pi, -400.0}}, [&](const std::vector<double>& energy) {
        EXPECT_DOUBLE_EQ(energy[0], 1.0);
        EXPECT_NEAR(energy[1], std::sqrt(pi) + std::exp(-pi * pi / 50), 1e-15);
        EXPECT_NEAR(energy[2], std::sin(400.0) * std::sin(400.0) + 20, 1e-13);
      });
}

/// x over the course's range: evenly, and the floats next to the multiples of π/2, where the
/// reduced argument of the sine has the fewest exact bits.
template <class Real>
std::vector<Real> hard_arguments() {
  std::vector<Real> x;
  for (int i = 0; i < 200'000; ++i) x.push_back(static_cast<Real>(i * 0.005));
  const double half_pi = std::acos(0.0);
  for (int k = 1; k * half_pi < 1000; ++k) {
    const auto near = static_cast<Real>(k * half_pi);
    x.insert(x.end(), {std::nextafter(near, Real{0}), near, std::nextafter(near, Real{2000})});
  }
  return x;
}

template <class Real>
void expect_within_tolerance() {
  const std::vector<Real> x = hard_arguments<Real>();
  test::for_each_verified<Real>(workload, {.cols = x.size()}, {x});
}

TEST(Energy, WholeRangeInSinglePrecision) { expect_within_tolerance<float>(); }
TEST(Energy, WholeRangeInDoublePrecision) { expect_within_tolerance<double>(); }

/// Inputs for which the branch-free sine has no digit left, next to others: at both ends, in the
/// middle.
template <class Real>
void expect_right_for_huge_arguments() {
  std::vector<Real> x(5000, Real{1});
  const Real most = std::numeric_limits<Real>::max();
  for (const std::size_t i : {0U, 100U, 4999U}) x[i] = static_cast<Real>(1e7);
  x[2000] = -most;
  x[2001] = static_cast<Real>(3e30);
  test::for_each_verified<Real>(workload, {.cols = x.size()}, {x});
}

TEST(Energy, HugeArgumentsInSinglePrecision) { expect_right_for_huge_arguments<float>(); }
TEST(Energy, HugeArgumentsInDoublePrecision) { expect_right_for_huge_arguments<double>(); }

TEST(Energy, NaNStaysNaN) {
  test::for_each_variant<float>(
      workload, {.cols = 1}, {{std::nanf("")}},
      [](const std::vector<float>& energy) { EXPECT_TRUE(std::isnan(energy[0])); });
}

}  // namespace
}  // namespace kernels::energy
