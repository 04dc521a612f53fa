#include "harness/compare/node_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/base/json.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"
#include "harness/plan/filters.hpp"

namespace bench {
namespace {

/// The parameters without the threads, of which the fastest counts, and the GPU, which has a row of
/// its own.
std::string parameters_text(Parameters parameters) {
  parameters.erase("threads");
  parameters.erase(device_parameter);
  std::string all;
  for (const auto& [key, value] : parameters) all += fmt::format(",{}={}", key, value);
  return all;
}

Column column_of(const CaseRecord& one, std::optional<Best> best, const std::string& what) {
  return {best,
          what,
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
  return scope == Scope::end_to_end ? said<reasons::end_to_end_variant>(rung).text
                                    : fmt::format("{}, {}", rung, name_of(scope));
}

void add_case(NodeRun& run, const CaseRecord& one, const std::vector<std::string>& chosen) {
  if (one.status == Status::failed) {
    run.failed.push_back({one.name, one.reason.value_or("?").text});
  }
  // Cases that were not asked for are there for comparison: the naive loop alone is not a best
  // variant.
  if (one.beside || one.reference) return;
  if (one.bound) {
    run.limits[one.name] = {one.on_gpu(), one.bound->memory_seconds, one.bound->in_cache_seconds};
  }
  std::vector<Column> columns;
  if (one.ours() && !of_other_memory(one.scope)) {
    columns.push_back(column_of(one, best_of(one), std::string(name_of(best_of(one)))));
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
      run.absent.push_back({column, one.reason.value_or("?").text});
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

/// Times that are taken together: seconds, and how well each is known, by what it is of.
using PooledTimes = std::vector<std::pair<std::string, std::pair<double, double>>>;

/// The geometric mean; what varies from one to the other by chance varies less in it. Nothing of
/// one alone.
std::optional<NodeTime> together(Column column, const char* name, const PooledTimes& parts,
                                 bool on_gpu) {
  if (parts.size() < 2) return {};
  const auto count = static_cast<double>(parts.size());
  double logarithm = 0;
  double variance = 0;
  column.workload = name;
  column.size = fmt::format("{} sizes", parts.size());
  for (const auto& [part, time] : parts) {
    column.pooled.push_back(part);
    logarithm += std::log(time.first);
    variance += time.second * time.second;
  }
  return NodeTime{std::move(column),
                  std::exp(logarithm / count),
                  std::sqrt(variance) / count,
                  0,
                  "all together",
                  on_gpu};
}

/// All workloads of one kind of column.
void add_pooled(NodeRun& run, Best best) {
  std::map<std::pair<std::string, std::string>, std::pair<const NodeTime*, PooledTimes>>
      by_precision;
  for (const NodeTime& time : run.times) {
    const Column& column = time.column;
    if (column.best != best) continue;
    auto& [first, parts] = by_precision[{column.dtype, column.parameters}];
    if (first == nullptr) first = &time;
    parts.push_back({column.workload + ":" + column.size, {time.seconds, time.deviation}});
  }
  std::vector<NodeTime> pooled;
  for (const auto& [key, found] : by_precision) {
    const auto& [first, parts] = found;
    if (auto all = together(first->column, "all", parts, first->on_gpu)) pooled.push_back(*all);
  }
  run.times.insert(run.times.begin(), pooled.begin(), pooled.end());
}

/// One limit of the quickest case of each workload: seconds, and how well the case is known.
using LimitOfWorkloads = std::map<std::string, std::pair<double, double>>;

/// Memory and cores by themselves, as the bounds of the cases hold them.
void add_limits(NodeRun& run, const std::vector<CaseRecord>& cases) {
  std::map<std::tuple<Best, Dtype, std::string>,
           std::pair<const CaseRecord*, std::array<LimitOfWorkloads, 2>>>
      kinds;
  for (const CaseRecord& one : cases) {
    if (one.beside || one.reference || !one.bound || one.scope != Scope::kernel) continue;
    auto& [first, limits] = kinds[{best_of(one), one.dtype, parameters_text(one.parameters)}];
    if (first == nullptr) first = &one;
    const double deviation = deviation_of(one.seconds->ci95) / one.seconds->median;
    const auto keep_least = [&](LimitOfWorkloads& all, std::optional<double> seconds) {
      if (!seconds) return;
      const auto [known, is_new] =
          all.try_emplace(one.workload + ":" + one.size, *seconds, deviation);
      if (!is_new) known->second = std::min(known->second, {*seconds, deviation});
    };
    keep_least(limits[0], one.bound->memory_seconds);
    keep_least(limits[1], one.bound->in_cache_seconds);
  }
  for (const auto& [kind, found] : kinds) {
    const Best best = best_of(*found.first);
    const Column column = column_of(*found.first, best, std::string(name_of(best)));
    for (const std::size_t i : {0U, 1U}) {
      const char* const name = i == 0 ? Column::memory_limit : Column::cores_limit;
      const PooledTimes parts(found.second[i].begin(), found.second[i].end());
      if (auto all = together(column, name, parts, found.first->on_gpu()))
        run.times.push_back(*all);
    }
  }
}

/// Runs that differ in one of these are not comparable.
void read_asked(NodeRun& run, const Context& context) {
  const BuildRecord& build = context.build;
  run.asked = {{"seed", std::to_string(context.run.seed)},
               {"cache", std::string(name_of(context.run.cache))},
               {"revision", build.revision},
               {"dirty", text_of_fact(written(build.dirty))},
               {"compiler", build.compiler},
               {"build_type", build.build_type},
               {"flags", build.flags},
               {"kernel_flags", text_of_fact(written(build.kernel_flags))}};
  for (const auto& [workload, hashes] : context.run.input_hash) {
    for (const auto& [size, hash] : hashes) {
      run.asked[said<reasons::inputs_of>(workload + "/" + size).text] = hash;
    }
  }
}

void read_facts(NodeRun& run, const Document& document) {
  for (const NodeFact& one : node_facts()) run.facts[one.name] = one.of(document.context);
  for (const NodeFigure& one : node_figures()) {
    if (const auto value = one.of(document)) run.figures[one.name] = *value;
  }
  for (const CaseRecord& one : document.cases) {
    if (one.measured()) run.work ^= std::hash<std::string>()(one.name);
  }
  for (const auto& [phase, seconds] : document.context.run.phases_s.value_or(Seconds())) {
    run.figures[facts::time_at_work] += seconds;
  }
}

}  // namespace

const NodeTime* NodeRun::time_in(const Column& column) const {
  const auto found = std::find_if(times.begin(), times.end(),
                                  [&](const NodeTime& time) { return time.column == column; });
  return found == times.end() ? nullptr : &*found;
}

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
    run.gpu_number = text_of_fact(written(gpu->device_number));
  }
  if (const auto& job = context.slurm) {
    run.job = fmt::format("{}-{}", job->cluster_name.value_or(""), job->job_id.value_or(""));
    run.task = job->procid.value_or("");
    const std::string nodes = job->step_nodelist.value_or("");
    run.nodelists = {nodes.empty() ? job->job_nodelist.value_or("") : nodes};
    run.given_gpu = has_text(job->step_gpus) || has_text(job->cuda_visible_devices);
  }
  // None of another program's cases is a best variant: each has a column.
  const bool all = chosen.empty() && !context.run.imported.value_or("").empty();
  const std::vector<std::string> columns = all ? std::vector<std::string>{"*"} : chosen;
  for (const CaseRecord& one : document.cases) add_case(run, one, columns);
  drop_what_is_there(run);
  for (const Best best : {Best::end_to_end, Best::kernel, Best::on_cpu}) add_pooled(run, best);
  add_limits(run, document.cases);
  run.doubts = context.run.warnings;
  read_asked(run, context);
  read_facts(run, document);
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
      if (text_of_fact(written(gpu.device_number)) == number) part.context.machine.gpu = gpu;
    }
    NodeRun& run = runs.emplace_back(node_run(part, file, chosen));
    run.gpu_number = number;
    // One that does not work is another GPU all the same.
    if (run.gpu_uuid.empty()) run.gpu_uuid = "device " + number;
    if (devices.size() > 1) run.part = "gpu" + number;
    if (number != devices.front()) run.figures.erase(facts::time_at_work);  // of the whole node
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
    // How well one limit is known is not recorded: that of its case, but passes show it.
    const bool shown = time.column.of_limits() && seconds.size() > 1;
    time.deviation = shown ? 0 : median(deviations);
    time.passes = seconds.size();
    all.times.push_back(std::move(time));
  }
  drop_what_is_there(all);
  return all;
}

}  // namespace bench
