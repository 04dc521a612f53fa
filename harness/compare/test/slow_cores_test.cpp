#include "harness/compare/slow_cores.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/compare/health_text.hpp"

namespace bench::test {
namespace {

constexpr double threshold = 0.1;

/// Cores of two sockets, the second one slower by 8 %, each up to 1 % from the others.
std::vector<CoreTime> cores_of_a_node(int count) {
  std::vector<CoreTime> all;
  for (int cpu = 0; cpu < count; ++cpu) {
    const int socket = cpu < count / 2 ? 0 : 1;
    all.push_back({cpu, socket, 2, (socket == 0 ? 1 : 1.08) * (1 + 0.002 * (cpu * 7 % 5))});
  }
  return all;
}

Health found_in(const std::vector<CoreTime>& cores, std::size_t passes = 2) {
  Health found{HealthWord::ok, {}, {}};
  add_slow_cores(found, cores, passes, threshold);
  return found;
}

TEST(SlowCores, OneOfManyIsNamed) {
  for (const int count : {10, 16, 128}) {
    std::vector<CoreTime> cores = cores_of_a_node(count);
    cores[1].seconds *= 1.3;
    const Health found = found_in(cores);
    EXPECT_EQ(found.word, HealthWord::slow) << count;
    ASSERT_EQ(found.parts.size(), 1U) << count;
    EXPECT_EQ(found.parts[0].name, "cpu 1");
    EXPECT_NEAR(found.parts[0].ratio.value, 1.3, 0.02);
    const std::string line = health_line("n17", found, 9);
    EXPECT_TRUE(line.starts_with("n17 SLOW cpu 1 1.3")) << line;
    EXPECT_NE(line.find(" of its neighbours"), std::string::npos) << line;
  }
}

TEST(SlowCores, TheSlowestComesFirst) {
  std::vector<CoreTime> cores = cores_of_a_node(64);
  cores[3].seconds *= 1.2;
  cores[60].seconds *= 2;
  const Health found = found_in(cores);
  ASSERT_EQ(found.parts.size(), 2U);
  EXPECT_EQ(found.parts[0].name, "cpu 60");
  EXPECT_EQ(found.parts[1].name, "cpu 3");
}

TEST(SlowCores, AMomentIsUnclear) {
  std::vector<CoreTime> cores = cores_of_a_node(16);
  cores[5].seconds *= 1.5;
  EXPECT_EQ(found_in(cores, 1).word, HealthWord::unclear);
}

TEST(SlowCores, CoresAreComparedWithTheirKind) {
  std::vector<CoreTime> cores = cores_of_a_node(32);
  for (std::size_t i = 0; i < cores.size(); i += 2) {  // of a hybrid processor
    cores[i].threads = 1;
    cores[i].seconds *= 1.8;
  }
  EXPECT_EQ(found_in(cores).word, HealthWord::ok);
  EXPECT_TRUE(found_in(cores).parts.empty());
}

TEST(SlowCores, SmallDifferencesAndFewCoresSayNothing) {
  std::vector<CoreTime> cores = cores_of_a_node(32);
  cores[7].seconds *= 1.06;
  EXPECT_EQ(found_in(cores).word, HealthWord::ok);
  std::vector<CoreTime> four{{0, 0, 1, 1}, {1, 0, 1, 1.001}, {2, 0, 1, 1.002}, {3, 0, 1, 9}};
  EXPECT_EQ(found_in(four).word, HealthWord::ok);
}

}  // namespace
}  // namespace bench::test
