// How this binary was built. Written by the build, see harness/node/build_info.cmake.
#pragma once

#include "harness/base/json.hpp"

namespace bench {

/// revision, dirty, compiler, build_type, flags, kernel_flags per instruction set, library
/// versions.
Json build_info();
const char* version();

}  // namespace bench
