// Two versions that were measured in the same rounds, the first one twice, or each by several
// processes: a smaller difference than that of equal versions cannot be seen here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/statistics.hpp"
#include "harness/document/ratios.hpp"

namespace bench {

/// Seconds of each round; `processor`: of a processor, empty where that is not known.
struct VersionTimes {
  std::vector<double> seconds;
  std::vector<double> processor;
  bool waited = false;  ///< for a processor, in more rounds than count as few
};

/// The clock by which a verdict was reached.
enum class Clock { wall, processor };

struct VersionComparison {
  std::string name;  ///< what was measured
  double base_seconds = 0;
  double head_seconds = 0;
  Estimate itself;  ///< the first version over itself, or the extremes of equal processes
  Estimate ratio;   ///< the second version over the first
  Change change = Change::unclear;
  Clock clock = Clock::wall;
  /// Unclear: how much longer it would have to be measured, if the noise stays as it is.
  std::optional<double> more_seconds;
};

/// Slower or faster where the whole interval of the ratio is beyond 1 ± threshold and further from
/// 1 than that of the first version over itself, on either side. Where one waited, only the clock
/// of the processor can tell. Others on the processors change times, and hardly what a version has
/// of a processor: where times are unclear, that may show a change, never that there is none. Fewer
/// than six rounds are unclear. `measured`: the seconds that all of it took.
VersionComparison compare_versions(const std::string& name, const VersionTimes& base,
                                   const VersionTimes& again, const VersionTimes& head,
                                   double threshold, double measured);

/// The same where each version was measured by several processes at a time: what a process is given
/// (memory, a processor) changes short times by more than their scatter. The interval is Student's,
/// of the medians of the processes. No version may have fewer than two.
VersionComparison compare_processes(const std::string& name, const std::vector<VersionTimes>& base,
                                    const std::vector<VersionTimes>& head, double threshold,
                                    double measured);

/// Exit::slower where one is slower, else Exit::unclear where one is unclear, or there is none.
int exit_code(const std::vector<VersionComparison>& all);

}  // namespace bench
