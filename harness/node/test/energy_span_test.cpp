#include "harness/node/energy_span.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/clock.hpp"

namespace bench::test {
namespace {

/// Each run takes a joule; what the counter shows lags behind, up to `step` joules.
struct Fake {
  double taken = 0;
  double step = 1;
  std::size_t runs = 0;
  bool readable = true;

  EnergyMeter meter(double span) {
    return {"package",
            [this]() -> std::optional<double> {
              if (!readable) return {};
              return std::floor(taken / step) * step;
            },
            span};
  }
  std::function<void(std::size_t)> work() {
    return [this](std::size_t more) {
      taken += static_cast<double>(more);
      runs += more;
    };
  }
};

TEST(EnergySpan, BeginsAndEndsWhereTheCounterMovesOn) {
  Fake fake;
  fake.step = 1000;
  fake.taken = 400;  // somewhere within a step
  const auto span = energy_of(fake.meter(1e-4), fake.work(), 1e-6);
  ASSERT_TRUE(span);
  EXPECT_DOUBLE_EQ(span->joules, static_cast<double>(span->runs)) << "a joule each, exactly";
  EXPECT_GE(span->seconds, 1e-4);
  EXPECT_LT(span->runs, fake.runs) << "what came before the first step is not counted";
}

TEST(EnergySpan, OfRunsThatAreLongIsOneOfThem) {
  Fake fake;
  const auto span = energy_of(fake.meter(1e-9), fake.work(), 1);
  ASSERT_TRUE(span);
  EXPECT_EQ(fake.runs, 1U);
  EXPECT_EQ(span->runs, 1U);
  EXPECT_DOUBLE_EQ(span->joules, 1);
}

TEST(EnergySpan, IsLongEvenWhereRunsAreShorterThanWasSaid) {
  Fake fake;
  const auto span = energy_of(fake.meter(1e-3), fake.work(), 0.9e-3);
  ASSERT_TRUE(span);
  EXPECT_GT(span->runs, 1U);
  EXPECT_GE(span->seconds, 1e-3);
}

TEST(EnergySpan, ThereIsNoneOfACounterThatStandsStillOrCannotBeRead) {
  Fake fake;
  fake.step = 1e300;
  EXPECT_FALSE(energy_of(fake.meter(1e-9), fake.work(), 1)) << "of a long run";
  fake.readable = false;
  EXPECT_FALSE(energy_of(fake.meter(1e-3), fake.work(), 1e-6));
  EXPECT_EQ(fake.runs, 1U);
}

TEST(EnergySpan, WaitsForAStepNotForEver) {
  Fake fake;
  fake.step = 1e300;
  const Stopwatch stopwatch;
  EXPECT_FALSE(energy_of(fake.meter(1e-3), fake.work(), 1e-6));
  EXPECT_GE(stopwatch.seconds(), 1);
}

}  // namespace
}  // namespace bench::test
