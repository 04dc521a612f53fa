#include "kernels/sum_of_squares/sum_of_squares.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::sum_of_squares {
namespace {

using bench::BoundVariant;
using test::dtype_of;

template <class Real>
std::vector<Real> course_data(std::size_t n) {
  return test::course_data<Real>(workload, {.cols = n}).front();
}

template <class Real>
bench::Verdict verdict_of(std::vector<Real> x, double sum) {
  return workload.make(dtype_of<Real>, {.cols = x.size()})->check({{x.data()}, &sum});
}

template <class Real>
double definition(std::vector<Real> x) {
  return workload.make(dtype_of<Real>, {.cols = x.size()})->wanted({{x.data()}}, 1).at(0);
}

/// All variants are within what the check allows.
template <class Real>
void expect_right(const std::vector<Real>& x) {
  test::for_each_verified<Real, double>(workload, {.cols = x.size()}, {x});
}

// math.fsum(x·x) of NumPy's x = np.random.uniform(0, 1, n), cast to Real.
TEST(SumOfSquares, KnownSums) {
  EXPECT_EQ(definition(course_data<float>(1'000)), 325.61038200192587);
  EXPECT_EQ(definition(course_data<float>(1'000'000)), 333619.35300554644);
  EXPECT_EQ(definition(course_data<double>(1'000)), 325.61038208072785);
  EXPECT_EQ(definition(course_data<double>(1'000'000)), 333619.35303095053);
}

TEST(SumOfSquares, EveryVariantOnTheCoursesData) {
  expect_right(course_data<float>(1'000));
  expect_right(course_data<double>(1'000));
  expect_right(course_data<float>(100'003));
  expect_right(course_data<double>(100'003));
}

template <class Real>
void expect_sum(const std::vector<Real>& x, double expected) {
  test::for_each_variant<Real, double>(
      workload, {.cols = x.size()}, {x},
      [&](const std::vector<double>& sum) { EXPECT_EQ(sum.at(0), expected); });
}

TEST(SumOfSquares, NoneAndOne) {
  expect_sum<float>({}, 0);
  expect_sum<double>({}, 0);
  expect_sum<float>({-3}, 9);
  expect_sum<double>({0.1}, 0.1 * 0.1);
}

// Every element counts once, whatever its position.
TEST(SumOfSquares, LeavesNothingOut) {
  for (const std::size_t at : {0U, 15U, 16U, 63U, 64U, 255U, 256U, 4095U, 4096U, 5001U, 5002U}) {
    std::vector<float> x(5003, 0);
    x[at] = -2;
    expect_sum(x, 4);
  }
}

// Integers are exact in any order, as long as each float holds only some of them.
TEST(SumOfSquares, WholeNumbersAreExact) {
  std::vector<float> x;
  double expected = 0;
  for (int i = 0; i < 30'011; ++i) {
    x.push_back(static_cast<float>(i % 100));
    expected += i % 100 * (i % 100);
  }
  expect_sum(std::vector<double>(x.begin(), x.end()), expected);
  for (const bool shuffled : bench::test::thread_orders) {
    bench::test::shuffle_threads(shuffled);
    expect_sum(x, expected);
  }
  bench::test::shuffle_threads(false);
}

// The lanes are fullest, and each addition to a total rounds in the same direction.
TEST(SumOfSquares, EqualNumbers) {
  expect_right(std::vector<float>(100'003, 0.1F));
  expect_right(std::vector<double>(1'003, 0.1));
}

TEST(SumOfSquares, WhatIsNoNumberShows) {
  std::vector<float> x(1003, 1);
  x[700] = std::numeric_limits<float>::infinity();
  expect_sum(x, std::numeric_limits<double>::infinity());
  x[3] = std::nanf("");
  test::for_each_variant<float, double>(
      workload, {.cols = x.size()}, {x},
      [](const std::vector<double>& sum) { EXPECT_TRUE(std::isnan(sum.at(0))); });
}

// More blocks than there is workspace for.
TEST(SumOfSquares, MoreBlocksThanPartialSums) {
  const std::vector<float> x(20'021, 1);
  bench::cuda::override_configuration({.block = 1, .grid = 4097});
  expect_sum(x, 20'021);
  bench::cuda::override_configuration({});
}

// ---- deliberately wrong ----

template <class Real>
double float_total(std::vector<Real> x) {
  double sum = 0;
  std::vector<double> partial(partials);
  for (const BoundVariant& rung :
       workload.make(dtype_of<Real>, {.cols = x.size()})->rungs(bench::simd::Isa::baseline)) {
    if (!rung.wrong) continue;
    EXPECT_EQ(rung.backend + "/" + rung.variant, "serial/float_total");
    rung.run({{x.data()}, &sum, {partial.data()}});
  }
  return sum;
}

TEST(SumOfSquares, AFloatTotalIsRefused) {
  const std::vector<float> x = course_data<float>(1'000'000);
  const bench::Verdict verdict = verdict_of(x, float_total(x));
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.metric, "eps");
  EXPECT_GT(verdict.max_error, 1000);
  EXPECT_TRUE(verdict.reason.text.starts_with("the result is wrong: 33")) << verdict.reason.text;
  const std::vector<double> wide = course_data<double>(1'000);
  EXPECT_FALSE(verdict_of(wide, float_total(wide)).passed);
}

TEST(SumOfSquares, AFloatTotalOfFewIsNotFarOff) {
  const std::vector<float> x = course_data<float>(1'000);
  EXPECT_TRUE(verdict_of(x, float_total(x)).passed);
}

TEST(SumOfSquares, ElementsLeftOutAreRefused) {
  const std::vector<float> x(1'000'000, 1);
  EXPECT_TRUE(verdict_of(x, 1'000'000).passed);
  EXPECT_FALSE(verdict_of(x, 1'000'000 - 10).passed);  // up to 7 are within the rounding
  const std::vector<double> wide(1'000'000, 1);
  EXPECT_FALSE(verdict_of(wide, 999'999).passed);
}

}  // namespace
}  // namespace kernels::sum_of_squares
