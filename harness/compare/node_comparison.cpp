#include "harness/compare/node_comparison.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/exit.hpp"
#include "harness/compare/against_itself.hpp"
#include "harness/compare/limit_ratios.hpp"
#include "harness/compare/node_differences.hpp"
#include "harness/compare/suspects.hpp"
#include "harness/document/ratios.hpp"
#include "harness/node/nodelist.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

// ---- which runs count ----

/// The runs of one task of a job on one node, by the GPU that they used.
using OnGpus = std::map<std::string, std::vector<NodeRun>>;

/// Runs without a GPU belong to the first one.
void spread(OnGpus& on_gpus) {
  if (on_gpus.size() < 2) return;
  const auto without = on_gpus.find("");
  if (without != on_gpus.end()) {
    std::vector<NodeRun>& first = std::next(without)->second;
    std::move(without->second.begin(), without->second.end(), std::back_inserter(first));
    on_gpus.erase(without);
  }
  std::set<std::string> numbers;
  for (const auto& [uuid, runs] : on_gpus) numbers.insert(runs.front().gpu_number);
  if (on_gpus.size() < 2) return;
  for (auto& [uuid, runs] : on_gpus) {
    // Where each step saw its own GPU only, all of them are number 0.
    NodeRun& first = runs.front();
    first.part = numbers.size() == on_gpus.size() ? "gpu" + first.gpu_number : uuid;
  }
}

/// Steps of one job on one node are passes of one run, but for those on different GPUs.
std::vector<NodeRun> with_merged_passes(std::vector<NodeRun> runs) {
  std::map<std::tuple<std::string, std::string, std::string>, OnGpus> passes;
  std::vector<NodeRun> found;
  for (NodeRun& run : runs) {
    if (run.job.empty()) {
      found.push_back(std::move(run));
    } else {
      passes[{run.node, run.job, run.task}][run.gpu_uuid].push_back(std::move(run));
    }
  }
  for (auto& [key, on_gpus] : passes) {
    spread(on_gpus);
    for (const auto& [uuid, runs_there] : on_gpus) found.push_back(merged(runs_there));
  }
  return found;
}

/// Where a node has runs in several folders, as two surveys leave them: which ones.
std::string folders_of_one_node(const std::vector<NodeRun>& runs) {
  std::map<std::string, std::set<std::string>> by_host;
  for (const NodeRun& run : runs) {
    by_host[run.host].insert(std::filesystem::path(run.file).parent_path().string());
  }
  std::set<std::string> folders;
  for (const auto& [host, all] : by_host) {
    if (all.size() > 1) folders.insert(all.begin(), all.end());
  }
  return fmt::format("{}", fmt::join(folders, ", "));
}

/// What most runs have under each key, and which have something else. A key that a run does not
/// have (an input that it did not use) is not a difference.
void find_unlike(NodeComparison& comparison) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> by_key;
  for (const NodeRun& run : comparison.runs) {
    for (const auto& [key, value] : run.asked) by_key[key][value].push_back(run.node);
  }
  for (const auto& [key, values] : by_key) {
    const auto usual = std::max_element(
        values.begin(), values.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    for (const auto& [value, holders] : values) {
      if (value == usual->first) continue;
      comparison.findings.push_back(
          {Found::unlike, holders, {{"name", key}, {"own", value}, {"others", usual->first}}});
    }
  }
}

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
  for (Finding& one : {std::ref(missing), std::ref(waiting)}) {
    if (!one.nodes.empty()) comparison.findings.push_back(std::move(one));
  }
}

// ---- comparing ----

/// How many nodes have one processor, and how many of them have each GPU.
struct OfProcessor {
  std::size_t nodes = 0;
  std::map<std::string, std::size_t> with;
};

/// The GPU that a node without one should have: that of most nodes with its processor, where those
/// are more than half of them or the job was given a GPU. Empty where there is none to expect.
std::string expected_gpu(const NodeRun& run, const OfProcessor& alike) {
  const auto usual =
      std::max_element(alike.with.begin(), alike.with.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (usual == alike.with.end()) return "";
  return run.given_gpu || 2 * usual->second > alike.nodes ? usual->first : "";
}

std::vector<HardwareClass> kinds(const std::vector<NodeRun>& runs) {
  std::map<std::string, OfProcessor> processors;
  for (const NodeRun& run : runs) {
    OfProcessor& alike = processors[run.cpu_model];
    ++alike.nodes;
    if (!run.gpu.empty()) ++alike.with[run.gpu];
  }
  std::vector<HardwareClass> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string gpu =
        runs[i].gpu.empty() ? expected_gpu(runs[i], processors.at(runs[i].cpu_model)) : runs[i].gpu;
    const auto same = std::find_if(found.begin(), found.end(), [&](const HardwareClass& kind) {
      return kind.cpu_model == runs[i].cpu_model && kind.gpu == gpu;
    });
    HardwareClass& kind =
        same == found.end() ? found.emplace_back(HardwareClass{runs[i].cpu_model, gpu, {}}) : *same;
    kind.runs.push_back(i);
  }
  return found;
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
  switch (judge(ratio, threshold)) {
    case Change::slower:
      return NodeVerdict::slow;
    case Change::faster:
      return NodeVerdict::fast;
    case Change::unclear:
      return NodeVerdict::unclear;
    case Change::same:
      break;
  }
  return NodeVerdict::same;
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
  ColumnOfKind(std::vector<Cell*> cells, std::size_t kind) : cells_(std::move(cells)) {
    std::sort(cells_.begin(), cells_.end(),
              [](const Cell* a, const Cell* b) { return a->time.seconds < b->time.seconds; });
    const Cell& at_middle = *cells_[(cells_.size() - 1) / 2];
    middle_ = {kind, at_middle.column, cells_.size(), at_middle.run, at_middle.time};
    std::vector<double> sorted;
    std::vector<double> between_passes;
    for (const Cell* cell : cells_) {
      sorted.push_back(cell->time.seconds);
      between_passes.push_back(cell->time.between);
    }
    between_nodes_ = scatter(sorted, middle_.time.seconds);
    std::sort(between_passes.begin(), between_passes.end());
    between_passes_ = between_passes[(between_passes.size() - 1) / 2];
  }

  const Middle& middle() const { return middle_; }

  /// Deviation of the median node's time as an estimate for its kind: of n nodes, about half are
  /// as near to it.
  double deviation() const {
    const double half = std::ceil(static_cast<double>(cells_.size()) / 2);
    return deviation(middle_.time) / std::sqrt(half);
  }

  void set_verdicts(double z, double threshold) {
    if (cells_.size() < 2) return;
    for (Cell* cell : cells_) {
      const double ratio = cell->time.seconds / middle_.time.seconds;
      if (cell->run == middle_.run) {
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
  Middle middle_;
  double between_passes_ = 0;
  double between_nodes_ = 0;
};

void add(NodeComparison& comparison, Findings found) {
  std::move(found.begin(), found.end(), std::back_inserter(comparison.findings));
}

/// The nodes of a kind, but some.
template <class LeftOut>
Others others_of(const NodeComparison& comparison, const HardwareClass& kind, LeftOut left_out) {
  std::vector<const NodeRun*> others;
  for (const std::size_t run : kind.runs) {
    if (!left_out(run)) others.push_back(&comparison.runs[run]);
  }
  return Others(others);
}

/// What differs in a slow node, and which of its limits are slow.
void explain(const NodeComparison& comparison, std::size_t run, Finding& node,
             const Others& others) {
  node.nodes = {comparison.runs[run].node};
  node.differs = differences(comparison.runs[run], others);
  Json& limits = node.values["limits"] = Json::array();
  for (const bool on_gpu : {false, true}) {
    const bool slow_there =
        std::any_of(node.cells.begin(), node.cells.end(),
                    [&](std::size_t cell) { return comparison.cells[cell].time.on_gpu == on_gpu; });
    if (!slow_there) continue;
    const Json its = slow_limits(comparison.runs[run], others, on_gpu, comparison.threshold);
    if (!its.is_null()) limits.push_back(its);
  }
}

void find_slow_nodes(NodeComparison& comparison) {
  const auto ratio = [&](std::size_t cell) { return comparison.cells[cell].ratio.value; };
  std::map<std::size_t, Finding> slow;
  for (std::size_t i = 0; i < comparison.cells.size(); ++i) {
    const Cell& cell = comparison.cells[i];
    if (cell.verdict == NodeVerdict::slow) slow[cell.run].cells.push_back(i);
  }
  for (const HardwareClass& kind : comparison.kinds) {
    const auto is_slow = [&slow](std::size_t run) { return slow.contains(run); };
    const auto slow_ones = std::count_if(kind.runs.begin(), kind.runs.end(), is_slow);
    if (slow_ones == 0) continue;
    // Those that are not slow themselves, if there are any.
    const bool all = slow_ones == static_cast<std::ptrdiff_t>(kind.runs.size());
    const Others others =
        others_of(comparison, kind, [&](std::size_t run) { return !all && is_slow(run); });
    for (const std::size_t run : kind.runs) {
      const auto found = slow.find(run);
      if (found != slow.end()) explain(comparison, run, found->second, others);
    }
  }
  Findings sorted;
  for (auto& [run, node] : slow) {
    std::stable_sort(node.cells.begin(), node.cells.end(),
                     [&](std::size_t a, std::size_t b) { return ratio(a) > ratio(b); });
    sorted.push_back(std::move(node));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Finding& a, const Finding& b) {
    return ratio(a.cells.front()) > ratio(b.cells.front());
  });
  add(comparison, std::move(sorted));
}

const NodeTime* time_in(const NodeRun& run, const Column& column) {
  const auto found = std::find_if(run.times.begin(), run.times.end(),
                                  [&](const NodeTime& time) { return time.column == column; });
  return found == run.times.end() ? nullptr : &*found;
}

std::string reason_for(const NodeRun& run, const Column& column) {
  const auto found = std::find_if(run.absent.begin(), run.absent.end(),
                                  [&](const Absent& one) { return one.column == column; });
  if (found != run.absent.end()) return found->reason;
  return run.finished ? "not in its result file" : "its run is not finished";
}

/// The runs of each GPU of a node, or of a task of it.
using ByTask = std::map<std::pair<std::string, std::string>, std::vector<const NodeRun*>>;

ByTask runs_by_task(const std::vector<NodeRun>& runs) {
  ByTask all;
  for (const NodeRun& run : runs) all[{run.host, run.task}].push_back(&run);
  return all;
}

/// Whether a run has a time in a column, or needs none: CPU variants are measured with
/// one GPU of a node only.
bool has_its_time(const ByTask& tasks, const NodeRun& run, const Column& column) {
  if (time_in(run, column) != nullptr) return true;
  const auto& beside = tasks.at({run.host, run.task});
  return !run.part.empty() && std::any_of(beside.begin(), beside.end(), [&](const NodeRun* other) {
    const NodeTime* const time = time_in(*other, column);
    return time != nullptr && !time->on_gpu;
  });
}

/// Columns in which at least half of a kind's nodes have a time and one has not: by node and
/// reason.
void find_absent(NodeComparison& comparison) {
  const ByTask tasks = runs_by_task(comparison.runs);
  for (const HardwareClass& kind : comparison.kinds) {
    std::map<std::pair<std::size_t, std::string>, std::vector<Column>> lost;
    for (const Column& column : comparison.columns) {
      if (!column.pooled.empty()) continue;
      std::vector<std::size_t> without;
      for (const std::size_t run : kind.runs) {
        if (!has_its_time(tasks, comparison.runs[run], column)) without.push_back(run);
      }
      if (2 * without.size() > kind.runs.size()) continue;
      for (const std::size_t run : without) {
        lost[{run, reason_for(comparison.runs[run], column)}].push_back(column);
      }
    }
    for (const auto& [key, columns] : lost) {
      const auto& [run, reason] = key;
      comparison.findings.push_back(
          {Found::absent, {comparison.runs[run].node}, {{"reason", reason}}, columns});
    }
  }
}

void find_lacking(NodeComparison& comparison) {
  for (const HardwareClass& kind : comparison.kinds) {
    const Others others = others_of(comparison, kind, [](std::size_t /*run*/) { return false; });
    for (const std::size_t run : kind.runs) {
      Finding found{Found::lacking, {comparison.runs[run].node}};
      found.differs = shortfalls(comparison.runs[run], others);
      if (!found.differs.empty()) comparison.findings.push_back(std::move(found));
    }
  }
}

/// The runs that are longer at work than others with the same cases on equal nodes, and not slow.
Finding longer_at_work(const NodeComparison& comparison, const std::vector<std::size_t>& runs,
                       const std::set<std::size_t>& slow) {
  const Others others =
      others_of(comparison, {"", "", runs}, [](std::size_t /*run*/) { return false; });
  Finding all{Found::longer};
  for (const std::size_t run : runs) {
    const auto found = longer(comparison.runs[run], others, comparison.threshold);
    if (!found || slow.contains(run)) continue;
    all.nodes.push_back(comparison.runs[run].node);
    all.values["seconds"].push_back(found->own);
    all.values["others_seconds"] = found->most;
  }
  return all;
}

/// The same of each kind of node.
void find_longer_at_work(NodeComparison& comparison) {
  constexpr std::size_t enough_nodes = 5;
  const auto slow = comparison.slow_runs();
  for (const HardwareClass& kind : comparison.kinds) {
    std::map<std::size_t, std::vector<std::size_t>> by_work;
    for (const std::size_t run : kind.runs) by_work[comparison.runs[run].work].push_back(run);
    for (const auto& [work, runs] : by_work) {
      if (work == 0 || runs.size() < enough_nodes) continue;
      Finding found = longer_at_work(comparison, runs, slow);
      if (!found.nodes.empty()) comparison.findings.push_back(std::move(found));
    }
  }
}

/// What several runs warned of alike.
struct SharedWarning {
  Finding found{Found::warned};
  std::size_t said = 0;    ///< in this many passes
  std::size_t passes = 0;  ///< of this many that these nodes had
};

/// What the runs warned of, in the order in which it comes: each kind of warning with all nodes
/// that gave it; and that it is unknown how the moments of a node differ.
void find_warnings(NodeComparison& comparison) {
  std::vector<SharedWarning> found;
  std::map<std::string, std::size_t> numbers;
  for (const NodeRun& run : comparison.runs) {
    std::map<std::size_t, std::size_t> said;
    for (const Reason& text : run.doubts) {
      const auto [known, is_new] = numbers.try_emplace(kind_of_sentence(text), found.size());
      if (is_new) found.emplace_back();
      found[known->second].found.reasons.push_back(text);
      ++said[known->second];
    }
    for (const auto& [kind, times] : said) {
      found[kind].found.nodes.push_back(run.node);
      found[kind].said += std::min(times, run.passes);
      found[kind].passes += run.passes;
    }
  }
  for (auto& [one, said, passes] : found) {
    if (passes > one.nodes.size()) one.key = Found::warned_in_some;
    one.values = {{"said", said}, {"passes", passes}};
    comparison.findings.push_back(std::move(one));
  }
  Finding once{Found::measured_once};
  for (const Finding& one : comparison.found({Found::slow})) {
    const std::size_t run = comparison.cells[one.cells.front()].run;
    if (comparison.runs[run].passes == 1) once.nodes.push_back(comparison.runs[run].node);
  }
  if (!once.nodes.empty()) comparison.findings.push_back(std::move(once));
}

/// All recorded runs of this hardware and number of threads as one, and why there is none.
std::optional<NodeRun> recorded_for(const HardwareClass& kind, const NodeComparison& comparison,
                                    const std::vector<NodeRun>& recorded, Finding& why) {
  why = {Found::not_recorded, {}, {{"cpu_model", kind.cpu_model}, {"gpu", kind.gpu}}};
  const std::set<Column> columns(comparison.columns.begin(), comparison.columns.end());
  std::vector<NodeRun> alike;
  for (const NodeRun& one : recorded) {
    if (one.cpu_model != kind.cpu_model || one.gpu != kind.gpu) continue;
    const Json& threads = comparison.runs[kind.runs.front()].facts.find(facts::threads)->second;
    const Json& then = one.facts.find(facts::threads)->second;
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
      const Middle& middle = one.middle();
      if (!expected || middle.kind != i) continue;
      const Column& column = comparison.columns[middle.column];
      const NodeTime* const time = time_in(*expected, column);
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
  add(comparison, std::move(past.slower));
  add(comparison, std::move(past.all_slower));
  comparison.findings.push_back({Found::looked_back,
                                 {},
                                 {{"surveys", history.size()},
                                  {"first", history.front().date()},
                                  {"last", history.back().date()}}});
  Finding unknown{Found::not_there_before};
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (!past.compared.contains(i)) unknown.nodes.push_back(comparison.runs[i].node);
  }
  if (!unknown.nodes.empty()) comparison.findings.push_back(std::move(unknown));
}

/// Nodes that are not slow, and of which some time is neither slow nor the same: that of all
/// workloads together, where it is there, as single ones nearly always are.
void find_unclear(NodeComparison& comparison) {
  std::set<std::size_t> unclear;
  std::map<std::size_t, bool> together;  // whether all workloads together are clear
  for (const Cell& cell : comparison.cells) {
    const bool is_clear = cell.verdict != NodeVerdict::unclear;
    if (!is_clear) unclear.insert(cell.run);
    const Column& column = comparison.columns[cell.column];
    if (column.pooled.empty() || column.of_limits() || cell.verdict == NodeVerdict::alone) continue;
    together[cell.run] = is_clear && together.try_emplace(cell.run, true).first->second;
  }
  for (const auto& [run, is_clear] : together) {
    if (is_clear) unclear.erase(run);
  }
  for (const std::size_t run : comparison.slow_runs()) unclear.erase(run);
  Finding found{Found::unclear, {}, {{"percent", 100 * comparison.threshold}}};
  for (const std::size_t run : unclear) found.nodes.push_back(comparison.runs[run].node);
  if (!unclear.empty()) comparison.findings.push_back(std::move(found));
}

/// What the runs say of themselves: that they did not end, and wrong answers.
void find_failed(NodeComparison& comparison) {
  for (const NodeRun& run : comparison.runs) {
    if (!run.finished) {
      const Found ending = run.ended_by.empty() ? Found::still_running : Found::ended_by;
      comparison.findings.push_back(
          {ending, {run.node}, {{"signal", run.ended_by}, {"file", run.file}}});
    }
    for (const auto& [name, reason] : run.failed) {
      comparison.findings.push_back(
          {Found::failed, {run.node}, {{"case", name}, {"reason", reason}}});
    }
  }
}

/// All times, by node.
void take_times(NodeComparison& comparison) {
  comparison.columns = compared_columns(comparison.runs);
  std::map<Column, std::size_t> numbers;
  for (std::size_t i = 0; i < comparison.columns.size(); ++i) numbers[comparison.columns[i]] = i;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    for (const NodeTime& time : comparison.runs[i].times) {
      const std::size_t column = numbers.find(time.column)->second;
      comparison.cells.push_back({i, column, time, {1, {1, 1}}, NodeVerdict::alone});
    }
  }
}

/// The cells of each kind and column.
std::vector<ColumnOfKind> columns_of_kinds(NodeComparison& comparison) {
  std::vector<std::size_t> kind_of(comparison.runs.size());
  for (std::size_t kind = 0; kind < comparison.kinds.size(); ++kind) {
    for (const std::size_t run : comparison.kinds[kind].runs) kind_of[run] = kind;
  }
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Cell*>> grouped;
  for (Cell& cell : comparison.cells) grouped[{kind_of[cell.run], cell.column}].push_back(&cell);
  std::vector<ColumnOfKind> found;
  for (const auto& [key, cells] : grouped) found.emplace_back(cells, key.first);
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

std::set<std::size_t> NodeComparison::slow_runs() const {
  std::set<std::size_t> runs_found;
  for (const Finding& one : found({Found::slow})) {
    runs_found.insert(cells[one.cells.front()].run);
  }
  return runs_found;
}

std::vector<NodeRun> one_per_node(std::vector<NodeRun> runs, Findings& found) {
  const std::string folders = folders_of_one_node(runs);
  if (!folders.empty()) found.push_back({Found::several_surveys, {}, {{"folders", folders}}});
  std::map<std::string, std::vector<NodeRun>, NodeOrder> by_node;
  for (NodeRun& run : with_merged_passes(std::move(runs))) {
    by_node[run.node].push_back(std::move(run));
  }
  std::vector<NodeRun> kept;
  std::size_t older = 0;
  std::string oldest;
  for (auto& [node, all] : by_node) {
    const auto newest = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::tie(a.finished, a.started, a.file) < std::tie(b.finished, b.started, b.file);
    });
    const std::string job = newest->job;
    const std::string file = newest->file;
    const auto beside = [&](const NodeRun& run) {
      return (!job.empty() && run.job == job) || run.file == file;
    };
    const bool several = std::count_if(all.begin(), all.end(), beside) > 1;
    std::set<std::string> tasks;
    for (const NodeRun& run : all) {
      if (beside(run)) tasks.insert(run.task);
    }
    for (NodeRun& run : all) {
      if (several ? !beside(run) : run.file != file) {
        if (++older == 1) oldest = run.file;
        continue;
      }
      if (tasks.size() > 1) run.node += "/" + run.task;
      if (!run.part.empty()) run.node += "/" + run.part;
      kept.push_back(std::move(run));
    }
  }
  if (older > 0) {
    found.push_back({Found::other_runs, {}, {{"count", older}}});
    if (kept.size() == 1) {
      found.push_back(
          {Found::one_node_twice, {}, {{"first", oldest}, {"second", kept.front().file}}});
    }
  }
  return kept;
}

NodeComparison compare_nodes(NodeComparisonInput input) {
  NodeComparison result;
  result.threshold = input.threshold;
  result.findings = std::move(input.findings);
  result.runs = one_per_node(std::move(input.runs), result.findings);
  if (!input.history.empty()) find_slower_since(result, input.history);
  if (!input.before.empty()) against_itself(result.runs, input.before, result.findings);
  find_missing(input, result);
  find_unlike(result);
  find_failed(result);
  result.kinds = kinds(result.runs);
  drop_limits_of_few(result);
  take_times(result);

  std::vector<ColumnOfKind> columns = columns_of_kinds(result);
  // A cell of each is its median node, unless all are expected to be as others were.
  const double z = joint_95(result.cells.size() - (input.with_expected ? 0 : columns.size()));
  for (ColumnOfKind& one : columns) {
    one.set_verdicts(z, result.threshold);
    result.middles.push_back(one.middle());
  }
  if (input.history.empty()) {
    result.compared = std::any_of(result.cells.begin(), result.cells.end(), [](const Cell& cell) {
      return cell.verdict != NodeVerdict::alone;
    });
  }
  find_slow_nodes(result);
  add(result, suspects(result));
  find_unclear(result);
  find_absent(result);
  find_lacking(result);
  find_longer_at_work(result);
  find_warnings(result);
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
  if (!forced && any({Found::unlike})) return Exit::unlike;
  if (any({Found::failed})) return Exit::wrong;
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
