#include "harness/compare/node_findings.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/compare/limit_ratios.hpp"
#include "harness/compare/node_differences.hpp"
#include "harness/compare/others.hpp"
#include "harness/compare/suspects.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

/// What most runs of a kind have under each key, and which have something else. A key that a run
/// does not have (an input that it did not use) is not a difference.
void find_unlike(NodeComparison& comparison, const HardwareClass& kind) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> by_key;
  for (const std::size_t i : kind.runs) {
    const NodeRun& run = comparison.runs[i];
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

/// Names the only nodes of their kinds, where others are compared.
void find_alone(NodeComparison& comparison) {
  Finding alone{Found::alone};
  for (const HardwareClass& kind : comparison.kinds) {
    const std::string& host = comparison.runs[kind.runs.front()].host;
    if (std::all_of(kind.runs.begin(), kind.runs.end(),
                    [&](std::size_t run) { return comparison.runs[run].host == host; })) {
      alone.nodes.push_back(host);
    }
  }
  if (comparison.compared) comparison.add_if_any(std::move(alone));
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
  comparison.add_if_any(std::move(found));
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
  std::move(sorted.begin(), sorted.end(), std::back_inserter(comparison.findings));
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
  if (run.time_in(column) != nullptr) return true;
  const auto& beside = tasks.at({run.host, run.task});
  return !run.part.empty() && std::any_of(beside.begin(), beside.end(), [&](const NodeRun* other) {
    const NodeTime* const time = other->time_in(column);
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

bool contains(const std::vector<Difference>& all, const Difference& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// A node whose runs, one for each of its GPUs, all lack the same is named once.
void find_lacking(NodeComparison& comparison) {
  for (const HardwareClass& kind : comparison.kinds) {
    const Others others = others_of(comparison, kind, [](std::size_t /*run*/) { return false; });
    std::map<std::string, std::vector<std::size_t>> runs_of;
    for (const std::size_t run : kind.runs) runs_of[comparison.runs[run].host].push_back(run);
    for (const auto& [host, runs] : runs_of) {
      std::vector<std::vector<Difference>> lacks;
      for (const std::size_t run : runs) lacks.push_back(shortfalls(comparison.runs[run], others));
      std::vector<Difference> common = lacks.front();
      for (const auto& one : lacks) {
        std::erase_if(common, [&](const Difference& it) { return !contains(one, it); });
      }
      const auto add = [&](const std::string& node, std::vector<Difference> differs) {
        if (differs.empty()) return;
        Finding found{Found::lacking, {node}};
        found.differs = std::move(differs);
        comparison.findings.push_back(std::move(found));
      };
      const bool several = runs.size() > 1;
      if (several) add(host, common);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (several) {
          std::erase_if(lacks[i], [&](const Difference& it) { return contains(common, it); });
        }
        add(comparison.runs[runs[i]].node, std::move(lacks[i]));
      }
    }
  }
}

/// The runs that are longer at work than others with the same cases on equal nodes, and not slow.
Finding longer_at_work(const NodeComparison& comparison, const std::vector<std::size_t>& runs,
                       const std::set<std::size_t>& slow) {
  const Others others =
      others_of(comparison, {"", "", "", runs}, [](std::size_t /*run*/) { return false; });
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
      comparison.add_if_any(longer_at_work(comparison, runs, slow));
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
  comparison.add_if_any(std::move(once));
}

}  // namespace

void find_in_nodes(NodeComparison& comparison) {
  for (const HardwareClass& kind : comparison.kinds) find_unlike(comparison, kind);
  find_alone(comparison);
  find_failed(comparison);
  find_slow_nodes(comparison);
  Findings suspected = suspects(comparison);
  std::move(suspected.begin(), suspected.end(), std::back_inserter(comparison.findings));
  find_unclear(comparison);
  find_absent(comparison);
  find_lacking(comparison);
  find_longer_at_work(comparison);
  find_warnings(comparison);
}

}  // namespace bench
