// Lanes of a vector, moved to others.
#pragma once

#include <cstddef>
#include <utility>

#include "harness/simd/block.hpp"

namespace {

template <std::size_t distance, class V, std::size_t... Lane>
[[gnu::always_inline]] inline V shifted(V v, std::index_sequence<Lane...> /*all*/) {
  [[maybe_unused]] constexpr std::size_t n = sizeof...(Lane);
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(V{}, v, (Lane < distance ? Lane : n + Lane - distance)...);
#else  // GCC 11
  return __builtin_shuffle(V{}, v,
                           decltype(v < v){(Lane < distance ? Lane : n + Lane - distance)...});
#endif
}

/// Lane i of the result is lane i − distance of v, and zero where there is none.
template <class T, std::size_t distance>
[[maybe_unused, gnu::always_inline]] inline Vector<T> shifted(Vector<T> v) {
  return shifted<distance>(v, std::make_index_sequence<lanes<T>>());
}

template <class V, std::size_t... Lane>
[[gnu::always_inline]] inline V last_in_all(V v, std::index_sequence<Lane...> /*all*/) {
  [[maybe_unused]] constexpr std::size_t last = sizeof...(Lane) - 1;
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, ((void)Lane, last)...);
#else  // GCC 11
  return __builtin_shuffle(v, decltype(v < v){((void)Lane, last)...});
#endif
}

/// The last lane of v in all lanes.
template <class T>
[[maybe_unused, gnu::always_inline]] inline Vector<T> last_in_all(Vector<T> v) {
  return last_in_all(v, std::make_index_sequence<lanes<T>>());
}

}  // namespace
