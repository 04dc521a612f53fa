#include "harness/base/printable.hpp"

#include <algorithm>

#include "harness/base/utf8.hpp"

namespace bench {
namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};

// What has no place in the text of a line, in Unicode.
constexpr CodePoints obeyed_or_hidden[] = {
    {0x0000, 0x001F},  {0x007F, 0x009F},  // control characters
    {0x00AD, 0x00AD},  {0x061C, 0x061C},  // soft hyphen, Arabic letter mark
    {0x180E, 0x180E},  {0x200B, 0x200F},  // of no width; left-to-right and right-to-left marks
    {0x2028, 0x202E},  {0x2060, 0x206F},  // separators, embeddings and overrides, isolates
    {0xFEFF, 0xFEFF},  {0xFFF9, 0xFFFB},  // byte order mark, annotations
    {0xE0000, 0xE007F}};                  // tags

}  // namespace

std::string printable(std::string_view text, bool lines) {
  const auto is_plain = [](char one) { return one >= ' ' && one <= '~'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string shown;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool end_of_line = lines && character.code == '\n';
    const bool bad =
        character.bytes == 0 ||
        std::any_of(std::begin(obeyed_or_hidden), std::end(obeyed_or_hidden),
                    [&](const CodePoints& range) {
                      return character.code >= range.first && character.code <= range.last;
                    });
    const std::size_t bytes = std::max<std::size_t>(1, character.bytes);
    shown += bad && !end_of_line ? "?" : text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace bench
