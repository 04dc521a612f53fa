#include "harness/node/memory_times.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <vector>

#include "harness/node/cpus.hpp"

namespace bench::test {
namespace {

/// Each CPU of this process as a NUMA node of its own.
Topology one_node_per_cpu() {
  Topology topology = this_topology();
  topology.numa_nodes.clear();
  for (const int cpu : allowed_cpus()) {
    topology.numa_nodes.push_back({cpu, {cpu}, std::size_t{1} << 30U});
  }
  return topology;
}

TEST(MemoryTimes, OneNumaNodeHasNoNeighbours) {
  Topology topology = this_topology();
  topology.numa_nodes = {{0, allowed_cpus(), 1}};
  EXPECT_TRUE(memory_times(topology).empty());
}

TEST(MemoryTimes, WhatIsPlantedIsInTheFirstNode) {
  if (allowed_cpus().size() < 2) GTEST_SKIP() << "one CPU";
  const Topology topology = one_node_per_cpu();
  const std::vector<MemoryTime> all = memory_times(topology, 8);
  if (all.size() < 2) GTEST_SKIP() << "threads that are not bound went elsewhere";
  ASSERT_EQ(all[0].seconds.size(), 1U);
  EXPECT_EQ(all[0].threads, 1U);
  EXPECT_GT(all[0].seconds[0], 2 * all[1].seconds[0]);
}

TEST(MemoryTimes, MeasurementsOfTheSameNodesAreAdded) {
  std::vector<MemoryTime> all;
  add_measurement(all, {{0, 1, 1, {1.0}}, {1, 1, 1, {2.0}}});
  add_measurement(all, {{1, 1, 1, {3.0}}, {2, 1, 1, {9.0}}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].seconds, std::vector<double>{1.0});
  EXPECT_EQ(all[1].seconds, (std::vector<double>{2.0, 3.0}));
}

}  // namespace
}  // namespace bench::test
