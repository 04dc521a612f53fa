// Commands of a shell, measured in rounds: each of them once, in random order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/compare/versions.hpp"

namespace bench {

/// The times of each command. Each runs once before the rounds, which go on until `enough` says so
/// of what there is; it is asked after each round. What commands print is lost. Throws UsageError
/// where one does not end with 0, and names it.
std::vector<VersionTimes> timed_commands(
    const std::vector<std::string>& commands,
    const std::function<bool(const std::vector<VersionTimes>&)>& enough);

}  // namespace bench
