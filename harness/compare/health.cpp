#include "harness/compare/health.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "harness/base/exit.hpp"
#include "harness/base/json.hpp"
#include "harness/base/statistics.hpp"
#include "harness/compare/node_differences.hpp"
#include "harness/compare/others.hpp"

namespace bench {
namespace {

/// `EPYC 7763 x 16, H100`
std::string hardware(const NodeRun& run) {
  std::string name = fmt::format("{} x {}", run.cpu_model.empty() ? "processor" : run.cpu_model,
                                 text_of_fact(run.facts.at(facts::cores)));
  if (!run.gpu.empty()) name += ", " + run.gpu;
  return name;
}

/// The number of something that a run had; 0 where that is unknown.
double amount(const NodeRun& run, const char* name) {
  const Json& fact = run.facts.at(name);
  return fact.is_null() ? 0 : fact.get<double>();
}

double processors(const NodeRun& run) { return amount(run, facts::cpus); }

bool has_gpu(const NodeRun& run) { return amount(run, facts::gpus) > 0; }

/// Kernels keep a little more or less for themselves.
bool same_memory(const NodeRun& a, const NodeRun& b) {
  constexpr double little = 0.02;
  const auto one = a.figures.find(facts::memory);
  const auto other = b.figures.find(facts::memory);
  if (one == a.figures.end() || other == b.figures.end()) return true;
  return std::abs(one->second - other->second) <= little * other->second;
}

/// Times of other compilers, or in warm caches, are other times.
bool same_build(const NodeRun& a, const NodeRun& b) {
  static constexpr const char* keys[] = {"cache", "compiler", "build_type", "flags",
                                         "kernel_flags"};
  return std::all_of(std::begin(keys), std::end(keys),
                     [&](const char* key) { return a.asked.at(key) == b.asked.at(key); });
}

/// Whether a fact says how a run was made, and nothing of the node.
bool is_of_run(const std::string& fact) {
  return std::any_of(node_facts().begin(), node_facts().end(),
                     [&fact](const NodeFact& one) { return one.name == fact && !one.of_hardware; });
}

// ---- ratios ----

/// The logarithms of some times over those of the reference, pooled.
struct Pooled {
  double logarithm = 0;
  double variance = 0;
  std::size_t count = 0;

  void add(double log_ratio, double deviation) {
    logarithm += log_ratio;
    variance += deviation * deviation;
    ++count;
  }
  double mean() const { return logarithm / static_cast<double>(count); }
  double deviation() const { return std::sqrt(variance) / static_cast<double>(count); }
};

using Times = std::map<Column, const NodeTime*>;

/// The times of chosen variants, not of best ones: the variant that is best may be another one each
/// time.
Times times_of(const NodeRun& run) {
  Times times;
  for (const NodeTime& time : run.times) {
    if (!time.column.best) times[time.column] = &time;
  }
  return times;
}

std::string part_of(const NodeTime& time, const NodeRun& run,
                    const std::set<std::string>& computing) {
  const char* const kind = time.scope != Scope::kernel                ? "bus"
                           : computing.contains(time.column.workload) ? "cores"
                                                                      : "memory";
  return time.on_gpu ? fmt::format("gpu{} {}", run.gpu_number, kind) : kind;
}

/// The median of the reference, of each column.
std::map<Column, double> medians(const std::vector<Times>& reference) {
  std::map<Column, std::vector<double>> seconds;
  for (const Times& run : reference) {
    for (const auto& [column, time] : run) seconds[column].push_back(time->seconds);
  }
  std::map<Column, double> middle;
  for (const auto& [column, values] : seconds) middle[column] = median(values);
  return middle;
}

Pooled pooled(const Times& run, const std::vector<Column>& columns,
              const std::map<Column, double>& middle) {
  Pooled all;
  for (const Column& column : columns) {
    const auto found = run.find(column);
    if (found == run.end()) continue;
    const NodeTime& time = *found->second;
    all.add(std::log(time.seconds / middle.at(column)), std::hypot(time.deviation, time.between));
  }
  return all;
}

/// The runs of a reference in one part: how far they are apart, how well each of them and the
/// middle of them is known.
struct Scatter {
  double between = 0;
  double of_run = 0;
  double of_middle = 0;
};

Scatter scatter(const std::vector<Times>& reference, const std::vector<Column>& columns,
                const std::map<Column, double>& middle) {
  std::vector<double> ratios;
  std::vector<double> deviations;
  for (const Times& run : reference) {
    const Pooled all = pooled(run, columns, middle);
    if (all.count == 0) continue;
    ratios.push_back(std::exp(all.mean()));
    deviations.push_back(all.deviation());
  }
  const double of_run = median(deviations);
  return {spread(ratios), of_run, of_run / std::sqrt(static_cast<double>(ratios.size()))};
}

using Parts = std::map<std::string, std::vector<Column>>;

Parts parts_of(const NodeRun& run, const Times& times, const std::map<Column, double>& middle,
               const std::set<std::string>& computing) {
  Parts parts;
  for (const auto& [column, time] : times) {
    if (middle.contains(column)) parts[part_of(*time, run, computing)].push_back(column);
  }
  return parts;
}

/// One part, but for its interval and verdict.
struct PartTimes {
  PartHealth part;
  double deviation = 0;
};

bool names_part(const std::vector<PartTimes>& found, const std::string& name) {
  return std::any_of(found.begin(), found.end(),
                     [&name](const PartTimes& one) { return one.part.name == name; });
}

void measure_parts(const NodeRun& run, const std::vector<NodeRun>& reference,
                   const std::set<std::string>& computing, std::vector<PartTimes>& found) {
  std::vector<Times> recorded;
  for (const NodeRun& one : reference) recorded.push_back(times_of(one));
  const Times here = times_of(run);
  const auto middle = medians(recorded);
  for (const auto& [name, columns] : parts_of(run, here, middle, computing)) {
    const Pooled all = pooled(here, columns, middle);
    const Scatter others = scatter(recorded, columns, middle);
    PartTimes one{{name, {std::exp(all.mean()), {}}, {}, {}, here.at(columns.front())->passes},
                  std::hypot(all.deviation(), others.between, others.of_middle)};
    for (const Column& column : columns) {
      one.part.workloads.push_back(column.workload);
      one.part.passes = std::min(one.part.passes, here.at(column)->passes);
    }
    std::sort(one.part.workloads.begin(), one.part.workloads.end());
    // CPU variants are there with each GPU.
    if (!names_part(found, name)) found.push_back(std::move(one));
  }
}

/// verdict_of(), turned around.
double slow_from(double threshold, double z, double deviation) {
  return (1 + threshold) * std::exp(z * deviation);
}

NodeVerdict verdict_of(const Interval& ratio, double threshold) {
  if (ratio.low > 1 + threshold) return NodeVerdict::slow;
  return ratio.high > 1 + threshold ? NodeVerdict::unclear : NodeVerdict::same;
}

int urgency(NodeVerdict verdict) {
  return verdict == NodeVerdict::slow ? 0 : verdict == NodeVerdict::unclear ? 1 : 2;
}

bool any(const std::vector<PartHealth>& parts, NodeVerdict verdict) {
  return std::any_of(parts.begin(), parts.end(),
                     [verdict](const PartHealth& one) { return one.verdict == verdict; });
}

/// `copy (memory)`: the first words of the reason why it has no time.
std::string with_reason(const std::string& workload, const std::vector<NodeRun>& node) {
  for (const NodeRun& run : node) {
    for (const Absent& one : run.absent) {
      if (one.column.workload != workload) continue;
      return fmt::format("{} ({})", workload, one.reason.substr(0, one.reason.find(':')));
    }
  }
  return workload;
}

/// GPUs that the node has and that no run is of: theirs were lost.
std::vector<std::string> without_run(const std::vector<NodeRun>& node) {
  std::set<std::string> measured;
  double gpus = 0;
  for (const NodeRun& run : node) {
    measured.insert(run.gpu_number);
    gpus = std::max(gpus, amount(run, facts::gpus));
  }
  std::vector<std::string> lost;
  for (int i = 0; node.size() > 1 && i < gpus; ++i) {
    if (!measured.contains(std::to_string(i))) lost.push_back(fmt::format("gpu{}", i));
  }
  return lost;
}

// ---- learning ----

/// Runs of one kind of nodes, by themselves.
struct OfKind {
  OfKind(const std::vector<const NodeRun*>& runs, const std::set<std::string>& computing) {
    for (const NodeRun* const run : runs) times.push_back(times_of(*run));
    middle = medians(times);
    for (std::size_t i = 0; i < runs.size(); ++i)
      parts.merge(parts_of(*runs[i], times[i], middle, computing));
  }

  std::vector<Times> times;
  std::map<Column, double> middle;
  Parts parts;
};

/// Takes out those that are far from the others in a part.
std::vector<OutlyingRun> take_outliers(std::vector<const NodeRun*>& runs,
                                       const std::set<std::string>& computing) {
  constexpr double deviations = 4;
  constexpr double least = 0.05;
  const OfKind all(runs, computing);
  std::map<const NodeRun*, OutlyingRun> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const auto& [part, columns] : parts_of(*runs[i], all.times[i], all.middle, computing)) {
      const double most =
          std::max(least, deviations * scatter(all.times, columns, all.middle).between);
      const Pooled own = pooled(all.times[i], columns, all.middle);
      if (std::abs(own.mean()) > most) found[runs[i]].ratios[part] = std::exp(own.mean());
    }
  }
  // The other runs of a file would take it along.
  std::set<std::string> files;
  for (const auto& [run, one] : found) files.insert(run->file);
  std::erase_if(runs, [&](const NodeRun* run) { return files.contains(run->file); });
  std::vector<OutlyingRun> outliers;
  for (auto& [run, one] : found) outliers.push_back({run->file, std::move(one.ratios)});
  return outliers;
}

/// Runs chosen evenly, from the fastest to the slowest.
std::vector<std::string> evenly_chosen(const std::vector<const NodeRun*>& runs,
                                       const OfKind& kind) {
  constexpr std::size_t enough = 15;
  std::vector<Column> columns;
  for (const auto& [column, seconds] : kind.middle) columns.push_back(column);
  std::vector<std::pair<double, std::string>> ranked;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ranked.emplace_back(pooled(kind.times[i], columns, kind.middle).mean(), runs[i]->file);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> all;
  for (const auto& [time, file] : ranked) {
    if (std::find(all.begin(), all.end(), file) == all.end()) all.push_back(file);
  }
  const std::size_t kept = std::min(enough, all.size());
  std::vector<std::string> files;
  for (std::size_t i = 0; i < kept; ++i) {
    files.push_back(all[kept == 1 ? 0 : i * (all.size() - 1) / (kept - 1)]);
  }
  return files;
}

}  // namespace

HealthWord word_of_times(const Health& health) {
  if (any(health.parts, NodeVerdict::slow)) return HealthWord::slow;
  const bool clear = !any(health.parts, NodeVerdict::unclear) &&
                     std::none_of(health.findings.begin(), health.findings.end(),
                                  [](const auto& one) { return one.key == Found::not_compared; });
  return clear ? HealthWord::ok : HealthWord::unclear;
}

void add_parts(Health& found, std::vector<PartHealth> parts) {
  std::sort(parts.begin(), parts.end(),
            [](const PartHealth& a, const PartHealth& b) { return a.ratio.value > b.ratio.value; });
  found.parts.insert(found.parts.begin(), std::make_move_iterator(parts.begin()),
                     std::make_move_iterator(parts.end()));
  std::stable_partition(found.parts.begin(), found.parts.end(),
                        [](const PartHealth& one) { return one.verdict == NodeVerdict::slow; });
  found.word = word_of_times(found);
}

std::vector<NodeRun> reference_for(const NodeRun& node, const std::vector<NodeRun>& recorded,
                                   Finding& why) {
  why = {Found::no_reference, {}, {{"hardware", hardware(node)}}};
  std::vector<NodeRun> alike;
  for (const NodeRun& one : recorded) {
    if (one.cpu_model != node.cpu_model || processors(one) < processors(node)) continue;
    if (!node.gpu.empty() && !one.gpu.empty() && one.gpu != node.gpu) continue;
    if (same_build(node, one)) {
      alike.push_back(one);
    } else {
      why = {Found::other_build};
    }
  }
  const auto keep_if_any = [&alike](auto is_better) {
    if (std::any_of(alike.begin(), alike.end(), is_better)) {
      std::erase_if(alike, [&](const NodeRun& one) { return !is_better(one); });
    }
  };
  keep_if_any([&](const NodeRun& one) { return processors(one) == processors(node); });
  keep_if_any([&](const NodeRun& one) { return has_gpu(one) == has_gpu(node); });
  // Several are a kind of their own; a few may lack the same.
  const auto keep_if_several = [&alike](auto is_alike) {
    constexpr std::size_t several = 3;
    std::set<std::string> all;  // files: each GPU of a node is a run
    std::set<std::string> some;
    for (const NodeRun& one : alike) {
      all.insert(one.file);
      if (is_alike(one)) some.insert(one.file);
    }
    if (some.size() < several || 4 * some.size() < all.size()) return;
    std::erase_if(alike, [&](const NodeRun& one) { return !is_alike(one); });
  };
  keep_if_several(
      [&](const NodeRun& one) { return amount(one, facts::gpus) == amount(node, facts::gpus); });
  keep_if_several([&](const NodeRun& one) { return same_memory(one, node); });
  if (node.facts.at(facts::gpus).is_null() && !alike.empty() && has_gpu(alike.front())) {
    alike.clear();
    why = {Found::gpus_unseen};
  }
  return alike;
}

Findings absent_parts(const NodeRun& node, const std::vector<NodeRun>& reference) {
  std::vector<const NodeRun*> runs;
  for (const NodeRun& one : reference) runs.push_back(&one);
  Findings found;
  const Others others(runs);
  std::vector<Difference> lacks = shortfalls(node, others);
  const auto far = far_figures(node, others);
  lacks.insert(lacks.end(), far.begin(), far.end());
  std::erase_if(lacks, [](const Difference& one) { return is_of_run(one.name); });
  for (const Difference& one : lacks) {
    const std::string part = node.part.empty() ? "" : node.part + " ";
    found.push_back({.key = Found::lacks, .values = {{"part", part}}, .differs = {one}});
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const Finding& one) { return one.differs.front().name == facts::cpus; });
  return found;
}

Health health(const std::vector<NodeRun>& node, const std::vector<NodeRun>& recorded,
              const std::vector<std::string>& workloads, const std::set<std::string>& computing,
              double threshold) {
  Health found;
  std::vector<PartTimes> measured;
  std::set<std::string> all_parts;
  std::set<std::string> there;  // workloads that are measured
  for (const NodeRun& run : node) {
    for (const Failed& one : run.failed) {
      found.findings.push_back({Found::wrong, {}, {{"case", one.name}, {"reason", one.reason}}});
    }
    Finding why;
    const auto reference = reference_for(run, recorded, why);
    for (const Finding& one : absent_parts(run, reference)) found.findings.push_back(one);
    measure_parts(run, reference, computing, measured);
    for (const auto& [column, time] : times_of(run)) {
      all_parts.insert(part_of(*time, run, computing));
      there.insert(column.workload);
    }
  }
  if (std::any_of(node.begin(), node.end(), [](const auto& run) { return !run.failed.empty(); })) {
    found.word = HealthWord::wrong;
    return found;
  }
  const bool absent = !found.findings.empty();
  const auto leave_out = [&found](const std::string& what) {
    found.findings.push_back({Found::not_compared, {}, {{"what", what}}});
  };
  for (const std::string& part : all_parts) {
    if (!names_part(measured, part)) leave_out(part);
  }
  const double z = joint_95(std::max<std::size_t>(1, measured.size()));
  for (PartTimes& one : measured) {
    const double value = one.part.ratio.value;
    one.part.ratio.ci95 = {value * std::exp(-z * one.deviation),
                           value * std::exp(z * one.deviation)};
    one.part.verdict = verdict_of(one.part.ratio.ci95, threshold);
    one.part.slow_from = slow_from(threshold, z, one.deviation);
    found.parts.push_back(std::move(one.part));
  }
  std::stable_sort(found.parts.begin(), found.parts.end(), [](const auto& a, const auto& b) {
    return std::tuple(urgency(a.verdict), -a.ratio.value) <
           std::tuple(urgency(b.verdict), -b.ratio.value);
  });
  for (const std::string& one : workloads) {
    if (!there.contains(one)) leave_out(with_reason(one, node));
  }
  for (const std::string& gpu : without_run(node)) leave_out(gpu);
  if (absent) {
    found.word = HealthWord::absent;
  } else if (found.parts.empty()) {
    found.word = HealthWord::unknown;
    found.findings = {{Found::nothing_measured}};
  } else {
    found.word = word_of_times(found);
  }
  return found;
}

void confirm(Health& found, const Health& again) {
  if (found.word != HealthWord::slow) return;
  for (PartHealth& part : found.parts) {
    const bool confirmed =
        std::any_of(again.parts.begin(), again.parts.end(), [&part](const PartHealth& one) {
          return one.name == part.name && one.verdict == NodeVerdict::slow;
        });
    if (part.verdict == NodeVerdict::slow && !confirmed) part.verdict = NodeVerdict::unclear;
  }
  found.word = word_of_times(found);
  if (found.word == HealthWord::slow) return;
  found.findings.push_back({again.parts.empty() ? Found::slow_unconfirmed : Found::slow_at_first});
}

std::vector<LearnedKind> learn(const std::vector<NodeRun>& runs,
                               const std::set<std::string>& computing, double threshold) {
  std::map<std::string, std::vector<const NodeRun*>> kinds;
  for (const NodeRun& run : runs) {
    if (!times_of(run).empty()) kinds[hardware(run)].push_back(&run);
  }
  std::vector<LearnedKind> learned;
  for (auto& [name, all] : kinds) {
    LearnedKind kind{name, all.size(), {}, {}, {}};
    kind.outliers = take_outliers(all, computing);
    const OfKind sound(all, computing);
    for (const auto& [part, columns] : sound.parts) {
      const Scatter apart = scatter(sound.times, columns, sound.middle);
      const double deviation = std::hypot(apart.of_run, apart.between, apart.of_middle);
      kind.parts[part] = {apart.between,
                          slow_from(threshold, joint_95(sound.parts.size()), deviation)};
    }
    kind.files = evenly_chosen(all, sound);
    learned.push_back(std::move(kind));
  }
  return learned;
}

int exit_code(HealthWord word, bool nagios) {
  switch (word) {
    case HealthWord::slow:
      return nagios ? 1 : Exit::slower;
    case HealthWord::absent:
      return nagios ? 2 : Exit::slower;
    case HealthWord::wrong:
      return nagios ? 2 : Exit::wrong;
    case HealthWord::unknown:
      return nagios ? 3 : Exit::unclear;
    default:
      return Exit::fine;
  }
}

bool is_verdict(HealthWord word) {
  return word == HealthWord::ok || word == HealthWord::slow || word == HealthWord::absent ||
         word == HealthWord::wrong;
}

}  // namespace bench
