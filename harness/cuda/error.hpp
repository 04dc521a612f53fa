// What goes wrong on a device, as exceptions; free of CUDA's headers.
#pragma once

#include "harness/base/reason.hpp"

namespace bench::cuda {

/// A call of the CUDA runtime failed; what() says which and in CUDA's own words why.
struct Error : RunError {
  using RunError::RunError;
};

/// The device has no room for an array.
struct OutOfMemory : Error {
  using Error::Error;
};

}  // namespace bench::cuda
