#include "harness/measure/tbb_team.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/measure/host_place.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/node/preemption.hpp"

namespace bench::test {
namespace {

/// The processors of this machine that the calling thread may run on.
std::vector<int> cpus_of_thread() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> all;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<std::size_t>(i), &set)) all.push_back(i);
  }
  return all;
}

/// The processors of each thread that took part, by its number. Each waits for as many.
std::map<int, std::vector<int>> taking_part(int threads) {
  constexpr double patience = 10;  // seconds
  std::mutex mutex;
  std::map<int, std::vector<int>> all;
  in_tbb_team(threads, [&] {
    const Stopwatch stopwatch;
    tbb::parallel_for(
        0, 4 * threads, 1,
        [&](int) {
          std::unique_lock lock(mutex);
          all[tbb::this_task_arena::current_thread_index()] = cpus_of_thread();
          while (all.size() < static_cast<std::size_t>(threads) && stopwatch.seconds() < patience) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
          }
        },
        tbb::simple_partitioner());
  });
  return all;
}

TEST(TbbTeam, HasAsManyThreadsAsItIsAskedFor) {
  for (const int threads : {3, 1, 2}) {
    wake_tbb_team(threads);
    EXPECT_EQ(taking_part(threads).size(), static_cast<std::size_t>(threads));
  }
}

TEST(TbbTeam, IsBoundAsTheThreadsOfOpenmp) {
  constexpr int threads = 2;
  const std::vector<int> cpus = cpus_of_thread();
  if (cpus.size() < 2) GTEST_SKIP() << "one processor";
  in_tbb_team(1, [] {});  // the next team is made now
  const auto bind_each = [&](bool apart) {
#pragma omp parallel num_threads(threads)
    {
      cpu_set_t set;
      CPU_ZERO(&set);
      const auto number = static_cast<std::size_t>(omp_get_thread_num());
      for (std::size_t i = 0; i < cpus.size(); ++i) {
        if (!apart || i == number) CPU_SET(static_cast<std::size_t>(cpus[i]), &set);
      }
      sched_setaffinity(0, sizeof set, &set);
    }
  };
  bind_each(true);
  const auto found = taking_part(threads);
  bind_each(false);
  in_tbb_team(1, [] {});
  EXPECT_EQ(found.at(0), std::vector{cpus[0]});
  EXPECT_EQ(found.at(1), std::vector{cpus[1]});
}

/// More threads than processors certainly wait for each other.
TEST(TbbTeam, WaitingForEachOtherWhenTheyWakeIsNobodyElsesFault) {
  PlannedGroup group;
  group.problem = std::make_shared<TwiceProblem>(Shape{.cols = 1000});
  HostArrays host(group);
  Case planned;
  planned.backend = "stdpar";
  planned.threads = 8 * omp_get_num_procs();
  HostPlace place(planned, Settings(), host, host.arrays());
  if (!place.waited()) GTEST_SKIP() << "the kernel does not say";
  const double all_before = *waited_for_processor();
  const double before = *place.waited();
  for (int i = 0; i < 10; ++i) place.get_ready();
  const double others = *place.waited() - before;
  const double all = *waited_for_processor() - all_before;
  in_tbb_team(1, [] {});
  EXPECT_GT(all, 0);
  EXPECT_LT(others, all);
}

}  // namespace
}  // namespace bench::test
