// Many nodes side by side, as values: what was compared, and what was found.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/statistics.hpp"
#include "harness/compare/finding.hpp"
#include "harness/compare/node_run.hpp"

namespace bench {

/// One node in one column: its time over that of the median node of the same hardware.
struct Cell {
  std::size_t run = 0;     ///< into NodeComparison::runs
  std::size_t kind = 0;    ///< into NodeComparison::kinds
  std::size_t column = 0;  ///< into NodeComparison::columns
  NodeTime time;
  Estimate ratio;
  NodeVerdict verdict = NodeVerdict::alone;  ///< alone: no other node of this hardware
};

/// Nodes of the same processor and GPU, with as many of them and as much memory as several have:
/// only they are compared with each other. A node whose GPU
/// is not to be found is of the kind of the others with its processor, where most of those have one
/// or its job was given one.
struct HardwareClass {
  std::string cpu_model;
  std::string gpu;
  std::string amounts;  ///< `25.3 GB`: by what it differs from others; empty: by nothing
  std::vector<std::size_t> runs;
};

struct NodeComparison {
  /// The findings of these kinds, in their order.
  Findings found(std::initializer_list<Found> keys) const;
  /// Adds a finding, unless it is of no node.
  void add_if_any(Finding one);
  /// The runs of the slow nodes.
  std::set<std::size_t> slow_runs() const;

  double threshold = 0;
  bool compared = false;      ///< some node with another one, or with what was asked for
  std::vector<NodeRun> runs;  ///< by node name
  std::vector<Column> columns;
  std::vector<HardwareClass> kinds;
  std::vector<Cell> cells;
  /// The median node of each kind and column: of an even number, the faster of the two.
  std::vector<std::size_t> middles;
  /// The ratio of each from which on a node as well known as most is slow; nothing of one alone.
  std::vector<std::optional<double>> slow_from;
  Findings findings;  ///< of each kind, the slowest first
};

}  // namespace bench
