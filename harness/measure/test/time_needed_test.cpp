#include "harness/measure/time_needed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "harness/measure/test/fakes.hpp"

namespace bench::test {
namespace {

/// The variants of `twice`, which note the largest problem that they have run on.
std::size_t& largest_run() {
  static std::size_t largest = 0;
  return largest;
}

std::vector<BoundVariant> noting(std::size_t n) {
  std::vector<BoundVariant> rungs = honest(n);
  for (BoundVariant& rung : rungs) {
    rung.run = [n, run = rung.run](const Arrays& arrays) {
      largest_run() = std::max(largest_run(), n);
      run(arrays);
    };
  }
  return rungs;
}

TEST(TimeNeeded, IsKnownWithoutTheGroupItself) {
  planted() = noting;
  largest_run() = 0;
  Settings settings = quick();
  settings.filters = {"twice"};
  settings.sizes = {"100000000"};
  const auto workloads = registry();
  const auto groups = plan(workloads, settings);
  ASSERT_EQ(groups.size(), 1U);
  const TimeNeeded needed = Rehearsal(workloads, settings).time_needed(groups.front());
  EXPECT_GT(needed.least, 0);
  EXPECT_GE(needed.expected, needed.least);
  EXPECT_GT(needed.least, needed.least_rounds);
  EXPECT_GE(largest_run(), 1'000U);
  EXPECT_LE(largest_run(), 1'000'000U);
}

TEST(TimeNeeded, OnlyWhatTheGroupMeasuresIsTried) {
  planted() = [](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.front().run = [](const Arrays& /*arrays*/) { ADD_FAILURE(); };
    return rungs;
  };
  Settings settings = quick();
  settings.filters = {"twice"};
  settings.sizes = {"100000000"};
  const auto workloads = registry();
  PlannedGroup group = plan(workloads, settings).front();
  const std::string left_out = honest(1).front().variant;
  std::erase_if(group.cases, [&](const auto& one) { return one.identity.variant == left_out; });
  EXPECT_FALSE(group.cases.empty());
  Rehearsal(workloads, settings).time_needed(group);
}

TEST(TimeNeeded, WhatFailsIsTriedAtOneSizeOnly) {
  static int runs;
  static std::size_t tried;
  planted() = [](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.front().run = [n](const Arrays& /*arrays*/) {
      runs += tried == n ? 0 : 1;
      tried = n;
      throw std::runtime_error("does not answer");
    };
    return rungs;
  };
  Settings settings = quick();
  settings.filters = {"twice"};
  const auto workloads = registry();
  for (const char* const size : {"100000000", "100000"}) {
    settings.sizes = {size};
    runs = 0;
    tried = 0;
    Rehearsal(workloads, settings).time_needed(plan(workloads, settings).front());
    EXPECT_EQ(runs, 1) << size;
  }
}

TEST(TimeNeeded, NothingBeginsWhenTheBudgetIsUsedUp) {
  Settings settings = quick();
  settings.budget = Budget{0};
  const Group group = measure_twice(settings, noting);
  for (const Case& one : group.cases) {
    EXPECT_FALSE(one.measured());
    if (one.backend != "cuda") {
      EXPECT_EQ(one.reason, "budget of 0 s is used up");
    }
  }
}

}  // namespace
}  // namespace bench::test
