#include "kernels/multiply_add/multiply_add.hpp"

#include <cmath>
#include <functional>

#include "kernels/test_support.hpp"

namespace kernels::multiply_add {
namespace {

TEST(MultiplyAdd, KnownValues) {
  // 2 is the fixed point. Of any other distance to it a constant share is left.
  const double left = std::pow(511.0 / 512, 512);
  test::for_each_variant<double>(workload, {.cols = 3}, {{2.0, 0.0, 1e6}},
                                 [&](const std::vector<double>& y) {
                                   EXPECT_EQ(y[0], 2.0);
                                   EXPECT_NEAR(y[1], 2 - 2 * left, 1e-13);
                                   EXPECT_NEAR(y[2], 2 + (1e6 - 2) * left, 1e-7);
                                 });
}

template <class Real>
Real stepped(Real v, unsigned times) {
  for (unsigned step = 0; step < times; ++step) {
    v = std::fma(v, static_cast<Real>(factor), static_cast<Real>(summand));
  }
  return v;
}

/// What the check says where every result is `wrong(x)` of its input.
template <class Real>
bench::Verdict verdict_of(const std::function<Real(Real)>& result) {
  const bench::Shape shape{.cols = 1'000};
  std::vector<Real> x = test::course_data<Real>(workload, shape).at(0);
  std::vector<Real> y;
  for (const Real one : x) y.push_back(result(one));
  return workload.make(test::dtype_of<Real>, shape)->check({{x.data()}, y.data()});
}

template <class Real>
void expect_every_step_to_count() {
  const auto after = [](unsigned times) {
    return verdict_of<Real>([times](Real x) { return stepped(x, times); });
  };
  EXPECT_TRUE(after(steps).passed);
  for (const unsigned times : {steps - 1, steps + 1}) {
    const bench::Verdict verdict = after(times);
    EXPECT_FALSE(verdict.passed);
    EXPECT_NE(verdict.reason.text.find("1000 of 1000"), std::string::npos) << verdict.reason.text;
  }
}

TEST(MultiplyAdd, TheCheckTellsOneStepLessAndOneMore) {
  expect_every_step_to_count<float>();
  expect_every_step_to_count<double>();
}

TEST(MultiplyAdd, TheCheckTellsAResultOfOtherInput) {
  EXPECT_FALSE(verdict_of<float>([](float) { return stepped(0.5F, steps); }).passed);
  EXPECT_FALSE(verdict_of<float>([](float x) { return stepped(x + 0x1p-9F, steps); }).passed);
  EXPECT_FALSE(
      verdict_of<double>([](double x) { return stepped(static_cast<float>(x), steps); }).passed);
}

// A block at the end overlaps the one before it: each result is still that of its own input.
TEST(MultiplyAdd, WhatDoesNotFillABlockIsDoneAsWell) {
  for (const std::size_t n : {191U, 192U, 193U, 383U, 384U, 385U, 577U}) {
    const bench::Shape shape{.cols = n};
    test::for_each_verified<float>(workload, shape, test::course_data<float>(workload, shape));
  }
}

}  // namespace
}  // namespace kernels::multiply_add
