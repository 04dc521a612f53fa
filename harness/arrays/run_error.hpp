// Why a run did not come to its end.
#pragma once

#include <stdexcept>

namespace bench {

/// what() is the reason as tables show it.
struct RunError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace bench
