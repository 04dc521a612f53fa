// Nodes compared with themselves over many surveys: since when is one slower?
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/base/statistics.hpp"
#include "harness/compare/finding.hpp"
#include "harness/compare/node_run.hpp"

namespace bench {

/// Processor, GPU, and a column of all workloads together: what nodes have in common.
using FleetColumn = std::tuple<std::string, std::string, Column>;

/// What is kept of an earlier survey.
struct Survey {
  std::string started;  ///< when the run in its middle did
  std::map<FleetColumn, std::map<std::string, double>> logarithms;  ///< of seconds, by node
  std::map<std::string, Facts> facts;                               ///< by node; of bench, too
  /// `2026-08-03`
  std::string date() const { return started.substr(0, started.find('T')); }
};

/// The survey of runs of which there is one per node.
Survey survey_of(const std::vector<NodeRun>& runs);

/// What earlier surveys say of the last one.
struct LookBack {
  Findings slower;                 ///< nodes, the slowest first
  Findings all_slower;             ///< all nodes of the hardware of a run
  std::set<std::size_t> compared;  ///< runs that there were earlier times of
};

/// The nodes of the last survey that are slower than in earlier ones, which must be in their order.
/// What all nodes of a survey have in common is taken out. Of each node and column the one date is
/// sought that parts its surveys best. The intervals are so wide that with a survey a week, about
/// one sound node of all is named in a year. No change below 2 % is named. What is taken out
/// is one more series: there is a finding of all nodes where that has a step.
LookBack look_back(const std::vector<NodeRun>& now, const std::vector<Survey>& earlier);

}  // namespace bench
