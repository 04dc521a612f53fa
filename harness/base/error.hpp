#pragma once

#include <stdexcept>

namespace bench {

/// A request that cannot be understood, or input that cannot be used; what() is one line that names
/// the thing and the remedy.
struct UsageError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace bench
