#pragma once

#include <span>

#include "harness/workload/workload.hpp"

namespace bench {

/// The program: what main() is given, for these workloads. Everything that can fail for the user's
/// reasons ends here, as one line on stderr. Returns the exit code.
int program(int argc, char** argv, std::span<const Workload* const> registry);

}  // namespace bench
