#include "harness/node/allowance.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "harness/node/environment.hpp"
#include "harness/node/test/node.hpp"

namespace bench::test {
namespace {

// What may be taken and why, as one text; empty where nothing is known.
std::string allowance(const Node& node) {
  const auto found = memory_allowance(node.host());
  return found ? std::to_string(found->bytes) + " " + found->limited_by.text : "";
}

TEST(MemoryAllowance, IsUnknownWhereNothingSaysSo) {
  EXPECT_EQ(allowance(Node()), "");
  Node node;
  node.put("proc/meminfo", "MemAvailable: lots\n");
  EXPECT_EQ(allowance(node), "");
}

TEST(MemoryAllowance, IsTheSmallestOfAll) {
  Node node;
  node.put("proc/meminfo", "MemTotal: 4000 kB\nMemAvailable: 3000 kB\n");
  EXPECT_EQ(allowance(node), "3072000 free on the node");
  node.put("proc/self/status", "VmSize: 500 kB\nVmData: 100 kB\n");
  node.limit(RLIMIT_AS, 2'512'000);
  EXPECT_EQ(allowance(node), "2000000 ulimit -v");
  node.limit(RLIMIT_DATA, 1'102'400);
  EXPECT_EQ(allowance(node), "1000000 ulimit -d");
  node.limit(RLIMIT_DATA, 1000);
  EXPECT_EQ(allowance(node), "0 ulimit -d") << "more is used than allowed";
}

TEST(MemoryAllowance, CgroupsOfVersion2CountAtAllLevels) {
  Node node;
  node.put("proc/self/cgroup", "0::/slurm/job_1/step_0\n");
  const std::string groups = "sys/fs/cgroup/slurm";
  node.put(groups + "/memory.max", "max\n");
  node.put(groups + "/job_1/memory.max", "10000\n");
  node.put(groups + "/job_1/memory.current", "4000\n");
  EXPECT_EQ(allowance(node), "6000 the job's memory limit");
  node.put(groups + "/job_1/memory.stat", "anon 1000\nactive_file 500\ninactive_file 2500\n");
  EXPECT_EQ(allowance(node), "9000 the job's memory limit") << "cache can be given back";
  node.put(groups + "/job_1/step_0/memory.max", "8000\n");
  node.put(groups + "/job_1/step_0/memory.current", "7999\n");
  EXPECT_EQ(allowance(node), "1 the job's memory limit");
  node.put(groups + "/job_1/step_0/memory.current", "9000\n");
  EXPECT_EQ(allowance(node), "0 the job's memory limit");
  node.put(groups + "/job_1/step_0/memory.current", "rubbish\n");
  EXPECT_EQ(allowance(node), "8000 the job's memory limit");
}

TEST(MemoryAllowance, CgroupsOfVersion1) {
  Node node;
  node.put("proc/self/cgroup", "5:cpu,memory:/slurm/job_1\n0::/else\n");
  const std::string group = "sys/fs/cgroup/memory/slurm/job_1";
  node.put(group + "/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(allowance(node), "") << "no limit";
  node.put(group + "/memory.limit_in_bytes", "5000\n");
  node.put(group + "/memory.usage_in_bytes", "3000\n");
  node.put(group + "/memory.stat",
           "inactive_file 9\ntotal_inactive_file 400\ntotal_active_file 600\n");
  EXPECT_EQ(allowance(node), "3000 the job's memory limit");
  EXPECT_EQ(machine(node.host()).memory_allowance_bytes, 3000);
  EXPECT_EQ(machine(node.host()).memory_limited_by, "the job's memory limit");
}

}  // namespace
}  // namespace bench::test
