#include "kernels/sin_cos/sin_cos.hpp"

#include <cmath>

#include "kernels/test_support.hpp"

namespace kernels::sin_cos {
namespace {

// As NumPy computes them from the same seed.
TEST(SinCos, KnownValues) {
  constexpr std::size_t n = 1'000'000;
  test::for_each_variant<float>(workload, {.cols = n},
                                test::course_data<float>(workload, {.cols = n}),
                                [](const std::vector<float>& product) {
                                  EXPECT_NEAR(product[0], -0.586131700, 1.2e-6);
                                  EXPECT_NEAR(product[1], 0.201125154, 1.2e-6);
                                  EXPECT_NEAR(product[2], -0.993040305, 1.2e-6);
                                });
}

/// Each variant for which these angles are not too large.
template <class Real>
void expect_right(std::vector<Real> x, std::vector<Real> y, bool within_half_a_turn) {
  const auto problem = workload.make(test::dtype_of<Real>, {.cols = x.size()});
  test::for_each_variant<Real>(
      workload, {.cols = x.size()}, {x, y},
      [&](std::vector<Real> product, const bench::BoundVariant& rung) {
        // The special function units are good within half a turn.
        if (rung.variant == "intrinsics" && !within_half_a_turn) return;
        const bench::Verdict verdict = problem->check({{x.data(), y.data()}, product.data()});
        EXPECT_TRUE(verdict.passed) << verdict.reason;
      });
}

/// Evenly over this number of turns, with the zeros and the extrema of both functions.
template <class Real>
void expect_right_over(double turns) {
  constexpr std::size_t n = 8'193;
  std::vector<Real> x(n);
  std::vector<Real> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = (static_cast<double>(i) / (n - 1) * 2 - 1) * turns * 2 * M_PI;
    x[i] = static_cast<Real>(angle);
    y[i] = static_cast<Real>(angle * 0.75);
  }
  expect_right(x, y, turns <= 0.5);
}

TEST(SinCos, AFewTurnsInSinglePrecision) { expect_right_over<float>(0.5); }
TEST(SinCos, ManyTurnsInSinglePrecision) { expect_right_over<float>(1'000); }
TEST(SinCos, ManyTurnsInDoublePrecision) { expect_right_over<double>(100'000); }

/// Inputs for which the branch-free functions have no digit left, in either input and next to
/// others.
template <class Real>
void expect_right_for_huge_angles(double huge) {
  constexpr std::size_t n = 5'000;
  std::vector<Real> x(n, Real{1});
  std::vector<Real> y(n, Real{2});
  for (const std::size_t i : {0U, 100U, 4999U}) x[i] = static_cast<Real>(huge);
  for (const std::size_t i : {1U, 2500U}) y[i] = static_cast<Real>(-huge);
  x[2500] = std::nanf("");  // next to a huge one
  expect_right(x, y, false);
}

TEST(SinCos, HugeAnglesInSinglePrecision) { expect_right_for_huge_angles<float>(2e8); }
TEST(SinCos, HugeAnglesInDoublePrecision) { expect_right_for_huge_angles<double>(1e17); }

TEST(SinCos, ZeroOneAndNaN) {
  test::for_each_variant<float>(workload, {.cols = 3}, {{0, -0.0F, std::nanf("")}, {0, 1, 0}},
                                [](const std::vector<float>& product) {
                                  EXPECT_EQ(product[0], 0);
                                  EXPECT_EQ(product[1], 0);
                                  EXPECT_TRUE(std::isnan(product[2]));
                                });
}

}  // namespace
}  // namespace kernels::sin_cos
