// How large the problems are that the user asked for.
#pragma once

#include <vector>

#include "harness/measure/settings.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// The sizes of one workload without repetition: two names may mean the same shape. Throws
/// std::invalid_argument, with a sentence for the user, where one is not a size.
std::vector<Shape> shapes(const Workload& workload, const Settings& settings);

}  // namespace bench
