#include "kernels/counter/counter.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::counter {
namespace {

using bench::BoundVariant;
using test::dtype_of;

template <class Real>
std::vector<Real> course_data(std::size_t n) {
  return test::course_data<Real>(workload, {.cols = n}).front();
}

template <class Real>
void expect_count(const std::vector<Real>& x, Count expected) {
  test::for_each_variant<Real, Count>(
      workload, {.cols = x.size()}, {x},
      [&](const std::vector<Count>& count) { EXPECT_EQ(count.at(0), expected); });
}

bench::Verdict verdict_of(std::vector<float> x, Count count) {
  return workload.make(bench::Dtype::f32, {.cols = x.size()})->check({{x.data()}, &count});
}

// np.count_nonzero(x < 0.5) of NumPy's x = np.random.uniform(0, 1, n), cast to Real.
TEST(Counter, KnownCounts) {
  expect_count(course_data<float>(512), 244);
  expect_count(course_data<double>(512), 244);
  expect_count(course_data<float>(4'096), 2'043);
  expect_count(course_data<double>(4'096), 2'043);
  EXPECT_TRUE(verdict_of(course_data<float>(10'000'000), 4'999'758).passed);
}

// An element equal to the threshold is not below it, and NaN is not either.
TEST(Counter, Edges) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  expect_count<float>({0.5F, std::nextafter(0.5F, 0.0F), std::nextafter(0.5F, 1.0F), 0.0F, -0.0F,
                       inf, -inf, std::nanf("")},
                      4);
}

TEST(Counter, AllAndNone) {
  expect_count<float>({}, 0);
  expect_count<double>({}, 0);
  expect_count<float>({0.25F}, 1);
  expect_count<double>({0.75}, 0);
  for (const bool shuffled : bench::test::thread_orders) {
    bench::test::shuffle_threads(shuffled);
    expect_count(std::vector<float>(30'011, 0.25F), 30'011);
  }
  bench::test::shuffle_threads(false);
  expect_count(std::vector<double>(10'007, 0.25), 10'007);
  expect_count(std::vector<float>(10'007, 0.75F), 0);
}

// Every element counts once, whatever its position.
TEST(Counter, LeavesNothingOut) {
  for (const std::size_t at : {0U, 15U, 16U, 63U, 64U, 255U, 256U, 4095U, 4096U, 5001U, 5002U}) {
    std::vector<double> x(5003, 1);
    x[at] = 0;
    expect_count(x, 1);
  }
}

// A racing thread stores what it has loaded plus one: counts can be lost, but not invented.
TEST(Counter, RacesOnlyLose) {
  std::vector<float> x = course_data<float>(100'003);
  std::size_t races = 0;
  const auto want = static_cast<Count>(
      std::count_if(x.begin(), x.end(), [](float value) { return value < 0.5F; }));
  for (const BoundVariant& rung :
       workload.make(bench::Dtype::f32, {.cols = x.size()})->rungs(bench::simd::Isa::baseline)) {
    if (!rung.wrong) continue;
    EXPECT_EQ(rung.variant, "race");
    ++races;
    if (rung.backend == "cuda") continue;
    Count count = 0;
    rung.run({{x.data()}, &count});
    EXPECT_GE(count, 1U);
    EXPECT_LE(count, want);
  }
  EXPECT_EQ(races, 2U);
}

TEST(Counter, SaysWhatIsWrong) {
  const std::vector<float> x = course_data<float>(4'096);
  EXPECT_TRUE(verdict_of(x, 2'043).passed);
  const bench::Verdict lost = verdict_of(x, 32);
  EXPECT_FALSE(lost.passed);
  EXPECT_EQ(lost.reason, "2011 of 2043 counts lost");
  EXPECT_EQ(lost.max_error, 2'011);
  const bench::Verdict invented = verdict_of(x, 2'044);
  EXPECT_FALSE(invented.passed);
  EXPECT_EQ(invented.reason, "1 counts too many: 2044 instead of 2043");
  const bench::Verdict nothing = verdict_of(x, 0xFFFFFFFF);
  EXPECT_FALSE(nothing.passed);
  EXPECT_EQ(nothing.reason,
            "wrote nothing, or added to what was there: the output is not zero at first");
}

TEST(Counter, CountsAreLimited) {
  const auto problem = [](std::size_t n) { return workload.make(bench::Dtype::f32, {.cols = n}); };
  EXPECT_EQ(problem(0xFFFFFFFF)->unsupported(), "");
  EXPECT_NE(problem(std::size_t{1} << 32)->unsupported(), "");
}

}  // namespace
}  // namespace kernels::counter
