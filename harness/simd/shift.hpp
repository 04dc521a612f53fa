// Lanes of a vector, moved up.
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

}  // namespace
