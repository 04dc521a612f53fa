// The other side, for shared objects: a process that loads one and calls its functions.
#pragma once

#include <span>
#include <string>

#include "harness/workload/workload.hpp"

namespace bench::guests {

/// The first word of the command line of such a process; the second is the shared object.
constexpr const char* host_command = "guest-host";

/// Serves until the line to it is closed. Returns the exit code.
int host(std::span<const Workload* const> registry, const std::string& file);

}  // namespace bench::guests
