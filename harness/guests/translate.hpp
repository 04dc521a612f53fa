// From CUDA's own syntax to C++.
#pragma once

#include <string>

namespace bench::guests {

/// What g++ can compile after device/language.h: launches kernel<<<grid, block>>>(arguments) as
/// calls, dynamic shared memory as a pointer. Each line stays where it is.
std::string in_plain_cpp(const std::string& source);

/// What of a CUDA file bench's own CUDA has not; empty where nothing was found.
std::string beyond_the_cpu(const std::string& source);

}  // namespace bench::guests
