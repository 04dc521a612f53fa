#include "harness/node/core_times.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <vector>

#include "harness/node/cpus.hpp"

namespace bench::test {
namespace {

TEST(CoreTimes, EachThreadIsOnAProcessor) {
  const std::vector<CoreTime> all = core_times(this_topology());
  ASSERT_FALSE(all.empty());
  const std::vector<int> allowed = allowed_cpus();
  for (const CoreTime& one : all) {
    EXPECT_GT(one.seconds, 0);
    EXPECT_TRUE(std::binary_search(allowed.begin(), allowed.end(), one.cpu)) << one.cpu;
  }
}

TEST(CoreTimes, WhatIsPlantedIsInTheFirstThread) {
  const auto slowest = [](double planted) {
    omp_set_num_threads(1);
    return core_times(this_topology(), planted).front().seconds;
  };
  const int before = omp_get_max_threads();
  EXPECT_GT(slowest(30), 5 * slowest(1));
  omp_set_num_threads(before);
}

TEST(CoreTimes, TheQuickerOneIsKept) {
  std::vector<CoreTime> all;
  keep_quicker(all, {{0, 0, 1, 2.0}, {1, 0, 1, 1.0}});
  keep_quicker(all, {{0, 0, 1, 1.5}, {1, 0, 1, 3.0}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].seconds, 1.5);
  EXPECT_EQ(all[1].seconds, 1.0);
}

}  // namespace
}  // namespace bench::test
