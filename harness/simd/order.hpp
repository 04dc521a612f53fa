// Vectors in order: the smaller and the larger lanes of two, lanes that change places, and those
// below a limit apart from the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "harness/simd/block.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

/// The smaller of two in each lane, and the larger one, in one instruction each: gcc compares once
/// for both and blends twice. Of equal ones it is `b`: 0 and −0 are.
#if defined(__AVX512F__)
// Of the forms without a mask gcc 12 says that they are uninitialised.
[[maybe_unused, gnu::always_inline]] inline Vector<float> smaller(Vector<float> a,
                                                                  Vector<float> b) {
  return _mm512_maskz_min_ps(0xFFFF, a, b);
}
[[maybe_unused, gnu::always_inline]] inline Vector<float> larger(Vector<float> a, Vector<float> b) {
  return _mm512_maskz_max_ps(0xFFFF, a, b);
}
[[maybe_unused, gnu::always_inline]] inline Vector<double> smaller(Vector<double> a,
                                                                   Vector<double> b) {
  return _mm512_maskz_min_pd(0xFF, a, b);
}
[[maybe_unused, gnu::always_inline]] inline Vector<double> larger(Vector<double> a,
                                                                  Vector<double> b) {
  return _mm512_maskz_max_pd(0xFF, a, b);
}
#elif defined(__AVX__)
[[maybe_unused, gnu::always_inline]] inline Vector<float> smaller(Vector<float> a,
                                                                  Vector<float> b) {
  return _mm256_min_ps(a, b);
}
[[maybe_unused, gnu::always_inline]] inline Vector<float> larger(Vector<float> a, Vector<float> b) {
  return _mm256_max_ps(a, b);
}
[[maybe_unused, gnu::always_inline]] inline Vector<double> smaller(Vector<double> a,
                                                                   Vector<double> b) {
  return _mm256_min_pd(a, b);
}
[[maybe_unused, gnu::always_inline]] inline Vector<double> larger(Vector<double> a,
                                                                  Vector<double> b) {
  return _mm256_max_pd(a, b);
}
#else
template <class V>
[[gnu::always_inline]] inline V smaller(V a, V b) {
  return a < b ? a : b;
}
template <class V>
[[gnu::always_inline]] inline V larger(V a, V b) {
  return a > b ? a : b;
}
#endif

/// Each lane of two vectors in ascending order, without a branch. No bit pattern is lost.
template <class V>
[[gnu::always_inline]] inline void order(V& low, V& high) {
  const V a = low;
  const V b = high;
  low = smaller(a, b);
  high = larger(b, a);
}

template <std::size_t mask, class V, std::size_t... Lane>
[[gnu::always_inline]] inline V exchanged(V v, std::index_sequence<Lane...> /*all*/) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, (Lane ^ mask)...);
#else  // GCC 11
  return __builtin_shuffle(v, decltype(v < v){(Lane ^ mask)...});
#endif
}
/// Lane i of the result is lane i ^ mask of v.
template <class T, std::size_t mask>
[[maybe_unused, gnu::always_inline]] inline Vector<T> exchanged(Vector<T> v) {
  return exchanged<mask>(v, std::make_index_sequence<lanes<T>>());
}

template <std::size_t bit, class V, std::size_t... Lane>
[[gnu::always_inline]] inline V by_bit(V a, V b, std::index_sequence<Lane...> /*all*/) {
  [[maybe_unused]] constexpr std::size_t n = sizeof...(Lane);
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, ((Lane & bit) != 0 ? n + Lane : Lane)...);
#else  // GCC 11
  return __builtin_shuffle(a, b, decltype(a < b){((Lane & bit) != 0 ? n + Lane : Lane)...});
#endif
}
/// Lane i of the result is that of b where i has this bit, and that of a elsewhere.
template <class T, std::size_t bit>
[[maybe_unused, gnu::always_inline]] inline Vector<T> by_bit(Vector<T> a, Vector<T> b) {
  return by_bit<bit>(a, b, std::make_index_sequence<lanes<T>>());
}

template <std::size_t bit, class V, std::size_t... Lane>
[[gnu::always_inline]] inline void cross(V& a, V& b, std::index_sequence<Lane...> /*all*/) {
  constexpr std::size_t n = sizeof...(Lane);
  const V first = a;
  const V second = b;
#if __has_builtin(__builtin_shufflevector)
  a = __builtin_shufflevector(first, second, ((Lane & bit) != 0 ? n + (Lane ^ bit) : Lane)...);
  b = __builtin_shufflevector(first, second, ((Lane & bit) != 0 ? n + Lane : Lane ^ bit)...);
#else  // GCC 11
  using Lanes = decltype(a < b);
  a = __builtin_shuffle(first, second, Lanes{((Lane & bit) != 0 ? n + (Lane ^ bit) : Lane)...});
  b = __builtin_shuffle(first, second, Lanes{((Lane & bit) != 0 ? n + Lane : Lane ^ bit)...});
#endif
}
/// The lanes of `a` whose number has this bit change places with those of `b` that have it not.
template <class T, std::size_t bit>
[[maybe_unused, gnu::always_inline]] inline void cross(Vector<T>& a, Vector<T>& b) {
  cross<bit>(a, b, std::make_index_sequence<lanes<T>>());
}

#if defined(__AVX512F__) || defined(__AVX2__)
/// A vector with its lanes below a limit first, and how many they are.
template <class T>
struct Apart {
  Vector<T> v;
  std::size_t below;
};
#endif

#if defined(__AVX512F__)
[[maybe_unused, gnu::always_inline]] inline Apart<float> apart(Vector<float> v, float limit) {
  const __mmask16 below = _mm512_cmp_ps_mask(v, _mm512_set1_ps(limit), _CMP_LT_OQ);
  const int count = __builtin_popcount(below);
  const __m512 others = _mm512_maskz_compress_ps(_knot_mask16(below), v);
  const auto behind = static_cast<__mmask16>(0xFFFFU << static_cast<unsigned>(count));
  return {_mm512_mask_expand_ps(_mm512_maskz_compress_ps(below, v), behind, others),
          static_cast<std::size_t>(count)};
}
[[maybe_unused, gnu::always_inline]] inline Apart<double> apart(Vector<double> v, double limit) {
  const __mmask8 below = _mm512_cmp_pd_mask(v, _mm512_set1_pd(limit), _CMP_LT_OQ);
  const int count = __builtin_popcount(below);
  const __m512d others = _mm512_maskz_compress_pd(_knot_mask8(below), v);
  const auto behind = static_cast<__mmask8>(0xFFU << static_cast<unsigned>(count));
  return {_mm512_mask_expand_pd(_mm512_maskz_compress_pd(below, v), behind, others),
          static_cast<std::size_t>(count)};
}
#elif defined(__AVX2__)
/// The order of lanes for each set of them that is not below: the other lanes first. A byte is the
/// number of four bytes of the vector.
template <class T>
constexpr auto lanes_apart = [] {
  constexpr std::size_t words = sizeof(T) / 4;
  std::array<std::uint64_t, std::size_t{1} << lanes<T>> orders{};
  for (std::size_t set = 0; set < orders.size(); ++set) {
    unsigned shift = 0;
    for (const bool others : {false, true}) {
      for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
        if (((set >> lane & 1U) != 0) != others) continue;
        for (std::size_t word = 0; word < words; ++word, shift += 8)
          orders[set] |= std::uint64_t{lane * words + word} << shift;
      }
    }
  }
  return orders;
}();
template <class T>
[[gnu::always_inline]] inline __m256 moved_apart(__m256 v, unsigned others) {
  const auto* const order = reinterpret_cast<const __m128i*>(&lanes_apart<T>[others]);
  return _mm256_permutevar8x32_ps(v, _mm256_cvtepu8_epi32(_mm_loadl_epi64(order)));
}
[[maybe_unused, gnu::always_inline]] inline Apart<float> apart(Vector<float> v, float limit) {
  const int others = _mm256_movemask_ps(_mm256_cmp_ps(v, _mm256_set1_ps(limit), _CMP_NLT_UQ));
  const auto set = static_cast<unsigned>(others);
  return {moved_apart<float>(v, set),
          lanes<float> - static_cast<std::size_t>(__builtin_popcount(set))};
}
[[maybe_unused, gnu::always_inline]] inline Apart<double> apart(Vector<double> v, double limit) {
  const int others = _mm256_movemask_pd(_mm256_cmp_pd(v, _mm256_set1_pd(limit), _CMP_NLT_UQ));
  const auto set = static_cast<unsigned>(others);
  return {_mm256_castps_pd(moved_apart<double>(_mm256_castpd_ps(v), set)),
          lanes<double> - static_cast<std::size_t>(__builtin_popcount(set))};
}
#endif

/// Stores an element at `low` if it is below the limit, otherwise before `high`; moves that end.
/// Both are overwritten: which one stays is not a branch.
template <class T>
[[gnu::always_inline]] inline void store_apart(T value, T limit, T*& low, T*& high) {
  const bool below = value < limit;
  *low = value;
  high[-1] = value;
  low += below ? 1 : 0;
  high -= below ? 0 : 1;
}

/// The same of the lanes of a vector. Between `low` and `high` there must be room for one vector or
/// for two at least: all lanes are stored at both ends.
template <class T>
[[gnu::always_inline]] inline void store_vector_apart(const T* from, T limit, T*& low, T*& high) {
#if defined(__AVX512F__) || defined(__AVX2__)
  Vector<T> v;
  __builtin_memcpy(&v, from, sizeof v);
  const auto [lanes_in_order, below] = apart(v, limit);
  __builtin_memcpy(low, &lanes_in_order, sizeof v);
  __builtin_memcpy(high - lanes<T>, &lanes_in_order, sizeof v);
  low += below;
  high -= lanes<T> - below;
#else
  for (std::size_t lane = 0; lane < lanes<T>; ++lane) store_apart(from[lane], limit, low, high);
#endif
}

}  // namespace
