#include "harness/compare/one_per_node.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/node/nodelist.hpp"

namespace bench {
namespace {

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

}  // namespace

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

}  // namespace bench
