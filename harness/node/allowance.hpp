// How much memory this process may take.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/base/reason.hpp"
#include "harness/node/host.hpp"

namespace bench {

/// How much more memory this process may take now.
struct MemoryAllowance {
  std::size_t bytes = 0;
  Reason limited_by;  ///< what sets it, in words for the user
};

/// The smallest of what is free on the node, what the job's cgroups leave (versions 1 and 2, at all
/// levels; page cache that the kernel would give back counts as free), and the limits of the
/// process (ulimit -v and -d); nothing where none of them is known.
std::optional<MemoryAllowance> memory_allowance(const Host& host = {});

}  // namespace bench
