#include "harness/compare/health.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>

#include "harness/base/exit.hpp"
#include "harness/base/json.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/utf8.hpp"
#include "harness/compare/finding_text.hpp"
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

/// Times of other compilers, or in warm caches, are other times.
bool same_build(const NodeRun& a, const NodeRun& b) {
  static constexpr const char* keys[] = {"cache", "compiler", "build_type", "flags",
                                         "kernel_flags"};
  return std::all_of(std::begin(keys), std::end(keys),
                     [&](const char* key) { return a.asked.at(key) == b.asked.at(key); });
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

std::string ratio_text(const PartHealth& part) {
  return fmt::format("{} {:.2f}x", part.name, part.ratio.value);
}

/// `memory 1.31x [1.27, 1.35] of expected (copy, hypot)`
std::string with_interval(const PartHealth& part, bool with_workloads) {
  const auto& [low, high] = part.ratio.ci95;
  std::string text = fmt::format("{} [{:.2f}, {}] of expected", ratio_text(part), low,
                                 high > 100 ? "> 100" : fmt::format("{:.2f}", high));
  if (with_workloads) text += fmt::format(" ({})", fmt::join(part.workloads, ", "));
  return text;
}

/// The pieces of the line, the most urgent first.
std::vector<std::string> pieces(const Health& health, bool with_workloads) {
  std::vector<std::string> all = health.said;
  for (const PartHealth& part : health.parts) {
    if (part.verdict != NodeVerdict::same) all.push_back(with_interval(part, with_workloads));
  }
  for (const std::string& one : health.left_out) all.push_back(one + " not compared");
  for (const PartHealth& part : health.parts) {
    if (part.verdict == NodeVerdict::same) all.push_back(ratio_text(part));
  }
  all.insert(all.end(), health.notes.begin(), health.notes.end());
  return all;
}

HealthWord word_of_times(const Health& health) {
  if (any(health.parts, NodeVerdict::slow)) return HealthWord::slow;
  const bool clear = !any(health.parts, NodeVerdict::unclear) && health.left_out.empty();
  return clear ? HealthWord::ok : HealthWord::unclear;
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

/// The text, or its beginning and two dots: at most that many bytes.
std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most - 2;
  while (end > 0 && continues_character(text[end])) --end;
  return text.substr(0, end) + "..";
}

/// As many pieces as fit; nothing where not all do, or, if some may be left out, not even the
/// first.
std::optional<std::string> fitted(std::string line, const std::vector<std::string>& pieces,
                                  const std::string& end, std::size_t most, bool all) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t left = pieces.size() - i - 1;
    const std::string next = (i == 0 ? " " : ", ") + pieces[i];
    const std::string rest = left == 0 ? "" : fmt::format(", +{}", left);
    if ((line + next + rest + end).size() > most) {
      if (i == 0 || all) return {};
      return fmt::format("{}, +{}{}", line, left + 1, end);
    }
    line += next;
  }
  return line + end;
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

/// Takes out those that are far from the others in a part; a line each.
std::vector<std::string> take_outliers(std::vector<const NodeRun*>& runs,
                                       const std::set<std::string>& computing) {
  constexpr double deviations = 4;
  constexpr double least = 0.05;
  const OfKind all(runs, computing);
  std::map<const NodeRun*, std::string> found;
  for (const auto& [part, columns] : all.parts) {
    const double most =
        std::max(least, deviations * scatter(all.times, columns, all.middle).between);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Pooled own = pooled(all.times[i], columns, all.middle);
      if (own.count == 0 || std::abs(own.mean()) <= most) continue;
      found[runs[i]] += fmt::format(", {} {:.2f}x", part, std::exp(own.mean()));
    }
  }
  std::erase_if(runs, [&](const NodeRun* run) { return found.contains(run); });
  std::vector<std::string> lines;
  for (const auto& [run, what] : found) {
    lines.push_back(fmt::format("{}: {} of the others", run->file, what.substr(2)));
  }
  return lines;
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
  const std::size_t kept = std::min(enough, ranked.size());
  std::vector<std::string> files;
  for (std::size_t i = 0; i < kept; ++i) {
    const std::string& file = ranked[kept == 1 ? 0 : i * (ranked.size() - 1) / (kept - 1)].second;
    const bool known = std::find(files.begin(), files.end(), file) != files.end();
    if (!known) files.push_back(file);  // several GPUs are in one file
  }
  return files;
}

}  // namespace

std::vector<NodeRun> reference_for(const NodeRun& node, const std::vector<NodeRun>& recorded,
                                   std::string& why) {
  why = "no reference for " + hardware(node);
  std::vector<NodeRun> alike;
  for (const NodeRun& one : recorded) {
    if (one.cpu_model != node.cpu_model || processors(one) < processors(node)) continue;
    if (!node.gpu.empty() && !one.gpu.empty() && one.gpu != node.gpu) continue;
    if (same_build(node, one)) {
      alike.push_back(one);
    } else {
      why = "the reference is of another build of bench";
    }
  }
  const auto keep_if_any = [&alike](auto is_better) {
    if (std::any_of(alike.begin(), alike.end(), is_better)) {
      std::erase_if(alike, [&](const NodeRun& one) { return !is_better(one); });
    }
  };
  keep_if_any([&](const NodeRun& one) { return processors(one) == processors(node); });
  keep_if_any([&](const NodeRun& one) { return has_gpu(one) == has_gpu(node); });
  if (node.facts.at(facts::gpus).is_null() && !alike.empty() && has_gpu(alike.front())) {
    alike.clear();
    why = "the reference has GPUs, for which this bench cannot look";
  }
  return alike;
}

std::vector<std::string> absent_parts(const NodeRun& node, const std::vector<NodeRun>& reference) {
  std::vector<const NodeRun*> runs;
  for (const NodeRun& one : reference) runs.push_back(&one);
  std::vector<std::string> first;
  std::vector<std::string> rest;
  for (const Difference& one : shortfalls(node, Others(runs))) {
    const bool cpus = one.name == facts::cpus;
    const std::string own = value_text(one.name, one.own);
    const std::string others = value_text(one.name, one.others);
    const std::string unit = one.unit.empty() ? "" : " " + one.unit;
    (cpus ? first : rest)
        .push_back(one.amount
                       ? fmt::format("{} {} of {}{}", cpus ? "cpus" : one.name, own, others, unit)
                       : fmt::format("{} {}, not {}", one.name, own, others));
  }
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
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
      found.said.push_back(fmt::format("{}: {}", one.name, one.reason));
    }
    std::string why;
    const auto reference = reference_for(run, recorded, why);
    for (const std::string& phrase : absent_parts(run, reference)) {
      found.said.push_back(run.part.empty() ? phrase : run.part + " " + phrase);
    }
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
  for (const std::string& part : all_parts) {
    if (!names_part(measured, part)) found.left_out.push_back(part);
  }
  const double z = joint_95(std::max<std::size_t>(1, measured.size()));
  for (PartTimes& one : measured) {
    const double value = one.part.ratio.value;
    one.part.ratio.ci95 = {value * std::exp(-z * one.deviation),
                           value * std::exp(z * one.deviation)};
    one.part.verdict = verdict_of(one.part.ratio.ci95, threshold);
    found.parts.push_back(std::move(one.part));
  }
  std::stable_sort(found.parts.begin(), found.parts.end(), [](const auto& a, const auto& b) {
    return std::tuple(urgency(a.verdict), -a.ratio.value) <
           std::tuple(urgency(b.verdict), -b.ratio.value);
  });
  for (const std::string& one : workloads) {
    if (!there.contains(one)) found.left_out.push_back(with_reason(one, node));
  }
  for (const std::string& gpu : without_run(node)) found.left_out.push_back(gpu);
  if (!found.said.empty()) {
    found.word = HealthWord::absent;
  } else if (found.parts.empty()) {
    found.word = HealthWord::unknown;
    found.said.emplace_back("nothing measured that the reference has");
    found.left_out.clear();  // all of it
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
  found.said = {again.parts.empty() ? "slow, no time to confirm it" : "slow at first only"};
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
                          (1 + threshold) * std::exp(joint_95(sound.parts.size()) * deviation)};
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

std::string health_line(const std::string& node, const Health& health, double seconds) {
  constexpr std::size_t most = 80;
  constexpr std::size_t longest_name = 24;
  const std::string begin =
      fmt::format("{} {}", shortened(node, longest_name), name_of(health.word));
  const std::string end = fmt::format("; {:.0f} s", std::ceil(seconds));
  for (const bool whole : {true, false}) {
    for (const bool with_workloads : {true, false}) {
      const auto line = fitted(begin, pieces(health, with_workloads), end, most, whole);
      if (line) return *line;
    }
  }
  const auto all = pieces(health, false);
  if (all.empty()) return begin + end;
  const std::size_t room = most - (begin + " " + end).size();
  return begin + " " + shortened(all.front(), room) + end;
}

std::string health_metrics(const std::string& node, const Health& health, int code, double seconds,
                           const CheckTimes& times) {
  const auto quoted = [](const std::string& text) { return Json(text).dump(); };
  const std::string of_node = "node=" + quoted(node);
  std::string text;
  const auto metric = [&text](const char* name, const char* help) {
    text += fmt::format("# HELP bench_check_{0} {1}\n# TYPE bench_check_{0} gauge\n", name, help);
  };
  const auto value = [&](const char* name, const std::string& labels, double figure) {
    text += fmt::format("bench_check_{}{{{}{}}} {:.6g}\n", name, of_node,
                        labels.empty() ? "" : "," + labels, figure);
  };
  metric("status", "1 for the word of the last check, 0 for the others.");
  for (const auto& [word, name] : NamesOf<HealthWord>::all) {
    value("status", fmt::format("status=\"{}\"", name), word == health.word ? 1 : 0);
  }
  metric("exit_code", "Exit code of the last check.");
  value("exit_code", "", code);
  const auto of_parts = [&](const char* name, const char* help, auto figure) {
    metric(name, help);
    for (const PartHealth& one : health.parts) value(name, "part=" + quoted(one.name), figure(one));
  };
  of_parts("ratio", "Time of a part of the node over that of its reference.",
           [](const PartHealth& part) { return part.ratio.value; });
  of_parts("ratio_low", "Lower end of the interval of the ratio.",
           [](const PartHealth& part) { return part.ratio.ci95.low; });
  of_parts("ratio_high", "Upper end of the interval of the ratio.",
           [](const PartHealth& part) { return part.ratio.ci95.high; });
  of_parts("passes", "How often the part was measured, spread over the check.",
           [](const PartHealth& part) { return static_cast<double>(part.passes); });
  metric("duration_seconds", "How long the last check took.");
  value("duration_seconds", "", seconds);
  const auto moment = [&](const char* name, const char* help, double when) {
    metric(name, help);
    text += fmt::format("bench_check_{}{{{}}} {:.0f}\n", name, of_node, when);
  };
  moment("end_timestamp_seconds", "When the last check ended, in seconds since 1970.", times.ended);
  moment("verdict_timestamp_seconds",
         "When the last check ended that said OK, SLOW, ABSENT or WRONG; 0: none has.",
         times.verdict);
  return text + "# EOF\n";
}

bool is_verdict(HealthWord word) {
  return word == HealthWord::ok || word == HealthWord::slow || word == HealthWord::absent ||
         word == HealthWord::wrong;
}

double last_verdict(const std::string& metrics) {
  const std::size_t line = metrics.find("\nbench_check_verdict_timestamp_seconds{");
  const std::size_t value = line == std::string::npos ? line : metrics.find("} ", line);
  return value == std::string::npos ? 0 : std::strtod(metrics.c_str() + value + 1, nullptr);
}

}  // namespace bench
