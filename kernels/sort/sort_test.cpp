#include "kernels/sort/sort.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::sort {
namespace {

// np.random.seed(42); x = np.arange(0.0, 10.0, 0.01, dtype="f4"); np.random.shuffle(x)
TEST(Sort, SortsWhatNumPyShuffles) {
  const auto inputs = test::course_data<float>(workload, workload.course);
  EXPECT_EQ(inputs[0][0], 5.21F);
  EXPECT_EQ(inputs[0][1], 7.37F);
  EXPECT_EQ(inputs[0][2], 7.3999996F);
  EXPECT_EQ(inputs[0][3], 6.6F);
  EXPECT_EQ(inputs[0][4], 4.11F);
  test::for_each_variant<float>(workload, workload.course, inputs,
                                [](const std::vector<float>& out) {
                                  EXPECT_EQ(out[0], 0.0F);
                                  EXPECT_EQ(out[521], 5.21F);
                                  EXPECT_EQ(out[999], 999 * 0.01F);
                                });
}

template <class Real>
void expect_sorted(const std::vector<Real>& values) {
  std::vector<Real> wanted = values;
  std::sort(wanted.begin(), wanted.end());
  test::for_each_verified<Real>(workload, {.cols = values.size()}, {values},
                                [&](const std::vector<Real>& out) { EXPECT_EQ(out, wanted); });
}

template <class Real>
void expect_sorted_whatever_there_is() {
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  constexpr Real most = std::numeric_limits<Real>::max();
  constexpr Real least = std::numeric_limits<Real>::denorm_min();
  expect_sorted<Real>({});
  expect_sorted<Real>({3});
  expect_sorted<Real>({1, 0.5F, -0.0F, 0.0F, -2, inf, -inf, most, -most, least, -least, 0.0F, -1});
}

TEST(Sort, NegativeInfiniteAndTinyNumbersInSinglePrecision) {
  expect_sorted_whatever_there_is<float>();
}
TEST(Sort, NegativeInfiniteAndTinyNumbersInDoublePrecision) {
  expect_sorted_whatever_there_is<double>();
}

// Around tiles of 2048 and powers of two; descending, ascending, and with many equal elements.
TEST(Sort, OrdersAndLengths) {
  for (const std::size_t n : {2U, 3U, 5U, 64U, 1'000U, 2'047U, 2'048U, 2'049U, 4'097U}) {
    SCOPED_TRACE(n);
    std::vector<float> falling(n);
    for (std::size_t i = 0; i < n; ++i) falling[i] = static_cast<float>(n - i);
    expect_sorted(falling);
    std::vector<float> equal(n);
    for (std::size_t i = 0; i < n; ++i) equal[i] = static_cast<float>(i * 7 % 5) - 2;
    expect_sorted(equal);
  }
}

TEST(Sort, WhatIsNoPermutationIsRefused) {
  std::vector<float> in{1, -0.0F, 2};
  const auto problem = workload.make(bench::Dtype::f32, {.cols = 3});
  const auto verdict = [&](std::vector<float> out) {
    return problem->check({{in.data()}, out.data()});
  };
  EXPECT_TRUE(verdict({-0.0F, 1, 2}).passed);
  EXPECT_FALSE(verdict({0.0F, 1, 2}).passed) << "another zero than that of the input";
  EXPECT_FALSE(verdict({-0.0F, 2, 2}).passed);
  EXPECT_FALSE(verdict({1, -0.0F, 2}).passed);
}

}  // namespace
}  // namespace kernels::sort
