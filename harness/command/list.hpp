#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "harness/measure/plan.hpp"

namespace bench {

/// The workloads that the filters select, their sizes, and their variants with the idea of each, in
/// lines of so many columns. Throws std::invalid_argument where a filter selects nothing.
std::string list(std::span<const Workload* const> registry, const Settings& settings,
                 std::size_t width);

}  // namespace bench
