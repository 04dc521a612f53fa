#include "harness/base/printable.hpp"

#include <algorithm>
#include <cstdint>

namespace bench {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// What has no place in the text of a line, in Unicode.
constexpr Range obeyed_or_hidden[] = {
    {0x0000, 0x001F},  {0x007F, 0x009F},  // control characters
    {0x00AD, 0x00AD},  {0x061C, 0x061C},  // soft hyphen, Arabic letter mark
    {0x180E, 0x180E},  {0x200B, 0x200F},  // of no width; left-to-right and right-to-left marks
    {0x2028, 0x202E},  {0x2060, 0x206F},  // separators, embeddings and overrides, isolates
    {0xFEFF, 0xFEFF},  {0xFFF9, 0xFFFB},  // byte order mark, annotations
    {0xE0000, 0xE007F}};                  // tags

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8
};

/// The character that the text begins with.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80U) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xF0U ? 4 : byte(0) >= 0xE0U ? 3 : 2;
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // else written too long
  if (byte(0) < 0xC2U || byte(0) > 0xF4U || text.size() < bytes) return {};
  std::uint32_t code = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

}  // namespace

std::string printable(std::string_view text, bool lines) {
  std::string shown;
  while (!text.empty()) {
    const Character character = first_of(text);
    const bool end_of_line = lines && character.code == '\n';
    const bool bad =
        character.bytes == 0 ||
        std::any_of(std::begin(obeyed_or_hidden), std::end(obeyed_or_hidden),
                    [&](const Range& range) {
                      return character.code >= range.first && character.code <= range.last;
                    });
    const std::size_t bytes = std::max<std::size_t>(1, character.bytes);
    shown += bad && !end_of_line ? "?" : text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace bench
