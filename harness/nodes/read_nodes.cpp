#include "harness/nodes/read_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/document/find.hpp"
#include "harness/node/nodelist.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// The nodes that should have left documents in these files' folders: jobs/submit writes them into
/// a file `nodelist`.
std::vector<std::string> nodes_of_folders(const std::vector<fs::path>& files,
                                          std::vector<std::string>& unreadable) {
  std::set<fs::path> lists;
  for (const fs::path& file : files) lists.insert(file.parent_path() / "nodelist");
  std::vector<std::string> nodes;
  for (const fs::path& list : lists) {
    std::error_code none;
    if (!fs::is_regular_file(list, none)) continue;
    std::ifstream in(list);
    std::string text;
    std::getline(in, text);
    const std::vector<std::string> some = expand_nodelist(text);
    if (some.empty()) unreadable.push_back(list.string() + ": is no list of nodes");
    nodes.insert(nodes.end(), some.begin(), some.end());
  }
  return nodes;
}

std::vector<std::string> nodes_named(const std::string& list) {
  std::vector<std::string> nodes = expand_nodelist(list);
  if (nodes.empty()) {
    throw UsageError(
        fmt::format("--nodes {}: must be nodes as Slurm lists them, e.g. 'n[001-200],gpu1'", list));
  }
  return nodes;
}

std::vector<NodeRun> read_runs(const fs::path& file, const std::vector<std::string>& variants) {
  return node_runs(read_document(file, Keep::no_samples), file.string(), variants);
}

}  // namespace

NodeComparisonInput read_nodes(const std::vector<std::string>& paths, const std::string& nodes,
                               const std::vector<std::string>& variants) {
  NodeComparisonInput input;
  const auto files = find_documents(paths, Folders::with_node_folders);
  std::vector<std::vector<NodeRun>> runs(files.size());
  const auto reasons =
      read_each(files.size(), [&](std::size_t i) { runs[i] = read_runs(files[i], variants); });
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (reasons[i].empty()) {
      std::move(runs[i].begin(), runs[i].end(), std::back_inserter(input.runs));
      continue;
    }
    const bool named = std::find(paths.begin(), paths.end(), files[i].string()) != paths.end();
    if (named) throw UsageError(reasons[i]);
    input.unreadable.push_back(reasons[i]);
  }
  if (input.runs.empty()) throw UsageError(reasons.at(0));
  input.nodes = nodes.empty() ? nodes_of_folders(files, input.unreadable) : nodes_named(nodes);
  return input;
}

std::vector<NodeRun> read_expected(const std::vector<std::string>& paths,
                                   const std::vector<std::string>& variants) {
  std::vector<NodeRun> runs;
  for (const fs::path& file : find_documents(paths)) {
    for (NodeRun& run : read_runs(file, variants)) runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace bench
