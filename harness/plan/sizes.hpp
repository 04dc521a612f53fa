// How large the problems are that the user asked for.
#pragma once

#include <span>
#include <vector>

#include "harness/plan/settings.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// The sizes of one workload without repetition: two names may mean the same shape. Throws
/// std::invalid_argument, with a sentence for the user, where one is not a size.
std::vector<Shape> shapes(const Workload& workload, const Planning& settings);

/// Throws as shapes() where a size is one of none of these workloads: known before their files are
/// compiled.
void require_sizes(std::span<const Workload* const> workloads, const Planning& settings);

}  // namespace bench
