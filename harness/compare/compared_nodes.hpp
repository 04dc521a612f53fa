// Many nodes side by side, as values: what a comparison of them found.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  /// The runs of the slow nodes.
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

}  // namespace bench
