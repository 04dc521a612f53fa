// A word that is neither a command nor selects anything: what its user may have meant.
#pragma once

#include <string>

#include "harness/plan/filters.hpp"

namespace bench {

/// One line for the user: a file, a command, or what the filter's own error says.
std::string explained(const UnknownFilter& error);

}  // namespace bench
