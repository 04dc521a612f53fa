// Kernels of others, started before anything is planned.
#pragma once

#include "harness/plan/settings.hpp"
#include "harness/workload/suite.hpp"

namespace bench {

/// Compiles and starts the user kernels; the settings then know what they offer. `only_theirs`:
/// their workloads are the ones that are measured. What cannot be used is reported on stderr, a
/// line each. Returns whether all could be; throws UsageError where none can. `tells`: a terminal
/// shows which file is looked at.
bool invite_guests(Settings& settings, const Suite& suite, bool only_theirs, bool tells);

}  // namespace bench
