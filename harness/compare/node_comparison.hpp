// Many nodes side by side: which of them is slow, by how much, in which workload, and what differs.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/base/names.hpp"
#include "harness/base/statistics.hpp"
#include "harness/compare/history.hpp"
#include "harness/compare/limit_ratios.hpp"
#include "harness/compare/node_run.hpp"

namespace bench {

/// A time relative to the one it is compared with.
enum class NodeVerdict { same, slow, fast, unclear, alone };
template <>
struct NamesOf<NodeVerdict> {
  static constexpr std::array<std::pair<NodeVerdict, std::string_view>, 5> all{
      {{NodeVerdict::same, "same"},
       {NodeVerdict::slow, "slow"},
       {NodeVerdict::fast, "fast"},
       {NodeVerdict::unclear, "unclear"},
       {NodeVerdict::alone, "alone"}}};
};

/// One node in one column: its time over that of the median node of the same hardware.
struct Cell {
  std::size_t run = 0;     ///< into NodeComparison::runs
  std::size_t column = 0;  ///< into NodeComparison::columns
  NodeTime time;
  Estimate ratio;
  NodeVerdict verdict = NodeVerdict::alone;  ///< alone: no other node of this hardware
};

/// The median node of one kind of hardware in one column.
struct Middle {
  std::size_t kind = 0;
  std::size_t column = 0;
  std::size_t nodes = 0;
  std::size_t run = 0;  ///< the median node: where the number is even, the faster of the two
  NodeTime time;
};

/// Nodes of the same processor and GPU: only they are compared with each other. A node whose GPU
/// is not to be found is of the kind of the others with its processor, where most of those have one
/// or its job was given one.
struct HardwareClass {
  std::string cpu_model;
  std::string gpu;
  std::vector<std::size_t> runs;
};

/// A slow node: in which cells, and what differs in its context from the others of its kind.
struct SlowNode {
  std::size_t run = 0;
  std::vector<std::size_t> cells;
  std::vector<std::string> differences;
  std::vector<SlowLimits> limits;  ///< of the processor, of the GPU, where either is slow
};

/// A node that is a little slow everywhere: its cell of all columns together.
struct Suspect {
  std::size_t cell = 0;
  std::size_t slower = 0;  ///< in this many
  std::size_t columns = 0;
};

/// Nodes whose repetitions take longer than those of equal nodes, though none of them is slow: what
/// happens between samples. Of one kind of nodes.
struct LongerAtWork {
  std::vector<std::size_t> runs;
  std::vector<double> seconds;  ///< of each
  double others = 0;
};

/// The median node of a kind against all recorded runs of the same hardware.
struct Expectation {
  std::size_t kind = 0;
  std::size_t column = 0;
  std::string file;          ///< the first of them
  std::size_t recorded = 1;  ///< how many
  double seconds = 0;
  Estimate ratio;
  NodeVerdict verdict = NodeVerdict::unclear;
};

/// A node that was not asked to measure, as it was not up.
struct LeftOut {
  std::string node;
  std::string reason;
};

struct NodeComparison {
  /// Those of the slow nodes.
  std::set<std::size_t> slow_runs() const;

  Language language = Language::en;  ///< of the sentences
  double threshold = 0;
  bool with_expected = false;
  bool with_history = false;
  std::vector<NodeRun> runs;  ///< by node name
  std::vector<Column> columns;
  std::vector<HardwareClass> kinds;
  std::vector<Cell> cells;
  std::vector<Middle> middles;
  std::vector<SlowNode> slow;        ///< the slowest first
  std::vector<Suspect> suspects;     ///< the slowest first; none of them is among the slow ones
  std::vector<LongerAtWork> longer;  ///< of each kind of nodes that has some
  LookBack past;                     ///< each node compared with itself
  std::vector<Expectation> expectations;
  std::vector<std::string> missing;  ///< nodes of the jobs, or of the list, without a result file
  std::vector<std::string> waiting;  ///< the same whose jobs have not begun
  std::vector<LeftOut> ended;        ///< nodes whose job did not end well, and how
  std::vector<LeftOut> left_out;     ///< nodes that got no job
  std::vector<std::string> absent;   ///< what most nodes of a kind measured and one did not
  std::vector<std::string> lacking;  ///< what most nodes of a kind have and one has not
  std::set<std::size_t> faulty;      ///< runs of which something is absent or lacking
  std::vector<std::string> doubts;   ///< what speaks against trusting times, and of which nodes
  std::vector<std::string> unfinished;  ///< a line each
  std::vector<std::string> unreadable;  ///< a line each
  std::vector<std::string> failed;      ///< wrong answers, a line each
  std::vector<std::string> unlike;      ///< what makes runs incomparable, a line each
  std::vector<std::string> notes;
};

/// What a comparison is made of.
struct NodeComparisonInput {
  std::vector<NodeRun> runs;
  std::vector<NodeRun> recorded;  ///< expected values
  bool with_expected = false;
  std::vector<Survey> history;      ///< earlier surveys, in their order
  std::vector<NodeRun> before;      ///< compared nodes: each is compared with itself then
  std::vector<std::string> nodes;   ///< that should be there, along with those that the jobs had
  std::set<std::string> not_begun;  ///< of these, those whose job has not
  std::vector<LeftOut> ended;
  std::vector<LeftOut> left_out;
  std::vector<std::string> unreadable;
  double threshold = 0.05;
  Language language = Language::en;  ///< programs read English
};

/// `n[1-4], n7 and 4 more`
std::string names(const std::vector<std::string>& nodes, Language language,
                  std::size_t most_ranges = 5);

/// Steps of one job on a node are one run; of others the newest finished one is kept. `notes` says
/// what is left out.
std::vector<NodeRun> one_per_node(std::vector<NodeRun> runs, std::vector<std::string>& notes,
                                  Language language);

/// Compares nodes. The steps of one job on a node are passes of one run; of several runs of a node
/// the newest finished one counts; tasks of one step are rows of their own. The reference of a
/// column is the median node of the same hardware. A node is slow where the whole interval of its
/// ratio is beyond the threshold. The intervals hold all together with 95 % (Bonferroni); they
/// contain both nodes' uncertainty and drift, how far passes are apart, and the scatter between
/// nodes as the faster half of them shows it, which no slow node can inflate.
NodeComparison compare_nodes(NodeComparisonInput input);

/// No node has another one of its hardware, or none has the recorded run that was asked for.
bool nothing_compared(const NodeComparison& comparison);

/// Nodes that are not slow, and of which some time is neither slow nor the same: that of all
/// workloads together, where it is there, as single ones nearly always are.
std::set<std::size_t> unclear_runs(const NodeComparison& comparison);

/// The most urgent comes first: 1 some node computed something wrong; 3 some node is
/// slow, or all are against the expectation, or something of a node is absent, lacking, missing,
/// unfinished or unreadable; 5 not comparable or nothing compared (unless forced); 4 unclear, which
/// measuring again may answer, or some job has not begun; 0 otherwise.
int exit_code(const NodeComparison& comparison, bool forced);

/// For people, 80 columns, in the language of the comparison.
std::string node_comparison_text(const NodeComparison& comparison);
/// A line per node and column, for spreadsheets: fields are quoted where needed, and none begins
/// with what a spreadsheet would compute.
std::string node_comparison_csv(const NodeComparison& comparison);
/// Everything, for programs.
Json node_comparison_json(const NodeComparison& comparison, bool forced);

}  // namespace bench
