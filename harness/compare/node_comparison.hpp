// Many nodes side by side: which of them is slow, by how much, in which workload, and what differs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/compare/compared_nodes.hpp"
#include "harness/compare/history.hpp"

namespace bench {

/// What a comparison is made of.
struct NodeComparisonInput {
  std::vector<NodeRun> runs;
  std::vector<NodeRun> recorded;  ///< expected values
  bool with_expected = false;
  std::vector<Survey> history;      ///< earlier surveys, in their order
  std::vector<NodeRun> before;      ///< compared nodes: each is compared with itself then
  std::vector<std::string> nodes;   ///< that should be there, along with those that the jobs had
  std::set<std::string> not_begun;  ///< of these, those whose job has not
  Findings findings;                ///< what was found before: unreadable, ended, left out
  double threshold = 0.05;
};

/// Compares nodes. The steps of one job on a node are passes of one run; of several runs of a node
/// the newest finished one counts; tasks of one step are rows of their own. The reference of a
/// column is the median node of the same hardware. A node is slow where the whole interval of its
/// ratio is beyond the threshold. The intervals hold all together with 95 % (Bonferroni); they
/// contain both nodes' uncertainty and drift, how far passes are apart, and the scatter between
/// nodes as the faster half of them shows it, which no slow node can inflate.
NodeComparison compare_nodes(NodeComparisonInput input);

/// The most urgent comes first: 1 some node computed something wrong; 3 some node is
/// slow, or all are against the expectation, or something of a node is absent, lacking, missing,
/// unfinished or unreadable; 5 not comparable or nothing compared (unless forced); 4 unclear, which
/// measuring again may answer, or some job has not begun; 0 otherwise.
int exit_code(const NodeComparison& comparison, bool forced);

/// The text for people, in English, 80 columns.
std::string node_comparison_text(const NodeComparison& comparison);
/// A line per node and column, for spreadsheets: fields are quoted where needed, and none begins
/// with what a spreadsheet would compute.
std::string node_comparison_csv(const NodeComparison& comparison);
/// Everything, for programs.
Json node_comparison_json(const NodeComparison& comparison, bool forced);

}  // namespace bench
