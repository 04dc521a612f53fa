// What the check of n_body accepts and refuses: no variant is run.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "kernels/n_body/n_body.hpp"
#include "kernels/test_support.hpp"

namespace kernels::n_body {
namespace {

template <class Real>
using Inputs = std::vector<std::vector<Real>>;

/// What a kernel as students write it makes of bodies: which bodies it adds for body i, and how.
template <class Real>
struct Attempt {
  /// How often body j is added for body i.
  std::function<int(std::size_t i, std::size_t j)> counts = [](auto, auto) { return 1; };
  Real soft = static_cast<Real>(softening);
  Real begin = 0;  ///< what is in the output before
  Real sign = 1;

  std::vector<Real> of(const Inputs<Real>& bodies) const {
    const std::size_t n = bodies[0].size();
    std::vector<Real> a(3 * n, begin);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        Real d[3];
        Real square = soft;
        for (std::size_t c = 0; c < 3; ++c) {
          d[c] = sign * (bodies[c][j] - bodies[c][i]);
          square += d[c] * d[c];
        }
        const Real pull = bodies[3][j] / (square * std::sqrt(square));
        const int times = counts(i, j);
        for (std::size_t c = 0; c < 3; ++c) {
          for (int k = 0; k < times; ++k) a[c * n + i] += pull * d[c];
        }
      }
    }
    return a;
  }
};

template <class Real>
bench::Verdict verdict_of(std::vector<Real> a, Inputs<Real> bodies) {
  bench::Arrays arrays;
  for (std::vector<Real>& input : bodies) arrays.inputs.push_back(input.data());
  arrays.result = a.data();
  return workload.make(test::dtype_of<Real>, {.cols = bodies[0].size()})->check(arrays);
}

/// A size that no tile divides.
constexpr bench::Shape odd{.cols = 1'000};
constexpr std::size_t tile = 128;
constexpr std::size_t whole_tiles = odd.cols - odd.cols % tile;

template <class Real>
bool passes(const Attempt<Real>& attempt) {
  const Inputs<Real> bodies = test::course_data<Real>(workload, odd);
  return verdict_of<Real>(attempt.of(bodies), bodies).passed;
}

template <class Real>
void expect_mistakes_to_be_refused() {
  EXPECT_TRUE(passes<Real>({}));
  EXPECT_FALSE(passes<Real>({.soft = 0})) << "0/0 for i = j";
  EXPECT_FALSE(passes<Real>({.counts = [](auto i, auto j) { return i == j ? 0 : 1; }, .soft = 0}))
      << "no softening of others";
  EXPECT_TRUE(passes<Real>({.counts = [](auto i, auto j) { return i == j ? 0 : 1; }}));
  EXPECT_FALSE(passes<Real>({.counts = [](auto, auto j) { return j < whole_tiles ? 1 : 0; }}))
      << "the last tile is left out";
  EXPECT_FALSE(passes<Real>({.counts = [](auto, auto j) { return j + 1 < odd.cols ? 1 : 0; }}))
      << "the last body is left out";
  EXPECT_FALSE(passes<Real>({.counts = [](auto, auto j) {
    return j + tile < odd.cols || j >= whole_tiles ? 1 : 2;
  }})) << "a tile at the end overlaps the one before it";
  EXPECT_FALSE(passes<Real>({.counts = [](auto i, auto j) { return i < j ? 1 : 0; }}))
      << "half of the pairs, added to one body only";
  EXPECT_FALSE(passes<Real>({.begin = 1})) << "added to what was there";
  EXPECT_FALSE(passes<Real>({.sign = -1})) << "the force points away";
}

TEST(NBodyCheck, TellsMistakesInSinglePrecision) { expect_mistakes_to_be_refused<float>(); }
TEST(NBodyCheck, TellsMistakesInDoublePrecision) { expect_mistakes_to_be_refused<double>(); }

// Threads that do not wait for each other (no __syncthreads) find bodies of the tile before.
TEST(NBodyCheck, TellsAMissingBarrier) {
  EXPECT_FALSE(passes<float>({.counts = [](std::size_t i, std::size_t j) {
    const bool not_yet_loaded = j % tile > i % tile && j / tile > 0;
    const bool loaded_before = j % tile > i % tile && j + tile < odd.cols;
    return (not_yet_loaded ? 0 : 1) + (loaded_before ? 1 : 0);
  }}));
}

// Totals of two runs without a reset in between.
TEST(NBodyCheck, TellsARunThatAddsToTheOneBefore) {
  const Inputs<float> bodies = test::course_data<float>(workload, odd);
  std::vector<float> a = Attempt<float>().of(bodies);
  for (float& one : a) one *= 2;
  EXPECT_FALSE(verdict_of<float>(a, bodies).passed);
}

TEST(NBodyCheck, AnySingleWrongElementIsFoundAtTheUsualSizes) {
  const Inputs<float> bodies = test::course_data<float>(workload, odd);
  const std::vector<float> right = Attempt<float>().of(bodies);
  for (const std::size_t at : {0U, 999U, 1000U, 1999U, 2999U}) {
    std::vector<float> a = right;
    a[at] += 1;
    const bench::Verdict verdict = verdict_of<float>(a, bodies);
    EXPECT_FALSE(verdict.passed) << at;
    EXPECT_NE(verdict.reason.text.find("1 of 3000"), std::string::npos) << verdict.reason.text;
  }
}

/// Beyond those sizes some bodies are compared. All are at one place: the right result is 0.
class NBodySample : public testing::Test {
 protected:
  NBodySample() : place_(n, 0.5F), a_(3 * n, 0) {}

  bench::Verdict verdict() {
    const bench::Arrays arrays{{place_.data(), place_.data(), place_.data(), place_.data()},
                               a_.data()};
    return workload.make(bench::Dtype::f32, {.cols = n})->check(arrays);
  }

  static constexpr std::size_t n = 20'011;
  std::vector<float> place_;
  std::vector<float> a_;
};

TEST_F(NBodySample, PassesWhatIsRight) { EXPECT_TRUE(verdict().passed); }

TEST_F(NBodySample, FindsWhatWasNotWritten) {
  std::fill_n(reinterpret_cast<unsigned char*>(&a_[2 * n + 12'345]), sizeof(float),
              bench::poison_byte);
  const bench::Verdict verdict = this->verdict();
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.unwritten, bench::Unwritten::some);
}

// 6707 bodies are drawn: all of 200 wrong ones are missed with a probability of 1e-35.
TEST_F(NBodySample, FindsAFewWrongBodies) {
  for (std::size_t k = 0; k < 200; ++k) a_[k * 100] = 1;
  EXPECT_FALSE(verdict().passed);
}

}  // namespace
}  // namespace kernels::n_body
