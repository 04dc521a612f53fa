// Is the memory of one NUMA node slower than that of its neighbours? Of all together a reference
// sees an eighth of it.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/compare/health.hpp"
#include "harness/node/memory_times.hpp"

namespace bench {

/// Adds each NUMA node whose copies take longer than those of its neighbours, as a part `memory of
/// NUMA node 1`. In each of `passes` its ratio to the middle one of the others is beyond 1 +
/// `threshold`. Those have as much memory and as many threads. It takes four threads there, and
/// three passes. It is unclear, and never slow: neighbours of a virtual machine do the same to one
/// of its processors.
void add_slow_memory(Health& found, const std::vector<std::vector<MemoryTime>>& passes,
                     double threshold);

}  // namespace bench
