// Shared by the vectorised maps of a sine, whose short reduction is right up to some angle: a chunk
// with a larger one is computed again by the mathematical library.
//
// `Map` is a struct of pointers. angle(i) is the largest angle of element i in magnitude, vector(i)
// the element without a call, library(i) the same for any angle.
#pragma once

#include <cstddef>

#include "harness/simd/math.hpp"
#include "kernels/streaming.hpp"

namespace kernels {
namespace {

/// Elements. The check costs next to nothing per chunk, and small arrays have one for many threads.
constexpr std::size_t chunk = 32 * line;

constexpr std::size_t end_of_chunk(std::size_t first, std::size_t end) {
  return end - first < chunk ? end : first + chunk;
}

template <class Map>
inline void store_by_library(Real* out, std::size_t first, std::size_t end, Map map) {
  for (std::size_t i = first; i < end; ++i) out[i] = map.library(i);
}

/// out[i] for a chunk that begins at `first`.
template <class Map>
[[gnu::always_inline]] inline void store_chunk(Real* out, std::size_t first, std::size_t end,
                                               Map map) {
  Real largest = 0;
#pragma omp simd reduction(max : largest)
  for (std::size_t i = first; i < end; ++i) {
    const Real size = map.angle(i);
    largest = size > largest ? size : largest;
    out[i] = map.vector(i);
  }
  if (largest > sin_reach<Real>) store_by_library(out, first, end, map);
}

/// The same for whole lines, with streaming stores.
template <class Map>
[[gnu::always_inline]] inline void stream_chunk(Real* out, std::size_t first, std::size_t end,
                                                Map map) {
  Real largest[line] = {};
  for (std::size_t begin = first; begin < end; begin += line) {
    alignas(cache_line) Real results[line];
#pragma omp simd
    for (std::size_t i = 0; i < line; ++i) {
      const Real size = map.angle(begin + i);
      largest[i] = size > largest[i] ? size : largest[i];
      results[i] = map.vector(begin + i);
    }
    stream_line(out + begin, results);
  }
  bool beyond = false;
  for (const Real size : largest) beyond = beyond || size > sin_reach<Real>;
  if (!beyond) return;
  stream_fence();
  store_by_library(out, first, end, map);
}

}  // namespace
}  // namespace kernels
