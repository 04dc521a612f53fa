// The languages of what people read: what a course hands out is in the language of the course.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/names.hpp"
#include "harness/base/styled.hpp"

namespace bench {

enum class Language : std::size_t { en, pt, es, fr };
template <>
struct NamesOf<Language> {
  static constexpr std::array<std::pair<Language, std::string_view>, 4> all{
      {{Language::en, "en"}, {Language::pt, "pt"}, {Language::es, "es"}, {Language::fr, "fr"}}};
};

/// A text in all languages, with places {0}, {1} … for others. One that lacks a language, or a
/// place in one of them, does not compile.
class Phrase {
 public:
  constexpr Phrase(std::string_view en, std::string_view pt, std::string_view es,
                   std::string_view fr)
      : texts_{en, pt, es, fr} {
    for (const std::string_view text : texts_) {
      if (places(text) != places(en)) throw std::logic_error("a translation has other places");
    }
  }

  constexpr std::string_view in(Language language) const {
    return texts_.at(static_cast<std::size_t>(language));
  }

 private:
  /// A bit for each place that the text has.
  static constexpr unsigned places(std::string_view text) {
    unsigned found = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      if (text[i] == '{') found |= 1U << static_cast<unsigned>(text[i + 1] - '0');
    }
    return found;
  }

  std::array<std::string_view, 4> texts_;
};

/// The phrase with its places filled.
template <class... Texts>
std::string say(Language language, const Phrase& phrase, const Texts&... texts) {
  return fmt::format(fmt::runtime(phrase.in(language)), texts...);
}

/// Parts of a sentence, one after the other.
std::string listed(const std::vector<std::string>& parts, Language language);

/// `number`, written with a point, as the language writes it.
std::string localised(std::string number, Language language);

/// The blank between a number and its unit, so that no line ends between them.
inline constexpr const char* no_break_space = "\u00A0";

/// The text with common blanks, as a terminal shows them and other programs look for them.
std::string with_plain_blanks(std::string text);
StyledText with_plain_blanks(StyledText text);

}  // namespace bench
