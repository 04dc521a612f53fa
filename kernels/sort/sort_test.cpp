#include "kernels/sort/sort.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
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

// Orders that mislead a sample, and equal elements that a limit cannot divide: in the CPU ladders,
// with so many elements that they are split several times, and by several threads.
template <class Real>
void expect_sorted_on_the_cpu() {
  constexpr std::size_t n = 30'011;
  const auto problem = workload.make(bench::dtype_of<Real>(), {.cols = n});
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  const std::function<Real(std::size_t)> all[] = {
      [](std::size_t i) { return static_cast<Real>(i); },
      [](std::size_t i) { return static_cast<Real>(n - i); },
      [](std::size_t i) { return static_cast<Real>(i < n / 2 ? i : n - i); },
      [](std::size_t i) { return static_cast<Real>(i * 48'271 % n); },
      [](std::size_t i) { return static_cast<Real>(i % 1'000 == 0 ? i : 7); },
      [](std::size_t i) { return static_cast<Real>(i % 3) * Real{0.5}; },
      [](std::size_t i) { return i % 2 == 0 ? Real{0} : -Real{0}; },
      [](std::size_t i) { return i % 5 == 0 ? -inf : inf; },
  };
  for (std::size_t which = 0; which < std::size(all); ++which) {
    std::vector<Real> in(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = all[which](i);
    for (const bench::simd::Isa isa : bench::simd::available()) {
      for (const bench::BoundVariant& rung : problem->rungs(isa)) {
        if (rung.backend == "cuda" || rung.most_elements != bench::any_size) continue;
        for (const int threads : {1, 2, 5}) {
          if (rung.backend == "serial" && threads > 1) continue;
          std::vector<Real> out(n);
          std::vector<Real> work(n);
          const int before = omp_get_max_threads();
          omp_set_num_threads(threads);
          const bench::Arrays arrays{{in.data()}, out.data(), {work.data()}};
          rung.run(arrays);
          omp_set_num_threads(before);
          const bench::Verdict verdict = problem->check(arrays);
          EXPECT_TRUE(verdict.passed) << which << ": " << rung.backend << "/" << rung.variant
                                      << ", " << threads << ": " << verdict.reason;
        }
      }
    }
  }
}

TEST(Sort, InputsThatAreHardToSplitInSinglePrecision) { expect_sorted_on_the_cpu<float>(); }
TEST(Sort, InputsThatAreHardToSplitInDoublePrecision) { expect_sorted_on_the_cpu<double>(); }

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
