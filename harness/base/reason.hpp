// Sentences of the program that result files keep: in English, and as what they were made of, from
// which each language makes its own. All of them are in harness/base/reasons.hpp, which is made of
// words/phrases/en.json. CUDA files include it, in C++17.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

/// A key and the English sentence, with places {0}, {1} … that are there once each.
struct ReasonText {
  std::string_view key;
  std::string_view english;

  constexpr std::size_t places() const {
    std::size_t count = 0;
    for (const char one : english) count += one == '{' ? 1 : 0;
    return count;
  }
};

/// What a sentence was made of. A value is a figure, a name, or another sentence.
struct Reason {
  std::string key;
  std::vector<std::string> values;
};
/// The reasons by their English sentences, as result files hold them.
using Reasons = std::map<std::string, Reason>;

namespace reason {

inline std::string value(std::string text) { return text; }
template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
std::string value(Integer number) {
  return std::to_string(number);
}
std::string sentence(const ReasonText& text, std::vector<std::string> values);

}  // namespace reason

/// The English sentence. What it was made of is kept: see known_reasons().
template <const ReasonText& text, class... Values>
std::string said(const Values&... values) {
  static_assert(text.places() == sizeof...(values));
  return reason::sentence(text, {reason::value(values)...});
}

/// What this process has said, and what it has read in result files.
Reasons known_reasons();
std::optional<Reason> known_reason(const std::string& sentence);
/// True where a sentence was made of this text.
bool is(const std::string& sentence, const ReasonText& text);

/// What a result file says of its sentences.
void remember(const Reasons& reasons);

}  // namespace bench
