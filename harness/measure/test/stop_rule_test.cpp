#include "harness/measure/stop_rule.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace bench {
namespace {

constexpr double quiet = 0.01;
constexpr double noisy = 0.011;

Settings settings() {
  Settings settings;
  settings.max_samples = 100;
  settings.min_seconds = 0.5;
  settings.max_seconds = 5;
  return settings;
}

bool nobody() { return false; }
bool somebody() { return true; }

std::optional<Stop> reason(std::size_t rounds, double seconds, double noise) {
  return reason_to_stop(
      settings(), rounds, seconds, [&] { return noise; }, nobody);
}

// The closing round is a sample too: the number before it is one less.
TEST(StopRule, AQuietGroupNeedsFifteenSamplesAndTheLeastTime) {
  EXPECT_EQ(reason(13, 1, quiet), std::nullopt);
  EXPECT_EQ(reason(14, 0.4, quiet), std::nullopt);
  EXPECT_EQ(reason(14, 0.5, quiet), Stop::noise);
}

TEST(StopRule, ANoisyGroupGoesOnUntilTheTimeOrTheSamplesAreUsedUp) {
  EXPECT_EQ(reason(50, 1, noisy), std::nullopt);
  EXPECT_EQ(reason(50, 4.95, noisy), Stop::max_time)
      << "another round would take a tenth of a second";
  EXPECT_EQ(reason(99, 1, noisy), Stop::max_samples);
}

TEST(StopRule, NoTimeIsTooShortForTheLeastSamples) {
  EXPECT_EQ(reason(7, 100, noisy), std::nullopt);
  EXPECT_EQ(reason(8, 100, noisy), Stop::max_time);
}

Timing timing_of(std::size_t samples, double seconds) {
  Timing timing;
  timing.samples.assign(samples, seconds);
  return timing;
}

TEST(StopRule, ALongRunLeavesOutRoundsOnceTheTimeIsOver) {
  EXPECT_TRUE(sits_out(settings(), 5.1, timing_of(5, 0.06)));
  EXPECT_FALSE(sits_out(settings(), 5.1, timing_of(4, 0.06))) << "five and the last one";
  EXPECT_FALSE(sits_out(settings(), 5.1, timing_of(5, 0.04)));
  EXPECT_FALSE(sits_out(settings(), 4.9, timing_of(5, 0.06)));
  EXPECT_FALSE(sits_out(settings(), 5.1, {}));
  Settings impatient = settings();
  impatient.max_seconds = 0;
  EXPECT_FALSE(sits_out(impatient, 1, timing_of(5, 0.02))) << "not long for anybody";
}

TEST(StopRule, ALongRunTakesOneTurnInARound) {
  EXPECT_TRUE(is_long(timing_of(1, 0.002)));
  EXPECT_FALSE(is_long(timing_of(1, 0.0009)));
  EXPECT_FALSE(is_long({})) << "nothing is known yet";
}

TEST(StopRule, ACaseIsQuietWhoseMedianIsKnownToOnePercent) {
  EXPECT_TRUE(is_quiet(timing_of(9, 1)));
  EXPECT_FALSE(is_quiet(timing_of(8, 1)));
  Timing noisy_one = timing_of(9, 1);
  for (std::size_t i = 0; i < 9; ++i) noisy_one.samples[i] += 0.1 * static_cast<double>(i);
  EXPECT_FALSE(is_quiet(noisy_one));
}

TEST(StopRule, WhoWaitsForAGradeIsMeasuredThreeTimesAsLong) {
  const auto reason = [](std::size_t rounds, double seconds, double noise) {
    return reason_to_stop(
        settings(), rounds, seconds, [&] { return noise; }, somebody);
  };
  EXPECT_EQ(reason(14, 0.5, quiet), std::nullopt) << "all are quiet, but somebody had to wait";
  EXPECT_EQ(reason(60, 5, noisy), std::nullopt);
  EXPECT_EQ(reason(90, 15, noisy), Stop::max_time);
  EXPECT_EQ(reason(8, 100, noisy), std::nullopt) << "three times the least samples";
  EXPECT_EQ(reason(26, 300, noisy), Stop::max_time);
  EXPECT_EQ(reason(99, 1, noisy), Stop::max_samples);
}

TEST(StopRule, NothingCanBeSaidOfWideIntervalsAndOfThoseWhoWaited) {
  Timing timing;
  timing.samples = std::vector<double>(27, 1e-3);
  EXPECT_FALSE(unclear(timing));
  timing.preempted = 6;
  EXPECT_TRUE(unclear(timing));
  timing.preempted = 5;
  EXPECT_FALSE(unclear(timing));
  for (std::size_t i = 0; i < 13; ++i) timing.samples[i] = 2e-3;  // every second one
  EXPECT_TRUE(unclear(timing));
}

TEST(StopRule, OneSampleIsTheClosingRoundAlone) {
  Settings one = settings();
  one.max_samples = 1;
  EXPECT_EQ(reason_to_stop(
                one, 0, 0, [] { return noisy; }, nobody),
            Stop::max_samples);
}

TEST(StopRule, TheNoiseIsAskedForOnlyWhereItDecides) {
  const auto forbidden = []() -> double { throw std::logic_error("asked for"); };
  EXPECT_EQ(reason_to_stop(settings(), 5, 0.1, forbidden, nobody), std::nullopt);
  EXPECT_EQ(reason_to_stop(settings(), 20, 0.4, forbidden, nobody), std::nullopt);
  EXPECT_EQ(reason_to_stop(settings(), 20, 6, forbidden, nobody), Stop::max_time);
}

TEST(StopRule, TheDeviceTakesSeveralTurnsWhereTheCpuLeavesTimeForFewRounds) {
  EXPECT_EQ(device_passes(settings(), 0.04, 0.01), 1U) << "a hundred rounds are possible";
  EXPECT_EQ(device_passes(settings(), 0.14, 0.01), 3U) << "a third of them";
  EXPECT_EQ(device_passes(settings(), 10, 0.01), 5U) << "the least rounds";
}

TEST(StopRule, ItsTurnsTakeNoLongerThanThoseOfTheCpu) {
  EXPECT_EQ(device_passes(settings(), 1, 0.3), 3U);
  EXPECT_EQ(device_passes(settings(), 1, 3), 1U);
  EXPECT_EQ(device_passes(settings(), 0, 0), 1U);
}

TEST(StopRule, NoMoreSamplesOfTheDeviceAreWantedThanOfOthers) {
  Settings few = settings();
  few.max_samples = 9;
  EXPECT_EQ(device_passes(few, 10, 0.01), 1U);
  few.max_samples = 20;
  EXPECT_EQ(device_passes(few, 10, 0.01), 2U);
}

TEST(StopRule, TheShareThatIsOverIsThatOfTheLimitWhichEndsIt) {
  EXPECT_DOUBLE_EQ(share_of_rounds(settings(), 50, 1), 0.5) << "of the samples";
  EXPECT_DOUBLE_EQ(share_of_rounds(settings(), 18, 4), 0.8) << "of the time";
  EXPECT_DOUBLE_EQ(share_of_rounds(settings(), 3, 50), 1.0 / 3) << "of the least samples";
}

}  // namespace
}  // namespace bench
