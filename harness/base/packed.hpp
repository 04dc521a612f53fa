// Values as bytes, for what the program keeps for itself: without names, in this machine's order.
#pragma once

#include <cstddef>
#include <cstring>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "harness/base/json.hpp"

namespace bench::packed {

/// Thrown by get(): the bytes end before the value does.
struct CutOff : std::runtime_error {
  CutOff() : runtime_error("bytes are cut off") {}
};

/// The members of a value, as std::tie() has them. Each other struct has an overload of its own.
template <class First, class Second>
auto members(std::pair<First, Second>& one) {
  return std::tie(one.first, one.second);
}
template <class First, class Second>
auto members(const std::pair<First, Second>& one) {
  return std::tie(one.first, one.second);
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
concept Optional = requires(const T& one) {
  one.has_value();
};
template <class T>
concept Map = requires {
  typename T::mapped_type;
};

/// Adds the bytes of a value.
template <class T>
void put(std::string& to, const T& value) {
  if constexpr (Plain<T>) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    put(to, value.size());
    to += value;
  } else if constexpr (std::is_same_v<T, Json>) {
    std::string text;
    Json::to_cbor(value, text);
    put(to, text);
  } else if constexpr (Optional<T>) {
    put(to, value.has_value());
    if (value) put(to, *value);
  } else if constexpr (std::ranges::range<T>) {
    put(to, value.size());
    for (const auto& one : value) put(to, one);
  } else {
    std::apply([&to](const auto&... each) { (put(to, each), ...); }, members(value));
  }
}

inline std::string_view take(std::string_view& from, std::size_t size) {
  if (size > from.size()) throw CutOff();
  const std::string_view taken = from.substr(0, size);
  from.remove_prefix(size);
  return taken;
}

/// The value at the front of what put() has written, which is taken off. Throws CutOff.
template <class T>
T get(std::string_view& from) {
  T value{};
  if constexpr (Plain<T>) {
    std::memcpy(&value, take(from, sizeof value).data(), sizeof value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = take(from, get<std::size_t>(from));
  } else if constexpr (std::is_same_v<T, Json>) {
    value = Json::from_cbor(get<std::string>(from));
  } else if constexpr (Optional<T>) {
    if (get<bool>(from)) value = get<typename T::value_type>(from);
  } else if constexpr (Map<T>) {
    for (auto left = get<std::size_t>(from); left > 0; --left) {
      auto key = get<typename T::key_type>(from);
      value.emplace_hint(value.end(), std::move(key), get<typename T::mapped_type>(from));
    }
  } else if constexpr (std::ranges::range<T>) {
    for (auto left = get<std::size_t>(from); left > 0; --left) {
      value.insert(value.end(), get<typename T::value_type>(from));
    }
  } else {
    std::apply(
        [&from](auto&... each) {
          ((each = get<std::remove_reference_t<decltype(each)>>(from)), ...);
        },
        members(value));
  }
  return value;
}

}  // namespace bench::packed
