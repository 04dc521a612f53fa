#include "harness/compare/slow_memory.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "harness/compare/health_text.hpp"

namespace bench::test {
namespace {

constexpr double memory_threshold = 0.1;
constexpr std::size_t gibibyte = std::size_t{1} << 30U;

/// Nodes that are alike, each measurement up to 8 % from the others; all rise and fall together,
/// too.
std::vector<MemoryTime> numa_nodes_of(std::size_t count, unsigned seed, std::size_t times = 3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(1, 1.08);
  std::vector<MemoryTime> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = {static_cast<int>(i), 16, 96 * gibibyte, {}};
  all[0].memory_bytes -= 2 * gibibyte;  // the kernel's
  for (std::size_t time = 0; time < times; ++time) {
    const double drift = noise(random);
    for (MemoryTime& one : all) one.seconds.push_back(drift * noise(random));
  }
  return all;
}

Health memory_found_in(const std::vector<MemoryTime>& nodes) {
  Health found{HealthWord::ok, {}, {}};
  add_slow_memory(found, nodes, memory_threshold);
  return found;
}

void slow_memory_down(MemoryTime& one, double times) {
  for (double& seconds : one.seconds) seconds *= times;
}

TEST(SlowMemory, ANodeWithOneChannelLessIsNamed) {
  for (const std::size_t count : {2U, 4U, 8U}) {
    std::vector<MemoryTime> nodes = numa_nodes_of(count, 1);
    slow_memory_down(nodes[1], 1.33);
    const Health found = memory_found_in(nodes);
    EXPECT_EQ(found.word, HealthWord::unclear) << count;
    ASSERT_EQ(found.parts.size(), 1U) << count;
    EXPECT_NEAR(found.parts[0].ratio.value, 1.33, 0.08);
    const std::string line = health_line("n17", found, 9);
    EXPECT_TRUE(line.starts_with("n17 UNCLEAR memory of NUMA node 1 1.")) << line;
    EXPECT_NE(line.find(" of its neighbours"), std::string::npos) << line;
  }
}

TEST(SlowMemory, EqualNodesAreNotNamed) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    EXPECT_EQ(memory_found_in(numa_nodes_of(2 + seed % 7, seed)).word, HealthWord::ok) << seed;
  }
}

TEST(SlowMemory, FewMeasurementsAndAMomentSayNothing) {
  std::vector<MemoryTime> twice = numa_nodes_of(4, 1, 2);
  slow_memory_down(twice[2], 1.5);
  EXPECT_EQ(memory_found_in(twice).word, HealthWord::ok);
  std::vector<MemoryTime> moment = numa_nodes_of(4, 1);
  moment[2].seconds[0] *= 1.5;
  EXPECT_EQ(memory_found_in(moment).word, HealthWord::ok);
}

TEST(SlowMemory, NodesThatAreNotAlikeAreNotCompared) {
  std::vector<MemoryTime> nodes = numa_nodes_of(2, 1);
  slow_memory_down(nodes[1], 2);
  nodes[1].memory_bytes /= 2;
  EXPECT_TRUE(memory_found_in(nodes).parts.empty());
  nodes[1].memory_bytes *= 2;
  nodes[1].threads = 8;
  EXPECT_TRUE(memory_found_in(nodes).parts.empty());
  nodes[0].threads = nodes[1].threads = 2;
  EXPECT_TRUE(memory_found_in(nodes).parts.empty()) << "few threads say little";
}

}  // namespace
}  // namespace bench::test
