// Why a variant cannot run here at all: it is skipped, not failed.
#pragma once

#include <stdexcept>

namespace bench {

/// Thrown by a variant that needs what this node does not have; what() is the reason for the table.
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace bench
