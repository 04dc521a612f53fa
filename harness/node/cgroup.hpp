// What the cgroups of this process allow it, versions 1 and 2, at all levels.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/node/host.hpp"

namespace bench {

/// The time that they allow, in CPUs: as much as that number of CPUs has; nothing where none limits
/// it.
std::optional<double> cpu_quota(const Host& host);

/// What the kernel says of one group: its limit in bytes, and how much of it is left. Page cache
/// that the kernel would give back counts as left.
struct GroupMemory {
  std::size_t limit;
  std::size_t left;
};

/// The groups that limit memory.
std::vector<GroupMemory> memory_groups(const Host& host);

}  // namespace bench
