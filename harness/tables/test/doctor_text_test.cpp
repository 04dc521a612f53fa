#include "harness/tables/doctor_text.hpp"

#include <gtest/gtest.h>

#include "harness/base/reasons.hpp"
#include "harness/document/doctor.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/languages.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// The text for a context and its warnings.
std::string doctor_text_of(Context context, Language language = Language::en) {
  context.run.warnings = doubts(context);
  return unstyled(doctor_text(context, language));
}

Context with_facts() {
  Context context = healthy();
  context.machine.cpu_model = "Some Processor";
  context.machine.caches = {
      {1, "Data", 32768, 1, 4}, {1, "Instruction", 32768, 1, 4}, {3, "Unified", 8388608, 4, 1}};
  context.machine.gpu.emplace().name = "Some GPU";
  context.machine.gpu->memory_bytes = 80'000'000'000;
  context.machine.load_average = {{0.52, 1.5, 2}};
  context.slurm.emplace().job_id = "17";
  context.slurm->job_partition = "gpu";
  return context;
}

TEST(DoctorText, ShowsWhatIsKnownInEightyColumns) {
  const std::string text = doctor_text_of(with_facts());
  for (const char* part :
       {"processor  Some Processor: ? sockets", "L1 4 × 32 kB, L3 1 × 8192 kB",
        "job        job_id 17, job_partition gpu\n", "GPU        Some GPU, 80.0 GB",
        "governor   performance; load 0.52 1.50 2.00, 1 tasks", "No problems found"}) {
    expect_contains(text, part);
  }
  expect_eighty_columns(text);
}

TEST(DoctorText, ShowsWhatTheDeviceAllows) {
  Context context = with_facts();
  GpuLimits& limits = context.machine.gpu->limits.emplace();
  limits.threads_per_block = 1024;
  limits.grid = {2147483647, 65535, 65535};
  limits.shared_bytes_per_block = 49152;
  const std::string text = doctor_text_of(context);
  for (const char* part :
       {" limits compute capability", "a block: 1024 threads", "48 kB of shared memory",
        "2147483647 x 65535 x 65535 blocks", "unknown f64 results"}) {
    expect_contains(wrapped(text, 10'000, 0), part);
  }
  expect_eighty_columns(text);
}

TEST(DoctorText, SaysWhatCanBeToldBesideTime) {
  Context context = with_facts();
  context.machine.gpu.reset();
  context.machine.energy = "package+dram";
  context.machine.counters = {"cycles", "cache misses"};
  expect_contains(doctor_text_of(context),
                  "\nenergy     package+dram\ncounters   cycles, cache misses\n");
  expect_contains(doctor_text_of(context, Language::fr), " cycles, défauts de cache\n");
  context.machine.gpu.emplace().name = "Some GPU";
  expect_contains(doctor_text_of(context), "\nenergy     package+dram; of the GPU too\n");
  context.machine.gpu_energy_reason = said<reasons::gpu_tells_no_energy>();
  context.machine.energy.reset();
  context.machine.energy_reason = "the reason";
  context.machine.counters.reset();
  context.machine.counters_reason = "another reason";
  expect_contains(doctor_text_of(context),
                  "\nenergy     none: the reason; of the GPU not: this GPU does not report its "
                  "energy\ncounters   none: another reason\n");
}

TEST(DoctorText, SaysWhoHasBoundTheThreads) {
  Context context = healthy();
  expect_contains(doctor_text_of(context), "binding    the threads are not bound");
  context.run.thread_cpus = {"1,5", "0,4"};
  context.run.bound_by = Binder::bench;
  expect_contains(wrapped(doctor_text_of(context), 10'000, 0),
                  "bench bound the threads to cores; cpus in the order of the threads: 1,5; 0,4");
  context.run.bound_by = Binder::user;
  expect_contains(doctor_text_of(context), "your settings bind the threads");
  context.run.thread_cpus = std::vector<std::string>(9, "0");
  expect_contains(wrapped(doctor_text_of(context), 10'000, 0),
                  "threads: 0; 0; 0; 0; 0; 0; 0; 0; … ");
}

TEST(DoctorText, EndsWithTheDoubtsAndTheirNumber) {
  Context context = healthy();
  context.machine.governor = "powersave";
  const std::string text = doctor_text_of(context);
  expect_contains(text, "\nwarning: the powersave governor");
  EXPECT_TRUE(text.ends_with("\n1 problem found, with its remedy above.\n")) << text;
  EXPECT_EQ(text.find("No problems"), std::string::npos);
}

TEST(DoctorText, SpeaksTheLanguageInItsNotation) {
  const std::string portuguese = doctor_text_of(with_facts(), Language::pt);
  for (const char* part : {"\nprocessador     Some Processor: ? sockets, ? núcleos, 4 CPUs\n",
                           "\ngovernor        performance; carga 0,52 1,50 2,00,",
                           "\nGPU             Some GPU, 80,0 GB, desconhecido multiprocessadores,",
                           "\nNenhum problema encontrado.\n"}) {
    expect_contains(portuguese, part);
  }
  expect_eighty_columns(portuguese);
  Context doubtful = healthy();
  doubtful.run.threads = 1;
  expect_contains(doctor_text_of(doubtful, Language::fr),
                  "\navertissement : un seul thread : demandez-en");
  expect_contains(doctor_text_of(doubtful, Language::es), "\naviso: un solo hilo: pida más con");
}

/// A context with every fact and warning that there is a sentence for.
Context everything() {
  Context context = with_facts();
  context.run.threads_measured = 3;
  context.run.isa = "v4";
  context.machine.sockets = 2;
  context.machine.cores = 8;
  context.machine.allowed_cores = 2;
  context.machine.cpu_quota = 2.5;
  context.machine.memory_allowance_bytes = 100'000'000;
  context.machine.memory_limited_by = said<reasons::memory_limit_of_job>();
  context.machine.governor = "powersave";
  context.machine.running_tasks = 4;
  context.machine.jitter = Jitter{4, 0.02, 0.125, 4e-3};
  context.machine.energy_reason = said<reasons::rapl_of_others>();
  context.machine.gpu_energy_reason = said<reasons::gpu_tells_no_energy>();
  context.machine.counters = {"cache misses", "branch misses", "TLB misses"};
  context.machine.transparent_huge_pages.enabled = "never";
  context.run.thread_cpus = {"0", "4", "1"};
  context.run.bound_by = Binder::user;
  context.machine.cpuset = "0-7";
  context.machine.allowed_core_cpus = {"0,4", "1,5", "2,6"};
  context.machine.numa_nodes = {{0, "0-7", 1}, {1, "8-15", 1}};
  context.machine.memory_nodes = "1";
  context.machine.gpu->visible_devices = 2;
  context.machine.gpu->device_number = 1;
  context.machine.gpu->nvml.emplace().mig = true;
  context.machine.gpu->nvml->processes = 1;
  return context;
}

TEST(DoctorText, LeavesNoEnglishInOtherLanguages) {
  Context without_gpu = everything();
  without_gpu.machine.gpu.reset();
  without_gpu.machine.gpu_reason = said<reasons::built_without_cuda>();
  without_gpu.slurm.reset();
  Context bound = healthy();
  bound.run.thread_cpus = {"0", "1"};
  bound.run.bound_by = Binder::bench;
  Context moving = healthy();
  moving.run.thread_cpus = {"0-15"};
  moving.machine = everything().machine;
  moving.machine.cpuset = "0-15";
  moving.machine.omp = {{"OMP_PROC_BIND", "false"}};
  Context moving_job = moving;
  moving_job.run.thread_cpus = {"0-15", "0-15"};
  moving_job.machine.omp.clear();
  moving_job.slurm.emplace().job_id = "17";
  for (const Context& context : {everything(), without_gpu, healthy(), bound, moving, moving_job}) {
    const std::string english = doctor_text_of(context);
    for (const Language language : translations) {
      const std::string text = doctor_text_of(context, language);
      expect_eighty_columns(text);
      EXPECT_EQ(
          left_in_english(
              english, text,
              {"Some",        "arrays",        "Processor", "L",       "x",      "v",
               "performance", "powersave",     "never",     "Release", "job_id", "job_partition",
               "OMP_PLACES",  "OMP_PROC_BIND", "close",     "cores",   "false",  "bind",
               "cpuset",      "mems",          "numactl",   "RAPL",    "TLB"}),
          Words{})
          << text;
    }
  }
}

}  // namespace
}  // namespace bench::test
