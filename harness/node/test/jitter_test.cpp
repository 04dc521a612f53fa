#include "harness/node/jitter.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "harness/base/clock.hpp"

namespace bench::test {
namespace {

TEST(Jitter, LooksAsLongAsItIsAsked) {
  const Stopwatch stopwatch;
  const Jitter found = observed_jitter(2, 0.005);
  EXPECT_GE(stopwatch.seconds(), 0.005);
  EXPECT_EQ(found.threads, 2);
  EXPECT_GE(found.observed_s, 0.005);
  EXPECT_GE(found.lost, 0);
  EXPECT_LE(found.lost, 1);
  EXPECT_LE(found.longest_s, 2 * found.observed_s);
}

// Eight threads for each processor cannot all be there: each is away while others run.
TEST(Jitter, ThreadsThatShareAProcessorAreAway) {
  const int threads = 8 * static_cast<int>(std::thread::hardware_concurrency());
  const Jitter found = observed_jitter(threads, 0.02);
  EXPECT_GT(found.lost, 0.5);
  EXPECT_GT(found.longest_s, 1e-3);
}

}  // namespace
}  // namespace bench::test
