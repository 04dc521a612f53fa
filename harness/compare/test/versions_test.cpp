// Verdicts on two versions: equal ones are never told apart, and a planted change is found.

#include "harness/compare/versions.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

namespace bench {
namespace {

/// Rounds of a noisy machine: each round is as slow as its neighbours make it, and each sample has
/// some noise of its own.
class Machine {
 public:
  Machine(unsigned seed, double noise) : random_(seed), noise_(noise) {}

  VersionComparison compare(double change, std::size_t rounds) {
    VersionTimes times[3];
    for (std::size_t i = 0; i < rounds; ++i) {
      const double round = 1 + std::abs(normal_(random_)) / 5;
      for (VersionTimes& one : times) {
        one.seconds.push_back(round * (1 + noise_ * std::abs(normal_(random_))));
      }
      times[2].seconds.back() *= change;
    }
    return compare_versions("x", times[0], times[1], times[2], 0.05, 10);
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
  double noise_;
};

TEST(Versions, EqualOnesAreNotToldApart) {
  std::size_t wrong = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Change change = Machine(seed, 0.1).compare(1, 48).change;
    if (change == Change::slower || change == Change::faster) ++wrong;
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(Versions, APlantedChangeIsFound) {
  std::size_t slower = 0;
  std::size_t faster = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    slower += Machine(seed, 0.03).compare(1.1, 96).change == Change::slower ? 1 : 0;
    faster += Machine(seed, 0.03).compare(0.9, 96).change == Change::faster ? 1 : 0;
  }
  EXPECT_GE(slower, 90U);
  EXPECT_GE(faster, 90U);
}

TEST(Versions, WhatIsUnclearSaysHowMuchLongerItTakes) {
  const VersionComparison found = Machine(1, 0.2).compare(1.08, 12);
  ASSERT_EQ(found.change, Change::unclear);
  ASSERT_TRUE(found.more_seconds.has_value());
  EXPECT_GT(*found.more_seconds, 0);
  EXPECT_EQ(exit_code(std::vector{found}), 4);
}

TEST(Versions, FewRoundsAreUnclear) {
  EXPECT_EQ(Machine(1, 0.001).compare(2, 5).change, Change::unclear);
}

TEST(Versions, ProcessorTimeShowsAChangeAndNeverThatThereIsNone) {
  int step = 3;
  const auto times = [&step](double seconds, double scatter, double processor) {
    VersionTimes one;
    ++step;  // the rounds of different versions are slow at different times
    for (int i = 0; i < 40; ++i) {
      one.seconds.push_back(seconds * (1 + scatter * (i * step % 11)));
      one.processor.push_back(processor * (1 + 0.001 * (i % 5)));
    }
    return one;
  };
  const VersionTimes base = times(1, 0.2, 0.5);
  const VersionTimes again = times(1, 0.2, 0.5);
  const VersionComparison slower =
      compare_versions("x", base, again, times(1.1, 0.3, 0.6), 0.05, 10);
  EXPECT_EQ(slower.change, Change::slower);
  EXPECT_EQ(slower.clock, Clock::processor);
  const VersionComparison same = compare_versions("x", base, again, times(1.1, 0.3, 0.5), 0.05, 10);
  EXPECT_EQ(same.change, Change::unclear);
}

TEST(Versions, OneThatIsSlowerDecides) {
  const VersionComparison slower = Machine(1, 0.01).compare(1.5, 20);
  const VersionComparison same = Machine(1, 0.001).compare(1, 60);
  EXPECT_EQ(exit_code(std::vector{same, slower}), 3);
  EXPECT_EQ(exit_code(std::vector{same}), 0);
  EXPECT_EQ(exit_code(std::vector<VersionComparison>{}), 4);
}

}  // namespace
}  // namespace bench
