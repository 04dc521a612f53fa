#include "harness/compare/node_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "harness/base/json.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"
#include "harness/plan/filters.hpp"

namespace bench {
namespace {

std::string text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// What NVML says of the GPU of a node; nothing without either.
NvmlFacts nvml_of(const Machine& machine) {
  return machine.gpu ? machine.gpu->nvml.value_or(NvmlFacts()) : NvmlFacts();
}

/// Without the threads, of which the fastest counts, and the GPU, which has a row of its own.
std::string parameters_text(Parameters parameters) {
  parameters.erase("threads");
  parameters.erase(device_parameter);
  std::string all;
  for (const auto& [key, value] : parameters) all += fmt::format(",{}={}", key, value);
  return all;
}

Column column_of(const CaseRecord& one, std::optional<Best> best, std::string_view what) {
  return {best,
          std::string(what),
          one.workload,
          std::string(name_of(one.dtype)),
          one.size,
          parameters_text(one.parameters),
          {}};
}

NodeTime time_of(const CaseRecord& one, const Column& column) {
  const TimesRecord& seconds = *one.seconds;
  const double by_chance = deviation_of(seconds.ci95) / seconds.median;
  return {column,   seconds.median, std::hypot(by_chance, seconds.drift.value_or(0)),
          0,        one.rung(),     one.on_gpu(),
          one.scope};
}

/// Keeps the fastest time of each column.
void add(std::vector<NodeTime>& times, NodeTime time) {
  const auto same = std::find_if(times.begin(), times.end(), [&](const NodeTime& other) {
    return other.column == time.column;
  });
  if (same == times.end()) {
    times.push_back(std::move(time));
  } else if (time.seconds < same->seconds) {
    *same = std::move(time);
  }
}

Best best_of(const CaseRecord& one) {
  if (!one.on_gpu()) return Best::on_cpu;
  return one.scope == Scope::end_to_end ? Best::end_to_end : Best::kernel;
}

std::string with_scope(const std::string& rung, Scope scope) {
  if (scope == Scope::kernel) return rung;
  return scope == Scope::end_to_end ? said<reasons::end_to_end_variant>(rung)
                                    : fmt::format("{}, {}", rung, name_of(scope));
}

void add_case(NodeRun& run, const CaseRecord& one, const std::vector<std::string>& chosen) {
  if (one.status == Status::failed) {
    run.failed.push_back({one.name, one.reason.value_or("?")});
  }
  // Cases that were not asked for are there for comparison: the naive loop alone is not a best
  // variant.
  if (one.beside || one.reference) return;
  if (one.bound) {
    run.limits[one.name] = {one.on_gpu(), one.bound->memory_seconds, one.bound->in_cache_seconds};
  }
  std::vector<Column> columns;
  if (one.ours() && !of_other_memory(one.scope)) {
    columns.push_back(column_of(one, best_of(one), name_of(best_of(one))));
  }
  const std::string path = one.workload + "/" + one.rung();
  if (std::any_of(chosen.begin(), chosen.end(),
                  [&](const std::string& filter) { return matches(filter, path); })) {
    columns.push_back(column_of(one, {}, with_scope(one.rung(), one.scope)));
  }
  for (const Column& column : columns) {
    if (one.measured()) {
      add(run.times, time_of(one, column));
    } else {
      run.absent.push_back({column, one.reason.value_or("?")});
    }
  }
}

/// The medians over passes.
std::map<std::string, LimitTimes> merged_limits(const std::vector<NodeRun>& passes) {
  std::map<std::string, std::vector<const LimitTimes*>> collected;
  for (const NodeRun& pass : passes) {
    for (const auto& [name, limits] : pass.limits) collected[name].push_back(&limits);
  }
  std::map<std::string, LimitTimes> all;
  for (const auto& [name, limits] : collected) {
    const auto middle = [&of_case = limits](auto time) -> std::optional<double> {
      std::vector<double> times;
      for (const LimitTimes* const one : of_case) {
        if (one->*time) times.push_back(*(one->*time));
      }
      return times.empty() ? std::nullopt : std::optional(median(times));
    };
    all[name] = {limits.front()->on_gpu, middle(&LimitTimes::memory),
                 middle(&LimitTimes::in_cache)};
  }
  return all;
}

/// What has no time at all, once.
void drop_what_is_there(NodeRun& run) {
  std::vector<Absent> kept;
  for (Absent& absent : run.absent) {
    const auto same = [&](const auto& other) { return other.column == absent.column; };
    if (std::any_of(run.times.begin(), run.times.end(), same)) continue;
    if (std::any_of(kept.begin(), kept.end(), same)) continue;
    kept.push_back(std::move(absent));
  }
  run.absent = std::move(kept);
}

/// The geometric mean of all workloads of one kind of column; what varies from one to the other by
/// chance varies less in it.
void add_pooled(NodeRun& run, Best best) {
  std::map<std::pair<std::string, std::string>, std::vector<const NodeTime*>> by_precision;
  for (const NodeTime& time : run.times) {
    if (time.column.best != best) continue;
    by_precision[{time.column.dtype, time.column.parameters}].push_back(&time);
  }
  std::vector<NodeTime> pooled;
  for (const auto& [key, times] : by_precision) {
    if (times.size() < 2) continue;
    const auto count = static_cast<double>(times.size());
    std::vector<std::string> parts;
    double logarithm = 0;
    double variance = 0;
    for (const NodeTime* time : times) {
      parts.push_back(time->column.workload + ":" + time->column.size);
      logarithm += std::log(time->seconds);
      variance += time->deviation * time->deviation;
    }
    const Column column{best,
                        std::string(name_of(best)),
                        "all",
                        key.first,
                        fmt::format("{} sizes", times.size()),
                        key.second,
                        parts};
    pooled.push_back({column, std::exp(logarithm / count), std::sqrt(variance) / count, 0,
                      "all together", times.front()->on_gpu});
  }
  run.times.insert(run.times.begin(), pooled.begin(), pooled.end());
}

/// The share of all samples that are counted, over all measured cases.
template <class F>
std::optional<double> share_of_samples(const std::vector<CaseRecord>& cases, F count) {
  double all = 0;
  double counted = 0;
  for (const CaseRecord& one : cases) {
    if (!one.measured()) continue;
    const std::optional<std::size_t> disturbed = count(one);
    if (!disturbed) continue;
    counted += static_cast<double>(*disturbed);
    all += static_cast<double>(*one.rounds);
  }
  if (all == 0) return {};
  return counted / all;
}

std::optional<double> median_clock(const std::vector<CaseRecord>& cases) {
  std::vector<double> values;
  for (const CaseRecord& one : cases) {
    if (one.gpu && one.gpu->sm_clock_mhz) values.push_back(*one.gpu->sm_clock_mhz);
  }
  if (values.empty()) return {};
  return median(values);
}

/// Runs that differ in one of these are not comparable.
void read_asked(NodeRun& run, const Context& context) {
  const BuildRecord& build = context.build;
  run.asked = {{"seed", std::to_string(context.run.seed)},
               {"cache", std::string(name_of(context.run.cache))},
               {"revision", build.revision},
               {"dirty", text(written(build.dirty))},
               {"compiler", build.compiler},
               {"build_type", build.build_type},
               {"flags", build.flags},
               {"kernel_flags", text(written(build.kernel_flags))}};
  for (const auto& [workload, hashes] : context.run.input_hash) {
    for (const auto& [size, hash] : hashes) {
      run.asked[said<reasons::inputs_of>(workload + "/" + size)] = hash;
    }
  }
}

/// How many the program saw; empty where it did not look.
std::string visible_gpus(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.gpu) return text(written(machine.gpu->visible_devices));
  const std::string why = machine.gpu_reason.value_or("");
  const bool looked = !why.empty() && why != said<reasons::built_without_cuda>() &&
                      why != said<reasons::no_cuda_asked_for>();
  return looked ? "0" : "";
}

void read_words(NodeRun& run, const Context& context) {
  const Machine& machine = context.machine;
  const GpuFacts gpu = machine.gpu.value_or(GpuFacts());
  const NvmlFacts nvml = nvml_of(machine);
  const std::pair<const char*, Json> wanted[] = {
      {"cpus of the process", written(machine.allowed_cpus)},
      {"cores of the process", written(machine.allowed_cores)},
      {"cpuset", written(machine.cpuset)},
      {"quota of cpu time", written(machine.cpu_quota)},
      {"cpus of the node", written(machine.logical_cpus)},
      {"sockets", written(machine.sockets)},
      {"hyper-threading", written(machine.smt)},
      {"governor", written(machine.governor)},
      {"boost", written(machine.boost)},
      {"kernel", written(machine.kernel)},
      {"microcode", written(machine.microcode)},
      {"os", written(machine.os)},
      {"huge pages", written(machine.transparent_huge_pages.enabled)},
      {"OpenMP variables", written(machine.omp)},
      {"modules", written(machine.loaded_modules)},
      {"no GPU", written(machine.gpu_reason)},
      {"driver", written(nvml.driver_version)},
      {"CUDA of the driver", written(gpu.driver_cuda_version)},
      {"power limit of the GPU (W)", written(nvml.power_limit_w)},
      {"highest clock of the GPU (MHz)", written(nvml.max_sm_clock_mhz)},
      {"ECC of the GPU", written(gpu.ecc)},
      {"MIG", written(nvml.mig)},
      {"PCIe lanes of the GPU", written(nvml.pcie_width)},
      {"persistence mode of the GPU", written(nvml.persistence_mode)}};
  for (const auto& [name, fact] : wanted) run.words[name] = text(fact);
  run.words["threads"] = std::to_string(context.run.threads);
  run.words["threads in a parallel region"] = std::to_string(context.run.threads_measured);
  run.words["isa"] = context.run.isa;
  run.words["GPUs"] = visible_gpus(context);
  run.words["NUMA nodes"] = std::to_string(machine.numa_nodes ? machine.numa_nodes->size() : 0);
}

void read_figures(NodeRun& run, const Document& document) {
  const Machine& machine = document.context.machine;
  const NvmlFacts nvml = nvml_of(machine);
  const auto preempted = [](const CaseRecord& one) { return one.seconds->preempted; };
  const auto throttled = [](const CaseRecord& one) {
    return one.gpu ? one.gpu->throttled_samples : std::nullopt;
  };
  const std::pair<const char*, std::optional<double>> wanted[] = {
      {"clock", machine.frequency_mhz.value_or(Frequency()).current},
      {"load average",
       machine.load_average ? std::optional(machine.load_average->front()) : std::nullopt},
      {"tasks running at the start", machine.running_tasks},
      {"samples that waited for a processor", share_of_samples(document.cases, preempted)},
      {"memory", machine.memory_bytes},
      {"clock of the GPU", median_clock(document.cases)},
      {"throttled samples of the GPU", share_of_samples(document.cases, throttled)},
      {"temperature of the GPU", nvml.temperature_c},
      {"other processes on the GPU", nvml.processes}};
  for (const auto& [name, value] : wanted) {
    if (value) run.figures[name] = *value;
  }
  for (const CaseRecord& one : document.cases) {
    if (one.measured()) run.work ^= std::hash<std::string>()(one.name);
  }
  for (const auto& [phase, seconds] : document.context.run.phases_s.value_or(Seconds())) {
    run.figures[time_at_work] += seconds;
  }
}

}  // namespace

NodeRun node_run(const Document& document, const std::string& file,
                 const std::vector<std::string>& chosen) {
  const Context& context = document.context;
  NodeRun run;
  run.host = run.node = context.run.node;
  run.file = printable(file);
  run.started = context.run.started;
  run.finished = context.run.finished;
  run.ended_by = context.run.ended_by.value_or("");
  run.cpu_model = context.machine.cpu_model.value_or("");
  if (const auto& gpu = context.machine.gpu) {
    run.gpu = gpu->name.value_or("");
    run.gpu_uuid = gpu->uuid.value_or("");
    run.gpu_number = text(written(gpu->device_number));
  }
  if (const auto& job = context.slurm) {
    run.job = fmt::format("{}-{}", job->cluster_name.value_or(""), job->job_id.value_or(""));
    run.task = job->procid.value_or("");
    const std::string nodes = job->step_nodelist.value_or("");
    run.nodelists = {nodes.empty() ? job->job_nodelist.value_or("") : nodes};
    run.given_gpu = has_text(job->step_gpus) || has_text(job->cuda_visible_devices);
  }
  for (const CaseRecord& one : document.cases) add_case(run, one, chosen);
  drop_what_is_there(run);
  for (const Best best : {Best::end_to_end, Best::kernel, Best::on_cpu}) add_pooled(run, best);
  run.doubts = context.run.warnings;
  read_asked(run, context);
  read_words(run, context);
  read_figures(run, document);
  return run;
}

std::vector<NodeRun> node_runs(const Document& document, const std::string& file,
                               const std::vector<std::string>& chosen) {
  const auto device = [](const CaseRecord& one) -> std::optional<std::string> {
    const auto found = one.parameters.find(device_parameter);
    return found == one.parameters.end() ? std::nullopt : std::optional(found->second);
  };
  std::vector<std::string> devices;
  for (const CaseRecord& one : document.cases) {
    const auto number = device(one);
    if (!number || std::find(devices.begin(), devices.end(), *number) != devices.end()) continue;
    devices.push_back(*number);
  }
  if (devices.empty()) return {node_run(document, file, chosen)};
  std::vector<NodeRun> runs;
  for (const std::string& number : devices) {
    Document part{document.context, {}, {}, {}};
    for (const CaseRecord& one : document.cases) {
      // CPU variants are there once, with the first GPU.
      if (device(one).value_or(devices.front()) == number) part.cases.push_back(one);
    }
    part.context.machine.gpu.reset();
    for (const GpuFacts& gpu : document.context.machine.gpus.value_or(std::vector<GpuFacts>())) {
      if (text(written(gpu.device_number)) == number) part.context.machine.gpu = gpu;
    }
    NodeRun& run = runs.emplace_back(node_run(part, file, chosen));
    run.gpu_number = number;
    // One that does not work is another GPU all the same.
    if (run.gpu_uuid.empty()) run.gpu_uuid = "device " + number;
    if (devices.size() > 1) run.part = "gpu" + number;
    if (number != devices.front()) run.figures.erase(time_at_work);  // of the whole node
  }
  return runs;
}

double spread(const std::vector<double>& seconds) {
  constexpr std::size_t many = 5;
  constexpr double quartiles_apart = 1.349;  // in standard deviations of a normal distribution
  const bool few = seconds.size() < many;
  const double low = quantile(seconds, few ? 0 : 0.25);
  const double high = quantile(seconds, few ? 1 : 0.75);
  return std::log(high / low) / (few ? 2 : quartiles_apart);
}

NodeRun merged(const std::vector<NodeRun>& passes) {
  NodeRun all = passes.front();
  all.passes = passes.size();
  std::map<Column, std::vector<const NodeTime*>> times;
  std::vector<Column> order;
  std::map<std::string, std::vector<double>> collected;
  for (const NodeRun& pass : passes) {
    for (const NodeTime& time : pass.times) {
      if (times[time.column].empty()) order.push_back(time.column);
      times[time.column].push_back(&time);
    }
    for (const auto& [name, value] : pass.figures) collected[name].push_back(value);
    if (&pass == &passes.front()) continue;
    all.doubts.insert(all.doubts.end(), pass.doubts.begin(), pass.doubts.end());
    if (pass.work != all.work) all.work = 0;
    all.asked.insert(pass.asked.begin(), pass.asked.end());
    all.failed.insert(all.failed.end(), pass.failed.begin(), pass.failed.end());
    all.nodelists.insert(pass.nodelists.begin(), pass.nodelists.end());
    if (all.finished && !pass.finished) {
      all.finished = false;
      all.ended_by = pass.ended_by;
      all.file = pass.file;
    }
  }
  for (const auto& [name, values] : collected) all.figures[name] = median(values);
  all.limits = merged_limits(passes);
  all.times.clear();
  for (const Column& column : order) {
    std::vector<double> seconds;
    std::vector<double> deviations;
    for (const NodeTime* time : times.at(column)) {
      seconds.push_back(time->seconds);
      deviations.push_back(time->deviation);
    }
    NodeTime time = *times.at(column).front();
    time.between = spread(seconds);
    time.seconds = median(seconds);
    time.deviation = median(deviations);
    all.times.push_back(std::move(time));
  }
  drop_what_is_there(all);
  return all;
}

}  // namespace bench
