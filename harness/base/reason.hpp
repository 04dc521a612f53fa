// Sentences of the program that result files keep: in English, and as what they were made of, from
// which each language makes its own. All of them are in harness/base/reasons.hpp, which is made of
// words/phrases/en.json. CUDA files include it, in C++17.
#pragma once

#include <cstddef>
#include <exception>
#include <map>
#include <stdexcept>
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

/// A sentence and what it was made of. A value is a figure, a name, or another sentence.
struct Reason {
  Reason() = default;
  /// The words of somebody else.
  Reason(std::string words) : text(std::move(words)) {}
  Reason(const char* words) : text(words) {}
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  explicit Reason(Integer figure) : text(std::to_string(figure)) {}
  Reason(const ReasonText& one, std::vector<Reason> of);

  bool empty() const { return text.empty(); }
  bool is(const ReasonText& one) const { return key == one.key; }

  friend bool operator==(const Reason& a, const Reason& b) { return a.text == b.text; }
  friend bool operator<(const Reason& a, const Reason& b) { return a.text < b.text; }

  std::string text;  ///< in English; empty: there is nothing to say
  std::string key;   ///< of its ReasonText; empty: there is none
  std::vector<Reason> values;
};

/// What a sentence was made of, as result files hold it.
struct Explanation {
  std::string key;
  std::vector<std::string> values;
};
using Explanations = std::map<std::string, Explanation>;

/// The sentence with what these explanations say of it and of its values. `deepest`: how many of
/// them may be inside of one another.
Reason explained(const std::string& sentence, const Explanations& all, unsigned deepest = 6);
/// Adds those of a sentence and of its values.
void add_explanations(const Reason& sentence, Explanations& all);

/// What went wrong, in a sentence for readers.
struct ReasonError : std::runtime_error {
  explicit ReasonError(const Reason& why) : std::runtime_error(why.text), reason(why) {}

  Reason reason;
};
/// Why a run did not come to its end.
struct RunError : ReasonError {
  using ReasonError::ReasonError;
};
/// Thrown by a variant that needs what this node does not have: it is skipped, not failed.
struct Unavailable : ReasonError {
  using ReasonError::ReasonError;
};

/// What such an error says, or the words of any other.
Reason reason_of(const std::exception& error);

/// The sentence with these values.
template <const ReasonText& text, class... Values>
Reason said(const Values&... values) {
  static_assert(text.places() == sizeof...(values));
  return Reason(text, {Reason(values)...});
}

}  // namespace bench
