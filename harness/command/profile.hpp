// `bench --profile W/B/V`: one variant, for a profiler that looks at it from outside.
#pragma once

#include "harness/command/run_request.hpp"
#include "harness/command/session.hpp"

namespace bench {

/// Runs the variant once to warm up, with a check, and again in a range that profilers show;
/// no rounds, no result file. Exit::wrong where it failed. Throws UsageError where the name selects
/// more than one variant, size or precision.
int profile(RunRequest request, const Session& session);

}  // namespace bench
