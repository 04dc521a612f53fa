// place → run once → verify → measure, the same for every variant.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "harness/plan/plan.hpp"
#include "harness/plan/result.hpp"

namespace bench {

/// Told what happens now; `share` is how much of the group is done, roughly (0 to 1).
using Progress = std::function<void(const std::string& what, double share)>;

/// Called for each case of a verified group while its result is still in the arrays.
using Inspect = std::function<void(const Case&, const Problem&, const Arrays&)>;

/// Verifies every case of a group and measures those that are right. A variant that is wrong,
/// throws or writes outside of its output is `failed` with its reason and has no time. Where memory
/// does not suffice, all cases are `skipped`. Does not throw for what a variant does.
Group measure(const PlannedGroup& group, const Settings& settings, const Progress& progress = {});

/// All of its cases with this reason.
Group skipped(const PlannedGroup& group, const Reason& reason);

/// Seconds of a group's parts.
struct Cost {
  double checks = 0;             ///< making the inputs, and each case once, checked
  double round = 0;              ///< a sample of each
  std::set<std::string> failed;  ///< variants, as `guest/mine`
};
/// Does each part once, to learn how long that takes.
Cost rehearse(const PlannedGroup& group, const Settings& settings);

/// Runs each case once to warm up, which is checked, and again in a range that a profiler shows.
/// Cases that are right are `measured`, with one sample.
Group profile(const PlannedGroup& group, const Settings& settings);

/// Verifies every case without timing; the others keep no status.
Group verify(const PlannedGroup& group, const Settings& settings, const Inspect& inspect = {},
             const Progress& progress = {});

}  // namespace bench
