#include "harness/nodes/node_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "harness/base/json.hpp"
#include "harness/base/statistics.hpp"
#include "harness/measure/filters.hpp"
#include "harness/node/nodelist.hpp"
#include "harness/tables/phrases.hpp"
#include "harness/tables/translated.hpp"

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
  return {column, seconds.median, std::hypot(by_chance, seconds.drift.value_or(0)),
          0,      one.rung(),     one.on_gpu()};
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

std::string suffix_of(Scope scope) {
  if (scope == Scope::kernel) return "";
  return scope == Scope::end_to_end ? ", end to end" : fmt::format(", {}", name_of(scope));
}

void add_case(NodeRun& run, const CaseRecord& one, const std::vector<std::string>& chosen) {
  if (one.status == Status::failed) {
    run.failed.push_back({one.name, one.reason.value_or("?")});
  }
  // What nobody asked for is there to be compared with: the naive loop alone is no best variant.
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
    columns.push_back(column_of(one, {}, one.rung() + suffix_of(one.scope)));
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
      run.asked[fmt::format("inputs of {}/{}", workload, size)] = hash;
    }
  }
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
      {"persistence mode of the GPU", written(nvml.persistence_mode)}};
  for (const auto& [name, fact] : wanted) run.words[name] = text(fact);
  run.words["threads"] = std::to_string(context.run.threads);
  run.words["threads in a parallel region"] = std::to_string(context.run.threads_measured);
  run.words["isa"] = context.run.isa;
  run.words["NUMA nodes"] = std::to_string(machine.numa_nodes ? machine.numa_nodes->size() : 0);
}

/// A figure that may explain a slow node, and from which difference on.
struct Figure {
  const char* name;
  const char* unit;
  double factor;     ///< from the document's unit
  bool more_is_bad;  ///< else less is
  double absolute;   ///< a difference of so much counts, or
  double relative;   ///< one of this share
};

constexpr Figure figures[] = {{"clock", "MHz", 1, false, 0, 0.03},
                              {"load average", "", 1, true, 0.7, 0},
                              {"tasks running at the start", "", 1, true, 1, 0},
                              {"samples that waited for a processor", "%", 100, true, 0.05, 0},
                              {"memory", "GB", 1e-9, false, 0, 0.02},
                              {"clock of the GPU", "MHz", 1, false, 0, 0.02},
                              {"throttled samples of the GPU", "%", 100, true, 0.05, 0},
                              {"temperature of the GPU", "°C", 1, true, 8, 0},
                              {"other processes on the GPU", "", 1, true, 1, 0}};

void read_figures(NodeRun& run, const Document& document) {
  const Machine& machine = document.context.machine;
  const NvmlFacts nvml = nvml_of(machine);
  const auto preempted = [](const CaseRecord& one) { return one.seconds->preempted; };
  const auto throttled = [](const CaseRecord& one) {
    return one.gpu ? one.gpu->throttled_samples : std::nullopt;
  };
  const std::optional<double> values[] = {
      machine.frequency_mhz.value_or(Frequency()).current,
      machine.load_average ? std::optional(machine.load_average->front()) : std::nullopt,
      machine.running_tasks,
      share_of_samples(document.cases, preempted),
      machine.memory_bytes,
      median_clock(document.cases),
      share_of_samples(document.cases, throttled),
      nvml.temperature_c,
      nvml.processes};
  static_assert(std::size(values) == std::size(figures));
  for (std::size_t i = 0; i < std::size(figures); ++i) {
    if (values[i]) run.figures[figures[i].name] = *values[i];
  }
}

std::string shown(double value, Language language) {
  return localised(value < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value),
                   language);
}

std::string shown(const std::string& word, Language language) {
  return word.empty() ? say(language, phrases::unknown) : translated(word, language);
}

/// `threads 1 (others 2)`
std::string difference(const std::string& name, const std::string& own, const std::string& most,
                       Language language) {
  return say(language, phrases::others_have, translated(name, language), own, most);
}

/// `memory 64 GB (others 128)`
std::string difference(const std::string& name, double own, double most, const std::string& unit,
                       Language language) {
  const std::string with_unit = unit.empty() ? "" : " " + translated(unit, language);
  return difference(name, shown(own, language) + with_unit, shown(most, language), language);
}

/// The word that more than half of the others have.
std::optional<std::string> usual(const std::string& key,
                                 const std::vector<const NodeRun*>& others) {
  std::map<std::string, std::size_t> counts;
  for (const NodeRun* other : others) ++counts[other->words.at(key)];
  for (const auto& [word, count] : counts) {
    if (2 * count > others.size()) return word;
  }
  return {};
}

std::optional<double> usual_figure(const char* name, const std::vector<const NodeRun*>& others) {
  std::vector<double> values;
  for (const NodeRun* other : others) {
    const auto found = other->figures.find(name);
    if (found != other->figures.end()) values.push_back(found->second);
  }
  if (values.empty()) return {};
  return median(values);
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
    run.nodes = expand_nodelist(nodes.empty() ? job->job_nodelist.value_or("") : nodes);
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
      // What ran on processors is there once, beside the first GPU.
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
  }
  return runs;
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
    all.asked.insert(pass.asked.begin(), pass.asked.end());
    all.failed.insert(all.failed.end(), pass.failed.begin(), pass.failed.end());
    all.nodes.insert(all.nodes.end(), pass.nodes.begin(), pass.nodes.end());
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
    const auto [fastest, slowest] = std::minmax_element(seconds.begin(), seconds.end());
    time.between = std::log(*slowest / *fastest) / 2;
    time.seconds = median(seconds);
    time.deviation = median(deviations);
    all.times.push_back(std::move(time));
  }
  drop_what_is_there(all);
  return all;
}

std::vector<std::string> differences(const NodeRun& node, const std::vector<const NodeRun*>& others,
                                     Language language) {
  std::vector<std::string> found;
  for (const auto& [key, word] : node.words) {
    const auto most = usual(key, others);
    if (most && *most != word)
      found.push_back(difference(key, shown(word, language), shown(*most, language), language));
  }
  for (const Figure& one : figures) {
    const auto own = node.figures.find(one.name);
    const auto most = usual_figure(one.name, others);
    if (own == node.figures.end() || !most) continue;
    const double worse = one.more_is_bad ? own->second - *most : *most - own->second;
    if (worse < one.absolute || worse < one.relative * *most || worse <= 0) continue;
    found.push_back(
        difference(one.name, own->second * one.factor, *most * one.factor, one.unit, language));
  }
  return found;
}

std::vector<std::string> shortfalls(const NodeRun& node, const std::vector<const NodeRun*>& others,
                                    Language language) {
  // More of these is no fault.
  static constexpr const char* amounts[] = {"threads",
                                            "threads in a parallel region",
                                            "cpus of the process",
                                            "cores of the process",
                                            "cpus of the node",
                                            "sockets",
                                            "power limit of the GPU (W)",
                                            "highest clock of the GPU (MHz)"};
  static constexpr const char* settings[] = {"isa", "quota of cpu time", "huge pages", "MIG"};
  std::vector<std::string> found;
  const auto add = [&](const char* key, auto is_worse) {
    const auto most = usual(key, others);
    const std::string& own = node.words.at(key);
    if (!most || *most == own || !is_worse(own, *most)) return;
    found.push_back(difference(key, shown(own, language), shown(*most, language), language));
  };
  for (const char* key : amounts) {
    add(key, [](const std::string& own, const std::string& most) {
      return std::strtod(own.c_str(), nullptr) < std::strtod(most.c_str(), nullptr);
    });
  }
  for (const char* key : settings) add(key, [](auto&&...) { return true; });
  constexpr double less = 0.98;  // kernels keep a little more or less for themselves
  const auto own = node.figures.find("memory");
  const auto most = usual_figure("memory", others);
  if (own != node.figures.end() && most && own->second < less * *most) {
    found.push_back(difference("memory", own->second * 1e-9, *most * 1e-9, "GB", language));
  }
  return found;
}

}  // namespace bench
