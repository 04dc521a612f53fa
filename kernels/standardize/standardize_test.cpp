#include "kernels/standardize/standardize.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::standardize {
namespace {

template <class Real, class Expect>
void for_each_verified(const std::vector<Real>& x, const Expect& expect) {
  test::for_each_verified<Real>(workload, {.cols = x.size()}, {x}, expect);
}

// x = np.random.uniform(0, 1, 100_000).astype("f4").astype("f8"), seed 42
// ((x - x.mean()) / x.std())[:3]
TEST(Standardize, KnownValues) {
  const auto x = test::course_data<float>(workload, {.cols = 100'000}).front();
  for_each_verified<float>(x, [](const std::vector<float>& z) {
    EXPECT_NEAR(z[0], -0.433336087, 2e-6);
    EXPECT_NEAR(z[1], 1.56490959, 2e-6);
    EXPECT_NEAR(z[2], 0.806359365, 2e-6);
  });
}

/// Σz = 0 and Σz² = n, whatever the data: np.dot(z, z) is the guide's next step.
template <class Real>
void expect_standard(const std::vector<Real>& x) {
  for_each_verified<Real>(x, [&](const std::vector<Real>& z) {
    double total = 0;
    double squares = 0;
    for (const double value : z) {
      total += value;
      squares += value * value;
    }
    const auto n = static_cast<double>(x.size());
    constexpr double eps = std::numeric_limits<Real>::epsilon();
    constexpr double of_sums = std::numeric_limits<double>::epsilon();
    const double few = n * (20 * eps + 20 * std::sqrt(n) * of_sums);
    EXPECT_NEAR(total, 0, few);
    EXPECT_NEAR(squares, n, few);
  });
}

template <class Real>
void expect_standard_for_all_lengths() {
  for (const std::size_t n : {2U, 3U, 15U, 16U, 17U, 64U, 1'031U, 20'011U}) {
    std::vector<Real> x(n);
    bench::NumpyRandom(7).normal(x.data(), n, -3, 2);
    expect_standard(x);
  }
}

TEST(Standardize, AllLengthsInSinglePrecision) { expect_standard_for_all_lengths<float>(); }
TEST(Standardize, AllLengthsInDoublePrecision) { expect_standard_for_all_lengths<double>(); }

// Σx² − (Σx)²/n would have no digit left in f32, and few in f64.
TEST(Standardize, SmallDeviationsFromALargeMean) {
  for (const std::size_t n : {1'000U, 4'099U}) {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = 1e6F + static_cast<float>(i % 3) - 1;
    expect_standard(x);
  }
}

TEST(Standardize, OneOrEqualElementsHaveNoDeviation) {
  const auto all_nan = [](const std::vector<float>& z) {
    for (const float value : z) EXPECT_TRUE(std::isnan(value));
  };
  for_each_verified<float>({5}, all_nan);
  for_each_verified<float>(std::vector<float>(300, 0.1F), all_nan);
}

// The mean of these in double is not 0.2345: what is left of the deviations is its rounding error.
TEST(Standardize, EqualElementsHaveNoWrongResult) {
  for (const std::size_t n : {100U, 1'000U, 100'000U}) {
    for_each_verified<double>(std::vector<double>(n, 0.2345), [](const auto&) {});
  }
}

TEST(Standardize, InfinityAndNaNReachEveryResult) {
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    for (const std::size_t where : {0U, 40U}) {
      std::vector<float> x(100, 0.5F);
      x[7] = 1;
      x[where] = bad;
      for_each_verified<float>(x, [](const std::vector<float>& z) {
        for (const float value : z) EXPECT_TRUE(std::isnan(value));
      });
    }
  }
}

TEST(Standardize, NothingOfNothing) {
  for_each_verified<double>({}, [](const std::vector<double>& z) { EXPECT_TRUE(z.empty()); });
}

}  // namespace
}  // namespace kernels::standardize
