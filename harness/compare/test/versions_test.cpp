// Verdicts on two versions: equal ones are never told apart, and a planted change is found.

#include "harness/compare/versions.hpp"

#include <gtest/gtest.h>

#include <cmath>
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

/// Four processes of a version, of which each has its own speed.
std::vector<VersionTimes> processes_of(std::mt19937& random, double seconds, double apart) {
  std::normal_distribution<double> normal;
  std::vector<VersionTimes> all(4);
  for (VersionTimes& one : all) {
    const double own = seconds * std::exp(apart * normal(random));
    for (int i = 0; i < 40; ++i) one.seconds.push_back(own * (1 + 0.005 * (i % 5)));
  }
  return all;
}

TEST(Versions, ProcessesThatDifferMoreThanTheirSamplesAreNoChange) {
  std::mt19937 random(1);
  std::size_t wrong = 0;
  std::size_t found = 0;
  for (int i = 0; i < 200; ++i) {
    const auto base = processes_of(random, 1, 0.1);
    const auto equal = compare_processes("x", base, processes_of(random, 1, 0.1), 0.05, 10);
    wrong += equal.change == Change::slower || equal.change == Change::faster ? 1 : 0;
    const auto quiet = processes_of(random, 1, 0.01);
    const auto slower = compare_processes("x", quiet, processes_of(random, 1.1, 0.01), 0.05, 10);
    found += slower.change == Change::slower ? 1 : 0;
  }
  EXPECT_LE(wrong, 6U);
  EXPECT_GE(found, 180U);
}

TEST(Versions, AProcessThatWaitedCanOnlyTellByTheProcessor) {
  std::mt19937 random(1);
  const auto base = processes_of(random, 1, 0.001);
  auto head = processes_of(random, 2, 0.001);
  EXPECT_EQ(compare_processes("x", base, head, 0.05, 10).change, Change::slower);
  head[2].waited = true;
  EXPECT_EQ(compare_processes("x", base, head, 0.05, 10).change, Change::unclear);
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
