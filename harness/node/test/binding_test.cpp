#include "harness/node/binding.hpp"

#include <gtest/gtest.h>

#include "harness/node/cpus.hpp"
#include "harness/node/test/node.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

struct Situation {
  std::vector<std::string> thread_cpus;
  Machine machine;
  std::optional<Slurm> slurm;
};

/// Two threads on the two CPUs of a process, each on its own.
Situation bound() {
  Situation bound;
  bound.thread_cpus = {"0", "1"};
  bound.machine.cpuset = "0-1";
  bound.machine.allowed_cpus = 2;
  return bound;
}

/// Everything that is to be doubted, a line each.
std::string doubts(const Situation& context) {
  std::vector<Reason> found;
  about_binding(context.thread_cpus, context.machine, context.slurm, found);
  std::string text;
  for (const Reason& doubt : found) text += doubt.text + "\n";
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
  Situation context = bound();
  context.slurm.emplace().job_id = "1";
  EXPECT_EQ(doubts(context), "");
  context.thread_cpus = {"0-1"};
  EXPECT_EQ(doubts(context), "") << "one thread";
  context.thread_cpus.clear();
  EXPECT_EQ(doubts(context), "") << "a document of an earlier version";
}

TEST(Binding, ThreadsBoundToOneCpuAreNamedWithWhatBindsThem) {
  Situation context = bound();
  context.thread_cpus = {"0", "0"};
  EXPECT_EQ(doubts(context),
            "2 threads are bound to cpu 0: they wait for each other; look at what binds them\n");
  context.machine.omp = {{"OMP_PLACES", "{0}"}, {"OMP_PROC_BIND", "master"}};
  EXPECT_EQ(doubts(context),
            "2 threads are bound to cpu 0: they wait for each other; correct or unset "
            "OMP_PLACES={0}, OMP_PROC_BIND=master\n");
  context.machine.cpuset = "0-3";
  context.thread_cpus = {"0-1", "0-1", "0-1", "2"};
  expect_contains(doubts(context), "3 threads are bound to cpus 0-1");
}

TEST(Binding, ThreadsOfAJobThatMayMoveAreSaidToDoSo) {
  Situation context = bound();
  context.thread_cpus = {"0-1", "0-1"};
  EXPECT_EQ(doubts(context), "") << "a workstation";
  context.slurm.emplace().job_id = "1";
  EXPECT_EQ(doubts(context),
            "2 threads may move between cpus 0-1: bind them with OMP_PROC_BIND=close "
            "OMP_PLACES=cores\n");
  context.machine.omp = {{"OMP_PROC_BIND", "false"}};
  EXPECT_EQ(doubts(context),
            "2 threads may move between cpus 0-1: unset OMP_PROC_BIND=false, and bench binds "
            "them\n");
  context.machine.allowed_core_cpus = std::vector<std::string>{"0-1"};
  EXPECT_EQ(doubts(context), "") << "there is one core only";
}

/// Four threads on two sockets of two cores of two hardware threads.
Situation on_two_sockets(const std::vector<std::string>& thread_cpus) {
  Situation bound;
  bound.thread_cpus = thread_cpus;
  bound.machine.cpuset = "0-7";
  bound.machine.allowed_cpus = 8;
  bound.machine.allowed_core_cpus = {"0,4", "1,5", "2,6", "3,7"};
  bound.machine.numa_nodes = {{0, "0-1,4-5", 1 << 30}, {1, "2-3,6-7", 1 << 30}};
  bound.machine.omp = {{"OMP_PLACES", "threads"}};
  return bound;
}

TEST(Binding, ThreadsOnOneCoreBesideIdleOnesAreNamed) {
  EXPECT_EQ(doubts(on_two_sockets({"0", "4", "1", "5"})),
            "2 threads are bound to one core (cpus 0,4), while 2 of 4 cores have none: correct or "
            "unset OMP_PLACES=threads\n");
  EXPECT_EQ(doubts(on_two_sockets({"0,4", "0,4"})),
            "2 threads are bound to one core (cpus 0,4), while 3 of 4 cores have none: correct or "
            "unset OMP_PLACES=threads\n");
  EXPECT_EQ(doubts(on_two_sockets({"0", "1", "2", "3"})), "");
  EXPECT_EQ(doubts(on_two_sockets({"0", "1", "2", "3", "4"})), "") << "no core is idle";
  EXPECT_EQ(doubts(on_two_sockets({"0-1,4-5", "0-1,4-5"})), "") << "each may have a core";
}

TEST(Binding, AThreadThatMayLeaveItsMemoryIsNamed) {
  const std::string expected =
      "threads may move between NUMA nodes 0-1, away from the memory of the serial cases: "
      "unset OMP_PLACES=threads, and bench binds them\n";
  EXPECT_EQ(doubts(on_two_sockets({"0-7"})), expected);
  EXPECT_EQ(doubts(on_two_sockets({"0-7", "0-7"})), expected);
  Situation job = on_two_sockets({"0-7", "0-7"});
  job.slurm.emplace().job_id = "1";
  EXPECT_EQ(doubts(job),
            "2 threads may move between cpus 0-7: unset OMP_PLACES=threads, and bench binds "
            "them\n")
      << "said once";
  Situation one_node = on_two_sockets({"0-7"});
  one_node.machine.numa_nodes->at(1).memory_bytes = 0;
  EXPECT_EQ(doubts(one_node), "");
}

TEST(Binding, MemoryThatIsNearNoneOfOurCpusIsNamed) {
  Situation context = on_two_sockets({"0", "1"});
  context.machine.cpuset = "0-1,4-5";
  context.machine.memory_nodes = "1";
  EXPECT_EQ(doubts(context),
            "memory comes from NUMA nodes 1 only, the cpus are near nodes 0: every access goes a "
            "longer way; look at --mem-bind, numactl and the cgroup's cpuset.mems\n");
  for (const Text& fine : {Text("0"), Text("0-1"), Text("0-7"), Text()}) {
    context.machine.memory_nodes = fine;
    EXPECT_EQ(doubts(context), "") << fine.value_or("unknown");
  }
}

TEST(Binding, IsOurWorkTheUsersOrNobodys) {
  Node node;
  node.allow({0, 1});
  EXPECT_EQ(bound_by({"0-1", "0-1"}, node.host()), std::nullopt);
  node.set("OMP_PLACES", "{1},{0}");
  EXPECT_EQ(bound_by({"1", "0"}, node.host()), Binder::user);
  node.set("BENCH_PLACES", "{1},{0}");
  EXPECT_EQ(bound_by({"1", "0"}, node.host()), Binder::bench);
  EXPECT_EQ(bound_by({"1"}, node.host()), Binder::bench);
  EXPECT_EQ(bound_by({"0-1", "0-1"}, node.host()), std::nullopt) << "the system did not do it";
  node.set("OMP_PLACES", "{0},{1}");
  EXPECT_EQ(bound_by({"0", "1"}, node.host()), Binder::user);
  node.allow({0});
  EXPECT_EQ(bound_by({"0"}, node.host()), std::nullopt) << "there is no other";
}

TEST(Binding, TasksOfANodeThatShareCpusAreCounted) {
  Situation context = bound();
  const auto with = [&](const char* per_node, const char* node, const char* local, const char* type,
                        const char* list) {
    context.slurm.emplace().step_tasks_per_node = per_node;
    context.slurm->nodeid = node;
    context.slurm->localid = local;
    context.slurm->cpus_on_node = "2";
    context.slurm->cpu_bind_type = type;
    context.slurm->cpu_bind_list = list;
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
  EXPECT_TRUE(tasks_share_cpus(*context.slurm, 2));
  EXPECT_FALSE(tasks_share_cpus(*context.slurm, 1));
  EXPECT_EQ(with("2(x3),1", "3", "0", "", ""), "") << "alone on the last node";
  EXPECT_NE(with("2(x3),1", "2", "0", "", ""), "");
  EXPECT_EQ(with("nonsense", "-1", "-1", "mask_cpu:", ""), "");
  EXPECT_NE(with("99999999999(x99999999999)", "5", "77777777777", "mask_cpu:", ","), "");
}

TEST(Binding, TasksThatSeeMoreDevicesThanThereAreShareThem) {
  const auto share = [](const char* tasks, const char* on_node, std::size_t devices) {
    Slurm job;
    job.step_tasks_per_node = tasks;
    job.nodeid = "0";
    job.gpus_on_node = on_node;
    return tasks_share_devices(job, devices);
  };
  EXPECT_TRUE(share("2", "4", 4));
  EXPECT_FALSE(share("2", "4", 2)) << "--gpus-per-task=2";
  EXPECT_FALSE(share("1,2", "4", 4)) << "two tasks on another node";
  EXPECT_TRUE(share("2", "", 4)) << "who does not know does not hope";
  EXPECT_FALSE(tasks_share_devices({}, 4)) << "no job";
}

}  // namespace
}  // namespace bench::test
