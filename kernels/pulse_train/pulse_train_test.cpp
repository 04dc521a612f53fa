#include "kernels/pulse_train/pulse_train.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/test_support.hpp"

namespace kernels::pulse_train {
namespace {

// As NumPy computes them from the same seed:
// noise = np.random.normal(0, 3, 100_000).astype("f4"); t = np.arange(100_000, dtype="f4")
// (100 * np.maximum(np.sin(t / np.float32(100_000 / 23)) - 0.3, 0) + noise)[[0, 6829, 50000]]
TEST(PulseTrain, KnownValues) {
  constexpr std::size_t n = 100'000;
  const auto inputs = test::course_data<float>(workload, {.cols = n});
  EXPECT_FLOAT_EQ(inputs[0][0], 1.4901425F);
  test::for_each_variant<float>(workload, {.cols = n}, inputs, [](const std::vector<float>& wave) {
    EXPECT_EQ(wave[0], 1.4901425F);
    EXPECT_NEAR(wave[6829], 68.6927057F, 4e-4);
    EXPECT_NEAR(wave[50'000], 0.294618428F, 4e-4);
  });
}

/// Trains without noise: all lengths of a vector, of a line and of a piece, and one more or less.
template <class Real>
void expect_right_for_all_lengths() {
  for (const std::size_t n : {1U, 2U, 7U, 16U, 33U, 4'095U, 4'096U, 4'097U, 12'301U}) {
    const std::vector<Real> silence(n, 0);
    test::for_each_verified<Real>(workload, {.cols = n}, {silence},
                                  [](const std::vector<Real>& wave) {
                                    const auto most = *std::max_element(wave.begin(), wave.end());
                                    EXPECT_LE(most, Real{70.001F});
                                    EXPECT_GE(*std::min_element(wave.begin(), wave.end()), Real{0});
                                  });
  }
}

TEST(PulseTrain, AllLengthsInSinglePrecision) { expect_right_for_all_lengths<float>(); }
TEST(PulseTrain, AllLengthsInDoublePrecision) { expect_right_for_all_lengths<double>(); }

// A wave of 23 radians: it rises four times.
TEST(PulseTrain, BetweenThePulsesThereIsNoiseAlone) {
  constexpr std::size_t n = 2'300;
  std::vector<float> noise(n);
  bench::NumpyRandom(7).normal(noise.data(), n, 0, 3);
  noise[0] = std::nanf("");  // it stays where it is
  test::for_each_variant<float>(
      workload, {.cols = n}, {noise}, [&](const std::vector<float>& wave) {
        EXPECT_TRUE(std::isnan(wave[0]));
        int pulses = 0;
        for (std::size_t i = 1; i < n; ++i) {
          const double height = std::sin(static_cast<double>(i) / 100) - 0.3;
          if (height < -1e-5) {
            EXPECT_EQ(wave[i], noise[i]) << i;
          }
          const double before = std::sin(static_cast<double>(i - 1) / 100) - 0.3;
          pulses += before < 0 && height > 0 ? 1 : 0;
        }
        EXPECT_EQ(pulses, 4);
      });
}

}  // namespace
}  // namespace kernels::pulse_train
