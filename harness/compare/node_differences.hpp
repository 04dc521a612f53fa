// What a node has otherwise than most others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/others.hpp"

namespace bench {

/// What a node has, and what most others have: `threads`, 1, 2.
struct Difference {
  std::string name;
  Json own;  ///< null: unknown
  Json others;
  std::string unit;    ///< of both
  bool amount = true;  ///< else a setting

  bool operator==(const Difference&) const = default;
};

/// What a list lacks of what is in that of others.
std::vector<std::string> missing_in(const Json& own, const Json& others);

/// What differs between one node and most others: settings, and figures beyond the scatter of the
/// others.
std::vector<Difference> differences(const NodeRun& node, const Others& others);

/// A figure of a node, and the median of the others.
struct Worse {
  double own;
  double most;
};

/// The seconds of a node that was longer at work than the others, whatever its samples say; nothing
/// within `threshold` and the scatter of the others.
std::optional<Worse> longer(const NodeRun& node, const Others& others, double threshold);

/// The differences in what a node or its job has: fewer threads, processors or bytes than most
/// others, another instruction set, a lower limit. They are faults even where no time shows them.
std::vector<Difference> shortfalls(const NodeRun& node, const Others& others);

/// Figures so much worse that they are a fault of a node on which nobody is at work, such as the
/// memory that somebody holds: a job that has ended, or files in memory.
std::vector<Difference> far_figures(const NodeRun& node, const Others& others);

}  // namespace bench
