#include "harness/node/environment.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/node/test/node.hpp"

namespace bench::test {
namespace {

namespace fs = std::filesystem;

/// The facts as result files have them.
Json machine_json(const Host& host = {}) { return written(machine(host)); }

/// Two sockets, and what else there is to be known of a node.
void make_node(Node& node) {
  make_two_sockets(node);
  node.put("proc/cpuinfo",
           "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) 8480+\n"
           "microcode\t: 0x2b000461\ncpu MHz\t\t: 2000.000\nflags\t\t: fpu avx fma avx2 avx512f\n\n"
           "processor\t: 1\nvendor_id\t: GenuineIntel\nmodel name\t: another\n");
  node.put("proc/meminfo",
           "MemTotal:        2097152 kB\nMemFree:  1 kB\nMemAvailable:    1048576 kB\n"
           "SwapTotal:             0 kB\nShmem:                 8 kB\n");
  node.put("proc/self/mounts",
           "/dev/sda2 / ext4 rw 0 0\nproc /proc proc rw 0 0\n/dev/sda1 /boot vfat rw 0 0\n"
           "/etc/auto.home /home autofs rw 0 0\nfiles:/home/ana /home/ana nfs4 rw 0 0\n"
           "10.0.0.1@tcp:/fs /scratch lustre rw 0 0\n/dev/sda2 /tmp ext4 rw 0 0\ntmpfs /dev/shm "
           "tmpfs rw 0 0\n"
           "/dev/loop0 /mnt squashfs ro 0 0\n");
  node.put("proc/loadavg", "0.50 1.25 12.00 2/345 6789\n");
  node.put("proc/sys/kernel/hostname", "n042.cluster.example\n");
  node.put("etc/os-release", "NAME=\"Rocky\"\nPRETTY_NAME=\"Rocky Linux 9.4 (Blue Onyx)\"\n");
  node.put("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
  node.put("sys/kernel/mm/transparent_hugepage/defrag", "always defer [madvise] never\n");
}

TEST(Environment, DescribesATwoSocketNodeWithSmt) {
  Node node;
  make_node(node);
  node.allow({0, 1, 4, 5});
  const Json facts = machine_json(node.host());
  EXPECT_EQ(facts["node"], "n042");
  EXPECT_EQ(facts["host_name"], "n042");
  EXPECT_EQ(facts["os"], "Rocky Linux 9.4 (Blue Onyx)");
  EXPECT_EQ(facts["cpu_model"], "Intel(R) Xeon(R) 8480+");
  EXPECT_EQ(facts["cpu_vendor"], "GenuineIntel");
  EXPECT_EQ(facts["microcode"], "0x2b000461");
  EXPECT_EQ(facts["mounts"], Json({"/", "/scratch"}));
  EXPECT_EQ(facts["shared_memory_bytes"], 8192);
  EXPECT_EQ(facts["sockets"], 2);
  EXPECT_EQ(facts["cores"], 4);
  EXPECT_EQ(facts["logical_cpus"], 8);
  EXPECT_EQ(facts["smt"], true);
  EXPECT_EQ(facts["cpuset"], "0-1,4-5");
  EXPECT_EQ(facts["allowed_cpus"], 4);
  EXPECT_EQ(facts["allowed_cores"], 2);
  EXPECT_EQ(facts["allowed_core_cpus"], Json({"0,4", "1,5"}));
  EXPECT_EQ(facts["isa_flags"], Json({"avx", "fma", "avx2", "avx512f"}));
  EXPECT_EQ(facts["hypervisor"], false);
  EXPECT_EQ(facts["memory_bytes"], 2UL << 30);
  EXPECT_EQ(facts["memory_available_bytes"], 1UL << 30);
  EXPECT_EQ(facts["memory_limit_bytes"], nullptr);
  EXPECT_EQ(facts["swap_bytes"], 0);
  EXPECT_EQ(facts["page_bytes"], sysconf(_SC_PAGESIZE));
  EXPECT_EQ(facts["transparent_huge_pages"]["enabled"], "always");
  EXPECT_EQ(facts["transparent_huge_pages"]["defrag"], "madvise");
  EXPECT_EQ(facts["load_average"], Json({0.5, 1.25, 12.0}));
  EXPECT_EQ(facts["frequency_mhz"]["current"], 2000.0);
}

TEST(Environment, TellsArmCoresByTheirNumbers) {
  Node node;
  node.allow({0, 1});
  node.put("sys/devices/system/cpu/online", "0-1\n");
  for (int cpu = 0; cpu < 2; ++cpu) {
    node.put_core(cpu, std::to_string(cpu), -1, "0-1");  // some virtual machines
  }
  node.put("proc/cpuinfo",
           "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd crc32 sve sve2 bf16\n"
           "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\n");
  const Json facts = machine_json(node.host());
  EXPECT_EQ(facts["cpu_model"], "Neoverse-V2");
  EXPECT_EQ(facts["cpu_vendor"], "ARM");
  EXPECT_EQ(facts["microcode"], nullptr);
  EXPECT_EQ(facts["sockets"], nullptr);
  EXPECT_EQ(facts["cores"], 2);
  EXPECT_EQ(facts["smt"], false);
  EXPECT_EQ(facts["hypervisor"], nullptr) << "Arm does not tell";
  EXPECT_EQ(facts["isa_flags"], Json({"asimd", "sve", "sve2", "bf16"}));
}

TEST(Environment, NamesUnknownArmCoresByNumber) {
  Node node;
  node.put("proc/cpuinfo", "model name :\nCPU implementer\t: 0x99\nCPU part\t: 0x123\n");
  const Json facts = machine_json(node.host());
  EXPECT_EQ(facts["cpu_model"], "0x99:0x123");
  EXPECT_EQ(facts["cpu_vendor"], nullptr);
}

TEST(Environment, NamesTheHypervisorIfItCan) {
  Node node;
  node.put("proc/cpuinfo", "flags : fpu hypervisor\n");
  EXPECT_EQ(machine_json(node.host())["hypervisor"], true);
  node.put("sys/hypervisor/type", "xen\n");
  EXPECT_EQ(machine_json(node.host())["hypervisor"], "xen");
}

// Facts that do not come from files.
bool is_always_known(const std::string& key) {
  const std::vector<std::string> known = {"node",          "host_name",      "kernel",
                                          "arch",          "page_bytes",     "omp",
                                          "energy_reason", "counters_reason"};
  return std::find(known.begin(), known.end(), key) != known.end();
}

bool is_null(const Json& value) {
  if (!value.is_object() || value.empty()) return value.is_null();
  return std::all_of(value.begin(), value.end(), [](const Json& part) { return part.is_null(); });
}

TEST(Environment, EverythingMissingIsNull) {
  const Node node;
  const Json facts = machine_json(node.host());
  for (const auto& [key, value] : facts.items()) {
    EXPECT_EQ(is_null(value), !is_always_known(key)) << key << ": " << value;
  }
  EXPECT_FALSE(node_name(node.host()).empty());
  EXPECT_EQ(facts["omp"], Json::object());
}

TEST(Environment, AMissingRootIsNoError) {
  Node node;
  Host host = node.host();
  host.root = node.root() / "nowhere";
  EXPECT_EQ(machine_json(host)["cores"], nullptr);
}

TEST(Environment, KeysAreTheSameOnEveryNode) {
  Node full;
  make_node(full);
  full.allow({0});
  const Json known = machine_json(full.host());
  const Json unknown = machine_json(Node().host());
  ASSERT_EQ(known.size(), unknown.size());
  for (const auto& [key, value] : known.items()) EXPECT_TRUE(unknown.contains(key)) << key;
}

class Rubbish : public testing::TestWithParam<std::string> {};

TEST_P(Rubbish, IsNullOrTextButNeverAnError) {
  Node node;
  make_node(node);
  node.allow({0});
  node.put("proc/self/cgroup", "0::/\n");
  node.put("sys/fs/cgroup/memory.max", "1\n");
  node.put_cpu(0, "cpufreq/scaling_min_freq", "1\n");
  node.put("sys/devices/system/cpu/cpufreq/boost", "1\n");
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(node.root())) {
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), node.root()));
  }
  for (const fs::path& file : files) node.put(file.string(), GetParam());
  node.put("sys/devices/system/cpu/cpu\xff/online", GetParam());
  for (const char* name : {"OMP_\xff", "OMP_NUM_THREADS", "SLURMD_NODENAME", "SLURM_JOB_ID"}) {
    node.set(name, GetParam());
  }
  const Json facts = machine_json(node.host());
  EXPECT_NO_THROW(static_cast<void>(facts.dump()));
  EXPECT_NO_THROW(static_cast<void>(written(slurm(node.host())).dump()));
  EXPECT_NO_THROW(static_cast<void>(Json(node_name(node.host())).dump()));
  EXPECT_FALSE(node_name(node.host()).empty());
  for (const char* key : {"boost", "memory_bytes", "memory_limit_bytes", "load_average"}) {
    EXPECT_EQ(facts[key], nullptr) << key;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Environment, Rubbish,
    testing::Values("", "\n\n", ":", "::", "[", "]x[", "-", "0-", "3-1", "-5", "0-4294967295",
                    "99999999999999999999999", "\xff\xfe\x80", "\xc3", "K", "1 parsec", "nan",
                    "Node 0 MemTotal: many kB\nMemTotal: -1 kB\ncpu MHz: nan\n",
                    "MemTotal: 99999999999999999 kB", std::string(5, '\0'),
                    std::string(1 << 14, 'x'), std::string(1 << 14, '\n')));

TEST(Environment, ReplacesBytesThatAreNotUtf8) {
  Node node;
  node.put("proc/cpuinfo", "model name : Xe\xffon\n");
  node.put("proc/sys/kernel/hostname", "n\xff\n");
  EXPECT_EQ(machine_json(node.host())["cpu_model"], "Xe\xef\xbf\xbdon");
  EXPECT_EQ(node_name(node.host()), "n\xef\xbf\xbd");
}

TEST(Environment, ReadsOnlyTheBeginningOfAnEnormousFile) {
  Node node;
  node.put("proc/cpuinfo",
           "vendor_id : early\n" + std::string(2 << 20, 'x') + "\nmicrocode : late\n");
  const Json facts = machine_json(node.host());
  EXPECT_EQ(facts["cpu_vendor"], "early");
  EXPECT_EQ(facts["microcode"], nullptr);
}

TEST(Environment, DoesNotWaitForPipesOrReadFolders) {
  Node node;
  node.put("proc/x", "");
  ASSERT_EQ(mkfifo((node.root() / "proc/loadavg").c_str(), 0600), 0);
  fs::create_directories(node.root() / "proc/cpuinfo");
  const Json facts = machine_json(node.host());
  EXPECT_EQ(facts["load_average"], nullptr);
  EXPECT_EQ(facts["cpu_model"], nullptr);
}

TEST(Environment, TakesTheLowestLimitOfCgroupVersion2) {
  Node node;
  node.put("proc/self/cgroup", "0::/system.slice/job_7/step_0\n");
  node.put("sys/fs/cgroup/system.slice/memory.max", "max\n");
  node.put("sys/fs/cgroup/system.slice/job_7/memory.max", "1073741824\n");
  node.put("sys/fs/cgroup/system.slice/job_7/step_0/memory.max", "max\n");
  node.put("sys/fs/cgroup/system.slice/job_8/memory.max", "1\n");
  EXPECT_EQ(machine_json(node.host())["memory_limit_bytes"], 1UL << 30);
  node.put("sys/fs/cgroup/system.slice/job_7/step_0/memory.max", "4096\n");
  EXPECT_EQ(machine_json(node.host())["memory_limit_bytes"], 4096);
}

TEST(Environment, TakesTheLowestQuotaOfCpuTime) {
  Node node;
  EXPECT_EQ(machine_json(node.host())["cpu_quota"], nullptr);
  node.put("proc/self/cgroup", "3:cpu,cpuacct:/job_7\n0::/job_7/step_0\n");
  node.put("sys/fs/cgroup/cpu/job_7/cpu.cfs_quota_us", "-1\n");
  node.put("sys/fs/cgroup/cpu/job_7/cpu.cfs_period_us", "100000\n");
  node.put("sys/fs/cgroup/job_7/cpu.max", "max 100000\n");
  EXPECT_EQ(machine_json(node.host())["cpu_quota"], nullptr);
  node.put("sys/fs/cgroup/cpu/job_7/cpu.cfs_quota_us", "50000\n");
  EXPECT_EQ(machine_json(node.host())["cpu_quota"], 0.5);
  node.put("sys/fs/cgroup/job_7/step_0/cpu.max", "40000 100000\n");
  EXPECT_EQ(machine_json(node.host())["cpu_quota"], 0.4);
  for (const char* nonsense : {"", "5", "a b", "1 0", "-3 100", "nan 5", "1 2 3"}) {
    node.put("sys/fs/cgroup/job_7/step_0/cpu.max", nonsense);
    EXPECT_EQ(machine_json(node.host())["cpu_quota"], 0.5) << nonsense;
  }
}

TEST(Environment, TakesTheLowestLimitOfCgroupVersion1) {
  Node node;
  const std::string folder = "sys/fs/cgroup/memory/";
  node.put("proc/self/cgroup", "5:cpuset:/slurm/job_7\n4:hugetlb,memory:/slurm/job_7\n0::/\n");
  node.put(folder + "memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine_json(node.host())["memory_limit_bytes"], nullptr);
  node.put(folder + "slurm/memory.limit_in_bytes", "8192\n");
  node.put(folder + "slurm/job_7/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine_json(node.host())["memory_limit_bytes"], 8192);
}

TEST(Environment, FindsVersion2BesideVersion1) {
  Node node;
  node.put("proc/self/cgroup", "4:cpuset:/\n0::/job_7\n");
  node.put("sys/fs/cgroup/unified/job_7/memory.max", "8192\n");
  EXPECT_EQ(machine_json(node.host())["memory_limit_bytes"], 8192);
}

TEST(Environment, SeesTheLimitOfAContainerAndNothingOutside) {
  Node node;
  node.put("proc/self/cgroup", "0::/../other\n");
  node.put("sys/fs/cgroup/memory.max", "8192\n");
  node.put("sys/fs/other/memory.max", "1\n");
  node.put("sys/fs/cgroup/other/memory.max", "2\n");
  EXPECT_EQ(machine_json(node.host())["memory_limit_bytes"], 8192);
}

TEST(Environment, ReportsGovernorsAndFrequenciesOfTheAllowedCpus) {
  Node node;
  const std::vector<std::string> governors = {"schedutil", "performance", "performance"};
  for (int cpu = 0; cpu < 3; ++cpu) {
    const auto index = static_cast<std::size_t>(cpu);
    node.put_cpu(cpu, "cpufreq/scaling_governor", governors[index] + "\n");
    node.put_cpu(cpu, "cpufreq/scaling_min_freq", std::to_string(800000 + 100000 * cpu));
    node.put_cpu(cpu, "cpufreq/scaling_max_freq", std::to_string(3000000 + 500000 * cpu));
    node.put_cpu(cpu, "cpufreq/scaling_cur_freq", std::to_string(2000000 + 500 * cpu));
  }
  node.allow({1, 2});
  Json facts = machine_json(node.host());
  EXPECT_EQ(facts["governor"], "performance");
  EXPECT_EQ(facts["frequency_mhz"].dump(), R"({"min":900.0,"max":4000.0,"current":2000.5})");
  node.allow({0, 1, 2});
  facts = machine_json(node.host());
  EXPECT_EQ(facts["governor"], "mixed: performance,schedutil");
  EXPECT_EQ(facts["frequency_mhz"]["min"], 800.0);
}

TEST(Environment, ReadsBoostOfEitherDriver) {
  Node node;
  node.put("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  EXPECT_EQ(machine_json(node.host())["boost"], false);
  node.put("sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_EQ(machine_json(node.host())["boost"], true);
}

TEST(Environment, NodeNameComesFromSlurmFirst) {
  Node node;
  node.put("proc/sys/kernel/hostname", "n042.cluster.example\n");
  EXPECT_EQ(node_name(node.host()), "n042");
  node.set("SLURMD_NODENAME", "");
  EXPECT_EQ(node_name(node.host()), "n042");
  node.set("SLURMD_NODENAME", "gpu1");
  EXPECT_EQ(node_name(node.host()), "gpu1");
  EXPECT_EQ(machine_json(node.host())["host_name"], "n042");
  node.set("SLURMD_NODENAME", "");
  node.put("proc/sys/kernel/hostname", ".\n");
  EXPECT_EQ(node_name(node.host()), "unknown");
}

TEST(Environment, SlurmIsNullOutsideAJob) {
  Node node;
  node.set("SLURM_CONF", "/etc/slurm.conf");
  EXPECT_FALSE(slurm(node.host()));
  node.set("SLURM_JOB_ID", "");
  EXPECT_FALSE(slurm(node.host()));
}

TEST(Environment, SlurmFactsAreStringsAndNothingPrivate) {
  Node node;
  for (const char* name : {"SLURM_JOB_ACCOUNT", "SLURM_JOB_USER", "SLURM_JOB_UID", "SLURM_JOB_QOS",
                           "SLURM_JOB_NAME", "SLURM_SUBMIT_DIR"}) {
    node.set(name, "secret");
  }
  node.set("SLURM_JOB_ID", "123");
  node.set("SLURM_ARRAY_TASK_ID", "4");
  node.set("SLURM_CPU_BIND_LIST", "0x3");
  node.set("SLURMD_NODENAME", "gpu1");
  node.set("CUDA_VISIBLE_DEVICES", "");
  const Json facts = written(slurm(node.host()));
  EXPECT_EQ(facts["job_id"], "123");
  EXPECT_EQ(facts["array_task_id"], "4");
  EXPECT_EQ(facts["cpu_bind_list"], "0x3");
  EXPECT_EQ(facts["nodename"], "gpu1");
  EXPECT_EQ(facts["cuda_visible_devices"], "") << "set, to no device";
  EXPECT_TRUE(facts.contains("step_gpus"));
  EXPECT_EQ(facts["step_gpus"], nullptr);
  EXPECT_EQ(facts.dump().find("secret"), std::string::npos);
}

TEST(Environment, KnowsWhichMemoryMayBeUsed) {
  Node node;
  Host host = node.host();
  host.policy_nodes = [] { return std::vector<int>(); };
  EXPECT_EQ(machine_json(host)["memory_nodes"], nullptr);
  node.put("proc/self/status", "Name:\tbench\nMems_allowed:\t0000000f\nMems_allowed_list:\t0-3\n");
  EXPECT_EQ(machine_json(host)["memory_nodes"], "0-3");
  host.policy_nodes = [] { return std::vector<int>{1, 5}; };
  EXPECT_EQ(machine_json(host)["memory_nodes"], "1");
}

TEST(Environment, LeavesOutThePlacesThatAreOurs) {
  Node node;
  node.set("OMP_PLACES", "{0},{1}");
  node.set("OMP_PROC_BIND", "spread");
  node.set("OMP_NUM_THREADS", "2");
  EXPECT_EQ(machine_json(node.host())["omp"].size(), 3);
  node.set("BENCH_PLACES", "{0},{1}");
  EXPECT_EQ(machine_json(node.host())["omp"].dump(), R"({"OMP_NUM_THREADS":"2"})");
}

TEST(Environment, RecordsOpenMpVariablesAndModules) {
  Node node;
  node.set("OMP_PROC_BIND", "close");
  node.set("GOMP_SPINCOUNT", "0");
  node.set("KMP_AFFINITY", "compact");
  node.set("COMPILER", "omp");
  node.set("OMPI_COMM_WORLD_RANK", "0");
  Json facts = machine_json(node.host());
  EXPECT_EQ(facts["omp"].dump(),
            R"({"GOMP_SPINCOUNT":"0","KMP_AFFINITY":"compact","OMP_PROC_BIND":"close"})");
  EXPECT_EQ(facts["loaded_modules"], nullptr);
  node.set("LOADEDMODULES", "");
  EXPECT_EQ(machine_json(node.host())["loaded_modules"], Json::array());
  node.set("LOADEDMODULES", "gcc/12.2:cuda/12.8.1");
  EXPECT_EQ(machine_json(node.host())["loaded_modules"], Json({"gcc/12.2", "cuda/12.8.1"}));
}

TEST(Environment, ThisNodeIsDescribedToo) {
  ASSERT_EQ(setenv("OMP_ENVIRONMENT_TEST", "yes", 1), 0);
  const Json facts = machine_json();
  EXPECT_EQ(facts["omp"]["OMP_ENVIRONMENT_TEST"], "yes");
  EXPECT_EQ(facts["allowed_cpus"], allowed_cpus().size());
  EXPECT_EQ(facts["node"], node_name());
  EXPECT_NO_THROW(static_cast<void>(facts.dump()));
  unsetenv("OMP_ENVIRONMENT_TEST");
}

}  // namespace
}  // namespace bench::test
