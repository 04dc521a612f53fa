#include "harness/tables/labelled.hpp"

#include "harness/base/text.hpp"
#include "harness/tables/phrases.hpp"

namespace bench {

std::string labelled(const Phrase& label, const std::string& text, Language language,
                     std::size_t start) {
  const std::string head = say(language, phrases::because, label.in(language), "");
  return wrapped(head + text, page_width, start + columns(head), start);
}

}  // namespace bench
