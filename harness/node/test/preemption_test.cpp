#include "harness/node/preemption.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

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

TEST(Preemption, TheBusiestThreadSaysWhatAQuietNodeWouldTake) {
  const bench::ThreadSeconds before{{"1", 1.0}, {"2", 5.0}};
  const bench::ThreadSeconds after{{"1", 1.25}, {"2", 5.5}};
  EXPECT_DOUBLE_EQ(bench::busiest(before, after, 0.75, 2), 0.5);
  EXPECT_DOUBLE_EQ(bench::busiest(before, after, 0, 2), 0.5) << "nobody asked what all had";
  EXPECT_DOUBLE_EQ(bench::busiest(before, {{"1", 1.25}, {"2", 5.5}, {"3", 2.0}}, 2.75, 4), 2.0)
      << "a thread that was started";
  EXPECT_DOUBLE_EQ(bench::busiest(before, after, 3.75, 2), 3.0)
      << "threads that came and went gain nothing";
}

TEST(Preemption, ThreadsBeyondTheProcessorsGainNothing) {
  bench::ThreadSeconds before;
  bench::ThreadSeconds after;
  for (int thread = 0; thread < 64; ++thread) {
    before[std::to_string(thread)] = 1;
    after[std::to_string(thread)] = 1.25;
  }
  EXPECT_DOUBLE_EQ(bench::busiest(before, after, 16, 2), 8);
}

TEST(Preemption, WhatAThreadHadIsExact) {
  const auto before = bench::own_thread_seconds();
  const auto mine = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double begin = mine();
  constexpr double some = 2e-3;  // less than a tick
  while (mine() < begin + some) {
  }
  EXPECT_GE(bench::busiest(before, bench::own_thread_seconds(), 0, 1), some);
}

TEST(Preemption, OfASleepingProcessTheKernelSays) {
  const std::filesystem::path tasks = std::filesystem::path(testing::TempDir()) / "had";
  std::filesystem::create_directories(tasks / "7");
  std::ofstream(tasks / "7" / "schedstat") << "2500000000 1500000000 7\n";
  EXPECT_EQ(bench::thread_times(tasks).had, (bench::ThreadSeconds{{"7", 2.5}}));
  EXPECT_DOUBLE_EQ(bench::thread_times(tasks).waited, 1.5);
  std::filesystem::remove_all(tasks);
  EXPECT_TRUE(bench::thread_times(tasks).had.empty());
}

}  // namespace
