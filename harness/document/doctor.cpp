#include "harness/document/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "harness/base/json.hpp"
#include "harness/node/binding.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/nodelist.hpp"

namespace bench {
namespace {

using Doubts = std::vector<std::string>;

void about_build(const std::string& type, Doubts& found) {
  if (type != "Release" && type != "RelWithDebInfo") {
    found.push_back(fmt::format("built as {}: configure with -DCMAKE_BUILD_TYPE=Release",
                                type.empty() ? "unknown type" : type));
  }
}

void about_threads(int threads, const Json& machine, Doubts& found) {
  if (threads == 1) {
    found.emplace_back(
        "one thread only: ask for more with srun --cpus-per-task or OMP_NUM_THREADS");
  }
  const Json& allowed = at(machine, "allowed_cpus");
  if (allowed.is_number() && threads > allowed.get<int>()) {
    found.push_back(
        fmt::format("{} threads on {} cpus: they wait for each other; set "
                    "OMP_NUM_THREADS to {}",
                    threads, allowed.get<int>(), allowed.get<int>()));
  }
}

/// Tasks that run at this moment, without this one. The load average of the last minute would also
/// count the build that went before.
void about_others(const Context& context, Doubts& found) {
  const Json& running = at(context.machine, "running_tasks");
  if (!running.is_number()) return;
  const int others = running.get<int>() - 1;
  if (others > 0) {
    found.push_back(fmt::format("{} other task{} running when the measurement began; {}", others,
                                others == 1 ? " was" : "s were", how_to_be_alone(context)));
  }
}

void about_jitter(const Json& machine, Doubts& found) {
  constexpr double much = 0.02;
  const Json& lost = at(machine, "jitter/lost");
  if (!lost.is_number() || lost.get<double>() < much) return;
  found.push_back(fmt::format(
      "{:.2g} % of the threads' time was taken away before the measurement began, up to {:.2g} ms "
      "at a time: by interrupts, daemons, other tasks or a hypervisor",
      100 * lost.get<double>(), 1e3 * at(machine, "jitter/longest_s").get<double>()));
}

void about_governor(const Json& machine, Doubts& found) {
  const Json& governor = at(machine, "governor");
  if (governor.is_string() && governor.get<std::string>().find("powersave") != std::string::npos) {
    found.emplace_back("the powersave governor may lower the clock: srun --cpu-freq=performance");
  }
}

/// A count among Slurm's variables, which are text, 0 where there is none.
int count(const Text& variable) { return std::atoi(variable.value_or("").c_str()); }

/// `salloc` gives a shell on the login node, with all variables of the job.
void about_place(const Context& context, Doubts& found) {
  const Json host = at(context.machine, "host_name");
  if (!context.slurm || has_text(context.slurm->nodename) || !host.is_string()) return;
  const std::string nodes = context.slurm->job_nodelist.value_or("");
  if (nodes.empty()) return;
  const std::vector<std::string> names = expand_nodelist(nodes);
  if (std::find(names.begin(), names.end(), host.get<std::string>()) != names.end()) return;
  found.push_back(
      fmt::format("this is {}, which is no node of the job ({}): start the program with srun",
                  host.get<std::string>(), nodes));
}

void about_cpus(const Context& context, Doubts& found) {
  const Json& machine = context.machine;
  const Json allowed = machine.value("allowed_cpus", Json());
  if (!allowed.is_number()) return;
  const int cpus = allowed.get<int>();
  const int per_task = context.slurm ? count(context.slurm->cpus_per_task) : 0;
  if (cpus < per_task) {
    found.push_back(
        fmt::format("the job has {} cpus per task, this process may use {}: check "
                    "--cpu-bind and whatever else narrows the affinity",
                    per_task, cpus));
  }
  const Json all = machine.value("logical_cpus", Json());
  if (all.is_number() && cpus < all.get<int>()) {
    found.push_back(
        fmt::format("this process may use {} of the node's {} cpus, others may work on "
                    "the rest: ask for more with --cpus-per-task, or for the node alone "
                    "(--exclusive)",
                    cpus, all.get<int>()));
  }
  const Json cores = machine.value("allowed_cores", Json());
  const int threads = context.run.threads;
  if (cores.is_number() && cores.get<int>() < threads && threads <= cpus) {
    found.push_back(
        fmt::format("{} threads on {} cores: hyper-threads share a core; ask for "
                    "--hint=nomultithread or set OMP_NUM_THREADS to {}",
                    threads, cores.get<int>(), cores.get<int>()));
  }
  if (context.run.threads_measured < threads) {
    found.push_back(
        fmt::format("{} threads were asked for, a parallel region gets {}: look at "
                    "OMP_THREAD_LIMIT and OMP_DYNAMIC",
                    threads, context.run.threads_measured));
  }
}

void about_quota(const Context& context, Doubts& found) {
  const Json quota = context.machine.value("cpu_quota", Json());
  const int threads = context.run.threads;
  if (!quota.is_number() || quota.get<double>() >= threads) return;
  found.push_back(fmt::format(
      "the cgroup allows the time of {:.3g} cpus (cpu.max), to {} thread{}: they are stopped again "
      "and again; measure where there is no such quota",
      quota.get<double>(), threads, threads == 1 ? "" : "s"));
}

void about_memory(const Json& machine, Doubts& found) {
  constexpr double little = 500e6;
  const Json room = machine.value("memory_allowance_bytes", Json());
  if (!room.is_number() || room.get<double>() >= little) return;
  const Json by = machine.value("memory_limited_by", Json());
  found.push_back(fmt::format(
      "only {:.0f} MB of memory may be used ({}): the default sizes need "
      "more; ask for it with --mem",
      room.get<double>() / 1e6, by.is_string() ? by.get<std::string>() : "unknown limit"));
}

/// "12.4" as 12.
int major_of(const std::string& version) { return std::atoi(version.c_str()); }

void about_distance(const Json& gpu, const Json& machine, Doubts& found) {
  const std::vector<int> near = cpus_in(text_at(gpu, "local_cpus"));
  const std::vector<int> ours = cpus_in(text_at(machine, "cpuset"));
  const auto both = std::find_first_of(ours.begin(), ours.end(), near.begin(), near.end());
  if (near.empty() || ours.empty() || both != ours.end()) return;
  found.push_back(
      fmt::format("the GPU is near cpus {}, this process has only {}: what is copied to the GPU "
                  "goes a longer way; ask for near ones with --gres-flags=enforce-binding",
                  cpu_list(near), cpu_list(ours)));
}

void about_gpu(const Context& context, Doubts& found) {
  const Json& machine = context.machine;
  const Json gpu = machine.value("gpu", Json());
  if (!gpu.is_object()) {
    const Json reason = machine.value("gpu_reason", Json());
    // Not job_gpus: with --exclusive it names all GPUs of the node, although the step has none.
    const auto& job = context.slurm;
    const bool given = job && (has_text(job->step_gpus) || has_text(job->gpus_on_node) ||
                               has_text(job->cuda_visible_devices));
    if (given && reason.is_string()) {
      found.push_back(fmt::format("the job has a GPU that this program does not use: {}",
                                  reason.get<std::string>()));
    }
    return;
  }
  about_distance(gpu, machine, found);
  const Json nvml = gpu.value("nvml", Json::object()).is_object()
                        ? gpu.value("nvml", Json::object())
                        : Json::object();
  const auto number = [](const Json& object, const char* key) {
    const Json value = object.value(key, Json());
    return value.is_number() ? value.get<double>() : 0.0;
  };
  // With --devices all this is one turn of many.
  const bool in_turn = context.run.selection && context.run.selection->all_devices;
  if (number(gpu, "visible_devices") > 1 && !in_turn) {
    found.push_back(
        fmt::format("{:.0f} GPUs are visible, this task uses number {:.0f}: give each task its own "
                    "with --gpus-per-task=1, or ask for one with --gres=gpu:1",
                    number(gpu, "visible_devices"), number(gpu, "device_number")));
  }
  if (nvml.value("mig", Json()) == true) {
    found.emplace_back(
        "the GPU is a MIG slice, a part of one: compare with slices of its kind only");
  }
  if (number(nvml, "processes") > 0 || number(nvml, "utilization_percent") > 5) {
    found.push_back("another process uses the GPU: " + how_to_be_alone(context));
  }
  const auto driver = gpu.value("driver_cuda_version", std::string());
  const auto runtime = gpu.value("runtime_version", std::string());
  if (!driver.empty() && !runtime.empty() && major_of(driver) < major_of(runtime)) {
    found.push_back(
        fmt::format("the driver knows CUDA {}, the program was built with {}: build it "
                    "with an older CUDA module",
                    driver, runtime));
  }
}

void about_pages(const Json& machine, Doubts& found) {
  const Json pages = machine.value("transparent_huge_pages", Json());
  if (pages.is_object() && pages.value("enabled", Json()) == "never") {
    found.emplace_back(
        "huge pages are switched off on this node: large arrays get slower; compare "
        "with nodes like it only");
  }
}

}  // namespace

std::vector<std::string> doubts(const Context& context) {
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
  about_memory(context.machine, found);
  about_pages(context.machine, found);
  about_gpu(context, found);
  return found;
}

std::string how_to_be_alone(const Context& context) {
  // Who has all cpus of the node has asked for that.
  const Json cpus = context.machine.value("logical_cpus", Json());
  const bool alone =
      cpus.is_number() && context.slurm && count(context.slurm->cpus_on_node) >= cpus.get<int>();
  return context.slurm && !alone ? "ask for the node alone (--exclusive)"
                                 : "measure when nobody else works here";
}

}  // namespace bench
