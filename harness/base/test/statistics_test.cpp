#include "harness/base/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace bench {
namespace {

using Values = std::vector<double>;

TEST(Statistics, QuantilesInterpolateAsNumpyDoes) {
  const Values values{40, 10, 20, 30};
  EXPECT_EQ(quantile(values, 0), 10);
  EXPECT_EQ(quantile(values, 1), 40);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 25);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 17.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.75), 32.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.1), 13);
  EXPECT_EQ(quantile({7}, 0.3), 7);
}

TEST(Statistics, Median) {
  EXPECT_EQ(median(Values{3}), 3);
  EXPECT_EQ(median(Values{3, 1, 2}), 2);
  EXPECT_EQ(median(Values{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(Values{5, 5, 5, 5}), 5);
  EXPECT_EQ(median(Values{1, 1e9, 2, 3, 2}), 2) << "one outlier does not move it";
}

TEST(Statistics, QuickIntervalTakesOrderStatistics) {
  // Of 9 samples the second and the last but one: fewer than two are below the median in 2 % of
  // all cases, and as often above.
  const Values nine{9, 8, 7, 6, 5, 4, 3, 2, 1};
  EXPECT_EQ(quick_median_interval(nine).low, 2);
  EXPECT_EQ(quick_median_interval(nine).high, 8);
  EXPECT_DOUBLE_EQ(relative_noise(nine), 3.0 / 5);
  // Of 100 the 40th, with fewer than 40 below the median in 1.8 % of all cases, and the 61st.
  Values hundred(100);
  for (std::size_t i = 0; i < 100; ++i) hundred[i] = static_cast<double>(i + 1);
  EXPECT_EQ(quick_median_interval(hundred).low, 40);
  EXPECT_EQ(quick_median_interval(hundred).high, 61);
}

/// How often at most `most` of `n` tosses of a coin are heads.
double tails_of_binomial(std::size_t n, std::size_t most) {
  double term = std::pow(0.5, static_cast<double>(n));
  double sum = 0;
  for (std::size_t i = 0; i <= most; ++i) {
    sum += term;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return sum;
}

TEST(Statistics, QuickIntervalsHoldTheMedianInNineteenOfTwentyCases) {
  for (std::size_t n = 6; n <= 500; ++n) {
    Values ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0.0);
    const Interval found = quick_median_interval(ranks);
    const auto outside = static_cast<std::size_t>(found.low);
    EXPECT_EQ(found.high, static_cast<double>(n - 1 - outside)) << n;
    const double holds = 1 - 2 * tails_of_binomial(n, outside);
    EXPECT_GE(holds, 0.95) << n;
    EXPECT_LE(holds, 0.9925) << n << ": wider than it says";
  }
}

TEST(Statistics, ASingleSampleHasAnIntervalOfNoWidth) {
  const Values one{2};
  EXPECT_EQ(quick_median_interval(one).low, 2);
  EXPECT_EQ(quick_median_interval(one).high, 2);
  EXPECT_EQ(relative_noise(one), 0);
  const Estimate middle = bootstrap_median(one);
  EXPECT_EQ(middle.value, 2);
  EXPECT_EQ(middle.ci95.low, 2);
  EXPECT_EQ(middle.ci95.high, 2);
  const Estimate ratio = bootstrap_ratio(one, Values{4});
  EXPECT_EQ(ratio.value, 0.5);
  EXPECT_EQ(ratio.ci95.low, 0.5);
  EXPECT_EQ(ratio.ci95.high, 0.5);
}

TEST(Statistics, EqualSamplesHaveNoNoise) {
  const Values same(20, 0.25);
  EXPECT_EQ(relative_noise(same), 0);
  EXPECT_EQ(relative_noise(Values(20, 0.0)), 0) << "not 0/0";
  EXPECT_EQ(bootstrap_median(same).ci95.low, 0.25);
  EXPECT_EQ(bootstrap_median(same).ci95.high, 0.25);
  const Estimate ratio = bootstrap_ratio(same, Values(20, 0.5));
  EXPECT_EQ(ratio.value, 0.5);
  EXPECT_EQ(ratio.ci95.low, 0.5);
  EXPECT_EQ(ratio.ci95.high, 0.5);
}

TEST(Statistics, TheSameSeedGivesTheSameInterval) {
  const Values values{1, 5, 2, 8, 3, 9, 4, 4, 6};
  EXPECT_EQ(bootstrap_median(values, 3).ci95.low, bootstrap_median(values, 3).ci95.low);
  EXPECT_EQ(bootstrap_median(values, 3).ci95.high, bootstrap_median(values, 3).ci95.high);
}

/// The definition: the medians of samples drawn with repetition, their 2.5 and 97.5 %.
Interval plain_bootstrap(const Values& above, const Values& below, bool paired) {
  std::mt19937_64 random(1);
  const auto draw = [&random](std::size_t n) {
    std::vector<std::size_t> picks(n);
    for (std::size_t& pick : picks) pick = random() % n;
    return picks;
  };
  const auto median_of = [](const Values& from, const std::vector<std::size_t>& picks) {
    Values picked;
    for (const std::size_t pick : picks) picked.push_back(from[pick]);
    return median(picked);
  };
  Values ratios;
  for (int i = 0; i < 2000; ++i) {
    const auto of_above = draw(above.size());
    const auto of_below = paired ? of_above : draw(below.size());
    ratios.push_back(median_of(above, of_above) / median_of(below, of_below));
  }
  std::sort(ratios.begin(), ratios.end());
  return {ratios[50], ratios[1950]};
}

Values some_samples(std::size_t n) {
  std::mt19937_64 random(n);
  Values samples(n);
  for (double& sample : samples) sample = 1 + static_cast<double>(random() % 1000) / 1000;
  return samples;
}

// More numbers of samples than are kept, some of them twice, some too many to be kept.
TEST(Statistics, IntervalsAreThoseOfTheDefinitionHoweverOftenTheyAreAskedFor) {
  for (int turn = 0; turn < 2; ++turn) {
    for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 256U, 257U}) {
      const auto above = some_samples(n);
      const auto below = some_samples(n + 5);
      const std::span<const double> paired(below.data(), n);
      const Interval of_pairs = bootstrap_ratio(above, paired).ci95;
      const Interval wanted = plain_bootstrap(above, {paired.begin(), paired.end()}, true);
      EXPECT_EQ(of_pairs.low, wanted.low) << n;
      EXPECT_EQ(of_pairs.high, wanted.high) << n;
      const Interval apart = drifting_ratio(above, below).ci95;
      const Interval narrower = plain_bootstrap(above, below, false);
      const double widening = apart.high / narrower.high;
      EXPECT_GE(widening, 1) << n;
      EXPECT_DOUBLE_EQ(apart.low * widening, narrower.low) << n;
    }
  }
}

TEST(Statistics, IntervalsContainTheirEstimate) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i) {
    Values a(11);
    Values b(11);
    for (double& value : a) value = 1 + static_cast<double>(random() % 1000) / 1000;
    for (double& value : b) value = 1 + static_cast<double>(random() % 1000) / 1000;
    const Estimate middle = bootstrap_median(a);
    EXPECT_LE(middle.ci95.low, middle.value);
    EXPECT_GE(middle.ci95.high, middle.value);
    EXPECT_LT(middle.ci95.low, middle.ci95.high);
    const Estimate ratio = bootstrap_ratio(a, b);
    EXPECT_DOUBLE_EQ(ratio.value, median(a) / median(b));
    EXPECT_LE(ratio.ci95.low, ratio.value);
    EXPECT_GE(ratio.ci95.high, ratio.value);
  }
}

/// In how many of these experiments an interval of skewed samples contains the truth.
template <class Contains>
int hits(int experiments, std::size_t n, Contains contains) {
  // Timings are bounded below and have a long tail; the median of this distribution is 1 + ln 2.
  std::mt19937_64 random(20260131);
  int found = 0;
  for (int i = 0; i < experiments; ++i) {
    Values a(n);
    Values b(n);
    for (std::size_t k = 0; k < n; ++k) {
      const auto exponential = [&] {
        return 1 - std::log((static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53);
      };
      a[k] = exponential();
      b[k] = 2 * exponential();
    }
    if (contains(a, b)) ++found;
  }
  return found;
}

bool lies_in(double truth, const Interval& interval) {
  return interval.low <= truth && truth <= interval.high;
}

TEST(Statistics, NinetyFivePercentIntervalsHoldTheTruthThatOften) {
  const double truth = 1 + std::log(2.0);
  constexpr int experiments = 300;
  const int of_median = hits(experiments, 31, [&](const Values& a, const Values&) {
    return lies_in(truth, bootstrap_median(a).ci95);
  });
  const int of_ratio = hits(experiments, 31, [&](const Values& a, const Values& b) {
    return lies_in(2, bootstrap_ratio(b, a).ci95);
  });
  const int quick = hits(experiments, 31, [&](const Values& a, const Values&) {
    return lies_in(truth, quick_median_interval(a));
  });
  for (const int found : {of_median, of_ratio, quick}) {
    EXPECT_GE(found, experiments * 90 / 100);
    EXPECT_LE(found, experiments * 995 / 1000) << "wider than it says";
  }
}

TEST(Statistics, DriftThatHitsBothCancelsInThePairedRatio) {
  // The clock of the node falls by half during the run; b takes always three times as long as a.
  Values a(40);
  Values b(40);
  for (std::size_t i = 0; i < 40; ++i) {
    const double drift = 1 + static_cast<double>(i) / 39;
    a[i] = drift;
    b[i] = 3 * drift;
  }
  const Estimate paired = bootstrap_ratio(b, a);
  EXPECT_DOUBLE_EQ(paired.value, 3);
  EXPECT_NEAR(paired.ci95.low, 3, 1e-12);
  EXPECT_NEAR(paired.ci95.high, 3, 1e-12);
  const Interval alone = bootstrap_median(a).ci95;
  EXPECT_GT(alone.high - alone.low, 0.1) << "there is drift to cancel";
}

}  // namespace
TEST(Statistics, QuantilesOfTheNormalDistribution) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.025), -1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(1 - 1e-5), 4.264890793922602, 1e-9);
}

TEST(Statistics, DriftIsWhatBlocksScatterBeyondChance) {
  std::vector<double> steady;
  for (int i = 0; i < 100; ++i) steady.push_back(1 + 0.001 * (i * 37 % 101));
  EXPECT_LT(drift(steady), 0.01);
  std::vector<double> drifting = steady;
  for (std::size_t i = 0; i < 50; ++i) drifting[i] *= 1.2;
  EXPECT_GT(drift(drifting), 0.05);
  EXPECT_EQ(drift(std::vector<double>(9, 1.0)), 0) << "too few to tell";
}

TEST(Statistics, StudentsFactorForFewFiguresAndForMany) {
  EXPECT_NEAR(student_95(2), 12.706, 1e-3);
  EXPECT_NEAR(student_95(6), 2.571, 1e-3);
  EXPECT_NEAR(student_95(21), 2.086, 1e-3);
  EXPECT_NEAR(student_95(31), 2.042, 2e-3) << "no longer from the table";
  EXPECT_NEAR(student_95(1001), 1.962, 1e-3);
}

// Of 2 000 experiments with normal scatter, 95 % of the intervals hold the true value.
TEST(Statistics, IntervalsOverExecutionsHoldTheTypicalFigure) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> scatter(0, 0.05);
  const auto experiment = [&](std::size_t n, double typical) {
    std::vector<double> figures(n);
    for (double& figure : figures) figure = typical * std::exp(scatter(random));
    return figures;
  };
  int held = 0;
  int ratios_held = 0;
  constexpr int experiments = 2000;
  for (int i = 0; i < experiments; ++i) {
    const Interval one = interval_over_executions(experiment(5, 2));
    if (one.low <= 2 && one.high >= 2) ++held;
    const Interval ratio = interval_over_executions(experiment(5, 2), experiment(8, 0.5));
    if (ratio.low <= 4 && ratio.high >= 4) ++ratios_held;
  }
  EXPECT_NEAR(held, 0.95 * experiments, 0.02 * experiments);
  EXPECT_GE(ratios_held, 0.94 * experiments);
  EXPECT_LE(ratios_held, 0.99 * experiments);
}

TEST(Statistics, DeviationsAreRelative) {
  const std::vector<double> figures{0.9, 1, 1 / 0.9};
  std::vector<double> larger = figures;
  for (double& figure : larger) figure *= 1e6;
  EXPECT_NEAR(relative_deviation(figures), -std::log(0.9), 1e-12);
  EXPECT_NEAR(relative_deviation(larger), -std::log(0.9), 1e-9);
}

}  // namespace bench
