#include "harness/node/places.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "harness/node/test/node.hpp"

namespace bench::test {
namespace {

std::vector<int> up_to(int count) {
  std::vector<int> cpus(static_cast<std::size_t>(count));
  std::iota(cpus.begin(), cpus.end(), 0);
  return cpus;
}

/// Two sockets of four cores of two hardware threads: core c has the CPUs 2c and 2c + 1.
Topology two_sockets() {
  return topology_by("HWLOC_SYNTHETIC", "Package:2 NUMANode:1 Core:4 PU:2");
}

std::string chosen(const Topology& topology, const Reach& reach) {
  return omp_places(places(topology, reach));
}

TEST(Places, AreCoresThoseOfANodeBesideEachOther) {
  EXPECT_EQ(chosen(two_sockets(), {up_to(16), {}, -1}),
            "{0,1},{2,3},{4,5},{6,7},{8,9},{10,11},{12,13},{14,15}");
}

TEST(Places, HardwareThreadsMayBeNumberedFarApart) {
  Node node;
  make_two_sockets(node);
  EXPECT_EQ(chosen(node.topology(), {up_to(8), {}, -1}), "{0,4},{1,5},{2,6},{3,7}");
}

TEST(Places, TakeNoMoreThanTheMask) {
  EXPECT_EQ(chosen(two_sockets(), {{1, 4, 5, 15}, {}, -1}), "{1},{4,5},{15}") << "half a core";
  EXPECT_EQ(chosen(two_sockets(), {{3}, {}, 3}), "{3}");
  EXPECT_EQ(chosen(two_sockets(), {{}, {}, 3}), "");
  EXPECT_EQ(chosen(two_sockets(), {{99}, {}, 99}), "") << "a CPU that the node does not have";
}

TEST(Places, GoRoundFromTheCurrentCore) {
  EXPECT_EQ(chosen(two_sockets(), {up_to(16), {}, 5}),
            "{4,5},{6,7},{0,1},{2,3},{12,13},{14,15},{8,9},{10,11}");
  EXPECT_EQ(chosen(two_sockets(), {up_to(16), {}, 14}),
            "{14,15},{8,9},{10,11},{12,13},{6,7},{0,1},{2,3},{4,5}");
  EXPECT_EQ(chosen(two_sockets(), {{0, 2, 4}, {}, 15}), "{0},{2},{4}") << "moved from outside";
}

TEST(Places, BeginNearTheGpu) {
  const std::vector<int> second{8, 9, 10, 11, 12, 13, 14, 15};
  EXPECT_EQ(chosen(two_sockets(), {up_to(16), second, -1}),
            "{8,9},{10,11},{12,13},{14,15},{0,1},{2,3},{4,5},{6,7}");
  EXPECT_EQ(chosen(two_sockets(), {up_to(16), second, 10}),
            "{10,11},{12,13},{14,15},{8,9},{2,3},{4,5},{6,7},{0,1}");
  EXPECT_EQ(chosen(two_sockets(), {up_to(16), second, 4}),
            "{12,13},{14,15},{8,9},{10,11},{4,5},{6,7},{0,1},{2,3}")
      << "two processes on the far socket do not both begin with the same core";
  EXPECT_EQ(chosen(two_sockets(), {{0, 2}, second, -1}), "{0},{2}") << "none is near";
}

TEST(Places, OfANodeMayBeNearTheGpuInPart) {
  EXPECT_EQ(chosen(two_sockets(), {up_to(8), {4, 5, 6, 7}, -1}), "{4,5},{6,7},{0,1},{2,3}");
}

TEST(Places, DoNotNeedNumaNodes) {
  Topology topology;
  topology.cores = {{0, 1}, {2, 3}};
  EXPECT_EQ(chosen(topology, {up_to(4), {}, 2}), "{2,3},{0,1}");
  EXPECT_EQ(chosen(Topology(), {up_to(4), {}, 2}), "") << "nothing is known";
}

TEST(Places, AreReadBack) {
  const std::vector<OmpPlace> all{{0, 4}, {1}};
  EXPECT_EQ(places_in(omp_places(all)), all);
  EXPECT_EQ(places_in("cores"), std::vector<OmpPlace>());
}

}  // namespace
}  // namespace bench::test
