// Streaming stores: whole cache lines written past the caches, so that the processor need not read
// a line before it is overwritten. Elsewhere than on x86-64 they are ordinary stores.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

constexpr std::size_t cache_line = 64;

/// Copies one cache line; `to` must be aligned to it, `from` may be anywhere.
[[maybe_unused, gnu::always_inline]] inline void stream_line(void* to, const void* from) {
#if defined(__AVX512F__)
  _mm512_stream_si512(static_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif defined(__AVX__)
  auto* target = static_cast<__m256i*>(to);
  const auto* source = static_cast<const __m256i*>(from);
  _mm256_stream_si256(target, _mm256_loadu_si256(source));
  _mm256_stream_si256(target + 1, _mm256_loadu_si256(source + 1));
#elif defined(__x86_64__)
  auto* target = static_cast<__m128i*>(to);
  const auto* source = static_cast<const __m128i*>(from);
  for (int part = 0; part < 4; ++part) {
    _mm_stream_si128(target + part, _mm_loadu_si128(source + part));
  }
#else
  __builtin_memcpy(to, from, cache_line);
#endif
}

/// Makes streamed lines visible to other threads; needed once, after the last of them.
[[maybe_unused, gnu::always_inline]] inline void stream_fence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

/// How many elements from `to` on are before its first whole cache line.
template <class T>
[[maybe_unused, gnu::always_inline]] inline std::size_t elements_before_line(const T* to) {
  return (cache_line - reinterpret_cast<std::uintptr_t>(to) % cache_line) % cache_line / sizeof(T);
}

}  // namespace
