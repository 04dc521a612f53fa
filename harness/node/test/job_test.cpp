#include "harness/node/job.hpp"

#include <fnmatch.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

using Variables = std::map<std::string, std::string>;

/// A node with these variables and this number of CPUs.
Host host_with(Variables variables, int cpus = 8) {
  Host host;
  host.env = [variables = std::move(variables)](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
  host.cpus = [cpus] {
    std::vector<int> allowed;
    for (int cpu = 0; cpu < cpus; ++cpu) allowed.push_back(2 * cpu);
    return allowed;
  };
  host.topology = [] { return Topology(); };
  return host;
}

TEST(Job, UsesAllCpusThatItMay) {
  EXPECT_EQ(job_threads(host_with({})), 8);
  EXPECT_EQ(job_threads(host_with({}, 1)), 1);
  EXPECT_EQ(job_threads(host_with({}, 0)), 1) << "nothing is known about the CPUs";
}

TEST(Job, UsesWhatSlurmGaveAsFarAsItIsThere) {
  EXPECT_EQ(job_threads(host_with({{"SLURM_CPUS_PER_TASK", "4"}})), 4);
  EXPECT_EQ(job_threads(host_with({{"SLURM_CPUS_PER_TASK", "64"}})), 8);
  EXPECT_EQ(job_threads(host_with({{"SLURM_CPUS_PER_TASK", "0"}})), 1);
  for (const char* nonsense : {"", "many", "-3", "4(x2)", "4.5", "99999999999"}) {
    EXPECT_EQ(job_threads(host_with({{"SLURM_CPUS_PER_TASK", nonsense}})), 8) << nonsense;
  }
}

TEST(Job, HasAThreadForEachCoreWhereCoresHaveSeveralCpus) {
  Variables variables;
  const auto threads = [&](std::vector<int> cpus) {
    Host host = host_with(variables);
    host.cpus = [cpus = std::move(cpus)] { return cpus; };
    host.topology = [] {
      Topology topology;
      topology.cores = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
      return topology;
    };
    return job_threads(host);
  };
  EXPECT_EQ(threads({0, 1, 2, 3, 4, 5, 6, 7}), 4);
  EXPECT_EQ(threads({0, 1, 4}), 2);
  EXPECT_EQ(threads({0, 4}), 1);
  variables = {{"SLURM_CPUS_PER_TASK", "8"}};
  EXPECT_EQ(threads({0, 1, 2, 3, 4, 5, 6, 7}), 4) << "Slurm counts hardware threads";
  variables = {{"SLURM_CPUS_PER_TASK", "3"}};
  EXPECT_EQ(threads({0, 1, 2, 3, 4, 5, 6, 7}), 3);
  variables = {{"OMP_PLACES", "{0,4},{1,5}"}, {"BENCH_PLACES", "{0,4},{1,5}"}};
  EXPECT_EQ(threads({0, 1, 4, 5}), 2) << "as many as it has bound itself to";
}

TEST(Job, ObeysTheOpenMpVariableAsTheRuntimeUnderstoodIt) {
  const Host host = host_with({{"OMP_NUM_THREADS", "3"}, {"SLURM_CPUS_PER_TASK", "4"}});
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  EXPECT_EQ(job_threads(host), 3);
  omp_set_num_threads(before);
}

TEST(Job, KnowsItsRank) {
  EXPECT_EQ(task_rank(host_with({})), 0);
  EXPECT_EQ(task_rank(host_with({{"SLURM_PROCID", "17"}})), 17);
  EXPECT_EQ(local_rank(host_with({{"SLURM_PROCID", "17"}, {"SLURM_LOCALID", "3"}})), 3);
  EXPECT_EQ(local_rank(host_with({})), 0);
  EXPECT_EQ(task_rank(host_with({{"SLURM_PROCID", "x"}})), 0);
}

/// Every # stands for a digit.
void expect_matches(const std::string& text, const std::string& pattern) {
  std::string glob;
  for (const char c : pattern) glob += c == '#' ? std::string("[0-9]") : std::string(1, c);
  EXPECT_EQ(fnmatch(glob.c_str(), text.c_str(), 0), 0) << text << " is not like " << pattern;
}

TEST(Job, NamesTheResultByTimeOutsideSlurm) {
  for (const Variables& outside : {Variables{{"SLURMD_NODENAME", "n1"}},
                                   Variables{{"SLURMD_NODENAME", "n1"}, {"SLURM_JOB_ID", ""}}}) {
    expect_matches(default_result_path(host_with(outside)).string(),
                   "results/########T######Z-n1.json");
  }
}

TEST(Job, NamesTheResultByTheJobUnderSlurm) {
  Variables job{{"SLURM_CLUSTER_NAME", "pot"}, {"SLURM_JOB_ID", "123"}, {"SLURM_STEP_ID", "4"},
                {"SLURMD_NODENAME", "gpu1"},   {"SLURM_PROCID", "2"},   {"OTHER", "x"}};
  EXPECT_EQ(default_result_path(host_with(job)), "results/pot-123.4-gpu1-2.json");
  job["BENCH_RESULTS_DIR"] = "/data/runs";
  EXPECT_EQ(default_result_path(host_with(job)), "/data/runs/pot-123.4-gpu1-2.json");
  job["BENCH_RESULTS_DIR"] = "";
  EXPECT_EQ(default_result_path(host_with(job)), "results/pot-123.4-gpu1-2.json");
  job["SLURM_ARRAY_JOB_ID"] = "121";
  job["SLURM_ARRAY_TASK_ID"] = "3";
  EXPECT_EQ(default_result_path(host_with(job)), "results/pot-121_3.4-gpu1-2.json");
}

TEST(Job, ForgedNamesDoNotLeaveTheFolder) {
  const Host host = host_with(
      {{"SLURM_CLUSTER_NAME", "../../etc"}, {"SLURM_JOB_ID", "1 2"}, {"SLURMD_NODENAME", "a/b\n"}});
  const std::filesystem::path path = default_result_path(host);
  EXPECT_EQ(path.parent_path(), "results");
  EXPECT_EQ(path.filename().string().find_first_of("/ \n"), std::string::npos);
}

TEST(Job, NoNameIsHidden) {
  const Host host = host_with({{"SLURM_CLUSTER_NAME", ".."}, {"SLURM_JOB_ID", "7"}});
  EXPECT_TRUE(default_result_path(host).filename().string().starts_with("_.-7.0-"));
}

TEST(Job, TasksOfAStepWriteFilesOfTheirOwn) {
  EXPECT_EQ(path_of_task("a/x.json", host_with({})), "a/x.json");
  Variables step{{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURMD_NODENAME", "n1"}, {"SLURM_PROCID", "3"}};
  EXPECT_EQ(path_of_task("a/x.json", host_with(step)), "a/x.json");
  step["SLURM_STEP_NUM_TASKS"] = "4";
  EXPECT_EQ(path_of_task("a/x.json", host_with(step)), "a/x-n1-3.json");
}

TEST(Job, RefusesWhatWouldCrashTheOpenMpRuntime) {
  EXPECT_EQ(openmp_obstacle(host_with({})), "");
  for (const char* fine : {"256k", "512", "1M", "1g", "262144B", "nonsense", "5x", ""}) {
    EXPECT_EQ(openmp_obstacle(host_with({{"OMP_STACKSIZE", fine}})), "") << fine;
  }
  for (const char* little : {"16k", "48", "65536B", "0.1M", "-1"}) {
    EXPECT_EQ(openmp_obstacle(host_with({{"OMP_STACKSIZE", little}})),
              "OMP_STACKSIZE=" + std::string(little) +
                  ": too little for a thread; ask for 256k or more, or unset it");
  }
  const int before = omp_get_max_threads();
  omp_set_num_threads(100'000);
  EXPECT_EQ(openmp_obstacle(host_with({}, 2)),
            "OMP_NUM_THREADS: 100000 threads on 2 cpus; set it to 2, or unset it");
  omp_set_num_threads(1500);
  EXPECT_EQ(openmp_obstacle(host_with({}, 256)), "") << "six on each cpu";
  omp_set_num_threads(before);
}

TEST(Job, TellsTheTimeInUtc) { expect_matches(utc_now(), "20##-##-##T##:##:##Z"); }

}  // namespace
}  // namespace bench
