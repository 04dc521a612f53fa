// Variables of the environment that change times, and leave no other trace in a table.
#pragma once

#include <string>
#include <vector>

#include "harness/node/host.hpp"

namespace bench {

/// A warning for each that is set to a value with an effect.
std::vector<std::string> distortions(const Host& host = {});

}  // namespace bench
