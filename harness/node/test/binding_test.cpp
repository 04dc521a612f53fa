#include "harness/node/binding.hpp"

#include <gtest/gtest.h>

#include "harness/node/cpus.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// Two threads on the two CPUs of a process, each on its own.
Json bound() {
  return {{"run", {{"thread_cpus", {"0", "1"}}}},
          {"machine", {{"cpuset", "0-1"}, {"allowed_cpus", 2}, {"omp", Json::object()}}}};
}

/// Everything that is to be doubted, a line each.
std::string doubts(const Json& context) {
  std::vector<std::string> found;
  about_binding(context, found);
  std::string text;
  for (const std::string& doubt : found) text += doubt + "\n";
  return text;
}

TEST(Binding, EachThreadIsAskedItself) {
  const std::vector<std::string> threads = thread_cpus();
  ASSERT_FALSE(threads.empty());
  const std::vector<int> all = allowed_cpus();
  for (const std::string& cpus : threads) {
    const std::vector<int> numbers = cpus_in(cpus);
    EXPECT_FALSE(numbers.empty());
    EXPECT_TRUE(std::includes(all.begin(), all.end(), numbers.begin(), numbers.end())) << cpus;
  }
}

TEST(Binding, ThreadsOnTheirOwnCpusAreFine) {
  EXPECT_EQ(doubts(bound()), "");
  Json context = bound();
  context["slurm"] = {{"job_id", "1"}};
  EXPECT_EQ(doubts(context), "");
  context["run"]["thread_cpus"] = {"0-1"};
  EXPECT_EQ(doubts(context), "") << "one thread";
  context["run"].erase("thread_cpus");
  EXPECT_EQ(doubts(context), "") << "a document of an earlier version";
}

TEST(Binding, ThreadsBoundToOneCpuAreNamedWithWhatBindsThem) {
  Json context = bound();
  context["run"]["thread_cpus"] = {"0", "0"};
  EXPECT_EQ(doubts(context),
            "2 threads are bound to cpu 0: they wait for each other; look at what binds them\n");
  context["machine"]["omp"] = {{"OMP_PLACES", "{0}"}, {"OMP_PROC_BIND", "master"}};
  EXPECT_EQ(doubts(context),
            "2 threads are bound to cpu 0: they wait for each other; correct or unset "
            "OMP_PLACES={0}, OMP_PROC_BIND=master\n");
  context["machine"]["cpuset"] = "0-3";
  context["run"]["thread_cpus"] = {"0-1", "0-1", "0-1", "2"};
  expect_contains(doubts(context), "3 threads are bound to cpus 0-1");
}

TEST(Binding, ThreadsOfAJobThatMayMoveAreSaidToDoSo) {
  Json context = bound();
  context["run"]["thread_cpus"] = {"0-1", "0-1"};
  EXPECT_EQ(doubts(context), "") << "a workstation";
  context["slurm"] = {{"job_id", "1"}};
  EXPECT_EQ(doubts(context),
            "2 threads may move between cpus 0-1: bind them with OMP_PROC_BIND=close "
            "OMP_PLACES=cores\n");
}

TEST(Binding, TasksOfANodeThatShareCpusAreCounted) {
  Json context = bound();
  const auto with = [&](const char* per_node, const char* node, const char* local, const char* type,
                        const char* list) {
    context["slurm"] = {{"step_tasks_per_node", per_node},
                        {"nodeid", node},
                        {"localid", local},
                        {"cpus_on_node", "2"},
                        {"cpu_bind_type", type},
                        {"cpu_bind_list", list}};
    return doubts(context);
  };
  EXPECT_EQ(with("2", "0", "1", "map_cpu:", "0,0"),
            "2 tasks on this node share cpus, and wait for each other: give each its own with "
            "--cpus-per-task; look at --cpu-bind and --overcommit\n");
  EXPECT_EQ(with("2", "0", "1", "map_cpu:", "0,1"), "");
  EXPECT_EQ(with("2", "0", "1", "mask_cpu:", "0x1,0x2"), "");
  EXPECT_EQ(with("2", "0", "1", "mask_cpu:", "0xF00,0x0F0"), "");
  EXPECT_NE(with("2", "0", "1", "mask_cpu:", "0x3,0x2"), "");
  EXPECT_NE(with("2", "0", "1", "mask_cpu:", "0x1"), "") << "--overcommit";
  EXPECT_EQ(with("1", "0", "0", "mask_cpu:", "0x1"), "");
  EXPECT_NE(with("2", "0", "0", "", ""), "") << "two tasks may use two CPUs each, of two";
  EXPECT_EQ(with("2(x3),1", "3", "0", "", ""), "") << "alone on the last node";
  EXPECT_NE(with("2(x3),1", "2", "0", "", ""), "");
  EXPECT_EQ(with("nonsense", "-1", "-1", "mask_cpu:", ""), "");
  EXPECT_NE(with("99999999999(x99999999999)", "5", "77777777777", "mask_cpu:", ","), "");
}

}  // namespace
}  // namespace bench::test
