#include "harness/node_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/case_name.hpp"
#include "harness/document.hpp"
#include "harness/nodelist.hpp"
#include "harness/plan.hpp"
#include "harness/result.hpp"
#include "harness/statistics.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::optional<double> figure(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_array() && !value.empty() && value.front().is_number()) {
    return value.front().get<double>();
  }
  return {};
}

/// The parameters in a case's name, without the threads: of those the fastest counts.
std::string parameters(const std::string& name) {
  const std::string rest = without_threads(name);
  return rest.substr(std::min(rest.find(','), rest.size()));
}

NodeTime time_of(const Json& result, const std::string& what) {
  constexpr double normal_95 = 1.96;
  const Json& seconds = result.at("seconds");
  NodeTime time;
  time.column = {what, result.at("workload").get<std::string>(),
                 result.at("dtype").get<std::string>(), result.at("size").get<std::string>(),
                 parameters(result.at("name").get<std::string>())};
  time.seconds = seconds.at("median").get<double>();
  time.variant = text(result.at("backend")) + "/" + text(result.at("variant"));
  const double half =
      (seconds.at("ci95").at(1).get<double>() - seconds.at("ci95").at(0).get<double>()) / 2;
  const double by_chance = half / normal_95 / time.seconds;
  time.deviation = std::hypot(by_chance, figure(at(seconds, "drift")).value_or(0));
  return time;
}

/// Keeps the fastest time of each column.
void add(std::vector<NodeTime>& times, NodeTime time) {
  if (!(time.seconds > 0) || !std::isfinite(time.deviation)) return;
  const auto same = std::find_if(times.begin(), times.end(), [&](const NodeTime& other) {
    return other.column == time.column;
  });
  if (same == times.end()) {
    times.push_back(std::move(time));
  } else if (time.seconds < same->seconds) {
    *same = std::move(time);
  }
}

void add_case(NodeRun& run, const Json& result, const std::vector<std::string>& chosen) {
  const auto name = result.at("name").get<std::string>();
  if (result.at("status") == "failed") {
    run.failed.push_back(fmt::format("{}: {}", name, text(result.at("reason"))));
  }
  if (result.at("status") != "measured" || !beside(name).empty()) return;
  const bool on_gpu = result.at("backend") == cuda_backend;
  const bool end_to_end = result.at("scope") == end_to_end_scope;
  if (!result.value("library", false)) {
    add(run.times, time_of(result, !on_gpu      ? "best CPU variant"
                                   : end_to_end ? "best GPU variant, end to end"
                                                : "best GPU kernel"));
  }
  const std::string variant = text(result.at("backend")) + "/" + text(result.at("variant"));
  const std::string path = text(result.at("workload")) + "/" + variant;
  for (const std::string& filter : chosen) {
    if (!matches(filter, path)) continue;
    add(run.times, time_of(result, end_to_end ? variant + ", end to end" : variant));
    break;
  }
}

/// The share of all samples that `key` counts, over all measured cases.
std::optional<double> share_of_samples(const Json& cases, std::string_view path) {
  double all = 0;
  double counted = 0;
  for (const Json& result : cases) {
    const auto count = figure(at(result, path));
    const auto rounds = figure(at(result, "rounds"));
    if (!count || !rounds) continue;
    counted += *count;
    all += *rounds;
  }
  if (all == 0) return {};
  return counted / all;
}

std::optional<double> median_of(const Json& cases, std::string_view path) {
  std::vector<double> values;
  for (const Json& result : cases) {
    if (const auto value = figure(at(result, path))) values.push_back(*value);
  }
  if (values.empty()) return {};
  return median(values);
}

/// Runs that differ in one of these are not like with like.
void read_asked(NodeRun& run, const Json& context) {
  for (const char* key : {"seed", "cache"}) run.asked[key] = text(at(at(context, "run"), key));
  for (const char* key : {"revision", "dirty", "compiler", "build_type", "flags", "kernel_flags"}) {
    run.asked[key] = text(at(at(context, "build"), key));
  }
  for (const auto& [workload, hashes] : at(context, "run/input_hash").items()) {
    for (const auto& [size, hash] : hashes.items()) {
      run.asked[fmt::format("inputs of {}/{}", workload, size)] = text(hash);
    }
  }
}

void read_words(NodeRun& run, const Json& context) {
  static constexpr std::pair<const char*, const char*> wanted[] = {
      {"threads", "run/threads"},
      {"threads in a parallel region", "run/threads_measured"},
      {"isa", "run/isa"},
      {"cpus of the process", "machine/allowed_cpus"},
      {"cores of the process", "machine/allowed_cores"},
      {"cpuset", "machine/cpuset"},
      {"quota of cpu time", "machine/cpu_quota"},
      {"cpus of the node", "machine/logical_cpus"},
      {"sockets", "machine/sockets"},
      {"hyper-threading", "machine/smt"},
      {"governor", "machine/governor"},
      {"boost", "machine/boost"},
      {"kernel", "machine/kernel"},
      {"microcode", "machine/microcode"},
      {"os", "machine/os"},
      {"huge pages", "machine/transparent_huge_pages/enabled"},
      {"OpenMP variables", "machine/omp"},
      {"modules", "machine/loaded_modules"},
      {"no GPU", "machine/gpu_reason"},
      {"driver", "machine/gpu/nvml/driver_version"},
      {"CUDA of the driver", "machine/gpu/driver_cuda_version"},
      {"power limit of the GPU (W)", "machine/gpu/nvml/power_limit_w"},
      {"highest clock of the GPU (MHz)", "machine/gpu/nvml/max_sm_clock_mhz"},
      {"ECC of the GPU", "machine/gpu/ecc"},
      {"MIG", "machine/gpu/nvml/mig"},
      {"persistence mode of the GPU", "machine/gpu/nvml/persistence_mode"}};
  for (const auto& [name, path] : wanted) run.words[name] = text(at(context, path));
  run.words["NUMA nodes"] = std::to_string(at(context, "machine/numa_nodes").size());
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

constexpr Figure figures[] = {{"clock", " MHz", 1, false, 0, 0.03},
                              {"load average", "", 1, true, 0.7, 0},
                              {"tasks running at the start", "", 1, true, 1, 0},
                              {"samples that waited for a processor", " %", 100, true, 0.05, 0},
                              {"memory", " GB", 1e-9, false, 0, 0.02},
                              {"clock of the GPU", " MHz", 1, false, 0, 0.02},
                              {"throttled samples of the GPU", " %", 100, true, 0.05, 0},
                              {"temperature of the GPU", " °C", 1, true, 8, 0},
                              {"other processes on the GPU", "", 1, true, 1, 0}};

void read_figures(NodeRun& run, const Json& context, const Json& cases) {
  const std::optional<double> values[] = {figure(at(context, "machine/frequency_mhz/current")),
                                          figure(at(context, "machine/load_average")),
                                          figure(at(context, "machine/running_tasks")),
                                          share_of_samples(cases, "seconds/preempted"),
                                          figure(at(context, "machine/memory_bytes")),
                                          median_of(cases, "gpu/sm_clock_mhz"),
                                          share_of_samples(cases, "gpu/throttled_samples"),
                                          figure(at(context, "machine/gpu/nvml/temperature_c")),
                                          figure(at(context, "machine/gpu/nvml/processes"))};
  static_assert(std::size(values) == std::size(figures));
  for (std::size_t i = 0; i < std::size(figures); ++i) {
    if (values[i]) run.figures[figures[i].name] = *values[i];
  }
}

std::string shown(double value) {
  return value < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string shown(const std::string& word) { return word.empty() ? "unknown" : word; }

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

NodeRun node_run(const Json& document, const std::string& file,
                 const std::vector<std::string>& chosen) {
  const Json& context = document.at("context");
  NodeRun run;
  run.node = text(at(context, "run/node"));
  run.file = file;
  run.started = text(at(context, "run/started"));
  run.finished = at(context, "run/finished") == true;
  run.ended_by = text(at(context, "run/ended_by"));
  run.cpu_model = text(at(context, "machine/cpu_model"));
  run.gpu = text(at(context, "machine/gpu/name"));
  const Json& slurm = at(context, "slurm");
  if (slurm.is_object()) {
    run.job = fmt::format("{}-{}", text(at(slurm, "cluster_name")), text(at(slurm, "job_id")));
    run.task = text(at(slurm, "procid"));
    std::string nodes = text(at(slurm, "step_nodelist"));
    if (nodes.empty()) nodes = text(at(slurm, "job_nodelist"));
    run.nodes = expand_nodelist(nodes);
  }
  const Json& cases = document.at("cases");
  for (const Json& result : cases) add_case(run, result, chosen);
  read_asked(run, context);
  read_words(run, context);
  read_figures(run, context, cases);
  return run;
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
  return all;
}

std::vector<std::string> differences(const NodeRun& node,
                                     const std::vector<const NodeRun*>& others) {
  std::vector<std::string> found;
  for (const auto& [key, word] : node.words) {
    const auto most = usual(key, others);
    if (most && *most != word) {
      found.push_back(fmt::format("{} {} (others {})", key, shown(word), shown(*most)));
    }
  }
  for (const Figure& one : figures) {
    const auto own = node.figures.find(one.name);
    const auto most = usual_figure(one.name, others);
    if (own == node.figures.end() || !most) continue;
    const double worse = one.more_is_bad ? own->second - *most : *most - own->second;
    if (worse < one.absolute || worse < one.relative * *most || worse <= 0) continue;
    found.push_back(fmt::format("{} {}{} (others {})", one.name, shown(own->second * one.factor),
                                one.unit, shown(*most * one.factor)));
  }
  return found;
}

}  // namespace bench
