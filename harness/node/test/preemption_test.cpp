#include "harness/node/preemption.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace {

TEST(Preemption, SumsTheSecondNumberOverAllThreads) {
  const std::filesystem::path tasks = std::filesystem::path(testing::TempDir()) / "tasks";
  std::filesystem::create_directories(tasks / "1");
  std::filesystem::create_directories(tasks / "2");
  std::ofstream(tasks / "1" / "schedstat") << "9000 1500000000 7\n";
  std::ofstream(tasks / "2" / "schedstat") << "9000 500000000 7\n";
  EXPECT_DOUBLE_EQ(bench::waited_for_processor(tasks).value(), 2.0);
  std::ofstream(tasks / "2" / "schedstat") << "rubbish";
  EXPECT_DOUBLE_EQ(bench::waited_for_processor(tasks).value(), 1.5);
  std::filesystem::remove_all(tasks);
  EXPECT_FALSE(bench::waited_for_processor(tasks));
}

TEST(Preemption, NeverRunsBackwards) {
  const auto before = bench::waited_for_processor();
  const auto after = bench::waited_for_processor();
  EXPECT_GE(after.value_or(0), before.value_or(0));
}

TEST(Preemption, OfThisThreadIsNotMoreThanOfAll) {
  const auto mine = bench::this_thread_waited_for_processor();
  const auto all = bench::waited_for_processor();
  EXPECT_EQ(mine.has_value(), all.has_value());
  EXPECT_LE(mine.value_or(0), all.value_or(0));
}

}  // namespace
