#include "harness/compare/slow_memory.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "harness/compare/health_text.hpp"

namespace bench::test {
namespace {

constexpr double memory_threshold = 0.1;
constexpr std::size_t gibibyte = std::size_t{1} << 30U;

using Passes = std::vector<std::vector<MemoryTime>>;

/// Nodes that are alike, each up to 8 % from the others; all rise and fall together, too.
Passes numa_nodes_of(std::size_t count, unsigned seed, std::size_t times = 3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(1, 1.08);
  Passes all(times);
  for (std::vector<MemoryTime>& pass : all) {
    const double drift = noise(random);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t kernels = i == 0 ? 2 * gibibyte : 0;
      pass.push_back({static_cast<int>(i), 16, 96 * gibibyte - kernels, drift * noise(random)});
    }
  }
  return all;
}

Health memory_found_in(const Passes& passes) {
  Health found{HealthWord::ok, {}, {}};
  add_slow_memory(found, passes, memory_threshold);
  return found;
}

template <class Change>
Passes changed(Passes passes, Change change) {
  for (std::vector<MemoryTime>& pass : passes) change(pass);
  return passes;
}

Passes slow_memory(const Passes& passes, std::size_t number, double times) {
  return changed(passes, [&](auto& pass) { pass[number].seconds *= times; });
}

TEST(SlowMemory, ANodeWithOneChannelLessIsNamed) {
  for (const std::size_t count : {2U, 4U, 8U}) {
    const Health found = memory_found_in(slow_memory(numa_nodes_of(count, 1), 1, 1.33));
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

TEST(SlowMemory, WhatIsSlowComesFirst) {
  PartHealth core{"cpu 3", {1.4, {1.3, 1.5}}, {}};
  core.verdict = NodeVerdict::slow;
  Health found{HealthWord::slow, {core}, {}};
  add_slow_memory(found, slow_memory(slow_memory(numa_nodes_of(8, 1), 1, 1.3), 5, 2),
                  memory_threshold);
  EXPECT_EQ(found.word, HealthWord::slow);
  ASSERT_EQ(found.parts.size(), 3U);
  EXPECT_EQ(found.parts[0].name, "cpu 3");
  EXPECT_EQ(found.parts[1].name, "memory of NUMA node 5");
  EXPECT_EQ(found.parts[2].name, "memory of NUMA node 1");
}

TEST(SlowMemory, FewPassesAndAMomentSayNothing) {
  EXPECT_EQ(memory_found_in(slow_memory(numa_nodes_of(4, 1, 2), 2, 1.5)).word, HealthWord::ok);
  Passes moment = numa_nodes_of(4, 1);
  moment[0][2].seconds *= 1.5;
  EXPECT_EQ(memory_found_in(moment).word, HealthWord::ok);
}

TEST(SlowMemory, APassWithoutTheNodeSaysNothing) {
  Passes passes = slow_memory(numa_nodes_of(4, 1), 2, 1.5);
  passes[1].erase(passes[1].begin() + 2);
  EXPECT_EQ(memory_found_in(passes).word, HealthWord::ok);
  EXPECT_EQ(memory_found_in({{}, {}, {}}).word, HealthWord::ok);
}

TEST(SlowMemory, NodesThatAreNotAlikeAreNotCompared) {
  const Passes slow = slow_memory(numa_nodes_of(2, 1), 1, 2);
  const auto parts = [&](const auto& change) {
    return memory_found_in(changed(slow, change)).parts;
  };
  EXPECT_TRUE(parts([](auto& pass) { pass[1].memory_bytes /= 2; }).empty());
  EXPECT_TRUE(parts([](auto& pass) { pass[1].threads = 8; }).empty());
  EXPECT_TRUE(parts([](auto& pass) { pass[0].threads = pass[1].threads = 2; }).empty());
}

}  // namespace
}  // namespace bench::test
