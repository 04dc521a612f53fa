#pragma once

#include "harness/plan/settings.hpp"

namespace bench {

/// Selects the variants of the steps of bench course, of the workloads that the filters name, and
/// keeps of what Python offers only those.
void choose_steps(Settings& settings);

}  // namespace bench
