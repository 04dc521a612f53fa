#include "harness/node/cpus.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>

namespace bench {
namespace {

TEST(Environment, WritesCpuListsAsTheKernelDoes) {
  EXPECT_EQ(cpu_list({}), "");
  EXPECT_EQ(cpu_list({7}), "7");
  EXPECT_EQ(cpu_list({8, 0, 1, 2, 3}), "0-3,8");
  EXPECT_EQ(cpu_list({0, 2, 4, 5, 5}), "0,2,4-5");
}

TEST(Environment, AllowedCpusDoNotChangeWhenAThreadIsPinned) {
  const std::vector<int> before = allowed_cpus();
  ASSERT_FALSE(before.empty());
  EXPECT_TRUE(std::is_sorted(before.begin(), before.end()));
  cpu_set_t saved;
  if (sched_getaffinity(0, sizeof saved, &saved) != 0) GTEST_SKIP() << "more CPUs than cpu_set_t";
  EXPECT_GE(before.size(), static_cast<std::size_t>(CPU_COUNT(&saved)));
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(before.back()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(allowed_cpus(), before);
  sched_setaffinity(0, sizeof saved, &saved);
}

TEST(Environment, AThreadIsBoundAndGivenItsCpusBack) {
  const std::vector<int> before = cpus_of_thread();
  const std::vector<int> last{before.back()};
  ASSERT_TRUE(bind_thread(last));
  EXPECT_EQ(cpus_of_thread(), last);
  {
    const Unbound unbound;
    EXPECT_EQ(cpus_of_thread(), allowed_cpus());
  }
  EXPECT_EQ(cpus_of_thread(), last);
  EXPECT_FALSE(bind_thread({})) << "the kernel refuses";
  ASSERT_TRUE(bind_thread(before));
}

}  // namespace
}  // namespace bench
