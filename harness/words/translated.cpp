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

/// How many sentences may be inside of one another: a file may say that one is inside of itself.
constexpr unsigned deepest = 6;

const Phrase* phrase_named(const std::span<const phrases::Named> all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : found->phrase;
}

/// One of the program's own sentences, and the values of its placeholders.
struct Sentence {
  const Phrase* phrase = nullptr;
  std::vector<std::string> values;
};

/// `deeper`: how many sentences may still be inside of one another.
std::optional<Sentence> sentence(const std::string& recorded, unsigned deeper = deepest) {
  if (deeper == 0) return {};
  auto reason = known_reason(recorded);
  if (!reason) return {};
  const Phrase* const phrase = phrase_named(phrases::reasons, reason->key);
  const auto places = [&] { return ReasonText{{}, phrase->in(Language::en)}.places(); };
  if (phrase == nullptr || places() != reason->values.size()) return {};
  return Sentence{phrase, std::move(reason->values)};
}

std::string translated(const std::string& recorded, Language language, unsigned deeper);

std::optional<double> number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// `4.2`, or `0.1–0.3`
bool figure(const std::string& text) {
  const std::string_view to = "–";
  const std::size_t end = text.find(to);
  if (end == std::string::npos) return number(text).has_value();
  return number(text.substr(0, end)) && number(text.substr(end + to.size()));
}

/// A figure, alone or with its unit (`3.2 GB`), as the language writes it; else a sentence.
std::string value_text(const std::string& recorded, Language language, unsigned deeper) {
  const std::size_t blank = std::min(recorded.find(' '), recorded.size());
  const std::string unit = recorded.substr(blank);
  const bool amount = figure(recorded.substr(0, blank)) && unit.find(' ', 1) == std::string::npos;
  if (!amount) return translated(recorded, language, deeper);
  const std::string value = localised(recorded.substr(0, blank), language);
  return unit.empty() ? value : value + no_break_space + translated(unit.substr(1), language);
}

std::string text_of(const Sentence& sentence, Language language, unsigned deeper) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const std::string& value : sentence.values) {
    arguments.push_back(value_text(value, language, deeper - 1));
  }
  return fmt::vformat(sentence.phrase->in(language), arguments);
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

std::string translated(const std::string& recorded, Language language, unsigned deeper) {
  if (const auto found = sentence(recorded, deeper)) return text_of(*found, language, deeper);
  const Phrase* const fixed = phrase_named(phrases::fixed, recorded);
  return fixed == nullptr ? with_code(recorded, language) : std::string(fixed->in(language));
}

/// `60–77`, or each word once.
std::string together(std::vector<std::string> values) {
  const bool numbers = std::all_of(values.begin(), values.end(), number);
  std::stable_sort(values.begin(), values.end(), [&](const auto& a, const auto& b) {
    return numbers ? *number(a) < *number(b) : a < b;
  });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (numbers && values.size() > 1) return values.front() + "–" + values.back();
  constexpr std::size_t most_words = 4;
  if (values.size() > most_words) {
    values.resize(most_words);
    values.emplace_back("…");
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string kind_of_sentence(const std::string& recorded, unsigned deeper) {
  const auto found = sentence(recorded, deeper);
  if (!found) return recorded;
  std::string kind(found->phrase->in(Language::en));
  for (const std::string& value : found->values) {
    kind += '\n';
    if (sentence(value, deeper - 1)) kind += kind_of_sentence(value, deeper - 1);
  }
  return kind;
}

std::string translated_together(const std::vector<std::string>& recorded, Language language,
                                unsigned deeper) {
  auto all = sentence(recorded.front(), deeper);
  if (!all || recorded.size() == 1) return translated(recorded.front(), language);
  for (std::size_t place = 0; place < all->values.size(); ++place) {
    std::vector<std::string> values;
    for (const std::string& one : recorded) values.push_back(sentence(one)->values[place]);
    all->values[place] = sentence(values.front(), deeper - 1)
                             ? translated_together(values, language, deeper - 1)
                             : together(std::move(values));
  }
  return text_of(*all, language, deeper);
}

}  // namespace

std::string translated(const std::string& recorded, Language language) {
  return language == Language::en ? recorded : translated(recorded, language, deepest);
}

std::string kind_of_sentence(const std::string& recorded) {
  return kind_of_sentence(recorded, deepest);
}

std::string translated_together(const std::vector<std::string>& recorded, Language language) {
  return translated_together(recorded, language, deepest);
}

}  // namespace bench
