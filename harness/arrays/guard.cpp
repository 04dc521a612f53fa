#include "harness/arrays/guard.hpp"

#include <algorithm>
#include <atomic>

#include "harness/base/reasons.hpp"

namespace bench::guard {

Bands next_bands() {
  constexpr unsigned first = 0xC1;
  constexpr unsigned arrays = 24;  // the last byte is 0xF0: neither NaN nor the poison
  static std::atomic<unsigned> calls = 0;
  const unsigned front = first + 2 * (calls++ % arrays);
  return {static_cast<unsigned char>(front), static_cast<unsigned char>(front + 1)};
}

std::optional<Reason> damage(const Bands& bands, const unsigned char* front,
                             const unsigned char* back) {
  if (std::any_of(front, front + bytes, [&](auto byte) { return byte != bands.front; })) {
    const unsigned char* last = front + bytes - 1;
    while (*last == bands.front) --last;
    return said<reasons::wrote_before>(front + bytes - last);
  }
  const unsigned char* const first =
      std::find_if(back, back + bytes, [&](auto byte) { return byte != bands.back; });
  if (first != back + bytes) {
    return said<reasons::wrote_past>(first - back + 1);
  }
  return std::nullopt;
}

}  // namespace bench::guard
