#pragma once

#include <span>

#include "harness/workload/suite.hpp"

namespace kernels {

/// All workloads in the order of registry.def.
std::span<const bench::Workload* const> registry();
/// They, and what others need who compute them, too.
bench::Suite suite();

}  // namespace kernels
