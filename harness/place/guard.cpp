#include "harness/place/guard.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench::guard {

std::optional<std::string> damage(const unsigned char* front, const unsigned char* back) {
  const auto damaged = [](unsigned char byte) { return byte != pattern; };
  if (std::any_of(front, front + bytes, damaged)) {
    const unsigned char* last = front + bytes - 1;
    while (!damaged(*last)) --last;
    return fmt::format("wrote before the start of an array ({} bytes before it)",
                       front + bytes - last);
  }
  const unsigned char* const first = std::find_if(back, back + bytes, damaged);
  if (first != back + bytes) {
    return fmt::format("wrote past the end of an array ({} bytes behind it)", first - back);
  }
  return std::nullopt;
}

}  // namespace bench::guard
