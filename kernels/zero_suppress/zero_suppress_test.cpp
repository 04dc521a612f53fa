#include "kernels/zero_suppress/zero_suppress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/test_support.hpp"

namespace kernels::zero_suppress {
namespace {

using test::course_data;
using test::for_each_variant;

/// The data that NumPy draws and computes.
TEST(ZeroSuppress, CourseData) {
  const std::vector<std::int16_t> in = course_data<std::int16_t>(workload, {.cols = 100'000})[0];
  EXPECT_EQ(std::vector(in.begin(), in.begin() + 5), (std::vector<std::int16_t>{1, 0, 1, 4, 0}));
  for_each_variant<std::int16_t>(workload, {.cols = in.size()}, {in},
                                 [](const std::vector<std::int16_t>& out) {
                                   const auto above = [](std::int16_t x) { return x != 0; };
                                   const auto first = std::find_if(out.begin(), out.end(), above);
                                   EXPECT_EQ(first - out.begin(), 1'453);
                                   EXPECT_EQ(*first, 16);
                                   EXPECT_EQ(std::count_if(out.begin(), out.end(), above), 42'212);
                                   EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0), 5'956'374);
                                 });
}

TEST(ZeroSuppress, RealNumbersAreTheSameWholeOnes) {
  const auto whole = course_data<std::int16_t>(workload, {.cols = 4'099})[0];
  const auto real = course_data<float>(workload, {.cols = 4'099})[0];
  EXPECT_TRUE(std::equal(whole.begin(), whole.end(), real.begin(), real.end()));
}

template <class Real>
void expect_at_the_threshold(const std::vector<Real>& beyond) {
  std::vector<Real> in{-1,
                       0,
                       14,
                       15,
                       16,
                       -15,
                       std::numeric_limits<Real>::lowest(),
                       std::numeric_limits<Real>::max()};
  std::vector<Real> wanted{0, 0, 0, 15, 16, 0, 0, std::numeric_limits<Real>::max()};
  in.insert(in.end(), beyond.begin(), beyond.end());
  wanted.insert(wanted.end(), beyond.begin(), beyond.end());
  for_each_variant<Real>(workload, {.cols = in.size()}, {in}, [&](const std::vector<Real>& out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_TRUE(out[i] == wanted[i] || (std::isnan(out[i]) && std::isnan(wanted[i]))) << i;
    }
  });
}

TEST(ZeroSuppress, WhatIsBelowTheThreshold) { expect_at_the_threshold<std::int16_t>({}); }
TEST(ZeroSuppress, NanStaysNan) {
  expect_at_the_threshold<float>({std::nanf(""), HUGE_VALF});
  expect_at_the_threshold<double>({std::nan(""), HUGE_VAL});
}

/// All bytes of −1 equal the poison: elements that are left out are still found.
TEST(ZeroSuppress, WhatIsLeftOutShows) {
  std::vector<std::int16_t> in{-1, -1, 20};
  std::vector<std::int16_t> out{0, -1, 20};
  const auto problem = workload.make(bench::Dtype::i16, {.cols = in.size()});
  const bench::Verdict verdict = problem->check({{in.data()}, out.data()});
  EXPECT_FALSE(verdict.passed);
  EXPECT_NE(verdict.reason.text.find("left out 1 of 3"), std::string::npos) << verdict.reason.text;
}

}  // namespace
}  // namespace kernels::zero_suppress
