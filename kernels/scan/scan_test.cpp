#include "kernels/scan/scan.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/test_support.hpp"

namespace kernels::scan {
namespace {

using test::course_data;
using test::for_each_variant;
using test::for_each_verified;

// np.cumsum in float64 of NumPy's np.random.uniform(0, 1, 3), cast to float32.
TEST(Scan, KnownSums) {
  std::vector<float> in = course_data<float>(workload, {.cols = 3})[0];
  EXPECT_EQ(workload.make(bench::Dtype::f32, {.cols = 3})->wanted({{in.data()}}, 3),
            (std::vector<double>{0.3745401203632355, 1.3252544105052948, 2.0572483241558075}));
}

// The same of np.random.uniform(0, 2**32, 5) as uint32.
TEST(Scan, KnownSumsOfTheCoursesWholeNumbers) {
  std::vector<Word> in = course_data<Word>(workload, {.cols = 5})[0];
  EXPECT_EQ(workload.make(bench::Dtype::u32, {.cols = 5})->wanted({{in.data()}}, 5),
            (std::vector<double>{1'608'637'561, 1'396'957'118, 245'879'862, 2'817'098'473,
                                 3'487'193'431}));
}

TEST(Scan, KnownWholeSums) {
  std::vector<Word> in{4'294'967'295, 1, 7, 4'294'967'290};
  for_each_variant<Word>(workload, {.cols = in.size()}, {in}, [](const std::vector<Word>& out) {
    EXPECT_EQ(out, (std::vector<Word>{4'294'967'295, 0, 7, 1}));
  });
}

TEST(Scan, EveryVariantOnTheCoursesData) {
  for_each_verified<float>(workload, {.cols = 100'003},
                           course_data<float>(workload, {.cols = 100'003}));
  for_each_verified<double>(workload, {.cols = 100'003},
                            course_data<double>(workload, {.cols = 100'003}));
  for_each_verified<Word>(workload, {.cols = 100'003},
                          course_data<Word>(workload, {.cols = 100'003}));
}

TEST(Scan, NoneAndOne) {
  for_each_variant<float>(workload, {.cols = 0}, {{}},
                          [](const std::vector<float>& out) { EXPECT_TRUE(out.empty()); });
  for_each_variant<double>(workload, {.cols = 1}, {{-0.1}}, [](const std::vector<double>& out) {
    EXPECT_EQ(out, std::vector{-0.1});
  });
}

/// Exact in any order, on both sides of what a vector, a warp, a block and a tile hold.
template <class Real>
void expect_exact(std::size_t n) {
  std::vector<Real> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<Real>(i * i % 7);
  std::vector<Real> wanted(in.size());
  std::partial_sum(in.begin(), in.end(), wanted.begin());
  for_each_variant<Real>(workload, {.cols = n}, {in},
                         [&](const std::vector<Real>& out) { EXPECT_EQ(out, wanted); });
}

TEST(Scan, WholeNumbersAreExact) {
  for (const bool shuffled : bench::test::thread_orders) {
    bench::test::shuffle_threads(shuffled);
    for (const std::size_t n :
         {2U, 255U, 256U, 257U, 512U, 2047U, 2048U, 2049U, 4096U, 4097U, 20'001U}) {
      expect_exact<float>(n);
      expect_exact<double>(n);
      expect_exact<Word>(n);
    }
  }
  bench::test::shuffle_threads(false);
}

// More tiles than a warp looks back at, and more sums than one thread has.
TEST(Scan, ManyBlocks) { expect_exact<float>(700'001); }

/// Each element reaches all later sums, and no earlier one.
TEST(Scan, EachElementCountsFromItsPlaceOn) {
  constexpr std::size_t n = 9'003;
  for (const std::size_t at : {0U, 1U, 15U, 16U, 63U, 255U, 256U, 4095U, 4096U, 8'192U, 9'002U}) {
    std::vector<float> in(n, 0);
    in[at] = 2;
    for_each_variant<float>(workload, {.cols = n}, {in}, [&](const std::vector<float>& out) {
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], i < at ? 0 : 2) << i;
    });
  }
}

/// What is infinite, or not a number, does not reach the sums before it.
TEST(Scan, WhatIsNoNumberShowsFromItsPlaceOn) {
  constexpr std::size_t n = 9'003;
  std::vector<float> in(n, 1);
  in[5'000] = std::numeric_limits<float>::infinity();
  in[8'000] = std::nanf("");
  for_each_variant<float>(workload, {.cols = n}, {in}, [&](const std::vector<float>& out) {
    for (std::size_t i = 0; i < n; ++i) {
      if (i < 5'000) {
        ASSERT_EQ(out[i], static_cast<float>(i + 1)) << i;
      } else if (i < 8'000) {
        ASSERT_TRUE(std::isinf(out[i])) << i;
      } else {
        ASSERT_TRUE(std::isnan(out[i])) << i;
      }
    }
  });
}

// Terms that cancel: the error is one of their magnitudes, and each addition rounds alike.
TEST(Scan, CancellingAndEqualNumbers) {
  std::vector<float> in(100'003);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = i % 2 == 0 ? 1.1F : -1.1F;
  for_each_verified<float>(workload, {.cols = in.size()}, {in});
  in.assign(in.size(), 0.1F);
  for_each_verified<float>(workload, {.cols = in.size()}, {in});
  for_each_verified<double>(workload, {.cols = 100'003}, {std::vector<double>(100'003, 0.1)});
}

}  // namespace
}  // namespace kernels::scan
