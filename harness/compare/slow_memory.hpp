// Is the memory of one NUMA node slower than that of its neighbours? Of all together a reference
// sees an eighth of it.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/compare/health.hpp"
#include "harness/node/memory_times.hpp"

namespace bench {

/// Adds each NUMA node whose copies take longer than those of nodes with as much memory and as many
/// threads, as a part `memory of NUMA node 1`: each measurement's ratio to the middle one of the
/// others is beyond 1 + `threshold`. It takes four threads there, and three measurements. It is
/// unclear, and never slow: neighbours of a virtual machine do the same to one of its processors.
void add_slow_memory(Health& found, const std::vector<MemoryTime>& nodes, double threshold);

}  // namespace bench
