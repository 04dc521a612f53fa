#pragma once

#include <cstddef>

namespace bench {

/// Fewer elements take one thread less time than starting a team. A team must also not be spinning
/// when a serial variant is timed next.
constexpr std::size_t worth_a_team = 10'000;

}  // namespace bench
