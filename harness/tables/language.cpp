#include "harness/tables/language.hpp"

#include <algorithm>

namespace bench {

std::string localised(std::string number, Language language) {
  if (language != Language::en) std::replace(number.begin(), number.end(), '.', ',');
  return number;
}

std::string_view code(Language language) {
  static constexpr Phrase codes{"en", "pt", "es", "fr"};
  return codes.in(language);
}

}  // namespace bench
