#include "harness/node/topology.hpp"

#include <gtest/gtest.h>

#include "harness/node/test/node.hpp"

namespace bench::test {
namespace {

std::size_t last_level(const Node& node, const std::vector<int>& cpus) {
  return last_level_cache_bytes(node.topology(), cpus);
}

TEST(Topology, CountsSocketsCoresAndThreads) {
  Node node;
  make_two_sockets(node);
  const Topology topology = node.topology();
  EXPECT_EQ(topology.sockets.size(), 2U);
  EXPECT_EQ(topology.logical_cpus, 8);
  EXPECT_EQ(topology.cores, (std::vector<std::vector<int>>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(cores_of(topology, {0, 1, 4, 5}), 2);
  EXPECT_EQ(cores_of(topology, {7}), 1);
  EXPECT_EQ(cores_of(topology, {99}), 0);
  EXPECT_EQ(cores_of(topology, {}), 0);
}

TEST(Topology, ListsNumaNodesThatHaveCpusOrMemory) {
  Node node;
  make_two_sockets(node);
  const auto nodes = node.topology().numa_nodes;
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_EQ(nodes[1].number, 1);
  EXPECT_EQ(nodes[1].cpus, (std::vector<int>{2, 3, 6, 7}));
  EXPECT_EQ(nodes[1].memory_bytes, 1UL << 30);
}

TEST(Topology, KeepsNumaNodesWithoutMemory) {
  Node node;
  make_two_sockets(node);
  node.put_memory(1, "2-3,6-7", 0);
  const auto nodes = node.topology().numa_nodes;
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_EQ(nodes[1].cpus, (std::vector<int>{2, 3, 6, 7}));
  EXPECT_EQ(nodes[1].memory_bytes, 0);
}

TEST(Topology, MemoryWithoutCpusTakesNoneOfThoseNearIt) {
  Node node;
  make_two_sockets(node);
  node.put_memory(2, "", 4 << 20);  // near the second socket
  node.put_memory(3, "", 8 << 20);  // somewhere
  node.put("sys/devices/system/node/node2/access0/initiators/node1", "");
  const auto nodes = node.topology().numa_nodes;
  ASSERT_EQ(nodes.size(), 4);
  EXPECT_EQ(nodes[0].cpus, (std::vector<int>{0, 1, 4, 5}));
  EXPECT_EQ(nodes[1].cpus, (std::vector<int>{2, 3, 6, 7}));
  EXPECT_EQ(nodes[2].cpus, std::vector<int>());
  EXPECT_EQ(nodes[2].memory_bytes, 4UL << 30);
  EXPECT_EQ(nodes[3].cpus, std::vector<int>());
}

TEST(Topology, ASocketMayHaveManyNumaNodes) {
  Node node;
  for (int cpu = 0; cpu < 4; ++cpu) node.put_core(cpu, std::to_string(cpu), 0, "0-3");
  node.put_memory(0, "0,2", 1 << 20);
  node.put_memory(1, "1,3", 1 << 20);
  const auto nodes = node.topology().numa_nodes;
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_EQ(nodes[0].cpus, (std::vector<int>{0, 2}));
  EXPECT_EQ(nodes[1].cpus, (std::vector<int>{1, 3}));
}

TEST(Topology, LeavesOutWhatIsSwitchedOff) {
  Node node;
  make_two_sockets(node);
  node.put("sys/devices/system/cpu/online", "1-3,5-7\n");
  const Topology topology = node.topology();
  EXPECT_EQ(topology.logical_cpus, 6);
  EXPECT_EQ(topology.cores, (std::vector<std::vector<int>>{{1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(caches(topology)[0].instances, 3);
}

TEST(Topology, IsThatOfTheNodeWhereTheJobHasLess) {
  Node node;
  make_two_sockets(node);
  node.put("proc/mounts", "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n");
  node.put("proc/self/cgroup", "5:cpuset:/job_7\n");
  node.put("sys/fs/cgroup/cpuset/job_7/cpuset.cpus", "1\n");
  node.put("sys/fs/cgroup/cpuset/job_7/cpuset.mems", "0\n");
  const Topology topology = node.topology();
  EXPECT_EQ(topology.sockets.size(), 2U);
  EXPECT_EQ(topology.cores.size(), 4);
  EXPECT_EQ(topology.logical_cpus, 8);
  EXPECT_EQ(topology.numa_nodes.size(), 2);
  EXPECT_EQ(caches(topology)[3].instances, 2);
}

TEST(Topology, CountsEachCacheOnce) {
  Node node;
  make_two_sockets(node);
  const std::vector<Cache> found = caches(node.topology());
  ASSERT_EQ(found.size(), 4);
  EXPECT_EQ(found[0].type, "Data");
  EXPECT_EQ(found[0].bytes, 48U << 10);
  EXPECT_EQ(found[0].shared_by, 2);
  EXPECT_EQ(found[0].instances, 4);
  EXPECT_EQ(found[1].type, "Instruction");
  EXPECT_EQ(found[2].level, 2);
  EXPECT_EQ(found[3].level, 3);
  EXPECT_EQ(found[3].bytes, 60U << 20);
  EXPECT_EQ(found[3].shared_by, 4);
  EXPECT_EQ(found[3].instances, 2);
}

TEST(Topology, KeepsKindsOfCoresApart) {
  Node node;
  for (int cpu = 0; cpu < 3; ++cpu) node.put_core(cpu, std::to_string(cpu), 0, "0-2");
  node.put_cache(0, {1, "Data", 48 << 10, 0, 0}, "0");
  node.put_cache(1, {1, "Data", 32 << 10, 0, 0}, "1");
  node.put_cache(2, {1, "Data", 32 << 10, 0, 0}, "2");
  const std::vector<Cache> found = caches(node.topology());
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].instances + found[1].instances, 3);
}

TEST(Topology, LastLevelCacheIsWhatTheAllowedCpusReach) {
  Node node;
  make_two_sockets(node);
  EXPECT_EQ(last_level(node, {5}), 60U << 20);
  EXPECT_EQ(last_level(node, {0, 2}), 120U << 20);
  EXPECT_EQ(last_level(node, {99}), 0);
  EXPECT_EQ(last_level(node, {}), 0);
}

TEST(Topology, LastLevelMayBeTheSecondAndIsNeverForInstructions) {
  Node node;
  node.put_core(0, "0", 0, "0");
  node.put_cache(0, {2, "Unified", 1 << 20, 0, 0}, "0");
  node.put_cache(0, {3, "Instruction", 8 << 20, 0, 0}, "0");
  ASSERT_EQ(caches(node.topology()).size(), 2);
  EXPECT_EQ(last_level(node, {0}), 1U << 20);
}

TEST(Topology, ASocketMayHaveManyLastLevelCaches) {
  const Topology epyc = topology_by("HWLOC_SYNTHETIC",
                                    "Package:2 L3:8(size=33554432) L2:8(size=1048576) Core:1 PU:2");
  EXPECT_EQ(epyc.sockets.size(), 2U);
  EXPECT_EQ(epyc.cores.size(), 128);
  EXPECT_EQ(epyc.logical_cpus, 256);
  const std::vector<Cache> found = caches(epyc);
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[1].level, 3);
  EXPECT_EQ(found[1].shared_by, 16);
  EXPECT_EQ(found[1].instances, 16);
  EXPECT_EQ(last_level_cache_bytes(epyc, {0, 1, 15}), 32U << 20);
  EXPECT_EQ(last_level_cache_bytes(epyc, {0, 16, 255}), 96U << 20);
}

std::size_t own(const Node& node, const std::vector<int>& cpus) {
  return own_cache_bytes(node.topology(), cpus);
}

TEST(Topology, OwnIsTheSecondLevelThatOneCoreHasForItself) {
  const Topology epyc = topology_by("HWLOC_SYNTHETIC",
                                    "Package:2 L3:8(size=33554432) L2:8(size=1048576) Core:1 PU:2");
  EXPECT_EQ(own_cache_bytes(epyc, {0, 17, 255}), 1U << 20);
  const Topology pairs =
      topology_by("HWLOC_SYNTHETIC", "Package:1 L2:2(size=4194304) L1d:4(size=65536) Core:1 PU:1");
  EXPECT_EQ(own_cache_bytes(pairs, {0, 1}), 64U << 10) << "shared by four";
}

TEST(Topology, OwnIsTheLeastOfTheCoresAtWork) {
  Node node;
  for (int cpu = 0; cpu < 2; ++cpu) node.put_core(cpu, std::to_string(cpu), 0, "0-1");
  node.put_cache(0, {2, "Unified", 2 << 20, 0, 0}, "0");
  node.put_cache(1, {2, "Unified", 1 << 20, 0, 0}, "1");
  // Each core of a virtual machine may be told that the last level of the host is its own.
  for (int cpu = 0; cpu < 2; ++cpu) {
    node.put_cache(cpu, {3, "Unified", 64 << 20, 0, 0}, std::to_string(cpu));
  }
  EXPECT_EQ(own(node, {0}), 2U << 20);
  EXPECT_EQ(own(node, {0, 1}), 1U << 20);
  EXPECT_EQ(own(node, {99}), 0);
  EXPECT_EQ(own_cache_bytes(Topology{}, {0}), 0);
}

void put_gpu(Node& node, const std::string& bus_id, const std::string& near) {
  const std::string folder = "sys/bus/pci/devices/" + bus_id + "/";
  node.put(folder + "class", "0x030200\n");
  node.put(folder + "vendor", "0x10de\n");
  node.put(folder + "device", "0x2335\n");
  node.put(folder + "local_cpus", mask(near));
}

TEST(Locality, IsWhatIsNearTheGpu) {
  Node node;
  make_two_sockets(node);
  put_gpu(node, "0000:19:00.0", "0-1,4-5");
  put_gpu(node, "0001:c1:00.0", "2-3,6-7");
  put_gpu(node, "0000:05:00.0", "0-7");
  const WithVariable root("HWLOC_FSROOT", node.root());
  EXPECT_EQ(cpu_list(locality_of("0000:19:00.0").cpus), "0-1,4-5");
  EXPECT_EQ(locality_of("0000:19:00.0").numa_node, 0);
  EXPECT_EQ(cpu_list(locality_of("0001:C1:00.0").cpus), "2-3,6-7");
  EXPECT_EQ(locality_of("0001:C1:00.0").numa_node, 1);
  EXPECT_EQ(cpu_list(locality_of("0000:05:00.0").cpus), "0-7");
  EXPECT_EQ(locality_of("0000:05:00.0").numa_node, std::nullopt) << "both are";
}

TEST(Locality, IsUnknownWhereNothingSaysSo) {
  Node node;
  make_two_sockets(node);
  const WithVariable root("HWLOC_FSROOT", node.root());
  for (const char* id : {"0000:19:00.0", "", "rubbish", "0:0:0:0:0", "ffffffff:ff:ff.f"}) {
    EXPECT_TRUE(locality_of(id).cpus.empty()) << id;
    EXPECT_EQ(locality_of(id).numa_node, std::nullopt) << id;
  }
}

TEST(Topology, IsEmptyWhereNothingSaysSo) {
  const Node node;
  const Topology topology = node.topology();
  EXPECT_EQ(topology.logical_cpus, 0);
  EXPECT_TRUE(topology.numa_nodes.empty());
  EXPECT_TRUE(caches(topology).empty());
  EXPECT_EQ(last_level(node, {0}), 0);
}

TEST(Topology, OfThisNodeHasTheCpusOfThisProcess) {
  std::vector<int> all;
  for (const auto& core : this_topology().cores) all.insert(all.end(), core.begin(), core.end());
  if (all.empty()) GTEST_SKIP() << "this system does not tell";
  EXPECT_EQ(all.size(), this_topology().logical_cpus);
  for (const int cpu : allowed_cpus()) {
    EXPECT_NE(std::find(all.begin(), all.end(), cpu), all.end()) << cpu;
  }
}

}  // namespace
}  // namespace bench::test
