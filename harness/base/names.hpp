// Enumerations and their texts, once for both ways.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bench {

/// The values of an enumeration and their texts: specialise it next to the enumeration.
template <class E>
struct NamesOf;  // static constexpr std::array<std::pair<E, std::string_view>, N> all

template <class E>
concept Named = std::is_enum_v<E> && requires {
  NamesOf<E>::all;
};

template <Named E>
constexpr std::string_view name_of(E value) {
  for (const auto& [one, text] : NamesOf<E>::all) {
    if (one == value) return text;
  }
  return "?";
}

template <Named E>
std::optional<E> value_named(std::string_view text) {
  for (const auto& [one, name] : NamesOf<E>::all) {
    if (name == text) return one;
  }
  return {};
}

template <Named E>
std::string all_names() {
  std::string all;
  for (const auto& entry : NamesOf<E>::all) {
    all += (all.empty() ? "" : ", ") + std::string(entry.second);
  }
  return all;
}

}  // namespace bench
