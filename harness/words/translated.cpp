#include "harness/words/translated.hpp"

#include <fmt/args.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/recorded_phrases.hpp"

namespace bench {
namespace {

const Phrase* phrase_named(const std::span<const phrases::Named> all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : found->phrase;
}

/// Null for words of somebody else, and for what another version of this program has said.
const Phrase* phrase_of(const Reason& reason) {
  const Phrase* const phrase = phrase_named(phrases::reasons, reason.key);
  const auto places = [&] { return ReasonText{{}, phrase->in(Language::en)}.places(); };
  return phrase != nullptr && places() == reason.values.size() ? phrase : nullptr;
}

std::string filled(const Phrase& phrase, const std::vector<std::string>& values,
                   Language language) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const std::string& value : values) arguments.push_back(value);
  return fmt::vformat(phrase.in(language), arguments);
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// A figure, alone or with its unit (`3.2 GB`), as the language writes it; else a sentence.
std::string value_text(const Reason& value, Language language) {
  const std::size_t blank = std::min(value.text.find(' '), value.text.size());
  const std::string figure = value.text.substr(0, blank);
  const std::string unit = value.text.substr(blank);
  if (!number(figure) || unit.find(' ', 1) != std::string::npos) return translated(value, language);
  if (unit.empty()) return localised(figure, language);
  return localised(figure, language) + no_break_space + translated(unit.substr(1), language);
}

/// `x.copy(): a new array`: the code of an idea is the same in all languages.
std::string with_code(const std::string& recorded, Language language) {
  const std::size_t code = recorded.find(": ");
  if (code == std::string::npos) return recorded;
  const Phrase* const idea =
      phrase_named(phrases::fixed, std::string_view(recorded).substr(code + 2));
  return idea == nullptr
             ? recorded
             : say(language, phrases::because, recorded.substr(0, code), idea->in(language));
}

/// `60–77`, or each word once.
std::string together(std::vector<Reason> values) {
  const bool numbers = std::all_of(values.begin(), values.end(),
                                   [](const Reason& one) { return number(one.text).has_value(); });
  std::stable_sort(values.begin(), values.end(), [&](const Reason& a, const Reason& b) {
    return numbers ? *number(a.text) < *number(b.text) : a < b;
  });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (numbers && values.size() > 1) {
    return values.front().text + "–" + values.back().text;
  }
  std::vector<std::string> words;
  for (const Reason& value : values) words.push_back(value_text(value, Language::en));
  constexpr std::size_t most_words = 4;
  if (words.size() > most_words) {
    words.resize(most_words);
    words.emplace_back("…");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string translated(const Reason& recorded, Language language) {
  if (language == Language::en) return recorded.text;
  if (const Phrase* const phrase = phrase_of(recorded)) {
    std::vector<std::string> values;
    for (const Reason& value : recorded.values) values.push_back(value_text(value, language));
    return filled(*phrase, values, language);
  }
  const Phrase* const fixed = phrase_named(phrases::fixed, recorded.text);
  return fixed == nullptr ? with_code(recorded.text, language) : std::string(fixed->in(language));
}

std::string kind_of_sentence(const Reason& recorded) {
  const Phrase* const phrase = phrase_of(recorded);
  if (phrase == nullptr) return recorded.text;
  std::string kind(phrase->in(Language::en));
  for (const Reason& value : recorded.values) {
    kind += '\n';
    if (phrase_of(value) != nullptr) kind += kind_of_sentence(value);
  }
  return kind;
}

std::string said_together(const std::vector<Reason>& recorded) {
  const Phrase* const phrase = phrase_of(recorded.front());
  if (phrase == nullptr || recorded.size() == 1) return recorded.front().text;
  std::vector<std::string> values;
  for (std::size_t place = 0; place < recorded.front().values.size(); ++place) {
    std::vector<Reason> each;
    for (const Reason& one : recorded) each.push_back(one.values[place]);
    values.push_back(phrase_of(each.front()) != nullptr ? said_together(each)
                                                        : together(std::move(each)));
  }
  return filled(*phrase, values, Language::en);
}

}  // namespace bench
