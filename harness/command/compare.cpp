#include "harness/command/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/json.hpp"
#include "harness/command/comparison_text.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/compare/read_nodes.hpp"

namespace bench {
namespace {

bool of_nodes(const CompareRequest& request) {
  const bool folders =
      std::any_of(request.files.begin(), request.files.end(), [](const std::string& path) {
        std::error_code none;
        return std::filesystem::is_directory(path, none);
      });
  return folders || !request.nodes.empty() || !request.expected.empty() ||
         !request.before.empty() || !request.history.empty() || request.files.size() > 2;
}

/// nodes.txt as people read it, nodes.csv and nodes.json as programs do.
void write_all(const NodeComparison& nodes, const CompareRequest& request) {
  const std::filesystem::path folder = request.output;
  std::error_code none;  // replace_file says what is wrong
  std::filesystem::create_directories(folder, none);
  const std::string json = serialised(node_comparison_json(nodes, request.force)) + "\n";
  try {
    replace_file(folder / "nodes.txt", {node_comparison_text(nodes)});
    replace_file(folder / "nodes.csv", {node_comparison_csv(nodes)});
    replace_file(folder / "nodes.json", {json});
  } catch (const std::runtime_error& error) {  // nothing is wrong with the nodes
    throw UsageError(fmt::format("--output: {}", error.what()));
  }
}

/// A name with a typing error would add no column.
void require_chosen(const std::vector<NodeRun>& runs, const std::vector<std::string>& variants) {
  const bool any = std::any_of(runs.begin(), runs.end(), [](const NodeRun& run) {
    return std::any_of(run.times.begin(), run.times.end(),
                       [](const NodeTime& time) { return !time.column.best; });
  });
  if (any) return;
  refuse("--variant", fmt::format("{}", fmt::join(variants, ",")),
         "names nothing that these files have a time of");
}

int compare_nodes(const CompareRequest& request) {
  NodeComparisonInput input = read_nodes(request.files, request.nodes, request.variants);
  input.threshold = request.threshold_percent / 100;
  input.with_expected = !request.expected.empty();
  if (input.with_expected) input.recorded = read_expected(request.expected, request.variants);
  if (!request.before.empty()) {
    input.before = compare_nodes(read_nodes(request.before, "", request.variants)).runs;
  }
  if (!request.history.empty()) input.history = read_history(request.history, input.runs);
  if (!request.variants.empty()) require_chosen(input.runs, request.variants);
  const NodeComparison nodes = compare_nodes(std::move(input));
  if (request.format == Format::csv) {
    print(node_comparison_csv(nodes));
  } else if (request.format == Format::json) {
    print(serialised(node_comparison_json(nodes, request.force)) + "\n");
  } else {
    print_text({{node_comparison_text(nodes)}});
  }
  if (!request.output.empty()) write_all(nodes, request);
  return exit_code(nodes, request.force);
}

int compare_two(const CompareRequest& request) {
  const Document first = read_document(request.files.front());
  if (request.files.size() < 2) {
    throw UsageError(
        "compare needs two result files: bench compare BEFORE.json AFTER.json; or a folder with "
        "one file per node; or --expected with a recorded run of the same hardware");
  }
  if (request.format != Format::text || !request.variants.empty() || !request.output.empty()) {
    throw UsageError(
        "--format, --output and --variant are for many nodes: name a folder, more than two result "
        "files, or --nodes");
  }
  const Document second = read_document(request.files[1]);
  if (written(first) == written(second)) {
    tell(fmt::format("{} and {} are the same run: name another one, nothing can differ here",
                     request.files[0], request.files[1]));
  }
  const double threshold = request.threshold_percent / 100;
  const Comparisons comparisons = compare(first, second, threshold);
  print_text({{text(comparisons, threshold, request.language)}});
  return exit_code(comparisons, request.force);
}

}  // namespace

void add_options(CLI::App& app, CompareRequest& request) {
  add_files(app, "PATH", request.files,
            "two result files (before, after); or a folder or more files, one per node");
  add_number(app, "--threshold", request.threshold_percent, "percent",
             "smallest change that matters", "5");
  add_flag(app, "--force", request.force, "compare even runs that are not comparable");
  add_list(app, "--variant", request.variants,
           "nodes: add a column for these variants, e.g. 'transpose/openmp/naive'", "GLOB");
  add_list(app, "--expected", request.expected,
           "nodes: recorded runs (a file or folder) of the same hardware", "PATH");
  exclude(add_list(app, "--before", request.before,
                   "nodes: an earlier survey, with which each node is compared by itself", "PATH"),
          options_of(app, {"--expected"}));
  exclude(add_text(app, "--history", request.history,
                   "nodes: a folder of earlier surveys, a folder each; says since when a node is "
                   "slower than it was",
                   "FOLDER"),
          options_of(app, {"--before"}));
  add_text(app, "--nodes", request.nodes,
           "nodes: those that should be there, e.g. 'n[001-200]'; two files are then two nodes",
           "LIST");
  add_choice(app, "--format", request.format,
             {{"text", Format::text}, {"json", Format::json}, {"csv", Format::csv}},
             "nodes: text, json or csv", "FORMAT", "text");
  add_text(app, "--output", request.output,
           "nodes: also write nodes.txt, nodes.csv and nodes.json into this folder", "FOLDER");
  add_language(app, request.language);
}

int execute(const CompareRequest& request, const Session& /*session*/) {
  return of_nodes(request) ? compare_nodes(request) : compare_two(request);
}

}  // namespace bench
