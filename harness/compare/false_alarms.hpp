// Equal runs compared as if they were not: how often does this node raise an alarm for nothing?
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/document/document.hpp"

namespace bench {

/// The comparisons of all pairs of some runs.
struct FalseAlarms {
  double threshold = 0;
  std::size_t runs = 0;
  std::size_t pairs = 0;
  std::size_t pairs_with_alarm = 0;  ///< in which some case is called slower or faster
  std::size_t cases = 0;             ///< compared, over all pairs
  std::size_t alarms = 0;            ///< those that are called so
  std::size_t unclear = 0;
  std::size_t busy = 0;                      ///< unclear since others were at work
  std::size_t node_changed = 0;              ///< or since the copy measured with a case changed too
  std::map<std::string, std::size_t> names;  ///< of the cases with alarms, and how many
};

/// `documents` are of runs of one program that measured the same, at least two; `threshold` is that
/// of compare(). Needs the samples.
FalseAlarms false_alarms(const std::vector<Document>& documents, double threshold);

/// 0 no alarm, 3 some.
int exit_code(const FalseAlarms& alarms);

}  // namespace bench
