#pragma once

#include <span>

#include "harness/workload/suite.hpp"

namespace kernels {

/// All workloads in the order of registry.def.
std::span<const bench::Workload* const> registry();
/// The same, with the workloads that other measurements need.
bench::Suite suite();

}  // namespace kernels
