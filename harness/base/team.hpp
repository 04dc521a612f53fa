#pragma once

#include <cstddef>

namespace bench {

/// Fewer elements are done faster by one thread than a team starts. Nor shall a team still be
/// spinning when a serial variant is timed next.
constexpr std::size_t worth_a_team = 10'000;

}  // namespace bench
