#include "harness/compare/node_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/exit.hpp"
#include "harness/compare/against_itself.hpp"
#include "harness/compare/node_findings.hpp"
#include "harness/compare/one_per_node.hpp"
#include "harness/document/ratios.hpp"
#include "harness/node/nodelist.hpp"

namespace bench {
namespace {

/// The nodes that should be there and have no result file: those whose jobs have begun, and the
/// others.
void find_missing(const NodeComparisonInput& input, NodeComparison& comparison) {
  std::set<std::string> lists;
  for (const NodeRun& run : comparison.runs) {
    lists.insert(run.nodelists.begin(), run.nodelists.end());
  }
  std::set<std::string> names(input.nodes.begin(), input.nodes.end());
  for (const std::string& list : lists) {
    for (std::string& node : expand_nodelist(list)) names.insert(std::move(node));
  }
  for (const NodeRun& run : comparison.runs) names.erase(run.host);
  Finding missing{Found::missing};
  Finding waiting{Found::waiting};
  for (const std::string& name : names) {
    (input.not_begun.contains(name) ? waiting : missing).nodes.push_back(name);
  }
  comparison.add_if_any(std::move(missing));
  comparison.add_if_any(std::move(waiting));
}

using Hosts = std::set<std::string>;

/// The nodes that have one processor, and those of them that have each GPU.
struct OfProcessor {
  Hosts nodes;
  std::map<std::string, Hosts> with;
};

/// The GPU that a node without one should have: that of most nodes with its processor, where those
/// are more than half of them or the job was given a GPU. Empty where there is none to expect.
std::string expected_gpu(const NodeRun& run, const OfProcessor& alike) {
  const auto usual = std::max_element(
      alike.with.begin(), alike.with.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (usual == alike.with.end()) return "";
  return run.given_gpu || 2 * usual->second.size() > alike.nodes.size() ? usual->first : "";
}

using Amounts = std::array<double, 3>;

/// What nodes may be bought with more or less of: processors, GPUs, memory in steps of 5 %. Nothing
/// where one of them is unknown.
std::optional<Amounts> amounts_of(const NodeRun& run) {
  const auto fact = [&run](const char* name) -> std::optional<double> {
    const auto found = run.facts.find(name);
    if (found == run.facts.end() || !found->second.is_number()) return {};
    return found->second.get<double>();
  };
  const auto cpus = fact(facts::cpus_of_node);
  const auto gpus = run.gpu.empty() ? 0 : fact(facts::gpus);
  const auto memory = run.figures.find(facts::memory);
  if (!cpus || !gpus || memory == run.figures.end() || memory->second <= 0) return {};
  return Amounts{*cpus, *gpus, std::round(std::log(memory->second) / 0.05)};
}

/// `64 cpus, 25.3 GB`: what is not the same in all of these.
std::string amounts_text(const NodeRun& run, const std::map<Amounts, HardwareClass>& all) {
  const Amounts own = *amounts_of(run);
  const std::array<std::string, 3> texts{fmt::format("{} cpus", own[0]),
                                         fmt::format("{} GPUs", own[1]),
                                         figure(run.figures.at(facts::memory) / 1e9, 3) + " GB"};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool differs = std::any_of(all.begin(), all.end(),
                                     [&](const auto& other) { return other.first[i] != own[i]; });
    if (differs) parts.push_back(texts[i]);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The same nodes, divided where several share other amounts: those of a few were lost, and they
/// stay with most.
std::vector<HardwareClass> by_amounts(const HardwareClass& kind, const std::vector<NodeRun>& runs) {
  constexpr std::size_t several = 3;
  std::map<Amounts, Hosts> sharing;
  Hosts all;
  for (const std::size_t run : kind.runs) {
    all.insert(runs[run].host);
    if (const auto amounts = amounts_of(runs[run])) sharing[*amounts].insert(runs[run].host);
  }
  if (sharing.size() < 2) return {kind};
  const auto most = std::max_element(
      sharing.begin(), sharing.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  std::map<Amounts, HardwareClass> parts;
  std::map<Amounts, std::size_t> one_with;
  for (const std::size_t run : kind.runs) {
    const auto own = amounts_of(runs[run]);
    const std::size_t alike = own ? sharing.at(*own).size() : 0;
    const bool of_kind = own == most->first || (alike >= several && 4 * alike >= all.size());
    const Amounts& amounts = of_kind ? *own : most->first;
    if (of_kind) one_with[amounts] = run;
    HardwareClass& part =
        parts.try_emplace(amounts, HardwareClass{kind.cpu_model, kind.gpu, "", {}}).first->second;
    part.runs.push_back(run);
  }
  std::vector<HardwareClass> found;
  for (auto& [amounts, part] : parts) {
    part.amounts = amounts_text(runs[one_with.at(amounts)], parts);
    found.push_back(std::move(part));
  }
  return found;
}

std::vector<HardwareClass> kinds(const std::vector<NodeRun>& runs) {
  std::map<std::string, OfProcessor> processors;
  for (const NodeRun& run : runs) {
    OfProcessor& alike = processors[run.cpu_model];
    alike.nodes.insert(run.host);
    if (!run.gpu.empty()) alike.with[run.gpu].insert(run.host);
  }
  std::vector<HardwareClass> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string gpu =
        runs[i].gpu.empty() ? expected_gpu(runs[i], processors.at(runs[i].cpu_model)) : runs[i].gpu;
    const auto same = std::find_if(found.begin(), found.end(), [&](const HardwareClass& kind) {
      return kind.cpu_model == runs[i].cpu_model && kind.gpu == gpu;
    });
    HardwareClass& kind = same == found.end()
                              ? found.emplace_back(HardwareClass{runs[i].cpu_model, gpu, "", {}})
                              : *same;
    kind.runs.push_back(i);
  }
  std::vector<HardwareClass> all;
  for (const HardwareClass& kind : found) {
    for (HardwareClass& part : by_amounts(kind, runs)) all.push_back(std::move(part));
  }
  return all;
}

/// What a limit is uncertain by is not recorded: only many nodes show how far it scatters.
void drop_limits_of_few(NodeComparison& comparison) {
  constexpr std::size_t enough_nodes = 5;
  for (const HardwareClass& kind : comparison.kinds) {
    std::map<Column, std::size_t> nodes;
    for (const std::size_t run : kind.runs) {
      for (const NodeTime& time : comparison.runs[run].times) ++nodes[time.column];
    }
    for (const std::size_t run : kind.runs) {
      std::erase_if(comparison.runs[run].times, [&](const NodeTime& time) {
        return time.column.of_limits() && nodes.at(time.column) < enough_nodes;
      });
    }
  }
}

/// Sorted by what is shown first: the best variants before chosen ones, then as in the result
/// files.
std::vector<Column> compared_columns(const std::vector<NodeRun>& runs) {
  std::vector<Column> found;
  std::set<Column> known;
  for (const NodeRun& run : runs) {
    for (const NodeTime& time : run.times) {
      if (known.insert(time.column).second) found.push_back(time.column);
    }
  }
  const auto rank = [](const Column& column) {
    return std::tuple(!column.best, column.best, column.pooled.empty());
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Column& a, const Column& b) { return rank(a) < rank(b); });
  return found;
}

/// ratio × exp(±z·deviation)
Interval around(double ratio, double deviation, double z) {
  return {ratio * std::exp(-z * deviation), ratio * std::exp(z * deviation)};
}

NodeVerdict stands(const Interval& ratio, double threshold) {
  const Change change = judge(ratio, threshold);
  return change == Change::slower    ? NodeVerdict::slow
         : change == Change::faster  ? NodeVerdict::fast
         : change == Change::unclear ? NodeVerdict::unclear
                                     : NodeVerdict::same;
}

/// Standard deviation of the times of equal nodes, relative, from the faster half: the distance
/// from the median to the lower quartile is 0.674 deviations of a normal distribution.
double scatter(const std::vector<double>& sorted, double middle) {
  constexpr std::size_t enough_nodes = 5;
  constexpr double quartile = 0.6745;
  if (sorted.size() < enough_nodes) return 0;
  return std::log(middle / quantile(sorted, 0.25)) / quartile;
}

/// Compares the nodes of one kind in one column.
class ColumnOfKind {
 public:
  explicit ColumnOfKind(std::vector<Cell*> cells) : cells_(std::move(cells)) {
    std::sort(cells_.begin(), cells_.end(),
              [](const Cell* a, const Cell* b) { return a->time.seconds < b->time.seconds; });
    middle_ = cells_[(cells_.size() - 1) / 2];
    std::vector<double> sorted;
    std::vector<double> between_passes;
    for (const Cell* cell : cells_) {
      sorted.push_back(cell->time.seconds);
      between_passes.push_back(cell->time.between);
    }
    between_nodes_ = scatter(sorted, middle_->time.seconds);
    std::sort(between_passes.begin(), between_passes.end());
    between_passes_ = between_passes[(between_passes.size() - 1) / 2];
  }

  const Cell& middle() const { return *middle_; }

  /// Deviation of the median node's time as an estimate for its kind: of n nodes, about half are
  /// as near to it.
  double deviation() const {
    const double half = std::ceil(static_cast<double>(cells_.size()) / 2);
    return deviation(middle_->time) / std::sqrt(half);
  }

  /// The rule of the verdicts, turned around.
  std::optional<double> slow_from(double z, double threshold) const {
    if (cells_.size() < 2) return {};
    std::vector<double> deviations;
    for (const Cell* cell : cells_) deviations.push_back(deviation(cell->time));
    return (1 + threshold) * std::exp(z * std::hypot(median(deviations), deviation()));
  }

  void set_verdicts(double z, double threshold) {
    if (cells_.size() < 2) return;
    for (Cell* cell : cells_) {
      const double ratio = cell->time.seconds / middle_->time.seconds;
      if (cell->run == middle_->run) {
        cell->ratio = {1, {1, 1}};
        cell->verdict = NodeVerdict::same;
        continue;
      }
      cell->ratio = {ratio, around(ratio, std::hypot(deviation(cell->time), deviation()), z)};
      cell->verdict = stands(cell->ratio.ci95, threshold);
    }
  }

 private:
  /// The deviation within a pass, between the passes, and between equal nodes.
  double deviation(const NodeTime& time) const {
    return std::hypot(time.deviation, between_passes(time), between_nodes_);
  }

  /// The deviation of this node, or the usual one, whichever is larger: two passes may be close
  /// together by chance. The median of several is better known than one, but where they are further
  /// apart than by chance, nobody knows what is usual on that node.
  double between_passes(const NodeTime& time) const {
    constexpr double by_chance = 2.5;  // half the range of three values is once in a hundred times
    if (time.between > by_chance * between_passes_) return time.between;
    return std::max(time.between, between_passes_) / std::sqrt(static_cast<double>(time.passes));
  }

  std::vector<Cell*> cells_;
  const Cell* middle_ = nullptr;
  double between_passes_ = 0;
  double between_nodes_ = 0;
};

/// All recorded runs of this hardware and number of threads as one, and why there is none.
std::optional<NodeRun> recorded_for(const HardwareClass& kind, const NodeComparison& comparison,
                                    const std::vector<NodeRun>& recorded, Finding& why) {
  why = {Found::not_recorded, {}, {{"cpu_model", kind.cpu_model}, {"gpu", kind.gpu}}};
  const std::set<Column> columns(comparison.columns.begin(), comparison.columns.end());
  std::map<Json, std::size_t> counts;
  const auto threads_of = [](const NodeRun& run) {
    const auto found = run.facts.find(facts::threads);
    return found == run.facts.end() ? Json() : found->second;
  };
  for (const std::size_t run : kind.runs) ++counts[threads_of(comparison.runs[run])];
  const Json& threads =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->first;
  std::vector<NodeRun> alike;
  for (const NodeRun& one : recorded) {
    if (one.cpu_model != kind.cpu_model || one.gpu != kind.gpu) continue;
    const Json then = threads_of(one);
    if (then != threads) {
      why.key = Found::recorded_with_threads;
      why.values.update({{"then", then}, {"now", threads}});
      continue;
    }
    const bool shared = std::any_of(one.times.begin(), one.times.end(), [&](const NodeTime& time) {
      return columns.contains(time.column);
    });
    if (shared) {
      alike.push_back(one);
    } else {
      why.key = Found::recorded_with_sizes;
    }
  }
  if (alike.empty()) return {};
  return merged(alike);
}

void expect(NodeComparison& comparison, const std::vector<ColumnOfKind>& compared,
            const std::vector<NodeRun>& recorded, double z) {
  comparison.compared = false;
  for (std::size_t i = 0; i < comparison.kinds.size(); ++i) {
    const HardwareClass& kind = comparison.kinds[i];
    Finding why;
    const auto expected = recorded_for(kind, comparison, recorded, why);
    if (!expected) comparison.findings.push_back(why);
    for (const ColumnOfKind& one : compared) {
      const Cell& middle = one.middle();
      if (!expected || middle.kind != i) continue;
      const Column& column = comparison.columns[middle.column];
      const NodeTime* const time = expected->time_in(column);
      if (time == nullptr) continue;
      const double value = middle.time.seconds / time->seconds;
      const Interval ratio =
          around(value, std::hypot(one.deviation(), time->deviation, time->between), z);
      comparison.compared = true;
      comparison.findings.push_back({.key = Found::expected,
                                     .values = {{"cpu_model", kind.cpu_model},
                                                {"gpu", kind.gpu},
                                                {"file", expected->file},
                                                {"recorded_runs", expected->passes},
                                                {"expected_seconds", time->seconds}},
                                     .columns = {column},
                                     .ratio = {value, ratio},
                                     .verdict = stands(ratio, comparison.threshold)});
    }
  }
}

/// What earlier surveys say, and of which nodes they say nothing.
void find_slower_since(NodeComparison& comparison, const std::vector<Survey>& history) {
  LookBack past = look_back(comparison.runs, history);
  comparison.compared = !past.compared.empty();
  for (Findings* const found : {&past.slower, &past.all_slower}) {
    std::move(found->begin(), found->end(), std::back_inserter(comparison.findings));
  }
  comparison.findings.push_back({Found::looked_back,
                                 {},
                                 {{"surveys", history.size()},
                                  {"first", history.front().date()},
                                  {"last", history.back().date()}}});
  Finding unknown{Found::not_there_before};
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (!past.compared.contains(i)) unknown.nodes.push_back(comparison.runs[i].node);
  }
  comparison.add_if_any(std::move(unknown));
}

/// All times, by node.
void take_times(NodeComparison& comparison) {
  comparison.columns = compared_columns(comparison.runs);
  std::map<Column, std::size_t> numbers;
  for (std::size_t i = 0; i < comparison.columns.size(); ++i) numbers[comparison.columns[i]] = i;
  std::vector<std::size_t> kind_of(comparison.runs.size());
  for (std::size_t kind = 0; kind < comparison.kinds.size(); ++kind) {
    for (const std::size_t run : comparison.kinds[kind].runs) kind_of[run] = kind;
  }
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    for (const NodeTime& time : comparison.runs[i].times) {
      const std::size_t column = numbers.find(time.column)->second;
      comparison.cells.push_back({i, kind_of[i], column, time, {1, {1, 1}}, NodeVerdict::alone});
    }
  }
}

/// The cells of each kind and column.
std::vector<ColumnOfKind> columns_of_kinds(NodeComparison& comparison) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Cell*>> grouped;
  for (Cell& cell : comparison.cells) grouped[{cell.kind, cell.column}].push_back(&cell);
  std::vector<ColumnOfKind> found;
  for (const auto& [key, cells] : grouped) found.emplace_back(cells);
  return found;
}

}  // namespace

Findings NodeComparison::found(std::initializer_list<Found> keys) const {
  Findings all;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(all), [&](const Finding& one) {
    return std::find(keys.begin(), keys.end(), one.key) != keys.end();
  });
  return all;
}

void NodeComparison::add_if_any(Finding one) {
  if (!one.nodes.empty()) findings.push_back(std::move(one));
}

std::set<std::size_t> NodeComparison::slow_runs() const {
  std::set<std::size_t> runs_found;
  for (const Finding& one : found({Found::slow})) {
    runs_found.insert(cells[one.cells.front()].run);
  }
  return runs_found;
}

NodeComparison compare_nodes(NodeComparisonInput input) {
  NodeComparison result;
  result.threshold = input.threshold;
  result.findings = std::move(input.findings);
  result.runs = one_per_node(std::move(input.runs), result.findings);
  if (!input.history.empty()) find_slower_since(result, input.history);
  if (!input.before.empty()) against_itself(result.runs, input.before, result.findings);
  find_missing(input, result);
  result.kinds = kinds(result.runs);
  drop_limits_of_few(result);
  take_times(result);

  std::vector<ColumnOfKind> columns = columns_of_kinds(result);
  // A cell of each is its median node, unless all are expected to be as others were.
  const double z = joint_95(result.cells.size() - (input.with_expected ? 0 : columns.size()));
  for (ColumnOfKind& one : columns) {
    one.set_verdicts(z, result.threshold);
    result.middles.push_back(static_cast<std::size_t>(&one.middle() - result.cells.data()));
    result.slow_from.push_back(one.slow_from(z, result.threshold));
  }
  if (input.history.empty()) {
    result.compared = std::any_of(result.cells.begin(), result.cells.end(), [](const Cell& cell) {
      return cell.verdict != NodeVerdict::alone;
    });
  }
  find_in_nodes(result);
  if (input.with_expected) expect(result, columns, input.recorded, z);
  return result;
}

int exit_code(const NodeComparison& comparison, bool forced) {
  const auto any = [&](std::initializer_list<Found> keys) {
    return !comparison.found(keys).empty();
  };
  const Findings expected = comparison.found({Found::expected});
  const auto is_expected = [&expected](NodeVerdict verdict) {
    return std::any_of(expected.begin(), expected.end(),
                       [verdict](const Finding& one) { return one.verdict == verdict; });
  };
  if (any({Found::failed})) return Exit::wrong;
  if (!forced && any({Found::unlike})) return Exit::unlike;
  const bool without_time = std::any_of(comparison.runs.begin(), comparison.runs.end(),
                                        [](const NodeRun& run) { return run.times.empty(); });
  if (any({Found::slow, Found::slower_since, Found::all_slower_since, Found::absent, Found::lacking,
           Found::missing, Found::still_running, Found::ended_by, Found::unreadable,
           Found::ended}) ||
      is_expected(NodeVerdict::slow) || without_time) {
    return Exit::slower;
  }
  if (!comparison.compared) return forced ? Exit::unclear : Exit::unlike;
  const bool open = any({Found::unclear, Found::waiting}) || is_expected(NodeVerdict::unclear);
  return open ? Exit::unclear : Exit::fine;
}

}  // namespace bench
