#include "harness/document/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "harness/base/json.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/text.hpp"
#include "harness/node/binding.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/nodelist.hpp"

namespace bench {
namespace {

using Doubts = std::vector<Reason>;

void about_build(const std::string& type, Doubts& found) {
  if (type != "Release" && type != "RelWithDebInfo") {
    found.push_back(said<reasons::built_as>(type.empty() ? "unknown type" : type));
  }
}

void about_threads(int threads, const Machine& machine, Doubts& found) {
  if (threads == 1) {
    found.push_back(said<reasons::only_one_thread>());
  }
  if (machine.allowed_cpus && threads > *machine.allowed_cpus) {
    found.push_back(said<reasons::more_threads_than_cpus>(threads, *machine.allowed_cpus,
                                                          *machine.allowed_cpus));
  }
}

/// Tasks that run at this moment, without this one. The load average of the last minute would also
/// count the build that went before.
void about_others(const Context& context, Doubts& found) {
  const int others = context.machine.running_tasks.value_or(0) - 1;
  if (others > 0) {
    found.push_back(said<reasons::other_tasks>(others, how_to_be_alone(context)));
  }
}

void about_jitter(const Machine& machine, Doubts& found) {
  constexpr double much = 0.02;
  const auto& jitter = machine.jitter;
  if (!jitter || jitter->lost < much) return;
  found.push_back(said<reasons::time_taken_away>(figure(100 * jitter->lost, 2),
                                                 figure(1e3 * jitter->longest_s, 2)));
}

void about_governor(const Machine& machine, Doubts& found) {
  if (machine.governor.value_or("").find("powersave") != std::string::npos) {
    found.push_back(said<reasons::powersave>());
  }
}

/// A count among Slurm's variables, which are text, 0 where there is none.
int count(const Text& variable) {
  const std::string text = variable.value_or("");
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : 0;
}

/// `salloc` gives a shell on the login node, with all variables of the job.
void about_place(const Context& context, Doubts& found) {
  const Text& host = context.machine.host_name;
  if (!context.slurm || has_text(context.slurm->nodename) || !host) return;
  const std::string nodes = context.slurm->job_nodelist.value_or("");
  if (nodes.empty()) return;
  const std::vector<std::string> names = expand_nodelist(nodes);
  if (std::find(names.begin(), names.end(), *host) != names.end()) return;
  found.push_back(said<reasons::not_of_the_job>(*host, nodes));
}

void about_cpus(const Context& context, Doubts& found) {
  const Machine& machine = context.machine;
  if (!machine.allowed_cpus) return;
  const int cpus = *machine.allowed_cpus;
  const int per_task = context.slurm ? count(context.slurm->cpus_per_task) : 0;
  // With --sockets all this is one turn of many.
  const bool in_turn = context.run.selection && context.run.selection->all_sockets;
  if (cpus < per_task && !in_turn) {
    found.push_back(said<reasons::fewer_cpus_than_asked>(per_task, cpus));
  }
  const auto all = static_cast<int>(machine.logical_cpus.value_or(0));
  if (cpus < all && !in_turn) {
    found.push_back(said<reasons::part_of_the_node>(cpus, all));
  }
  const int threads = context.run.threads;
  const auto& cores = machine.allowed_cores;
  if (cores && *cores < threads && threads <= cpus) {
    found.push_back(said<reasons::hyper_threads>(threads, *cores, *cores));
  }
  if (context.run.threads_measured < threads) {
    found.push_back(said<reasons::fewer_threads>(threads, context.run.threads_measured));
  }
}

void about_quota(const Context& context, Doubts& found) {
  const auto& quota = context.machine.cpu_quota;
  const int threads = context.run.threads;
  if (!quota || *quota >= threads) return;
  const std::string cpus = figure(*quota, 3);
  found.push_back(threads == 1 ? said<reasons::quota_of_one>(cpus, threads)
                               : said<reasons::quota>(cpus, threads));
}

void about_topology(const Machine& machine, Doubts& found) {
  if (machine.topology_from) {
    found.push_back(said<reasons::other_topology>(*machine.topology_from));
  }
}

void about_memory(const Machine& machine, Doubts& found) {
  constexpr double little = 500e6;
  if (!machine.memory_allowance_bytes) return;
  const auto room = static_cast<double>(*machine.memory_allowance_bytes);
  if (room >= little) return;
  found.push_back(said<reasons::little_memory>(
      fmt::format("{:.0f} MB", room / 1e6), machine.memory_limited_by.value_or("unknown limit")));
}

/// "12.4" as 12.
int major_of(const std::string& version) { return std::atoi(version.c_str()); }

void about_distance(const GpuFacts& gpu, const Machine& machine, Doubts& found) {
  const std::vector<int> near = cpus_in(gpu.local_cpus.value_or(""));
  const std::vector<int> ours = cpus_in(machine.cpuset.value_or(""));
  const auto both = std::find_first_of(ours.begin(), ours.end(), near.begin(), near.end());
  if (near.empty() || ours.empty() || both != ours.end()) return;
  found.push_back(said<reasons::gpu_is_far>(cpu_list(near), cpu_list(ours)));
}

void about_gpu(const Context& context, Doubts& found) {
  const Machine& machine = context.machine;
  if (!machine.gpu) {
    // Not job_gpus: with --exclusive it names all GPUs of the node, although the step has none.
    const auto& job = context.slurm;
    const bool given = job && (has_text(job->step_gpus) || has_text(job->gpus_on_node) ||
                               has_text(job->cuda_visible_devices));
    if (given && machine.gpu_reason) {
      found.push_back(said<reasons::gpu_not_used>(*machine.gpu_reason));
    }
    return;
  }
  const GpuFacts& gpu = *machine.gpu;
  about_distance(gpu, machine, found);
  const NvmlFacts nvml = gpu.nvml.value_or(NvmlFacts());
  // With --devices all this is one turn of many.
  const bool in_turn = context.run.selection && context.run.selection->all_devices;
  if (gpu.visible_devices.value_or(1) > 1 && !in_turn) {
    found.push_back(
        said<reasons::gpus_visible>(*gpu.visible_devices, gpu.device_number.value_or(0)));
  }
  if (nvml.mig == true) {
    found.push_back(said<reasons::mig_slice>());
  }
  if (nvml.processes.value_or(0) > 0 || nvml.utilization_percent.value_or(0) > 5) {
    found.push_back(said<reasons::gpu_in_use>(how_to_be_alone(context)));
  }
  const auto driver = gpu.driver_cuda_version.value_or("");
  const auto runtime = gpu.runtime_version.value_or("");
  if (!driver.empty() && !runtime.empty() && major_of(driver) < major_of(runtime)) {
    found.push_back(said<reasons::driver_knows>("CUDA " + driver, "CUDA " + runtime));
  }
}

void about_pages(const Machine& machine, Doubts& found) {
  if (machine.transparent_huge_pages.enabled == "never") {
    found.push_back(said<reasons::no_huge_pages>());
  }
}

}  // namespace

std::vector<Reason> doubts(const Context& context) {
  Doubts found;
  about_place(context, found);
  about_build(context.build.build_type, found);
  about_threads(context.run.threads, context.machine, found);
  about_others(context, found);
  about_jitter(context.machine, found);
  about_governor(context.machine, found);
  about_cpus(context, found);
  about_quota(context, found);
  about_binding(context.run.thread_cpus, context.machine, context.slurm, found);
  about_topology(context.machine, found);
  about_memory(context.machine, found);
  about_pages(context.machine, found);
  about_gpu(context, found);
  return found;
}

Reason how_to_be_alone(const Context& context) {
  // A job with all cpus of the node asked for them.
  const auto& cpus = context.machine.logical_cpus;
  const bool alone =
      cpus && context.slurm && count(context.slurm->cpus_on_node) >= static_cast<int>(*cpus);
  return context.slurm && !alone ? said<reasons::ask_for_the_node>()
                                 : said<reasons::measure_when_idle>();
}

}  // namespace bench
