#include "harness/document/doctor.hpp"

#include <gtest/gtest.h>

#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Doubts = std::vector<Reason>;

/// The only warning about a context.
std::string doubt(const Context& context) {
  const Doubts found = doubts(context);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? "" : found.front().text;
}

TEST(Doctor, HasNothingToSayAboutAHealthyRun) { EXPECT_EQ(doubts(healthy()), Doubts{}); }

TEST(Doctor, DoubtsABuildWithoutOptimisation) {
  Context context = healthy();
  context.build.build_type = "Debug";
  EXPECT_EQ(doubt(context), "built as Debug: configure with -DCMAKE_BUILD_TYPE=Release");
  context.build.build_type = "";
  expect_contains(doubt(context), "built as unknown type");
  context.build.build_type = "RelWithDebInfo";
  EXPECT_EQ(doubts(context), Doubts{});
}

TEST(Doctor, DoubtsOneThread) {
  Context context = healthy();
  context.run.threads = 1;
  expect_contains(doubt(context), "--cpus-per-task");
}

TEST(Doctor, DoubtsMoreThreadsThanCpus) {
  Context context = healthy();
  context.run.threads = context.run.threads_measured = 5;
  EXPECT_EQ(doubt(context),
            "5 threads on 4 cpus: they wait for each other; set OMP_NUM_THREADS to 4");
}

TEST(Doctor, DoubtsABusyNode) {
  Context context = healthy();
  context.machine.running_tasks = 4;
  const std::string running = "other tasks were running when the measurement began (3); ";
  EXPECT_EQ(doubt(context), running + "measure when the machine is idle");
  context.slurm.emplace().job_id = "17";
  EXPECT_EQ(doubt(context), running + "ask for the node alone (--exclusive)");
  context.machine.logical_cpus = 4;
  context.slurm->cpus_on_node = "4";
  EXPECT_EQ(doubt(context), running + "measure when the machine is idle") << "it is";
}

TEST(Doctor, DoubtsThreadsThatAreTakenAway) {
  Context context = healthy();
  context.machine.jitter = Jitter{4, 0.02, 0.019, 4e-3};
  EXPECT_EQ(doubts(context), Doubts{});
  context.machine.jitter->lost = 0.123;
  expect_contains(doubt(context), "12 % of the threads' time was taken away");
  expect_contains(doubt(context), "up to 4 ms at a time");
}

TEST(Doctor, DoubtsAGovernorThatSavesPower) {
  Context context = healthy();
  context.machine.governor = "powersave (2 of 4)";
  expect_contains(doubt(context), "--cpu-freq=performance");
}

TEST(Doctor, MissingFactsRaiseNoDoubt) {
  Context context = healthy();
  context.machine = {};
  EXPECT_EQ(doubts(context), Doubts{});
}

TEST(Doctor, DoubtsAnAffinityNarrowerThanTheJob) {
  Context context = healthy();
  context.slurm.emplace().cpus_per_task = "8";
  expect_contains(doubt(context), "the job has 8 cpus per task, this process may use 4");
  context.slurm->cpus_per_task = "4";
  EXPECT_EQ(doubts(context), Doubts{});
  context.slurm->cpus_per_task.reset();
  EXPECT_EQ(doubts(context), Doubts{});
}

TEST(Doctor, DoubtsAPartOfTheNode) {
  Context context = healthy();
  context.machine.logical_cpus = 64;
  expect_contains(doubt(context), "this process may use 4 of 64 cpus");
  context.slurm.emplace().cpus_per_task = "64";
  context.run.selection.emplace().all_sockets = true;
  EXPECT_EQ(doubts(context), Doubts{}) << "each in its turn";
}

TEST(Doctor, DoubtsHyperThreadsThatShareACore) {
  Context context = healthy();
  context.machine.allowed_cores = 2;
  expect_contains(doubt(context), "4 threads on 2 cores");
  context.machine.allowed_cores = 4;
  EXPECT_EQ(doubts(context), Doubts{});
}

TEST(Doctor, DoubtsAQuotaOfTimeBelowTheThreads) {
  Context context = healthy();
  context.machine.cpu_quota = 0.5;
  EXPECT_EQ(doubt(context),
            "the cgroup allows the time of 0.5 cpus (cpu.max), to 4 threads: they are stopped "
            "repeatedly; measure where there is no such quota");
  context.machine.cpu_quota = 4.0;
  EXPECT_EQ(doubts(context), Doubts{});
  context.machine.cpu_quota.reset();
  EXPECT_EQ(doubts(context), Doubts{});
}

TEST(Doctor, DoubtsALoginNode) {
  Context context = healthy();
  context.machine.host_name = "login1";
  context.slurm.emplace().job_nodelist = "n[1-4]";
  EXPECT_EQ(doubt(context),
            "this is login1, which is not part of the job (n[1-4]): start the program with srun");
  context.machine.host_name = "n3";
  EXPECT_EQ(doubts(context), Doubts{});
  context.machine.host_name = "other";
  context.slurm->nodename = "n3";
  EXPECT_EQ(doubts(context), Doubts{}) << "Slurm may call a node otherwise";
}

TEST(Doctor, DoubtsARegionWithFewerThreadsThanAskedFor) {
  Context context = healthy();
  context.run.threads_measured = 3;
  expect_contains(doubt(context), "4 threads were asked for, a parallel region gets 3");
}

TEST(Doctor, DoubtsLittleMemoryAndNoHugePages) {
  Context context = healthy();
  context.machine.memory_allowance_bytes = 100'000'000;
  context.machine.memory_limited_by = "ulimit -v";
  expect_contains(doubt(context), "only 100 MB of memory may be used (ulimit -v)");
  context.machine.memory_allowance_bytes.reset();
  context.machine.transparent_huge_pages.enabled = "never";
  expect_contains(doubt(context), "huge pages are switched off");
  context.machine.transparent_huge_pages.enabled = "madvise";
  EXPECT_EQ(doubts(context), Doubts{});
}

TEST(Doctor, DoubtsAGpuThatTheJobHasAndTheProgramDoesNotUse) {
  Context context = healthy();
  context.machine.gpu.reset();
  context.machine.gpu_reason = "built without CUDA";
  EXPECT_EQ(doubts(context), Doubts{}) << "a CPU node is no mistake";
  context.slurm.emplace().job_gpus = "0,1,2,3";
  EXPECT_EQ(doubts(context), Doubts{}) << "the node alone, and no GPU asked for";
  context.slurm.emplace().step_gpus = "0";
  EXPECT_EQ(doubt(context), "the job has a GPU that this program does not use: built without CUDA");
}

TEST(Doctor, DoubtsCpusThatAreAllFarFromTheGpu) {
  Context context = healthy();
  context.machine.cpuset = "16-19";
  context.machine.gpu.emplace().local_cpus = "0-15,32-47";
  expect_contains(doubt(context), "the GPU is near cpus 0-15,32-47, this process has only 16-19");
  context.machine.cpuset = "15-19";
  EXPECT_EQ(doubts(context), Doubts{}) << "one is near";
  context.machine.cpuset.reset();
  EXPECT_EQ(doubts(context), Doubts{});
  context.machine.cpuset = "16-19";
  context.machine.gpu->local_cpus.reset();
  EXPECT_EQ(doubts(context), Doubts{});
}

TEST(Doctor, DoubtsAGpuThatIsSharedOrInParts) {
  Context context = healthy();
  GpuFacts& gpu = context.machine.gpu.emplace();
  gpu.visible_devices = 1;
  gpu.driver_cuda_version = "12.4";
  gpu.runtime_version = "12.8";
  gpu.nvml.emplace().mig = false;
  gpu.nvml->processes = 0;
  EXPECT_EQ(doubts(context), Doubts{});
  Context changed = context;
  changed.machine.gpu->visible_devices = 4;
  changed.machine.gpu->device_number = 3;
  expect_contains(doubt(changed), "4 GPUs are visible, this task uses number 3");
  changed.run.selection.emplace().all_devices = true;
  EXPECT_EQ(doubts(changed), Doubts{}) << "each in its turn";
  changed = context;
  changed.machine.gpu->nvml->mig = true;
  expect_contains(doubt(changed), "MIG instance");
  changed = context;
  changed.machine.gpu->nvml->processes = 1;
  expect_contains(doubt(changed), "another process uses the GPU");
  changed = context;
  changed.machine.gpu->nvml->utilization_percent = 50;
  expect_contains(doubt(changed), "another process uses the GPU");
  changed = context;
  changed.machine.gpu->runtime_version = "13.0";
  expect_contains(doubt(changed),
                  "the driver knows CUDA 12.4, the program was built with CUDA 13.0");
  changed.machine.gpu->nvml.reset();
  EXPECT_EQ(doubts(changed).size(), 1U);
}

}  // namespace
}  // namespace bench::test
