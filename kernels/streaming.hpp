// Shared by the variants `streaming` of the maps: an array as full cache lines between two ends.
//
// An ordinary store to an uncached line fetches the line first, only to overwrite it
// (write-allocate, also called read for ownership). Streaming (non-temporal) stores of a full line
// need no such read. Elements before the first full line and after the last one are stored as
// usual.
#pragma once

#include <cstddef>

#include "harness/simd/stream.hpp"
#include "harness/workload/target.hpp"

namespace kernels {
namespace {

constexpr std::size_t line = cache_line / sizeof(Real);  // elements

/// The elements begin … end of an array, which are full lines.
struct Lines {
  std::size_t begin;
  std::size_t end;
};

/// out[i] = element(i) at both ends of the array; the lines between them are left to the caller.
template <class Element>
[[gnu::always_inline]] inline Lines store_ends(Real* out, std::size_t n, Element element) {
  const std::size_t before = elements_before_line(out);
  const std::size_t begin = before < n ? before : n;
  const std::size_t end = n - (n - begin) % line;
  for (std::size_t i = 0; i < begin; ++i) out[i] = element(i);
  for (std::size_t i = end; i < n; ++i) out[i] = element(i);
  return {begin, end};
}

/// out[i] = element(i) for the line that starts at `first`, vectorised.
template <class Element>
[[gnu::always_inline]] inline void stream_elements(Real* out, std::size_t first, Element element) {
  alignas(cache_line) Real results[line];
#pragma omp simd
  for (std::size_t i = 0; i < line; ++i) results[i] = element(first + i);
  stream_line(out + first, results);
}

}  // namespace
}  // namespace kernels
