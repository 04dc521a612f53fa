#include "harness/base/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string_view>
#include <tuple>
#include <utility>
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

TEST(Statistics, IntervalsOfMediansAreOrderStatistics) {
  // Of 9 samples the second and the last but one: fewer than two are below the median in 2 % of
  // all cases, and as often above.
  const Values nine{9, 8, 7, 6, 5, 4, 3, 2, 1};
  EXPECT_EQ(median_estimate(nine).value, 5);
  EXPECT_EQ(median_estimate(nine).ci95.low, 2);
  EXPECT_EQ(median_estimate(nine).ci95.high, 8);
  EXPECT_DOUBLE_EQ(relative_noise(nine), 3.0 / 5);
  // Of 100 the 40th, with fewer than 40 below the median in 1.8 % of all cases, and the 61st.
  Values hundred(100);
  for (std::size_t i = 0; i < 100; ++i) hundred[i] = static_cast<double>(i + 1);
  EXPECT_EQ(median_estimate(hundred).value, 50.5);
  EXPECT_EQ(median_estimate(hundred).ci95.low, 40);
  EXPECT_EQ(median_estimate(hundred).ci95.high, 61);
}

TEST(Statistics, OfSixSamplesOrFewerTheIntervalHoldsAll) {
  for (std::size_t n = 1; n <= 6; ++n) {
    Values ranks(n);
    std::iota(ranks.begin(), ranks.end(), 1.0);
    EXPECT_EQ(median_estimate(ranks).ci95.low, 1) << n;
    EXPECT_EQ(median_estimate(ranks).ci95.high, static_cast<double>(n)) << n;
  }
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

TEST(Statistics, IntervalsHoldTheMedianInNineteenOfTwentyCases) {
  for (std::size_t n = 6; n <= 1000; ++n) {
    Values ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0.0);
    const Interval found = median_estimate(ranks).ci95;
    const auto outside = static_cast<std::size_t>(found.low);
    EXPECT_EQ(found.high, static_cast<double>(n - 1 - outside)) << n;
    const double holds = 1 - 2 * tails_of_binomial(n, outside);
    EXPECT_GE(holds, 0.95) << n;
    EXPECT_LE(holds, 0.9925) << n << ": wider than it says";
  }
}

TEST(Statistics, ASingleSampleHasAnIntervalOfNoWidth) {
  const Values one{2};
  EXPECT_EQ(relative_noise(one), 0);
  const Estimate middle = median_estimate(one);
  EXPECT_EQ(middle.value, 2);
  EXPECT_EQ(middle.ci95.low, 2);
  EXPECT_EQ(middle.ci95.high, 2);
  const Estimate ratio = paired_ratio(one, Values{4});
  EXPECT_EQ(ratio.value, 0.5);
  EXPECT_EQ(ratio.ci95.low, 0.5);
  EXPECT_EQ(ratio.ci95.high, 0.5);
}

TEST(Statistics, UnequalNumbersOfSamplesAreNotPaired) {
  const Values more{2, 2, 2, 2, 2, 2, 2};
  for (const bool turned : {false, true}) {
    const Values fewer{4, 4, 4};
    const Estimate ratio = turned ? paired_ratio(fewer, more) : paired_ratio(more, fewer);
    EXPECT_EQ(ratio.value, turned ? 2 : 0.5);
    EXPECT_EQ(ratio.ci95.low, ratio.value);
    EXPECT_EQ(ratio.ci95.high, ratio.value);
  }
}

TEST(Statistics, EqualSamplesHaveNoNoise) {
  const Values same(20, 0.25);
  EXPECT_EQ(relative_noise(same), 0);
  EXPECT_EQ(relative_noise(Values(20, 0.0)), 0) << "not 0/0";
  EXPECT_EQ(median_estimate(same).ci95.low, 0.25);
  EXPECT_EQ(median_estimate(same).ci95.high, 0.25);
  const Estimate ratio = paired_ratio(same, Values(20, 0.5));
  EXPECT_EQ(ratio.value, 0.5);
  EXPECT_EQ(ratio.ci95.low, 0.5);
  EXPECT_EQ(ratio.ci95.high, 0.5);
}

TEST(Statistics, IntervalsContainTheirEstimate) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i) {
    Values a(11);
    Values b(11);
    for (double& value : a) value = 1 + static_cast<double>(random() % 1000) / 1000;
    for (double& value : b) value = 1 + static_cast<double>(random() % 1000) / 1000;
    const Estimate middle = median_estimate(a);
    EXPECT_LE(middle.ci95.low, middle.value);
    EXPECT_GE(middle.ci95.high, middle.value);
    EXPECT_LT(middle.ci95.low, middle.ci95.high);
    const Estimate ratio = paired_ratio(a, b);
    EXPECT_DOUBLE_EQ(ratio.value, median(a) / median(b));
    EXPECT_LE(ratio.ci95.low, ratio.value);
    EXPECT_GE(ratio.ci95.high, ratio.value);
  }
}

using Random = std::mt19937_64;

/// One sample each of two variants in a round, whose medians both are `median`.
struct Distribution {
  const char* name;
  std::function<std::pair<double, double>(Random&)> draw;
  double median = 1;
};

double normal(Random& random) { return std::normal_distribution<double>()(random); }
double bell(Random& random) { return 1 + 0.05 * normal(random); }
double skewed(Random& random) { return std::exp(0.5 * normal(random)); }
/// A node with two clocks: the slower one in 45 of 100 rounds.
double clock_of(Random& random) { return random() % 100 < 45 ? 1.5 : 1; }
double humps(Random& random) { return clock_of(random) * (1 + 0.03 * normal(random)); }

template <class First, class Second>
auto apart(First first, Second second) {
  return [=](Random& random) { return std::pair(first(random), second(random)); };
}

/// Both are multiplied by the same.
template <class Shared>
auto together(Shared shared, double scatter) {
  return [=](Random& random) {
    const double both = shared(random);
    const double one = both * (1 + scatter * normal(random));
    return std::pair(one, both * (1 + scatter * normal(random)));
  };
}

const double of_humps = 1 + 0.03 * normal_quantile(0.5 / 0.55);

const std::vector<Distribution>& distributions() {
  static const std::vector<Distribution> all{
      {"normal", apart(bell, bell)},
      {"lognormal", apart(skewed, skewed)},
      {"one of them lognormal", apart(skewed, bell)},
      {"two humps", apart(humps, humps), of_humps},
      {"drift of both", together(skewed, 0.05)},
      {"half of it is of both", together(bell, 0.05)},
      {"two clocks of both", together(clock_of, 0.03), of_humps},
  };
  return all;
}

/// What many repetitions show with `n` samples: how many intervals hold the truth, and how wide
/// they are.
struct Coverage {
  double held = 0;
  double width = 0;
};

constexpr int repetitions = 4000;
/// 95 % less what chance takes: 4 000 intervals of 95 % hold the truth in 94.1 to 95.9 % of all
/// with a probability of 99 %.
constexpr double least_coverage = 0.945;
constexpr std::size_t some_counts[] = {6, 7, 8, 9, 15, 40};

template <class Find>
Coverage coverage(const Distribution& of, std::size_t n, double truth, Find find) {
  Random random(n);
  Coverage found;
  for (int i = 0; i < repetitions; ++i) {
    Values a(n);
    Values b(n);
    for (std::size_t k = 0; k < n; ++k) std::tie(a[k], b[k]) = of.draw(random);
    const Interval interval = find(a, b).ci95;
    if (interval.low <= truth && truth <= interval.high) found.held += 1.0 / repetitions;
    found.width += std::log(interval.high / interval.low) / repetitions;
  }
  return found;
}

TEST(Statistics, IntervalsOfMediansCoverWhatTheySay) {
  for (const Distribution& of : distributions()) {
    for (const std::size_t n : some_counts) {
      const auto find = [](const Values& a, const Values&) { return median_estimate(a); };
      const Coverage found = coverage(of, n, of.median, find);
      EXPECT_GE(found.held, least_coverage) << of.name << ", " << n;
      EXPECT_LE(found.held, 0.996) << of.name << ", " << n << ": wider than it says";
    }
  }
}

TEST(Statistics, IntervalsOfPairedRatiosCoverWhatTheySay) {
  for (const Distribution& of : distributions()) {
    for (const std::size_t n : some_counts) {
      EXPECT_GE(coverage(of, n, 1, paired_ratio).held, least_coverage) << of.name << ", " << n;
    }
  }
}

// What both have in common is not in the interval of their ratio: two runs have a wide one.
TEST(Statistics, IntervalsOfPairedRatiosAreNarrowerThanThoseOfTwoRuns) {
  const auto two_runs = [](const Values& a, const Values& b) {
    Values later = b;  // of other rounds
    std::rotate(later.begin(), later.begin() + 1, later.end());
    return paired_ratio(a, later);
  };
  for (const std::size_t n : some_counts) {
    const auto part = [&](const char* name) {
      const auto& all = distributions();
      const auto of = std::find_if(all.begin(), all.end(), [&](const Distribution& one) {
        return std::string_view(one.name) == name;
      });
      return coverage(*of, n, 1, paired_ratio).width / coverage(*of, n, 1, two_runs).width;
    };
    EXPECT_NEAR(part("normal"), 1, 0.05) << n;
    EXPECT_LT(part("drift of both"), 0.3) << n;
    EXPECT_LT(part("half of it is of both"), 0.8) << n;
    EXPECT_LT(part("two clocks of both"), 0.25) << n;
  }
}

TEST(Statistics, IntervalsOfTwoRunsCoverWhatTheySay) {
  for (const Distribution& of : distributions()) {
    if (std::string_view(of.name).find("both") != std::string_view::npos) continue;
    for (const std::size_t n : some_counts) {
      EXPECT_GE(coverage(of, n, 1, drifting_ratio).held, least_coverage) << of.name << ", " << n;
    }
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
  const Estimate paired = paired_ratio(b, a);
  EXPECT_DOUBLE_EQ(paired.value, 3);
  EXPECT_NEAR(paired.ci95.low, 3, 1e-12);
  EXPECT_NEAR(paired.ci95.high, 3, 1e-12);
  const Interval alone = median_estimate(a).ci95;
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
