// Guard bands: memory in front of and right after an array, filled with a known pattern, that
// shows what a variant wrote outside.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/base/reason.hpp"

namespace bench::guard {

constexpr std::size_t bytes = 4096;  // a page, so that the data stay aligned

/// What the bands of an array are filled with. Those of several arrays differ: otherwise what is
/// copied from after one to after another would not show. As numbers, of any type, they are
/// far from 0: what is read there does not vanish in a sum.
struct Bands {
  unsigned char front = 0;
  unsigned char back = 0;
};

/// Others than those of the 23 calls before.
Bands next_bands();

/// What was overwritten in the bands in front of an array and after it, nothing if both are whole.
std::optional<Reason> damage(const Bands& bands, const unsigned char* front,
                             const unsigned char* back);

}  // namespace bench::guard
