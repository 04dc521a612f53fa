#pragma once

#include "harness/plan/settings.hpp"

namespace bench {

/// Of the workloads that the filters name, only the variants of the steps of bench course stay
/// selected, and of what Python offers only those.
void choose_steps(Settings& settings);

}  // namespace bench
