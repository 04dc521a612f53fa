// What goes wrong on a device, as exceptions; free of CUDA's headers.
#pragma once

#include <stdexcept>
#include <string>

namespace bench::cuda {

/// A call of the CUDA runtime failed; what() says which and in CUDA's own words why.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The device has no room for an array.
struct OutOfMemory : Error {
  using Error::Error;
};

}  // namespace bench::cuda
