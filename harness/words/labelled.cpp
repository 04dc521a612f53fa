#include "harness/words/labelled.hpp"

#include <algorithm>

#include "harness/base/text.hpp"
#include "harness/words/phrases.hpp"

namespace bench {

std::string labelled(std::string_view label, const std::string& text, std::size_t start,
                     Language language) {
  const std::string head = say(language, phrases::because, label, "");
  return wrapped(head + text, page_width, start + columns(head), start);
}

std::string each_labelled(std::string_view label, const std::vector<std::string>& texts,
                          std::size_t most, Language language) {
  std::string lines;
  const auto add = [&](const std::string& text) {
    lines += wrapped(say(language, phrases::because, label, text), page_width, 2) + "\n";
  };
  std::for_each_n(texts.begin(), std::min(texts.size(), most), add);
  if (texts.size() > most) {
    add(say(language, phrases::and_more, std::to_string(texts.size() - most)));
  }
  return lines;
}

}  // namespace bench
