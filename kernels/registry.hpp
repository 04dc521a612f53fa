#pragma once

#include <span>

#include "harness/workload/workload.hpp"

namespace kernels {

/// All workloads in the order of registry.def.
std::span<const bench::Workload* const> registry();

}  // namespace kernels
