// Small square blocks of a matrix, transposed in vector registers.
#pragma once

#include <cstddef>
#include <utility>

namespace {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif

/// How many vectors it holds in registers.
#if defined(__AVX512F__) || defined(__aarch64__)
[[maybe_unused]] constexpr std::size_t vector_registers = 32;
#else
[[maybe_unused]] constexpr std::size_t vector_registers = 16;
#endif

/// Elements in a vector of this instruction set.
template <class T>
constexpr std::size_t lanes = vector_bytes / sizeof(T);

template <class T>
struct Register {
  using Vector [[gnu::vector_size(vector_bytes)]] = T;
};
template <class T>
using Vector = typename Register<T>::Vector;

/// a[0] b[0] a[1] b[1] …: the first (part 0) or second half (part 1) of both, in turn.
template <std::size_t part, class V, std::size_t... Lane>
[[gnu::always_inline]] inline V zip(V a, V b, std::index_sequence<Lane...> /*all*/) {
  constexpr std::size_t n = sizeof...(Lane);
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, (part * n / 2 + Lane / 2 + Lane % 2 * n)...);
#else  // GCC 11
  return __builtin_shuffle(a, b, decltype(a < b){(part * n / 2 + Lane / 2 + Lane % 2 * n)...});
#endif
}

/// Zips row i with row i + n/2, `times` times. As often as n can be halved, it is a transposition.
template <std::size_t times, class V, std::size_t... Half>
[[gnu::always_inline]] inline void zip_rows(V* rows, std::index_sequence<Half...> halves) {
  constexpr std::size_t n = 2 * sizeof...(Half);
  constexpr auto all = std::make_index_sequence<n>();
  V zipped[n];
  ((zipped[2 * Half] = zip<0>(rows[Half], rows[Half + n / 2], all),
    zipped[2 * Half + 1] = zip<1>(rows[Half], rows[Half + n / 2], all)),
   ...);
  ((rows[2 * Half] = zipped[2 * Half], rows[2 * Half + 1] = zipped[2 * Half + 1]), ...);
  if constexpr (times > 1) zip_rows<times - 1>(rows, halves);
}

template <class T, std::size_t... Lane>
[[gnu::always_inline]] inline void transpose_block(const T* in, std::size_t in_pitch, T* out,
                                                   std::size_t out_pitch,
                                                   std::index_sequence<Lane...> /*all*/) {
  constexpr std::size_t n = sizeof...(Lane);
  Vector<T> rows[n];
  (__builtin_memcpy(&rows[Lane], in + Lane * in_pitch, sizeof rows[Lane]), ...);
  zip_rows<__builtin_ctzl(n)>(rows, std::make_index_sequence<n / 2>());
  (__builtin_memcpy(out + Lane * out_pitch, &rows[Lane], sizeof rows[Lane]), ...);
}

/// out[j][i] = in[i][j] for a square of lanes<T> elements each way; pitches in elements.
template <class T>
[[maybe_unused, gnu::always_inline]] inline void transpose_block(const T* in, std::size_t in_pitch,
                                                                 T* out, std::size_t out_pitch) {
  transpose_block(in, in_pitch, out, out_pitch, std::make_index_sequence<lanes<T>>());
}

}  // namespace
