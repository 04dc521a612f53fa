// Text of a column of a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "harness/base/text.hpp"

namespace bench {

inline std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

inline std::string padded_right(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

inline std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace bench
