#include "harness/tables/translated.hpp"

#include <fmt/args.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/tables/recorded_phrases.hpp"

namespace bench {
namespace {

/// What stands in `text` at the places of `pattern`, which come in the order of their numbers.
/// Nothing where it is another sentence.
std::optional<std::vector<std::string>> places(std::string_view pattern, std::string_view text) {
  constexpr std::size_t width = 3;  // of {0}
  std::vector<std::string> found;
  std::size_t place = pattern.find('{');
  if (!text.starts_with(pattern.substr(0, place))) return {};
  if (place == std::string_view::npos) {
    return text == pattern ? std::optional(found) : std::nullopt;
  }
  text.remove_prefix(place);
  while (true) {
    pattern.remove_prefix(place + width);
    place = pattern.find('{');
    const std::string_view after = pattern.substr(0, place);
    const bool last = place == std::string_view::npos;
    if (last && !text.ends_with(after)) return {};
    const std::size_t end = last ? text.size() - after.size() : text.find(after, 1);
    if (end == 0 || end == std::string_view::npos) return {};
    found.emplace_back(text.substr(0, end));
    if (last) return found;
    text.remove_prefix(end + after.size());
  }
}

/// `3.2 GB`, as bytes are recorded.
bool amount_of_bytes(const std::string& text) {
  return text.ends_with('B') && std::isdigit(static_cast<unsigned char>(text.front())) != 0 &&
         text.find(' ') == text.size() - std::string_view(" GB").size();
}

/// `deeper`: how many sentences may still stand inside of one another.
std::string translated(const std::string& recorded, Language language, unsigned deeper);

std::string value_text(const std::string& recorded, Language language, unsigned deeper) {
  if (!amount_of_bytes(recorded)) return translated(recorded, language, deeper);
  const std::size_t blank = recorded.find(' ');
  return localised(recorded.substr(0, blank), language) + no_break_space +
         translated(recorded.substr(blank + 1), language);
}

std::string translated(const std::string& recorded, Language language, unsigned deeper) {
  if (deeper == 0) return recorded;
  for (const Phrase* const one : phrases::recorded) {
    const Phrase& phrase = *one;
    const auto values = places(phrase.in(Language::en), recorded);
    if (!values) continue;
    fmt::dynamic_format_arg_store<fmt::format_context> arguments;
    for (const std::string& value : *values) {
      arguments.push_back(value_text(value, language, deeper - 1));
    }
    return fmt::vformat(phrase.in(language), arguments);
  }
  return recorded;
}

}  // namespace

std::string translated(const std::string& recorded, Language language) {
  constexpr unsigned deepest = 4;
  return language == Language::en ? recorded : translated(recorded, language, deepest);
}

}  // namespace bench
