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
  EXPECT_EQ(all[0].threads, 1U);
  EXPECT_GT(all[0].seconds, 2 * all[1].seconds);
}

}  // namespace
}  // namespace bench::test
