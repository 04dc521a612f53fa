#include "harness/node/job_gpu.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/node/test/node.hpp"

namespace bench::test {
namespace {

void put_gpu(Node& node, const std::string& bus_id, int number, const std::string& near) {
  node.put("proc/driver/nvidia/gpus/" + bus_id + "/information",
           fmt::format("Model: \t\t Some GPU\nGPU UUID: \t GPU-{0}{0}-1\nDevice Minor: \t {0}\n",
                       number));
  node.put("sys/bus/pci/devices/" + bus_id + "/local_cpulist", near + "\n");
}

/// The CPUs near the task's GPU.
std::string near(const Node& node) { return cpu_list(cpus_near_gpu(node.host())); }

/// Their device files are numbered against the order of the bus.
void put_two(Node& node) {
  put_gpu(node, "0000:19:00.0", 1, "0-7");
  put_gpu(node, "0000:c1:00.0", 0, "8-15");
}

TEST(JobGpu, IsUnknownWithoutADriver) { EXPECT_EQ(near(Node()), ""); }

TEST(JobGpu, IsTheOnlyOne) {
  Node node;
  put_gpu(node, "0000:c1:00.0", 5, "8-15");
  EXPECT_EQ(near(node), "8-15");
  node.set("CUDA_VISIBLE_DEVICES", "0");
  EXPECT_EQ(near(node), "8-15") << "counted among those that the job sees";
  for (const char* none : {"", "-1", "NoDevFiles"}) {
    node.set("CUDA_VISIBLE_DEVICES", none);
    EXPECT_EQ(near(node), "") << none;
  }
}

TEST(JobGpu, IsThatOfTheJob) {
  Node node;
  put_two(node);
  EXPECT_EQ(near(node), "0-7") << "the first, outside of a job";
  node.set("CUDA_VISIBLE_DEVICES", "GPU-00");
  EXPECT_EQ(near(node), "8-15");
  node.set("CUDA_VISIBLE_DEVICES", "1");
  EXPECT_EQ(near(node), "0-7");
  node.set("SLURM_STEP_GPUS", "0");
  EXPECT_EQ(near(node), "8-15") << "Slurm counts those of the node";
  node.set("SLURM_STEP_GPUS", "7");
  EXPECT_EQ(near(node), "") << "one that is not there";
}

TEST(JobGpu, IsOneForEachTask) {
  Node node;
  put_two(node);
  node.set("SLURM_STEP_GPUS", "0,1");
  EXPECT_EQ(near(node), "8-15");
  node.set("SLURM_LOCALID", "1");
  EXPECT_EQ(near(node), "0-7");
  node.set("SLURM_LOCALID", "2");
  EXPECT_EQ(near(node), "8-15");
}

TEST(JobGpu, TellsNothingWhereTheSystemDoesNot) {
  Node node;
  node.put("proc/driver/nvidia/gpus/0000:c1:00.0/information", "rubbish");
  EXPECT_EQ(near(node), "");
  node.put("sys/bus/pci/devices/0000:c1:00.0/local_cpulist", "\n");
  EXPECT_EQ(near(node), "");
}

}  // namespace
}  // namespace bench::test
