// Products of 32-bit numbers with 64-bit results, a whole vector at a time: one instruction that
// compilers do not find in loops over arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "harness/simd/block.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

/// As many words as fit into a vector along with as many others.
using WideWords = Vector<std::uint64_t>;

template <std::size_t... Lane>
[[gnu::always_inline]] inline WideWords lane_numbers(std::index_sequence<Lane...> /*all*/) {
  return WideWords{Lane...};
}
/// 0, 1, 2 …: each lane's own number.
[[maybe_unused, gnu::always_inline]] inline WideWords lane_numbers() {
  return lane_numbers(std::make_index_sequence<lanes<std::uint64_t>>());
}

/// The product of the lower halves of each lane; what the upper halves hold does not matter.
[[maybe_unused, gnu::always_inline]] inline WideWords low_products(WideWords a, WideWords b) {
#if defined(__AVX512F__)
  constexpr __mmask8 all = 0xFF;  // of the form without a mask gcc 12 says that it is uninitialised
  return reinterpret_cast<WideWords>(
      _mm512_maskz_mul_epu32(all, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
  return reinterpret_cast<WideWords>(
      _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__x86_64__)
  return reinterpret_cast<WideWords>(
      _mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  constexpr std::uint64_t low = 0xFFFFFFFF;
  return (a & low) * (b & low);
#endif
}

}  // namespace
