#include "kernels/scan/scan.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "kernels/test_support.hpp"

namespace kernels::scan {
namespace {

using bench::Verdict;
using test::course_data;
using test::dtype_of;
using test::for_each_variant;
using test::for_each_verified;

template <class Real>
Verdict verdict_of(std::vector<Real> in, std::vector<Real> out) {
  return workload.make(dtype_of<Real>, {.cols = in.size()})->check({{in.data()}, out.data()});
}

/// The sums as a total of this type has them.
template <class Total, class Real>
std::vector<Real> scanned(const std::vector<Real>& in) {
  std::vector<Real> out;
  Total total = 0;
  for (const Real x : in) {
    total += x;
    out.push_back(static_cast<Real>(total));
  }
  return out;
}

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
  const std::vector<Real> wanted = scanned<double>(in);
  for_each_variant<Real>(workload, {.cols = n}, {in},
                         [&](const std::vector<Real>& out) { EXPECT_EQ(out, wanted); });
}

TEST(Scan, WholeNumbersAreExact) {
  for (const bool shuffled : bench::test::thread_orders) {
    bench::test::shuffle_threads(shuffled);
    for (const std::size_t n :
         {2U, 255U, 256U, 257U, 512U, 2047U, 2048U, 2049U, 4096U, 4097U, 70'001U}) {
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

// ---- right in other ways ----

TEST(Scan, OtherOrdersAreAccepted) {
  const std::vector<float> in = course_data<float>(workload, {.cols = 1'000'000})[0];
  EXPECT_TRUE(verdict_of(in, scanned<double>(in)).passed);
  EXPECT_TRUE(verdict_of(in, scanned<long double>(in)).passed);
  std::vector<float> out;  // sums of 64 in float, added to a double
  double before = 0;
  float sum = 0;
  for (const float x : in) {
    sum += x;
    out.push_back(static_cast<float>(before + sum));
    if (out.size() % 64 != 0) continue;
    before += sum;
    sum = 0;
  }
  EXPECT_TRUE(verdict_of(in, out).passed);
}

// ---- deliberately wrong, at the default size ----

template <class Real>
class WrongScan : public testing::Test {
 protected:
  static constexpr std::size_t n = 10'000'000;
  static constexpr std::size_t block = 256;

  const std::vector<Real> in = course_data<Real>(workload, workload.default_shape)[0];
  std::vector<Real> out = scanned<std::conditional_t<std::is_integral_v<Real>, Word, double>>(in);
};
using Types = testing::Types<float, double, Word>;
TYPED_TEST_SUITE(WrongScan, Types);

TYPED_TEST(WrongScan, TheRightOneIsNot) {
  const Verdict verdict = verdict_of(this->in, this->out);
  EXPECT_TRUE(verdict.passed) << verdict.reason;
}

TYPED_TEST(WrongScan, AnExclusiveOne) {
  std::rotate(this->out.begin(), this->out.end() - 1, this->out.end());
  this->out[0] = 0;
  EXPECT_FALSE(verdict_of(this->in, this->out).passed);
}

TYPED_TEST(WrongScan, TheLastBlockLeftOut) {
  auto end = this->out.end() - this->n % this->block;
  std::fill(end, this->out.end(), TypeParam{0});
  EXPECT_FALSE(verdict_of(this->in, this->out).passed);
}

/// The last block has only its own sums: no thread has added those before it.
TYPED_TEST(WrongScan, TheSumBeforeTheLastBlockNotAdded) {
  const std::size_t begin = this->n - this->n % this->block;
  const TypeParam before = this->out[begin - 1];
  for (std::size_t i = begin; i < this->n; ++i) this->out[i] -= before;
  EXPECT_FALSE(verdict_of(this->in, this->out).passed);
}

TYPED_TEST(WrongScan, SumsOfBlocksNotAdded) {
  TypeParam sum = 0;
  for (std::size_t i = 0; i < this->n; ++i) {
    sum = i % this->block == 0 ? this->in[i] : static_cast<TypeParam>(sum + this->in[i]);
    this->out[i] = sum;
  }
  EXPECT_FALSE(verdict_of(this->in, this->out).passed);
}

/// No barrier between the passes: a thread adds up the sums before it while one is not there yet.
TYPED_TEST(WrongScan, ARaceBetweenThePasses) {
  const std::size_t late = this->n / this->block - 2;  // the last but one
  const auto lost = static_cast<TypeParam>(this->out[(late + 1) * this->block - 1] -
                                           this->out[late * this->block - 1]);
  for (std::size_t i = (late + 1) * this->block; i < this->n; ++i) this->out[i] -= lost;
  EXPECT_FALSE(verdict_of(this->in, this->out).passed);
}

TYPED_TEST(WrongScan, AnElementLeftOut) {
  this->out[this->n - 3] = std::numeric_limits<TypeParam>::quiet_NaN();
  this->out[5'000'001] = TypeParam{1};
  EXPECT_FALSE(verdict_of(this->in, this->out).passed);
}

TEST(Scan, AFloatTotalIsRefused) {
  const std::vector<float> in = course_data<float>(workload, workload.default_shape)[0];
  const Verdict verdict = verdict_of(in, scanned<float>(in));
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.metric, "eps");
  const std::vector<float> few(in.begin(), in.begin() + 1'000);
  EXPECT_TRUE(verdict_of(few, scanned<float>(few)).passed);
}

TEST(Scan, WhatIsLeftOutShows) {
  const std::vector<Word> in{4'294'967'295, 1, 2};  // the first sum is the poison's
  EXPECT_TRUE(verdict_of(in, {4'294'967'295, 0, 2}).passed);
  const Verdict verdict = verdict_of(in, {4'294'967'295, 4'294'967'295, 2});
  EXPECT_NE(verdict.reason.text.find("left out 1 of 3"), std::string::npos) << verdict.reason.text;
}

}  // namespace
}  // namespace kernels::scan
