// Sums and scans of a part by whole vectors, for both CPU ladders.
#pragma once

#include <cstddef>
#include <type_traits>

#include "harness/simd/shift.hpp"
#include "harness/simd/stream.hpp"
#include "harness/workload/target.hpp"

namespace kernels::scan {
namespace {

/// What sums of many elements are added in: a float would lose what is added to it.
using Total = std::conditional_t<std::is_floating_point_v<Real>, double, Real>;

constexpr std::size_t line = cache_line / sizeof(Real);  // elements

/// The sum of n elements: of lanes that add at most 64 of them.
inline Total sum_of(const Real* x, std::size_t n) {
  constexpr std::size_t step = 4 * line;
  constexpr std::size_t block = 64 * step;
  const std::size_t whole = n - n % step;
  Total total = 0;
  for (std::size_t begin = 0; begin < whole; begin += block) {
    const std::size_t end = whole - begin < block ? whole : begin + block;
    Real lane[step] = {};
    for (std::size_t first = begin; first < end; first += step) {
#pragma omp simd
      for (std::size_t i = 0; i < step; ++i) lane[i] += x[first + i];
    }
    for (const Real one : lane) total += one;
  }
  for (std::size_t i = whole; i < n; ++i) total += x[i];
  return total;
}

/// Each lane and all before it: log2 steps, each of which adds the lanes twice as far away.
template <std::size_t distance = 1>
[[gnu::always_inline]] inline Vector<Real> sums_of_lanes(Vector<Real> v) {
  v += shifted<Real, distance>(v);
  if constexpr (2 * distance < lanes<Real>) v = sums_of_lanes<2 * distance>(v);
  return v;
}

/// out[i] = before + x[0] + … + x[i]; returns the last one.
[[gnu::always_inline]] inline Total scan_vectors(const Real* x, Real* out, std::size_t n,
                                                 Total before) {
  constexpr std::size_t width = lanes<Real>;
  const std::size_t whole = n - n % width;
  for (std::size_t i = 0; i < whole; i += width) {
    Vector<Real> v;
    __builtin_memcpy(&v, x + i, sizeof v);
    v = sums_of_lanes(v);
    const Vector<Real> sums = v + static_cast<Real>(before);
    __builtin_memcpy(out + i, &sums, sizeof sums);
    before += v[width - 1];
  }
  for (std::size_t i = whole; i < n; ++i) {
    before += x[i];
    out[i] = static_cast<Real>(before);
  }
  return before;
}

/// The same by streaming stores of full cache lines; the caller must call stream_fence().
inline Total scan_streaming(const Real* x, Real* out, std::size_t n, Total before) {
  const std::size_t head = elements_before_line(out);
  const std::size_t first = head < n ? head : n;
  const std::size_t end = n - (n - first) % line;
  before = scan_vectors(x, out, first, before);
  for (std::size_t i = first; i < end; i += line) {
    alignas(cache_line) Real sums[line];
    before = scan_vectors(x + i, sums, line, before);
    stream_line(out + i, sums);
  }
  return scan_vectors(x + end, out + end, n - end, before);
}

}  // namespace
}  // namespace kernels::scan
