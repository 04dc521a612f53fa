// Characters of UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace bench {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8
};

/// Whether the byte goes on with a character that has begun.
constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// What a text that is not empty begins with. None is written longer than it has to be, and none is
/// half of a pair.
constexpr Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80U) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xF0U ? 4 : byte(0) >= 0xE0U ? 3 : 2;
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (byte(0) < 0xC2U || byte(0) > 0xF4U || text.size() < bytes) return {};
  char32_t code = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues_character(text[i])) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

}  // namespace bench
