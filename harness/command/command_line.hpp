// From words to the request of one command.
#pragma once

#include <string>
#include <vector>

#include "harness/command/command.hpp"

namespace bench {

/// Reads `arguments` (without the program's name). Throws UsageError.
Parsed parse(const std::vector<std::string>& arguments, const Abilities& node);

}  // namespace bench
