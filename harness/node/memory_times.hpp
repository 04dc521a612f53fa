// Is the memory of one NUMA node slower than that of the others, as with a channel that is gone?
// Threads of all of them copy at once, each in memory of its own node.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/node/topology.hpp"

namespace bench {

struct MemoryTime {
  int numa_node = 0;
  std::size_t threads = 0;       ///< that copied there
  std::size_t memory_bytes = 0;  ///< of the node
  double seconds = 0;  ///< of processor time: a thread in the middle in a round in the middle
};

/// Copies arrays beyond the caches on the CPUs that the threads of a team are on, in some 0.1 s.
/// Empty where the team has processors of one NUMA node only. The first node does `planted` times
/// as much.
std::vector<MemoryTime> memory_times(const Topology& topology, double planted = 1);

}  // namespace bench
