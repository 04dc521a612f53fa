// The GPU that this task will use, as far as the system reports it without CUDA.
#pragma once

#include <vector>

#include "harness/node/host.hpp"

namespace bench {

/// The CPUs near it, ascending; empty where the task has none, or where it is not known which
/// of several it is. Takes microseconds, where hwloc would look through all of the node's devices.
std::vector<int> cpus_near_gpu(const Host& host = {});

}  // namespace bench
