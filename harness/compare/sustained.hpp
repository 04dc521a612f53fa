// Does a node stay as fast as it was at first?
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/compare/health.hpp"

namespace bench {

/// One measurement of all parts of a node: a run for each GPU.
struct Pass {
  std::vector<NodeRun> runs;
  double ended = 0;  ///< seconds after the beginning
};

/// Adds to what was found how fast the last third of the passes is over the first third: parts of
/// the same statistics, and what changed of clock, power and heat where one is slow.
void add_sustained(Health& found, const std::vector<Pass>& passes,
                   const std::set<std::string>& computing, double threshold);

/// A line for each pass and GPU: its times over those of the first third, its clock, power and
/// temperature.
std::vector<std::string> course_of(const std::vector<Pass>& passes,
                                   const std::set<std::string>& computing);

}  // namespace bench
