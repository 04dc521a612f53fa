// What the check of scan accepts and refuses: no variant is run.

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/scan/scan.hpp"
#include "kernels/test_support.hpp"

namespace kernels::scan {
namespace {

using bench::Verdict;
using test::course_data;
using test::dtype_of;

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

// ---- right in other ways ----

TEST(ScanCheck, OtherOrdersAreAccepted) {
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

  static void SetUpTestSuite() {
    in = course_data<Real>(workload, workload.default_shape)[0];
    right = scanned<std::conditional_t<std::is_integral_v<Real>, Word, double>>(in);
  }
  static void TearDownTestSuite() { in = right = {}; }

  static inline std::vector<Real> in;
  static inline std::vector<Real> right;
  std::vector<Real> out = right;
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

TEST(ScanCheck, AFloatTotalIsRefused) {
  const std::vector<float> in = course_data<float>(workload, workload.default_shape)[0];
  const Verdict verdict = verdict_of(in, scanned<float>(in));
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.metric, "eps");
  const std::vector<float> few(in.begin(), in.begin() + 1'000);
  EXPECT_TRUE(verdict_of(few, scanned<float>(few)).passed);
}

TEST(ScanCheck, WhatIsLeftOutShows) {
  const std::vector<Word> in{4'294'967'295, 1, 2};  // the first sum is the poison's
  EXPECT_TRUE(verdict_of(in, {4'294'967'295, 0, 2}).passed);
  const Verdict verdict = verdict_of(in, {4'294'967'295, 4'294'967'295, 2});
  EXPECT_NE(verdict.reason.text.find("left out 1 of 3"), std::string::npos) << verdict.reason.text;
}

}  // namespace
}  // namespace kernels::scan
