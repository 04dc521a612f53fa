#include "harness/words/language.hpp"

#include <algorithm>
#include <utility>

#include "harness/words/phrases.hpp"

namespace bench {

std::string listed(const std::vector<std::string>& parts, Language language) {
  std::string text;
  for (const std::string& part : parts) {
    text = text.empty() ? part : say(language, phrases::and_then, text, part);
  }
  return text;
}

std::string localised(std::string number, Language language) {
  if (language != Language::en) std::replace(number.begin(), number.end(), '.', ',');
  return number;
}

std::string with_plain_blanks(std::string text) {
  const std::string_view blank = no_break_space;
  for (std::size_t at = text.find(blank); at != std::string::npos; at = text.find(blank, at)) {
    text.replace(at, blank.size(), " ");
  }
  return text;
}

StyledText with_plain_blanks(StyledText text) {
  for (StyledLines& lines : text) lines.text = with_plain_blanks(std::move(lines.text));
  return text;
}

}  // namespace bench
