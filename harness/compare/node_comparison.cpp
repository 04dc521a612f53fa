#include "harness/compare/node_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/exit.hpp"
#include "harness/base/text.hpp"
#include "harness/compare/against_itself.hpp"
#include "harness/compare/node_differences.hpp"
#include "harness/compare/suspects.hpp"
#include "harness/document/ratios.hpp"
#include "harness/node/nodelist.hpp"
#include "harness/words/phrases.hpp"
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
std::vector<std::string> unlike_settings(const std::vector<NodeRun>& runs, Language language) {
  std::map<Reason, std::map<std::string, std::vector<std::string>>> by_key;
  for (const NodeRun& run : runs) {
    for (const auto& [key, value] : run.asked) by_key[key][value].push_back(run.node);
  }
  const auto shown = [language](const std::string& value) {
    constexpr std::size_t longest = 40;
    if (value.empty()) return say(language, phrases::unknown);
    return value.size() > longest ? value.substr(0, longest) + "…" : value;
  };
  std::vector<std::string> lines;
  for (const auto& [key, values] : by_key) {
    if (values.size() < 2) continue;
    const auto usual = std::max_element(
        values.begin(), values.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    for (const auto& [value, holders] : values) {
      if (value == usual->first) continue;
      lines.push_back(say(language, phrases::because, translated(key, language),
                          say(language, phrases::holders_and_others, shown(value),
                              names(holders, language), shown(usual->first))));
    }
  }
  return lines;
}

/// The nodes that should be there and have no result file: those whose jobs have begun, and the
/// others.
std::pair<std::vector<std::string>, std::vector<std::string>> without_document(
    const NodeComparisonInput& input, const std::vector<NodeRun>& runs) {
  std::set<std::string> lists;
  for (const NodeRun& run : runs) lists.insert(run.nodelists.begin(), run.nodelists.end());
  std::set<std::string> names(input.nodes.begin(), input.nodes.end());
  for (const std::string& list : lists) {
    for (std::string& node : expand_nodelist(list)) names.insert(std::move(node));
  }
  for (const NodeRun& run : runs) names.erase(run.host);
  std::vector<std::string> missing;
  std::vector<std::string> waiting;
  for (const std::string& name : names) {
    (input.not_begun.contains(name) ? waiting : missing).push_back(name);
  }
  return {missing, waiting};
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

  void judge(double z, double threshold) {
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
void explain(const NodeComparison& comparison, SlowNode& node, const Others& others) {
  const NodeRun& run = comparison.runs[node.run];
  node.differences = differences(run, others, comparison.language);
  for (const bool on_gpu : {false, true}) {
    const bool slow_there =
        std::any_of(node.cells.begin(), node.cells.end(),
                    [&](std::size_t cell) { return comparison.cells[cell].time.on_gpu == on_gpu; });
    if (!slow_there) continue;
    const auto limits = slow_limits(run, others, on_gpu, comparison.threshold);
    if (limits) node.limits.push_back(*limits);
  }
}

void find_slow_nodes(NodeComparison& comparison) {
  std::map<std::size_t, SlowNode> slow;
  std::map<std::size_t, double> worst;
  for (std::size_t i = 0; i < comparison.cells.size(); ++i) {
    const Cell& cell = comparison.cells[i];
    if (cell.verdict != NodeVerdict::slow) continue;
    slow[cell.run].run = cell.run;
    slow[cell.run].cells.push_back(i);
    worst[cell.run] = std::max(worst[cell.run], cell.ratio.value);
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
      if (found != slow.end()) explain(comparison, found->second, others);
    }
  }
  for (auto& [run, node] : slow) {
    std::stable_sort(node.cells.begin(), node.cells.end(), [&](std::size_t a, std::size_t b) {
      return comparison.cells[a].ratio.value > comparison.cells[b].ratio.value;
    });
    comparison.slow.push_back(std::move(node));
  }
  std::stable_sort(
      comparison.slow.begin(), comparison.slow.end(),
      [&](const SlowNode& a, const SlowNode& b) { return worst[a.run] > worst[b.run]; });
}

const NodeTime* time_in(const NodeRun& run, const Column& column) {
  const auto found = std::find_if(run.times.begin(), run.times.end(),
                                  [&](const NodeTime& time) { return time.column == column; });
  return found == run.times.end() ? nullptr : &*found;
}

Reason reason_for(const NodeRun& run, const Column& column) {
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
/// reason, a line each.
std::vector<std::string> absent(NodeComparison& comparison) {
  const Language language = comparison.language;
  const auto words = [language](const Phrase& phrase, const auto&... texts) {
    return say(language, phrase, texts...);
  };
  const ByTask tasks = runs_by_task(comparison.runs);
  std::vector<std::string> lines;
  for (const HardwareClass& kind : comparison.kinds) {
    std::map<std::pair<std::size_t, Reason>, std::vector<const Column*>> lost;
    for (const Column& column : comparison.columns) {
      if (!column.pooled.empty()) continue;
      std::vector<std::size_t> without;
      for (const std::size_t run : kind.runs) {
        if (!has_its_time(tasks, comparison.runs[run], column)) without.push_back(run);
      }
      if (2 * without.size() > kind.runs.size()) continue;
      for (const std::size_t run : without) {
        lost[{run, reason_for(comparison.runs[run], column)}].push_back(&column);
      }
    }
    for (const auto& [key, columns] : lost) {
      comparison.faulty.insert(key.first);
      const Column& first = *columns.front();
      std::string what =
          words(phrases::of_work, translated(first.what, language), first.workload, first.size);
      if (columns.size() > 1) {
        what += " " + words(phrases::and_more, std::to_string(columns.size() - 1));
      }
      lines.push_back(words(phrases::because, comparison.runs[key.first].node,
                            words(phrases::because, what, translated(key.second, language))));
    }
  }
  return lines;
}

std::vector<std::string> lacking(NodeComparison& comparison) {
  std::vector<std::string> lines;
  for (const HardwareClass& kind : comparison.kinds) {
    const Others others = others_of(comparison, kind, [](std::size_t /*run*/) { return false; });
    for (const std::size_t run : kind.runs) {
      std::vector<std::string> found;
      for (const auto& one : shortfalls(comparison.runs[run], others, comparison.language)) {
        found.push_back(one.text(comparison.language));
      }
      if (found.empty()) continue;
      comparison.faulty.insert(run);
      lines.push_back(say(comparison.language, phrases::because, comparison.runs[run].node,
                          listed(found, comparison.language)));
    }
  }
  return lines;
}

/// The runs that are longer at work than others with the same cases on equal nodes, and not slow.
LongerAtWork longer_at_work(const NodeComparison& comparison, const std::vector<std::size_t>& runs,
                            const std::set<std::size_t>& slow) {
  const Others others =
      others_of(comparison, {"", "", runs}, [](std::size_t /*run*/) { return false; });
  LongerAtWork all;
  for (const std::size_t run : runs) {
    const auto found = longer(comparison.runs[run], others, comparison.threshold);
    if (!found || slow.contains(run)) continue;
    all.runs.push_back(run);
    all.seconds.push_back(found->own);
    all.others = found->most;
  }
  return all;
}

/// The same of each kind of node.
std::vector<LongerAtWork> longer_at_work(const NodeComparison& comparison) {
  constexpr std::size_t enough_nodes = 5;
  const auto slow = comparison.slow_runs();
  std::vector<LongerAtWork> all;
  for (const HardwareClass& kind : comparison.kinds) {
    std::map<std::size_t, std::vector<std::size_t>> by_work;
    for (const std::size_t run : kind.runs) by_work[comparison.runs[run].work].push_back(run);
    for (const auto& [work, runs] : by_work) {
      if (work == 0 || runs.size() < enough_nodes) continue;
      LongerAtWork found = longer_at_work(comparison, runs, slow);
      if (!found.runs.empty()) all.push_back(std::move(found));
    }
  }
  return all;
}

/// What several runs warned of alike.
struct SharedWarning {
  std::vector<Reason> texts;
  std::vector<std::string> nodes;
  std::size_t said = 0;    ///< in this many passes
  std::size_t passes = 0;  ///< of this many that these nodes had
};

/// The warnings in the order in which they come.
std::vector<SharedWarning> doubts_by_kind(const std::vector<NodeRun>& runs) {
  std::vector<SharedWarning> found;
  std::map<std::string, std::size_t> numbers;
  for (const NodeRun& run : runs) {
    std::map<std::size_t, std::size_t> said;
    for (const Reason& text : run.doubts) {
      const auto [known, is_new] = numbers.try_emplace(kind_of_sentence(text), found.size());
      if (is_new) found.emplace_back();
      found[known->second].texts.push_back(text);
      ++said[known->second];
    }
    for (const auto& [kind, times] : said) {
      found[kind].nodes.push_back(run.node);
      found[kind].said += std::min(times, run.passes);
      found[kind].passes += run.passes;
    }
  }
  return found;
}

/// What the runs warned of, a line for each kind of warning with all nodes that gave it; and that
/// it is unknown how the moments of a node differ.
std::vector<std::string> doubts(const NodeComparison& comparison) {
  const Language language = comparison.language;
  std::vector<std::string> lines;
  for (const SharedWarning& one : doubts_by_kind(comparison.runs)) {
    std::string line = translated_together(one.texts, language);
    if (one.passes > one.nodes.size()) {
      line = say(
          language, phrases::because,
          say(language, phrases::in_passes, std::to_string(one.said), std::to_string(one.passes)),
          line);
    }
    lines.push_back(say(language, phrases::because, names(one.nodes, language), line));
  }
  std::vector<std::string> in_one_pass;
  for (const SlowNode& one : comparison.slow) {
    const NodeRun& run = comparison.runs[one.run];
    if (run.passes == 1) in_one_pass.push_back(run.node);
  }
  if (!in_one_pass.empty()) {
    lines.push_back(say(language, phrases::because, names(in_one_pass, language),
                        say(language, phrases::only_pass)));
  }
  return lines;
}

/// All recorded runs of this hardware and number of threads as one, and why there is none.
std::optional<NodeRun> recorded_for(const HardwareClass& kind, const NodeComparison& comparison,
                                    const std::vector<NodeRun>& recorded, std::string& why) {
  const auto words = [&comparison](const Phrase& phrase, const auto&... texts) {
    return say(comparison.language, phrase, texts...);
  };
  const std::string name =
      kind.gpu.empty() ? kind.cpu_model : words(phrases::with_gpu, kind.cpu_model, kind.gpu);
  why = words(phrases::not_recorded, name);
  const std::set<Column> columns(comparison.columns.begin(), comparison.columns.end());
  std::vector<NodeRun> alike;
  for (const NodeRun& one : recorded) {
    if (one.cpu_model != kind.cpu_model || one.gpu != kind.gpu) continue;
    const Json& threads = comparison.runs[kind.runs.front()].facts.at(facts::threads).value;
    const Json& then = one.facts.at(facts::threads).value;
    if (then != threads) {
      why = words(phrases::recorded_with_threads, name, then.dump(), threads.dump());
      continue;
    }
    const bool shared = std::any_of(one.times.begin(), one.times.end(), [&](const NodeTime& time) {
      return columns.contains(time.column);
    });
    if (shared) {
      alike.push_back(one);
    } else {
      why = words(phrases::recorded_with_sizes, name);
    }
  }
  if (alike.empty()) return {};
  return merged(alike);
}

void expect(NodeComparison& comparison, const std::vector<ColumnOfKind>& compared,
            const std::vector<NodeRun>& recorded, double z) {
  for (std::size_t kind = 0; kind < comparison.kinds.size(); ++kind) {
    std::string why;
    const auto expected = recorded_for(comparison.kinds[kind], comparison, recorded, why);
    if (!expected) {
      comparison.notes.push_back(say(comparison.language, phrases::because,
                                     phrases::expected.in(comparison.language), why));
      continue;
    }
    for (const ColumnOfKind& one : compared) {
      const Middle& middle = one.middle();
      const NodeTime* time = time_in(*expected, comparison.columns[middle.column]);
      if (middle.kind != kind || time == nullptr) continue;
      const double ratio = middle.time.seconds / time->seconds;
      const double deviation = std::hypot(one.deviation(), time->deviation, time->between);
      const Estimate estimate{ratio, around(ratio, deviation, z)};
      comparison.expectations.push_back({kind, middle.column, expected->file, expected->passes,
                                         time->seconds, estimate,
                                         stands(estimate.ci95, comparison.threshold)});
    }
  }
}

/// Says what the history is, and which nodes it says nothing of.
void note_history(NodeComparison& comparison, const std::vector<Survey>& history) {
  const Language language = comparison.language;
  comparison.notes.push_back(say(language, phrases::looked_back, std::to_string(history.size()),
                                 history.front().date(), history.back().date()));
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (!comparison.past.compared.contains(i)) unknown.push_back(comparison.runs[i].node);
  }
  if (!unknown.empty()) {
    comparison.notes.push_back(say(language, phrases::not_there_before, names(unknown, language)));
  }
}

}  // namespace

std::set<std::size_t> NodeComparison::slow_runs() const {
  std::set<std::size_t> found;
  for (const SlowNode& one : slow) found.insert(one.run);
  return found;
}

std::string names(const std::vector<std::string>& nodes, Language language,
                  std::size_t most_ranges) {
  std::string text;
  std::size_t shown = 0;
  std::size_t more = 0;
  for (const NodeRange& range : node_ranges(nodes)) {
    if (++shown > most_ranges) {
      more += range.nodes;
    } else {
      text += (text.empty() ? "" : ", ") + range.text;
    }
  }
  if (more > 0) text += " " + say(language, phrases::and_more, std::to_string(more));
  return text;
}

std::vector<NodeRun> one_per_node(std::vector<NodeRun> runs, std::vector<std::string>& notes,
                                  Language language) {
  const std::string surveys = folders_of_one_node(runs);
  if (!surveys.empty()) notes.push_back(say(language, phrases::several_surveys, surveys));
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
    notes.push_back(say(language, older == 1 ? phrases::other_run : phrases::other_runs,
                        std::to_string(older)));
    if (kept.size() == 1) {
      notes.push_back(say(language, phrases::one_node_twice, oldest, kept.front().file));
    }
  }
  return kept;
}

NodeComparison compare_nodes(NodeComparisonInput input) {
  const Language language = input.language;
  NodeComparison result;
  result.language = language;
  result.threshold = input.threshold;
  result.with_expected = input.with_expected;
  result.unreadable = std::move(input.unreadable);
  result.runs = one_per_node(std::move(input.runs), result.notes, language);
  result.with_history = !input.history.empty();
  if (result.with_history) {
    result.past = look_back(result.runs, input.history);
    note_history(result, input.history);
  }
  if (!input.before.empty()) against_itself(result.runs, input.before, result.notes, language);
  std::tie(result.missing, result.waiting) = without_document(input, result.runs);
  result.left_out = std::move(input.left_out);
  result.ended = std::move(input.ended);
  result.unlike = unlike_settings(result.runs, language);
  result.kinds = kinds(result.runs);
  drop_limits_of_few(result);
  result.columns = compared_columns(result.runs);

  std::map<Column, std::size_t> numbers;
  for (std::size_t i = 0; i < result.columns.size(); ++i) numbers[result.columns[i]] = i;
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const NodeRun& run = result.runs[i];
    for (const NodeTime& time : run.times) {
      result.cells.push_back({i, numbers.at(time.column), time, {1, {1, 1}}, NodeVerdict::alone});
    }
    const auto said_of_it = [&](const std::string& line) {
      return say(language, phrases::because, run.node, line);
    };
    if (!run.finished) {
      const std::string ending = run.ended_by.empty()
                                     ? say(language, phrases::still_running)
                                     : say(language, phrases::ended_by, run.ended_by);
      result.unfinished.push_back(
          said_of_it(say(language, phrases::resume_there, ending, run.file)));
    }
    for (const auto& [name, reason] : run.failed) {
      result.failed.push_back(
          said_of_it(say(language, phrases::because, name, translated(reason, language))));
    }
  }

  std::map<std::pair<std::size_t, std::size_t>, std::vector<Cell*>> grouped;
  std::vector<std::size_t> kind_of(result.runs.size());
  for (std::size_t kind = 0; kind < result.kinds.size(); ++kind) {
    for (const std::size_t run : result.kinds[kind].runs) kind_of[run] = kind;
  }
  for (Cell& cell : result.cells) grouped[{kind_of[cell.run], cell.column}].push_back(&cell);

  std::vector<ColumnOfKind> compared;
  std::size_t comparisons = 0;
  for (const auto& [key, cells] : grouped) {
    compared.emplace_back(cells, key.first);
    comparisons += cells.size() - 1 + (input.with_expected ? 1 : 0);
  }
  const double z = joint_95(comparisons);
  for (ColumnOfKind& one : compared) {
    one.judge(z, result.threshold);
    result.middles.push_back(one.middle());
  }
  find_slow_nodes(result);
  result.suspects = suspects(result);
  result.absent = absent(result);
  result.lacking = lacking(result);
  result.longer = longer_at_work(result);
  result.doubts = doubts(result);
  if (input.with_expected) expect(result, compared, input.recorded, z);
  return result;
}

bool nothing_compared(const NodeComparison& comparison) {
  if (comparison.with_expected) return comparison.expectations.empty();
  if (comparison.with_history) return comparison.past.compared.empty();
  return std::all_of(comparison.cells.begin(), comparison.cells.end(),
                     [](const Cell& cell) { return cell.verdict == NodeVerdict::alone; });
}

std::set<std::size_t> unclear_runs(const NodeComparison& comparison) {
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
  for (const SlowNode& node : comparison.slow) unclear.erase(node.run);
  return unclear;
}

int exit_code(const NodeComparison& comparison, bool forced) {
  const auto expected = [&comparison](NodeVerdict verdict) {
    return std::any_of(comparison.expectations.begin(), comparison.expectations.end(),
                       [verdict](const Expectation& one) { return one.verdict == verdict; });
  };
  if (!forced && !comparison.unlike.empty()) return Exit::unlike;
  if (!comparison.failed.empty()) return Exit::wrong;
  const bool without_time = std::any_of(comparison.runs.begin(), comparison.runs.end(),
                                        [](const NodeRun& run) { return run.times.empty(); });
  if (!comparison.slow.empty() || !comparison.past.slower.empty() ||
      !comparison.past.common.empty() || expected(NodeVerdict::slow) ||
      !comparison.faulty.empty() || !comparison.missing.empty() || !comparison.unfinished.empty() ||
      !comparison.unreadable.empty() || !comparison.ended.empty() || without_time) {
    return Exit::slower;
  }
  if (nothing_compared(comparison)) return forced ? Exit::unclear : Exit::unlike;
  const bool clear = unclear_runs(comparison).empty() && !expected(NodeVerdict::unclear);
  return clear && comparison.waiting.empty() ? Exit::fine : Exit::unclear;
}

}  // namespace bench
